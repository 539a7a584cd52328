//! The trouble of a broken node or network, for a look at the cloud.

use crate::report::Ref;

/// The cloud provider of a node.
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
    /// Another provider, or none.
    Other,
}

/// The trouble with the way to a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// The node.
    pub node: Ref,
    /// The cloud provider of the node.
    pub provider: Provider,
    /// The machine, as the provider names it.
    pub machine: Option<String>,
    /// The range of its pods' addresses.
    pub pod_cidr: Option<String>,
    /// The kind of trouble.
    pub what: Matter,
}

/// A kind of trouble with the way to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matter {
    /// The Node object does not exist.
    Gone,
    /// Its kubelet does not report.
    NotReady,
    /// There is no route to its pods.
    NoRoute,
    /// The cloud refuses the route because of missing permissions.
    NoPermission,
    /// The cluster shows nothing: the cloud's routes and firewalls remain to be checked.
    DoesNotShow,
}

impl Provider {
    /// The provider's common name.
    pub(crate) fn cloud(self) -> &'static str {
        match self {
            Self::Alibaba => "Alibaba Cloud",
            Self::Amazon => "AWS",
            Self::Google => "Google Cloud",
            Self::Azure => "Azure",
            Self::Other => "the cloud",
        }
    }
}
