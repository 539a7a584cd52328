//! Reads a cluster.
//!
//! [`discover`] reads the served resources, [`gather`] fetches wants into a survey, [`content`]
//! lists the content of a namespace, [`mod@watch`] follows changes, and [`sharing`] decides how
//! many watches that takes. Reads are bounded in number and time; a failed read becomes an
//! [`Unread`](crate::survey::Unread) fact.

pub mod content;
pub mod discover;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
#[path = "../../fuzz/parsers/server_data.rs"]
pub mod fuzzing;
pub mod gather;
mod list;
mod log;
mod probe;
mod shared_list;
pub mod sharing;
mod sieve;
pub mod watch;
