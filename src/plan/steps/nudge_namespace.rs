//! Touch a namespace: any change wakes its controller within 5 seconds
//! (kubernetes/kubernetes: `pkg/controller/namespace/namespace_controller.go`).

use crate::diagnosis::Ref;
use crate::plan::step::{Step, StepKind, Verdict, WriteRequest, json_patch, quote};
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::{Value, json};

const ANNOTATION: &str = "unstick.dev/nudged-at";

/// The step that touches `namespace`.
#[must_use]
pub fn step(namespace: &Ref) -> Step {
    let command = format!(
        "kubectl annotate namespace {} --overwrite {ANNOTATION}=\"$(date -u +%FT%TZ)\"",
        quote(&namespace.name)
    );
    Step { kind: StepKind::NudgeNamespace, object: namespace.clone(), finalizer: None, command }
}

pub(in crate::plan) fn request(step: &Step, raw: &Value, at: Timestamp) -> WriteRequest {
    let mut operations = Vec::new();
    if raw.pointer("/metadata/annotations").is_none() {
        operations.push(json!({"op": "add", "path": "/metadata/annotations", "value": {}}));
    }
    let path = format!("/metadata/annotations/{}", ANNOTATION.replace('/', "~1"));
    operations.push(json!({"op": "add", "path": path, "value": at.to_string()}));
    json_patch(step, operations)
}

pub(in crate::plan) fn verify(after: &Object) -> Verdict {
    match after.metadata.annotations.get(ANNOTATION) {
        Some(at) => Verdict::Done(format!("touched at {at}; the controller looks within 5 seconds")),
        None => Verdict::NotYet("the annotation is not there".into()),
    }
}
