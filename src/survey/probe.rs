//! Dry runs: the server's answer to a write with `dryRun=All`. Admission and validation run
//! completely (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiserver/pkg/registry/generic/registry/dryrun.go`).

use serde::{Deserialize, Serialize};
use std::fmt;

/// The write that is tried.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Probe {
    /// A DELETE; for a pod that is being deleted, the final DELETE without a grace period.
    Delete,
    /// The update that removes this finalizer.
    RemoveFinalizer(String),
}

/// A dry run for exactly one object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ProbeOf {
    /// The write that is tried.
    pub what: Probe,
    /// The uid that the object must have.
    pub uid: String,
    /// The position of the finalizer in `metadata.finalizers`.
    #[serde(default)]
    pub at: usize,
    /// The user as whom it is tried, instead of the caller.
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
}

/// The server's answer to a dry run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Probed {
    /// The write would succeed.
    Passed,
    /// The removal would be accepted, but the finalizer would still be there: something adds it
    /// again.
    PutBack,
    /// The write would be refused.
    Refused(Refused),
}

/// A refused write, in the server's own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Refused {
    /// The HTTP status.
    pub code: u16,
    /// The reason in one word, such as `Forbidden` or `Invalid`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The message.
    pub message: String,
}

impl fmt::Display for ProbeOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            Probe::Delete => f.write_str("trial deletion"),
            Probe::RemoveFinalizer(finalizer) => write!(f, "trial removal of finalizer {finalizer}"),
        }?;
        self.user.as_ref().map_or(Ok(()), |user| write!(f, " as {user}"))
    }
}
