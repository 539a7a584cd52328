//! Whether a Service answers, link by link: the Service, its `EndpointSlice`s, the pods that it
//! selects, their node and that node's network.
//!
//! [`of`] reads down to the first link that does not work, and further only if the next one
//! explains that; a Service with a ready address takes two reads. `route` continues to the nodes
//! of the ready pods, for a Service with a ready address that does not answer.

#![expect(clippy::missing_errors_doc, reason = "`Known` says when it fails")]

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
pub(crate) use ranges::{only_in, service_of};
pub use trouble::{Matter, Provider, Trouble};

use crate::facts::{Facts, Known};
use crate::report::Link;
use jiff::Timestamp;

/// The backend of the Service `name`. Facts that cannot be read are noted and make an unknown link,
/// never a broken one.
pub fn of<'s>(name: &ServiceName<'_>, facts: &Facts<'s>) -> Known<Backend<'s>> {
    service::look(name, facts)
}

/// Adds the way from the API server to the ready pods of a backend, beyond the Service: their node, its
/// network and the origin of its route. Stops at the first broken link; adds nothing if the addresses
/// are no pods.
pub(crate) fn route<'s>(backend: &mut Backend<'s>, facts: &Facts<'s>) -> Known {
    let (namespace, names) = (backend.service.namespace.clone().unwrap_or_default(), backend.ready_pods.clone());
    pods::way_to(backend, &namespace, &names, facts)
}

/// The time since which the backend has answered: the oldest of its ready pods has been Ready, and
/// the Service has existed, since then. `None` if it does not answer, and if the addresses are no
/// pods or cannot be read.
pub(crate) fn answers_since(backend: &Backend<'_>, facts: &Facts<'_>) -> Known<Option<Timestamp>> {
    if backend.verdict == Verdict::Answers { pods::ready_since(backend, facts) } else { Ok(None) }
}

/// Whether the agents run that tunnel from the API server to the nodes; `None` if there are none, as
/// far as can be seen.
pub(crate) fn tunnel(facts: &Facts<'_>) -> Known<Option<Link>> {
    network::tunnel(facts)
}
