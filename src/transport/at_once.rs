//! A few requests at the same time, with their answers in the order of the requests.

pub(crate) use futures_util::future::join_all as at_once;

/// How many writes, or reads of single objects, run at the same time.
pub const AT_ONCE: usize = 16;
