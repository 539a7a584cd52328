//! Delete an APIService whose backend does not answer. Whoever installs the
//! product again creates it again, and the before-image restores it.

use crate::plan::step::{Guard, WriteRequest, quote};
use crate::report::{Ref, Step, StepKind};
use crate::survey::{Condition, Object};
use serde_json::{Value, json};

/// The step that deletes `object`, an APIService.
#[must_use]
pub fn step(object: &Ref) -> Step {
    let command = format!("kubectl delete apiservice {}", quote(&object.name));
    Step { kind: StepKind::DeleteApiService, object: object.clone(), finalizer: None, entry: None, command }
}

pub(in crate::plan) fn guard(now: &Object) -> Guard {
    match now.condition("Available").map(Condition::status) {
        Some("True") => Guard::Changed(format!("APIService {} is available again", now.name())),
        _ => Guard::Holds,
    }
}

pub(in crate::plan) fn request(step: &Step, raw: &Value) -> WriteRequest {
    let version = raw.pointer("/metadata/resourceVersion").cloned().unwrap_or_default();
    WriteRequest {
        method: "DELETE",
        path: step.path(),
        content_type: "application/json",
        // With the resourceVersion: an API that has just come back is not deleted.
        body: json!({"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background",
            "preconditions": {"uid": step.object.uid, "resourceVersion": version}}),
    }
}
