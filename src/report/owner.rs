//! The owners of an object, up to the roots.

use super::Ref;
use serde::Serialize;

/// One waiting object and its owners.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Ownership {
    /// The object.
    pub of: Ref,
    /// Its direct owners.
    pub owners: Vec<Owner>,
}

/// An owner, with its own owners above it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Owner {
    /// The owner.
    pub object: Ref,
    /// Its state.
    pub state: OwnerState,
    /// Whether it is the managing controller (`controller: true`).
    pub controller: bool,
    /// Its own owners.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<Owner>,
}

/// The state of an owner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum OwnerState {
    /// It exists.
    Present,
    /// It exists and is being deleted.
    Terminating,
    /// It does not exist.
    Missing,
    /// Another object has its name now.
    Replaced,
    /// The server does not serve its kind.
    UnknownKind,
    /// It appears further down as its own owner.
    Cycle,
    /// It exists in a namespace other than that of its dependent.
    OtherNamespace,
    /// It is namespaced and its dependent is cluster-scoped.
    Impossible,
    /// It could not be read.
    #[default]
    Unread,
}
