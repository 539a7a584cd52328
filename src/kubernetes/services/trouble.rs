//! What a broken node or network says of the cloud.

use crate::report::Ref;

/// Whose machine a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// Alibaba Cloud.
    Alibaba,
    /// Amazon Web Services.
    Amazon,
    /// Google Cloud.
    Google,
    /// Microsoft Azure.
    Azure,
    /// Another one, or none.
    Other,
}

/// What is wrong with the way to a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// The node.
    pub node: Ref,
    /// Whose it is.
    pub provider: Provider,
    /// The machine, as the provider names it.
    pub machine: Option<String>,
    /// The range of its pods' addresses.
    pub pod_cidr: Option<String>,
    /// What is the matter.
    pub what: Matter,
}

/// What is the matter with the way to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matter {
    /// The Node object does not exist.
    Gone,
    /// Its kubelet does not report.
    NotReady,
    /// There is no route to its pods.
    NoRoute,
    /// The cloud refuses the route for want of permissions.
    NoPermission,
    /// Nothing shows in the cluster: the cloud's routes and firewalls are left.
    DoesNotShow,
}

impl Provider {
    /// As people call it.
    #[must_use]
    pub fn cloud(self) -> &'static str {
        match self {
            Self::Alibaba => "Alibaba Cloud",
            Self::Amazon => "AWS",
            Self::Google => "Google Cloud",
            Self::Azure => "Azure",
            Self::Other => "the cloud",
        }
    }
}
