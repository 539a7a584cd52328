//! The only room that talks to an API server.
//!
//! [`connect`] makes the connection, [`discover`] asks what is served, [`gather`] fetches wants
//! into a survey, [`mod@watch`] follows changes, [`sharing`] decides how many watches that takes,
//! [`existence`] tells whether objects are existence, [`apply`] carries out one step and [`batch`]
//! several, [`rights`] finds out which writes the caller may not make, and [`content`] lists what
//! is in a namespace. Reads are bounded in number and time; a failed read becomes an
//! [`Unread`](crate::survey::Unread) fact.

mod aggregated;
mod answer_cache;
pub mod apply;
mod at_once;
pub mod batch;
mod compressed;
pub mod connect;
pub mod content;
mod credentials;
pub mod discover;
mod dry_run;
pub mod existence;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
pub mod gather;
mod http;
mod in_flight;
mod list;
mod memory;
mod one_first;
mod probe;
mod protobuf;
mod refusal;
mod registrations;
mod request_log;
pub mod rights;
mod scan;
mod shared_list;
pub mod sharing;
mod sieve;
mod throttle;
mod tls;
mod two_connections;
pub mod watch;
mod write;

pub use at_once::AT_ONCE;
pub use connect::Connection;
pub use http::{Answer, Api, METADATA};
pub use refusal::Refusal;
