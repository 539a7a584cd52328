//! Touch a namespace: any change wakes its controller within 5 seconds
//! (kubernetes/kubernetes: `pkg/controller/namespace/namespace_controller.go`).

use crate::plan::step::{Verdict, WriteRequest, quote};
use crate::report::{Ref, Step, StepKind};
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::json;

const ANNOTATION: &str = "unstick.dev/nudged-at";

/// The step that touches `namespace`.
#[must_use]
pub fn step(namespace: &Ref) -> Step {
    let command = format!(
        "kubectl annotate namespace {} --overwrite {ANNOTATION}=\"$(date -u +%FT%TZ)\"",
        quote(&namespace.name)
    );
    Step { kind: StepKind::NudgeNamespace, object: namespace.clone(), finalizer: None, entry: None, command }
}

/// A merge patch: a JSON patch would have to replace all annotations where there
/// are none yet. The uid in it makes the server refuse another object.
pub(in crate::plan) fn request(step: &Step, at: Timestamp) -> WriteRequest {
    WriteRequest {
        method: "PATCH",
        path: step.path(),
        content_type: "application/merge-patch+json",
        body: json!({"metadata": {"uid": step.object.uid, "annotations": {ANNOTATION: at.to_string()}}}),
    }
}

pub(in crate::plan) fn verify(after: &Object, request: &WriteRequest) -> Verdict {
    let written = &request.body["metadata"]["annotations"][ANNOTATION];
    match after.metadata.annotations.get(ANNOTATION) {
        Some(at) if written == at => Verdict::Done(format!("touched at {at}; the controller looks within 5 seconds")),
        _ => Verdict::NotYet("the annotation is not there".into()),
    }
}
