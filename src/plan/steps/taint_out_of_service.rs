//! Declare a node out of service. The control plane then removes the pods on it
//! that are being deleted and detaches their volumes, without their kubelet's word
//! (kubernetes/kubernetes: `pkg/controller/podgc/gc_controller.go`,
//! `pkg/controller/volume/attachdetach/reconciler/reconciler.go`). Whoever does that
//! to a machine which still runs lets two write to one volume.

use crate::plan::step::{Guard, Verdict, WriteRequest, json_patch, quote};
use crate::report::{Ref, Step, StepKind};
use crate::survey::{Condition, Object};
use jiff::Timestamp;
use serde_json::{Value, json};

/// The taint's key.
pub const OUT_OF_SERVICE: &str = "node.kubernetes.io/out-of-service";
const VALUE: &str = "nodeshutdown";
const EFFECT: &str = "NoExecute";
const TAINTS: &str = "/spec/taints";

/// The step that declares `node` out of service.
#[must_use]
pub fn step(node: &Ref) -> Step {
    let command = format!("kubectl taint node {} {OUT_OF_SERVICE}={VALUE}:{EFFECT}", quote(&node.name));
    Step { kind: StepKind::TaintOutOfService, object: node.clone(), finalizer: None, entry: None, command }
}

/// The command that takes it back.
#[must_use]
pub fn undo(node: &Ref) -> String {
    format!("kubectl taint node {} {OUT_OF_SERVICE}-", quote(&node.name))
}

/// The taint, where a node has it.
#[must_use]
pub fn on(node: &Object) -> Option<&Value> {
    node.array(TAINTS).iter().find(|taint| taint.get("key").and_then(Value::as_str) == Some(OUT_OF_SERVICE))
}

pub(in crate::plan) fn guard(step: &Step, now: &Object) -> Guard {
    if on(now).is_some() {
        return Guard::AlreadySo(format!("{} is out of service already", step.object));
    }
    // A node that runs is never declared dead.
    match now.condition("Ready").map(Condition::status) {
        Some("True") => Guard::Changed(format!("{} is ready", step.object)),
        _ => Guard::Holds,
    }
}

/// With the taints as they were read just now: nobody else's are overwritten.
pub(in crate::plan) fn request(step: &Step, raw: &Value, at: Timestamp) -> WriteRequest {
    let taint = json!({"key": OUT_OF_SERVICE, "value": VALUE, "effect": EFFECT, "timeAdded": at.strftime("%FT%TZ").to_string()});
    let shown = raw.pointer(TAINTS).filter(|taints| taints.is_array());
    json_patch(
        step,
        match shown {
            Some(taints) => vec![
                json!({"op": "test", "path": TAINTS, "value": taints}),
                json!({"op": "add", "path": format!("{TAINTS}/-"), "value": taint}),
            ],
            None => vec![
                json!({"op": "test", "path": "/metadata/resourceVersion", "value": raw.pointer("/metadata/resourceVersion")}),
                json!({"op": "add", "path": TAINTS, "value": [taint]}),
            ],
        },
    )
}

pub(in crate::plan) fn verify(step: &Step, after: &Object) -> Verdict {
    if on(after).is_some() {
        Verdict::Done(format!(
            "{} is out of service: its pods that are being deleted go within 20 seconds; when it comes back: {}",
            step.object,
            undo(&step.object)
        ))
    } else {
        Verdict::NotYet(format!("{} does not have the taint", step.object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node() -> Ref {
        Ref {
            api_version: "v1".into(),
            kind: "Node".into(),
            resource: "nodes".into(),
            name: "n1".into(),
            uid: "u".into(),
            ..Ref::default()
        }
    }

    fn at(ready: &str, taints: &Value) -> Object {
        serde_json::from_value(json!({"metadata": {"uid": "u"}, "spec": {"taints": taints},
            "status": {"conditions": [{"type": "Ready", "status": ready}]}}))
        .unwrap()
    }

    #[test]
    fn only_a_node_that_is_not_ready_is_declared_out_of_service() {
        let step = step(&node());
        assert_eq!(step.command, "kubectl taint node n1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute");
        assert!(matches!(step.guard(Some(&at("Unknown", &json!([])))), Guard::Holds));
        assert!(matches!(step.guard(Some(&at("True", &json!([])))), Guard::Changed(_)));
        assert!(matches!(step.guard(Some(&at("False", &json!([{"key": OUT_OF_SERVICE}])))), Guard::AlreadySo(_)));
        assert!(matches!(step.guard(None), Guard::Changed(_)));
    }

    #[test]
    fn other_taints_are_left_as_they_are() {
        let step = step(&node());
        let raw =
            json!({"metadata": {"resourceVersion": "7"}, "spec": {"taints": [{"key": "a", "effect": "NoSchedule"}]}});
        let time = "2026-01-01T00:00:00Z".parse().unwrap();
        let body = step.request(&raw, time).body;
        assert_eq!(
            body[1],
            json!({"op": "test", "path": "/spec/taints", "value": [{"key": "a", "effect": "NoSchedule"}]})
        );
        assert_eq!(body[2]["path"], "/spec/taints/-");
        assert_eq!(body[2]["value"]["timeAdded"], "2026-01-01T00:00:00Z");
        let none = step.request(&json!({"metadata": {"resourceVersion": "7"}}), time).body;
        assert_eq!(none[1]["value"], "7");
        assert_eq!(none[2]["path"], "/spec/taints");
    }
}
