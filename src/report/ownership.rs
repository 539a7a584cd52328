//! The output of `owners`: a contract of its own (`unstick.dev/v1alpha1`, kind `Ownership`, with its
//! schema in `docs/ownership.schema.json`).

use super::{Finding, Note, OwnerState, Ref, State};
use jiff::Timestamp;
use serde::Serialize;

/// Owners and dependents of the targets.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OwnershipReport {
    /// `unstick.dev/v1alpha1`.
    pub api_version: &'static str,
    /// `Ownership`.
    pub kind: &'static str,
    /// When the facts were read, by the server's clock.
    #[cfg_attr(test, schemars(with = "String"))]
    pub taken_at: Timestamp,
    /// The kubeconfig context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The server's version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The targets, with their owners and dependents.
    pub targets: Vec<Node>,
    /// What holds the targets that are being deleted. The remedies are in a diagnosis of the object.
    pub findings: Vec<Finding>,
    /// Everything that could not be read. Unread does not mean empty.
    pub unread: Vec<Note>,
    /// Everything that was not searched.
    pub not_looked_at: Vec<String>,
}

/// An object with its owners and dependents.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// The object.
    pub object: Ref,
    /// Its state, as seen from its dependent or on its own.
    pub state: OwnerState,
    /// The time when its deletion was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub since: Option<Timestamp>,
    /// When it was created.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub created: Option<Timestamp>,
    /// The condition Ready, or Available if there is no Ready: its status, and its reason unless the
    /// status is True.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready: Option<String>,
    /// The state of its deletion, if it is being deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion: Option<State>,
    /// The ids of the findings that are its root causes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stuck_on: Vec<String>,
    /// Its finalizers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub finalizers: Vec<String>,
    /// The treatment of its dependents, if a finalizer determines it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub propagation: Option<Propagation>,
    /// The reference that links it to the tree: its own to the owner above it, or that of the object
    /// below to this owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
    /// Whether the foreground deletion of the owner above waits for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub blocks: bool,
    /// The action of the garbage collector, if it is not obvious.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub treatment: Option<String>,
    /// Its owners; for a dependent, its other owners.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<Node>,
    /// Its dependents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dependents: Vec<Node>,
    /// Whether its dependents are shown at another place.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub elsewhere: bool,
    /// How many owners and dependents are not shown.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: usize,
}

/// The effect of a deletion on the dependents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Propagation {
    /// Dependents with `blockOwnerDeletion` are deleted first.
    Foreground,
    /// Dependents are orphaned.
    Orphan,
}

/// The flags of an ownerReference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Reference {
    /// Whether the owner is the managing controller.
    pub controller: bool,
    /// Whether a foreground deletion of the owner waits for the dependent.
    pub block_owner_deletion: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's skip_serializing_if passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl OwnershipReport {
    /// Every node, each before the nodes below it.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        let mut next: Vec<&Node> = self.targets.iter().rev().collect();
        std::iter::from_fn(move || {
            let node = next.pop()?;
            next.extend(node.dependents.iter().rev().chain(node.owners.iter().rev()));
            Some(node)
        })
    }

    /// The finding with this id.
    #[must_use]
    pub fn finding(&self, id: &str) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.id == id)
    }
}
