//! The only room that talks to an API server.
//!
//! [`connect`] makes the connection, [`discover`] asks what is served,
//! [`gather`] fetches wants into a survey, [`mod@watch`] follows changes, [`sharing`] says
//! by how many watches, [`gone`] tells whether objects are gone, [`apply`] carries out one
//! step, [`batch`] several, [`rights`] tells beforehand what the caller may not write,
//! [`content`] what is in a namespace. Reads are bounded in number and time; what
//! fails becomes an
//! [`Unread`](crate::survey::Unread) fact.

mod aggregated;
pub mod apply;
mod at_once;
pub mod batch;
mod compressed;
pub mod connect;
pub mod content;
mod credentials;
pub mod discover;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
pub mod gather;
pub mod gone;
mod held;
mod http;
mod in_flight;
mod kept;
mod lanes;
mod list;
mod log;
mod one_first;
mod pace;
mod probe;
mod protobuf;
mod refusal;
mod registrations;
pub mod rights;
mod scan;
pub mod sharing;
mod sieve;
mod tls;
mod together;
mod trial;
pub mod watch;
mod write;

pub use at_once::TOGETHER;
pub use connect::Connection;
pub use http::{Answer, Api, METADATA};
pub use refusal::Refusal;
