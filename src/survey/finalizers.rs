//! The garbage collector's finalizers, which determine what a deletion does to the dependents.

use super::Object;

/// The finalizer of an owner that is deleted after its blocking dependents.
pub const FOREGROUND: &str = "foregroundDeletion";
/// The finalizer of an owner whose dependents are kept.
pub const ORPHAN: &str = "orphan";

/// Whether the garbage collector removes this finalizer.
pub(crate) fn is_collectors(finalizer: &str) -> bool {
    finalizer == FOREGROUND || finalizer == ORPHAN
}

/// Whether an object has `finalizer`.
#[must_use]
pub fn has(object: &Object, finalizer: &str) -> bool {
    object.metadata.finalizers.iter().any(|key| key == finalizer)
}

/// Whether an object waits until its blocking dependents are deleted.
pub(crate) fn deletes_dependents(object: &Object) -> bool {
    object.is_deleting() && has(object, FOREGROUND)
}
