//! A run's first record, which states the subject of the run.

use crate::server::Server;
use crate::survey::mask;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Masks possible credentials in texts: messages of servers, and addresses.
pub(super) fn masked(text: &str) -> Cow<'_, str> {
    mask(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The version of the format.
pub(super) const VERSION: &str = "unstick.dev/journal/v1";

/// The subject of a run: its first record.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct RunHeader {
    /// The command line.
    pub arguments: Vec<String>,
    /// The kubeconfig context.
    pub context: Option<String>,
    /// The user in the kubeconfig, in case the server does not identify the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The server's name.
    pub server: Server,
    /// The uid of the kube-system namespace, which identifies a cluster.
    pub cluster: Option<String>,
    /// The objects that the run should release.
    pub targets: Vec<String>,
}
