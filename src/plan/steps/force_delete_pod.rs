//! Take a pod out of the API without waiting for its kubelet. Its containers may
//! go on running on the node, and nothing can put the pod back.

use crate::plan::action::Action;
use crate::plan::image::Kept;
use crate::plan::request::path;
use crate::plan::reversal::{NoWayBack, WayBack};
use crate::plan::shell::{in_namespace, named, one};
use crate::plan::write::{Guard, Verdict, WriteRequest};
use crate::report::{Need, Ref, Step, StepKind, Verb};
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::{Value, json};

/// The step that force-deletes `pod`.
#[must_use]
pub fn step(pod: &Ref) -> Step {
    let command = format!("kubectl delete {}{} --force --grace-period=0", one("pod", &pod.name), in_namespace(pod));
    Step { command, ..ForceDeletePod.step(pod) }
}

/// See [`StepKind::ForceDeletePod`].
pub(super) struct ForceDeletePod;

impl Action for ForceDeletePod {
    fn kind(&self) -> StepKind {
        StepKind::ForceDeletePod
    }

    fn title(&self, step: &Step) -> String {
        format!("force-delete {}", named(&step.object))
    }

    fn compare(&self, step: &Step, now: &Object) -> Guard {
        if now.metadata.deletion_grace_period_seconds == Some(0) {
            return Guard::AlreadySo(format!("the kubelet's part of {} is over", step.object));
        }
        Guard::while_deleted(&step.object, now)
    }

    fn request(&self, step: &Step, _: &Value, _: Timestamp) -> WriteRequest {
        WriteRequest {
            method: "DELETE",
            path: path(&step.object),
            content_type: "application/json",
            body: json!({"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": 0,
                "propagationPolicy": "Background", "preconditions": {"uid": step.object.uid}}),
        }
    }

    fn judge(&self, _: &Step, after: &Object, _: &WriteRequest) -> Verdict {
        if after.metadata.deletion_grace_period_seconds == Some(0) {
            let keys = after.metadata.finalizers.join(", ");
            let held = if keys.is_empty() { String::new() } else { format!("; finalizers still hold it: {keys}") };
            Verdict::Done(format!("the kubelet is no longer waited for{held}"))
        } else {
            Verdict::NotYet("the pod still waits for its kubelet".into())
        }
    }

    fn rests_on(&self, step: &Step) -> Option<Need> {
        Some(Need::Accepted(Verb::Delete, step.object.clone()))
    }

    fn rests_on_other_objects(&self, _: &Step) -> bool {
        true
    }

    fn is_agreed_to_together(&self) -> bool {
        true
    }

    fn kept(&self, _: &Step) -> Kept {
        Kept::Part(&["spec/nodeName"])
    }

    fn undo(&self, step: &Step, _: &WriteRequest, _: &Value) -> WayBack {
        let name = &step.object;
        Err(NoWayBack::Cannot(format!("{name} is out of the API; where it has an owner, that has made another pod")))
    }
}
