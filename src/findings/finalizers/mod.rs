//! Findings about objects that wait for a finalizer.

pub(crate) mod foreseen;
mod grant;
mod kinds;
pub(crate) mod order;
pub(crate) mod remedies;
pub(crate) mod waits;
