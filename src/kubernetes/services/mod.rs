//! Whether somebody answers behind a Service, link by link: the Service, its
//! `EndpointSlice`s, the pods that it selects, their node and that node's network.
//!
//! [`of`] reads down to the first link that does not do its part, and further
//! only where the next one explains it; a Service with a ready address is two
//! reads. [`route`] goes on from there to the nodes of the ready pods: for one
//! whose address is ready and that does not answer all the same.

mod backend;
mod network;
mod pods;
mod ranges;
mod service;
mod slices;
#[cfg(test)]
mod tests;
mod trouble;

pub use backend::{Backend, ServiceName, Verdict};
pub(crate) use ranges::{RANGE_IN_USE, is_range, only_in, service_of};
pub use trouble::{Matter, Provider, Trouble};

use crate::facts::{Facts, Known};
use crate::report::Link;
use jiff::Timestamp;

/// What stands behind `name`. What cannot be read is put on record and makes
/// an unknown link, never a broken one.
///
/// # Errors
/// When something was not surveyed yet.
pub fn of<'s>(name: &ServiceName<'_>, facts: &Facts<'s>) -> Known<Backend<'s>> {
    service::look(name, facts)
}

/// The way from the API server to the ready pods of a backend, beyond the
/// Service: their node, its network and what makes its route. Stops at the first
/// broken link; empty where the addresses are no pods.
///
/// # Errors
/// When something was not surveyed yet.
pub fn route<'s>(backend: &mut Backend<'s>, facts: &Facts<'s>) -> Known {
    let (namespace, names) = (backend.service.namespace.clone().unwrap_or_default(), backend.ready_pods.clone());
    pods::way_to(backend, &namespace, &names, facts)
}

/// Since when somebody answers: the oldest of its ready pods is Ready since then, and the
/// Service has been there for so long. `None` where nobody answers, and where the addresses
/// are no pods, or such as cannot be read.
///
/// # Errors
/// When something was not surveyed yet.
pub fn answers_since(backend: &Backend<'_>, facts: &Facts<'_>) -> Known<Option<Timestamp>> {
    if backend.verdict == Verdict::Answers { pods::ready_since(backend, facts) } else { Ok(None) }
}

/// Whether the agents that tunnel from the API server to the nodes run; `None`
/// where there are none, as far as can be seen.
///
/// # Errors
/// When something was not surveyed yet.
pub fn tunnel(facts: &Facts<'_>) -> Known<Option<Link>> {
    network::tunnel(facts)
}
