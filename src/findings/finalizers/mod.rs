//! Findings about objects that wait for a finalizer.

mod barred;
mod expected_troubles;
pub(crate) mod foreseen;
mod grant;
mod inaction;
mod jobs;
mod kinds;
mod marks;
pub(crate) mod next_layer;
pub(crate) mod order;
mod protection;
pub(crate) mod remedies;
pub(crate) mod verdict;
pub(crate) mod waits;
