//! Scale a workload that is at 0 replicas up to 1, so that the controller in it
//! comes back. It then does what the pending deletions asked for: what that may
//! cost is the remedy's risk, not the step's.

use crate::plan::step::{Guard, Verdict, WriteRequest, in_namespace, json_patch, quote};
use crate::report::{Ref, Step, StepKind};
use crate::survey::Object;
use serde_json::{Value, json};

const REPLICAS: &str = "/spec/replicas";

/// The step that scales `workload`, a `Deployment` or `StatefulSet`, from 0 to 1.
#[must_use]
pub fn step(workload: &Ref) -> Step {
    let command = format!("kubectl scale {}{} --replicas=1", quote(&workload.kubectl()), in_namespace(workload));
    Step { kind: StepKind::ScaleWorkload, object: workload.clone(), finalizer: None, entry: None, command }
}

fn replicas(workload: &Object) -> Option<i64> {
    workload.at(REPLICAS).and_then(Value::as_i64)
}

pub(in crate::plan) fn guard(step: &Step, now: &Object) -> Guard {
    if now.is_deleting() {
        return Guard::Changed(format!("{} is being deleted", step.object));
    }
    match replicas(now) {
        Some(0) => Guard::Holds,
        Some(more) => Guard::AlreadySo(format!("{} is at {more} replicas already", step.object)),
        None => Guard::Changed(format!("{} does not say how many replicas it is to have", step.object)),
    }
}

pub(in crate::plan) fn request(step: &Step) -> WriteRequest {
    json_patch(
        step,
        vec![
            json!({"op": "test", "path": REPLICAS, "value": 0}),
            json!({"op": "replace", "path": REPLICAS, "value": 1}),
        ],
    )
}

pub(in crate::plan) fn verify(step: &Step, after: &Object) -> Verdict {
    match replicas(after) {
        Some(0) | None => Verdict::NotYet(format!("{} is still at 0 replicas", step.object)),
        Some(replicas) => Verdict::Done(format!("{} is at {replicas}", step.object)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workload() -> Ref {
        Ref {
            api_version: "apps/v1".into(),
            kind: "Deployment".into(),
            resource: "deployments".into(),
            namespace: Some("ops".into()),
            name: "acme".into(),
            uid: "u".into(),
            missing: false,
        }
    }

    fn at(replicas: i64) -> Object {
        serde_json::from_value(json!({"metadata": {"uid": "u"}, "spec": {"replicas": replicas}})).unwrap()
    }

    #[test]
    fn it_is_scaled_only_from_nothing() {
        let step = step(&workload());
        assert_eq!(step.command, "kubectl scale deployments.apps/acme -n ops --replicas=1");
        assert!(matches!(step.guard(Some(&at(0))), Guard::Holds));
        assert!(matches!(step.guard(Some(&at(2))), Guard::AlreadySo(_)));
        let request = step.request(&json!({}), "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(request.body[1], json!({"op": "test", "path": "/spec/replicas", "value": 0}));
        assert!(matches!(step.verify(Some(&at(1)), &request), Verdict::Done(_)));
        assert!(matches!(step.verify(Some(&at(0)), &request), Verdict::NotYet(_)));
    }
}
