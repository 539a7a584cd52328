//! The facts about a controller, its state and the evidence for both.

use crate::kubernetes::statements::said_in::SaidIn;
use crate::report::{Controller, Ref, Sentence};

/// The facts about a controller, without the reason why it has not released its objects.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the evidence")]
pub struct Profile<'s> {
    /// The controller, for the report.
    pub controller: Controller,
    /// Other observations: a failure from before the deletion, and workloads that resemble the controller
    /// and are ruled out, each with the reason.
    pub aside: Vec<Sentence>,
    /// A fact about the object or its controller that may be the reason, if neither gives one.
    pub lead: Option<Sentence>,
    /// The facts that could not be read, one line for each reason.
    pub unread: Vec<Sentence>,
    /// The pod of an agent that works for the node of the object.
    pub pod: Option<Ref>,
    /// The cluster that its message is about, if the object is applied to another one.
    pub remote: Option<RemoteCluster>,
    /// Whether its log was read.
    pub log_is_read: bool,
    /// Whether its log was wanted and could not be read.
    pub log_is_unread: bool,
    /// Where the words about the object were read that give the reason; `None` if none do.
    pub said_in: Option<SaidIn<'s>>,
    /// The evidence is older than its pod, or than the end of its obstacle, and may no longer hold. Or it
    /// may be about another finalizer.
    pub stale: bool,
    /// It may run where nothing was searched, or writes from there.
    pub out_of_sight: bool,
    /// Several pieces of evidence point at the workload.
    pub sure: bool,
    /// A `ClusterRoleBinding` lets its account work on the kind: anybody may copy names and marks, but
    /// this takes permissions in the whole cluster.
    pub bound: bool,
    /// There are traces of a controller in this cluster, not only in the catalogue.
    pub has_traces: bool,
    /// It has been running only since the last deletion was requested, and its work at the start
    /// has not released the object.
    pub began_later: bool,
}

impl Profile<'_> {
    /// Whether only events or a log give the reason: tenants may have written their words.
    pub(crate) fn is_hearsay(&self) -> bool {
        matches!(self.said_in, Some(SaidIn::Event(_) | SaidIn::Log))
    }
}

/// A cluster that cannot be reached.
#[derive(Debug, Clone)]
pub struct RemoteCluster {
    /// The Secret that gives access to the cluster. Its data is not read.
    pub secret: Ref,
    /// The field that names the Secret.
    pub field: String,
}
