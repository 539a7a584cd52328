//! The state of an object, in words.

use crate::facts::{Facts, ago};
use crate::needs::Draft;
use crate::report::Ref;
use crate::survey::Object;

/// Adds how long ago `object` was created; the text begins with `who`.
pub(crate) fn created(draft: Draft, who: &str, object: &Object, named: &Ref, facts: &Facts<'_>) -> Draft {
    draft.with_each(object.metadata.creation_timestamp, |draft, made| {
        draft.evidence(format!("{who}created {} ago", ago(made, facts)), named, "metadata.creationTimestamp")
    })
}

/// `, with finalizer acme.io/x`; empty for an object without finalizers.
pub(crate) fn with_finalizers(object: &Object) -> String {
    match &object.metadata.finalizers[..] {
        [] => String::new(),
        keys => format!(", with finalizer {}", keys.join(", ")),
    }
}
