//! How a controller works on objects that are being deleted: what shows that, and what keeps it from its work.

pub(crate) mod barred;
pub(crate) mod classes;
pub mod cleanup_jobs;
pub(crate) mod confirmation;
pub(crate) mod differences;
pub(crate) mod hosted;
pub(crate) mod inquiry;
pub(crate) mod logs;
pub(crate) mod missing;
pub(crate) mod nothing_outside;
pub(crate) mod odd_entry;
pub(crate) mod pauses;
pub mod pending;
pub(crate) mod refusals;
pub(crate) mod rights;
pub(crate) mod stopped_part;
pub(crate) mod tenant;
pub(crate) mod unanswered;
pub(crate) mod unwell;
pub(crate) mod usual;
pub(crate) mod writes;

use crate::facts::Facts;
use crate::kubernetes::admission::Admission;
use crate::kubernetes::ownership::{access, candidates};

/// Requests the facts with which every search for the controller of objects in `namespace` begins.
/// If such a search is likely to follow, they are read together with other facts, and cost no round
/// trip of their own.
pub fn anticipate(namespace: &str, facts: &Facts<'_>) {
    let _ = (access::roles_and_bindings(None, facts), access::roles_and_bindings(Some(namespace), facts));
    let _ = (candidates::workloads(facts), Admission::glance(facts));
}
