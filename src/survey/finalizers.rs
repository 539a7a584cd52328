//! The finalizers of the garbage collector, by which a deletion says what becomes of
//! the dependents.

use super::Object;

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
