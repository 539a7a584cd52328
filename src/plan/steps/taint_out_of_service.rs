//! Declare a node out of service. The control plane then deletes the pods on it that are being deleted, and
//! detaches their volumes, without their kubelet's confirmation
//! (kubernetes/kubernetes: `pkg/controller/podgc/gc_controller.go`,
//! `pkg/controller/volume/attachdetach/reconciler/reconciler.go`). On a machine that still runs, two
//! programs could then write to one volume.

use crate::kubernetes::kubelet::out_of_service::{OUT_OF_SERVICE, TAINTS, out_of_service_taint};
use crate::plan::{
    Back, Behaviour, DoneStep, Guard, ListEntry, NoWayBack, Property, Reversal, Saved, Shape, StepVerdict, WayBack,
    quote,
};
use crate::report::{Ref, Risk, Step, TaintOutOfService};
use crate::survey::{Condition, Object};
use serde_json::json;

const VALUE: &str = "nodeshutdown";
const EFFECT: &str = "NoExecute";

/// The step that declares `node` out of service.
pub fn step(node: &Ref) -> Step {
    let command = format!("kubectl taint {} {OUT_OF_SERVICE}={VALUE}:{EFFECT}", the_node(node));
    Step::new(TaintOutOfService {}, node, command)
}

/// The command that undoes it.
fn command_back(node: &Ref) -> String {
    format!("kubectl taint {} {OUT_OF_SERVICE}-", the_node(node))
}

/// The node's name, since `taint` takes no `node/NAME`.
fn the_node(node: &Ref) -> String {
    let no_flags = if node.name.starts_with('-') { "-- " } else { "" };
    format!("{no_flags}node {}", quote(&node.name))
}

impl Behaviour for TaintOutOfService {
    fn properties(&self) -> &'static [Property] {
        &[Property::KeepsItsObject, Property::RestsOnOtherObjects, Property::CanBeUndone, Property::IsForATime]
    }

    fn title(&self, object: &Ref, _: &str) -> String {
        format!("declare node {} out of service", object.name)
    }

    fn shape(&self, _: &Ref) -> Shape {
        Shape::Add(TAINTS, json!({"key": OUT_OF_SERVICE, "value": VALUE, "effect": EFFECT}), "timeAdded")
    }

    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        if out_of_service_taint(now).is_some() {
            return Guard::AlreadySo(format!("{object} is already out of service"));
        }
        // A node that is Ready is never declared dead.
        match now.condition("Ready").map(Condition::status) {
            Some("True") => Guard::Changed(format!("{object} is ready")),
            _ => Guard::Holds,
        }
    }

    fn judge(&self, object: &Ref, after: &Object) -> StepVerdict {
        if out_of_service_taint(after).is_some() {
            StepVerdict::Done(format!(
                "{object} is out of service: its terminating pods are removed within 20 seconds; when the node is \
                back: {}",
                command_back(object)
            ))
        } else {
            StepVerdict::NotYet(format!("{object} does not have the taint"))
        }
    }

    fn kept(&self, _: &Ref) -> Saved {
        Saved::Part(&["spec/taints/**"])
    }

    /// Only the taint that the run has added is removed.
    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        let added = done.request.body.as_array().into_iter().flatten().find(|operation| operation["op"] == "add");
        let Some(added) = added.map(|operation| &operation["value"]) else {
            return Err(NoWayBack::Cannot("the journal does not say which taint it was".into()));
        };
        let value = added.get(0).unwrap_or(added).clone();
        Ok(Reversal {
            title: format!("remove the out-of-service taint from node {}", done.object.name),
            consequence: "pods may run on the node again",
            risk: Risk::Harmless,
            command: command_back(done.object),
            back: Back::Untaint(ListEntry { list: TAINTS, key: "", value }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Write;
    use crate::report::Named;
    use serde_json::Value;

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
