//! Whether a gate changed an object, or the object itself is invalid.

use crate::facts::{Facts, Known, Readable};
use crate::kubernetes::admission::{Admission, Gate, INVALID, Operation, is_about_a_change, kind};
use crate::kubernetes::definitions::Definition;
use crate::kubernetes::namespaces::is_older_than;
use crate::survey::{Object, Seen};

/// Whether the server's answer that an object is invalid without one of its finalizers is about a
/// change by a gate, and not about the object itself.
pub fn is_changed_on_the_way(seen: Seen<'_>, message: &str, facts: &Facts<'_>) -> Known<bool> {
    if !message.contains(INVALID) {
        return Ok(false);
    }
    let asked = Admission::read(facts)?.asked(kind(seen.resource, Operation::Update), seen.object)?;
    is_changed(seen, message, &asked, facts)
}

/// Like [`is_changed_on_the_way`], with the gates that match. An object that was valid once still
/// is, unless the definition of its kind has changed: then any message that is not about a change
/// is about the object.
pub(super) fn is_changed(seen: Seen<'_>, message: &str, asked: &[Gate<'_>], facts: &Facts<'_>) -> Known<bool> {
    if !message.contains(INVALID) || !asked.iter().any(Gate::mutates) {
        return Ok(false);
    }
    if is_about_a_change(message) {
        return Ok(true);
    }
    Ok(match Definition::metadata_of(seen.resource, facts).if_readable()? {
        Some(Some(definition)) => {
            definition_changes(definition.object) == Some(0) && !is_older_than(seen.object, definition.object)
        }
        Some(None) => true,
        None => false,
    })
}

/// How often a definition was changed; the request for its deletion is not counted
/// (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go`).
#[must_use]
pub fn definition_changes(definition: &Object) -> Option<i64> {
    Some(definition.metadata.generation? - 1 - i64::from(definition.is_deleting()))
}
