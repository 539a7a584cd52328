//! Take a pod out of the API without waiting for its kubelet. Its containers may
//! go on running on the node, and nothing can put the pod back.

use crate::plan::step::{Guard, Verdict, WriteRequest, deleting, in_namespace, quote};
use crate::report::{Ref, Step, StepKind};
use crate::survey::Object;
use serde_json::json;

/// The step that force-deletes `pod`.
#[must_use]
pub fn step(pod: &Ref) -> Step {
    let command = format!("kubectl delete pod {}{} --force --grace-period=0", quote(&pod.name), in_namespace(pod));
    Step { kind: StepKind::ForceDeletePod, object: pod.clone(), finalizer: None, entry: None, command }
}

pub(in crate::plan) fn guard(step: &Step, now: &Object) -> Guard {
    if now.metadata.deletion_grace_period_seconds == Some(0) {
        return Guard::AlreadySo(format!("the kubelet's part of {} is over", step.object));
    }
    deleting(step, now)
}

pub(in crate::plan) fn request(step: &Step) -> WriteRequest {
    WriteRequest {
        method: "DELETE",
        path: step.path(),
        content_type: "application/json",
        body: json!({"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": 0,
            "propagationPolicy": "Background", "preconditions": {"uid": step.object.uid}}),
    }
}

pub(in crate::plan) fn verify(after: &Object) -> Verdict {
    if after.metadata.deletion_grace_period_seconds == Some(0) {
        Verdict::Done(format!(
            "the kubelet is no longer waited for; finalizers still hold it: {}",
            after.metadata.finalizers.join(", ")
        ))
    } else {
        Verdict::NotYet("the pod still waits for its kubelet".into())
    }
}
