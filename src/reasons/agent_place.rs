//! The place where an object needs an agent.

use crate::report::Ref;

/// A node on which an object needs an agent, and the evidence.
#[derive(Debug, Clone)]
pub(super) struct AgentPlace {
    /// The node.
    pub(super) node: Ref,
    /// The object that names the node: the held one itself, or its volume.
    pub(super) of: Ref,
    /// The field with the node.
    pub(super) field: String,
}
