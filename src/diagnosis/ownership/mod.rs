//! Who owns whom, as the garbage collector sees it (kubernetes/kubernetes:
//! `pkg/controller/garbagecollector`): upward by ownerReferences, downward by an
//! index over everything that could be listed, and both as the tree that
//! `owners` shows.

mod dependents;
mod report;
mod rings;
mod tree;
mod upward;
mod waiting;

pub(in crate::diagnosis) use dependents::Index;
pub use dependents::{Dependent, Dependents, is_watched, refers_rightly};
pub use report::{Node, OwnershipReport, Propagation, Reference};
pub use rings::rings;
pub use tree::trees;
pub(super) use upward::of;
pub use upward::{elsewhere, standing};
pub use waiting::{Hindrance, Waiting, Web, all_dependents, collectors, hindrance, waiting};

use crate::survey::Object;

/// The finalizer of an owner that goes after its blocking dependents.
pub const FOREGROUND: &str = "foregroundDeletion";
/// The finalizer of an owner that leaves its dependents behind.
pub const ORPHAN: &str = "orphan";

/// Whether a finalizer is one of the two that the garbage collector takes off.
#[must_use]
pub fn is_collectors(finalizer: &str) -> bool {
    finalizer == FOREGROUND || finalizer == ORPHAN
}

/// Whether an object has `finalizer`.
#[must_use]
pub fn has(object: &Object, finalizer: &str) -> bool {
    object.metadata.finalizers.iter().any(|key| key == finalizer)
}

/// Whether an object waits until its blocking dependents are gone.
#[must_use]
pub fn deletes_dependents(object: &Object) -> bool {
    object.is_deleting() && has(object, FOREGROUND)
}
