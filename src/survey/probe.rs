//! Requests that change nothing: what the server would say to a write, asked
//! with `dryRun=All`. Admission and validation run in full
//! (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiserver/pkg/registry/generic/registry/dryrun.go`).

use serde::{Deserialize, Serialize};
use std::fmt;

/// What is tried with an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Probe {
    /// A DELETE; of a pod that is being deleted, the last one, without grace.
    Delete,
    /// The update that takes this finalizer off.
    RemoveFinalizer(String),
}

/// A probe of one very object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ProbeOf {
    /// What is tried.
    pub what: Probe,
    /// With the object of this uid and no other.
    pub uid: String,
    /// The place of the finalizer in its list.
    #[serde(default)]
    pub at: usize,
}

/// What the server said to a probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Probed {
    /// It would do it.
    Passed,
    /// It would accept the removal, and the finalizer would still be there: something puts it
    /// back on the way.
    PutBack,
    /// It would not.
    Refused(Refused),
}

/// A write that the server would not do, in its own words.
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
        }
    }
}
