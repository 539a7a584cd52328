//! Declare a node out of service. The control plane then removes the pods on it
//! that are being deleted and detaches their volumes, without their kubelet's word
//! (kubernetes/kubernetes: `pkg/controller/podgc/gc_controller.go`,
//! `pkg/controller/volume/attachdetach/reconciler/reconciler.go`). Whoever does that
//! to a machine which still runs lets two write to one volume.

use crate::kubernetes::kubelet::out_of_service::{OUT_OF_SERVICE, TAINTS, out_of_service_taint};
use crate::plan::action::Action;
use crate::plan::image::Kept;
use crate::plan::request::json_patch;
use crate::plan::reversal::{NoWayBack, Reversal, WayBack, guard_same, operation, verify_same};
use crate::plan::shell::quote;
use crate::plan::write::{Guard, Verdict, WriteRequest};
use crate::report::{Ref, Risk, Step, StepKind};
use crate::survey::{Condition, Object};
use jiff::Timestamp;
use serde_json::{Value, json};

const VALUE: &str = "nodeshutdown";
const EFFECT: &str = "NoExecute";

/// The step that declares `node` out of service.
#[must_use]
pub fn step(node: &Ref) -> Step {
    let command = format!("kubectl taint {} {OUT_OF_SERVICE}={VALUE}:{EFFECT}", the_node(node));
    Step { command, ..TaintOutOfService.step(node) }
}

/// The command that takes it back.
fn command_back(node: &Ref) -> String {
    format!("kubectl taint {} {OUT_OF_SERVICE}-", the_node(node))
}

/// `taint` takes no `node/NAME`.
fn the_node(node: &Ref) -> String {
    let no_flags = if node.name.starts_with('-') { "-- " } else { "" };
    format!("{no_flags}node {}", quote(&node.name))
}

/// See [`StepKind::TaintOutOfService`].
pub(super) struct TaintOutOfService;

impl Action for TaintOutOfService {
    fn kind(&self) -> StepKind {
        StepKind::TaintOutOfService
    }

    fn title(&self, step: &Step) -> String {
        format!("declare node {} out of service", step.object.name)
    }

    fn compare(&self, step: &Step, now: &Object) -> Guard {
        if out_of_service_taint(now).is_some() {
            return Guard::AlreadySo(format!("{} is out of service already", step.object));
        }
        // A node that runs is never declared dead.
        match now.condition("Ready").map(Condition::status) {
            Some("True") => Guard::Changed(format!("{} is ready", step.object)),
            _ => Guard::Holds,
        }
    }

    /// With the taints as they were read just now: nobody else's are overwritten.
    fn request(&self, step: &Step, raw: &Value, at: Timestamp) -> WriteRequest {
        let added = at.strftime("%FT%TZ").to_string();
        let taint = json!({"key": OUT_OF_SERVICE, "value": VALUE, "effect": EFFECT, "timeAdded": added});
        let operations = match raw.pointer(TAINTS).filter(|taints| taints.is_array()) {
            Some(taints) => vec![
                json!({"op": "test", "path": TAINTS, "value": taints}),
                json!({"op": "add", "path": format!("{TAINTS}/-"), "value": taint}),
            ],
            None => vec![
                json!({"op": "test", "path": "/metadata/resourceVersion", "value": raw.pointer("/metadata/resourceVersion")}),
                json!({"op": "add", "path": TAINTS, "value": [taint]}),
            ],
        };
        json_patch(&step.object, operations)
    }

    fn judge(&self, step: &Step, after: &Object, _: &WriteRequest) -> Verdict {
        if out_of_service_taint(after).is_some() {
            Verdict::Done(format!(
                "{} is out of service: its pods that are being deleted go within 20 seconds; when it comes back: {}",
                step.object,
                command_back(&step.object)
            ))
        } else {
            Verdict::NotYet(format!("{} does not have the taint", step.object))
        }
    }

    fn takes_away(&self) -> bool {
        false
    }

    fn rests_on_other_objects(&self, _: &Step) -> bool {
        true
    }

    fn kept(&self, _: &Step) -> Kept {
        Kept::Part(&["spec/taints/**"])
    }

    fn can_be_undone(&self, _: &Step) -> bool {
        true
    }

    fn undo(&self, _: &Step, request: &WriteRequest, _: &Value) -> WayBack {
        let added = operation(request, "add", None).map(|operation| &operation["value"]);
        match added.map(|value| value.get(0).unwrap_or(value).clone()) {
            Some(taint) => Ok(Box::new(Untaint(taint))),
            None => Err(NoWayBack::Cannot("the record does not say which taint it was".into())),
        }
    }
}

/// Takes off the very taint that the run has put there.
#[derive(Debug)]
struct Untaint(Value);

impl Untaint {
    fn is(&self, taint: &Value) -> bool {
        ["key", "value", "effect", "timeAdded"].iter().all(|field| taint.get(field) == self.0.get(field))
    }

    fn compare(&self, of: &Step, now: &Object) -> Guard {
        let name = &of.object;
        match out_of_service_taint(now) {
            None => Guard::AlreadySo(format!("{name} does not have the taint any more")),
            Some(taint) if self.is(taint) => Guard::Holds,
            Some(_) => Guard::Changed(format!("{name} was tainted anew since by somebody: not touched")),
        }
    }
}

impl Reversal for Untaint {
    fn title(&self, of: &Step) -> String {
        format!("take the out-of-service taint off node {}", of.object.name)
    }

    fn consequence(&self) -> &'static str {
        "pods may run on the node again"
    }

    fn risk(&self) -> Risk {
        Risk::Harmless
    }

    fn command(&self, of: &Step) -> String {
        command_back(&of.object)
    }

    fn guard(&self, of: &Step, now: Option<&Object>) -> Guard {
        guard_same(&of.object, now, |now| self.compare(of, now))
    }

    fn request(&self, of: &Step, raw: &Value) -> WriteRequest {
        let taints = raw.pointer(TAINTS).cloned().unwrap_or_else(|| json!([]));
        let index = taints.as_array().and_then(|taints| taints.iter().position(|taint| self.is(taint)));
        let place = format!("{TAINTS}/{}", index.unwrap_or_default());
        let operations =
            vec![json!({"op": "test", "path": TAINTS, "value": taints}), json!({"op": "remove", "path": place})];
        json_patch(&of.object, operations)
    }

    fn verify(&self, of: &Step, after: Option<&Object>) -> Verdict {
        verify_same(&of.object, after, |after| self.compare(of, after))
    }

    fn restores_a_setting(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    fn node() -> Ref {
        Ref::from(Named {
            api_version: "v1".into(),
            kind: "Node".into(),
            resource: "nodes".into(),
            name: "n1".into(),
            uid: "u".into(),
            ..Named::default()
        })
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
