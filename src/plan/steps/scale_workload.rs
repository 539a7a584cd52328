//! Scale a workload that is at 0 replicas up to 1, so that its controller comes back. It then does the work
//! for the pending deletions: the possible cost of that is the remedy's risk, not the
//! step's.

use crate::plan::{
    Behaviour, DoneStep, Guard, Property, Saved, Setting, Shape, StepVerdict, WayBack, in_namespace, named, quote,
};
use crate::report::{Ref, ScaleWorkload, Step};
use crate::survey::Object;
use serde_json::{Value, json};

const REPLICAS: &str = "/spec/replicas";

/// The step that scales `workload`, a `Deployment` or `StatefulSet`, from 0 to 1.
pub fn step(workload: &Ref) -> Step {
    let command = format!("kubectl scale {}{} --replicas=1", quote(&workload.kubectl()), in_namespace(workload));
    Step::new(ScaleWorkload { shown: json!(0) }, workload, command)
}

fn replicas(workload: &Object) -> Option<i64> {
    workload.at(REPLICAS).and_then(Value::as_i64)
}

impl Behaviour for ScaleWorkload {
    fn properties(&self) -> &'static [Property] {
        &[Property::KeepsItsObject, Property::CanBeUndone]
    }

    fn title(&self, object: &Ref, _: &str) -> String {
        format!("scale {object} to 1")
    }

    fn shape(&self, _: &Ref) -> Shape {
        Shape::Set(Setting { webhook: None, field: REPLICAS, from: self.shown.clone(), to: json!(1) })
    }

    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        if now.is_deleting() {
            return Guard::Changed(format!("{object} is being deleted"));
        }
        match replicas(now) {
            Some(0) => Guard::Holds,
            Some(more) => Guard::AlreadySo(format!("{object} is already scaled to {more}")),
            None => Guard::Changed(format!("{object} does not say how many replicas it should have")),
        }
    }

    fn judge(&self, object: &Ref, after: &Object) -> StepVerdict {
        match replicas(after) {
            Some(0) | None => StepVerdict::NotYet(format!("{object} still has 0 replicas")),
            Some(replicas) => StepVerdict::Done(format!("{object} is scaled to {replicas}")),
        }
    }

    fn kept(&self, _: &Ref) -> Saved {
        Saved::Part(&["spec/replicas"])
    }

    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        let name = named(done.object);
        done.put_back(|replicas| format!("scale {name} back to {replicas}"), "the controller in it stops")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Write;
    use crate::report::Named;

    fn workload() -> Ref {
        Ref::from(Named {
            api_version: "apps/v1".into(),
            kind: "Deployment".into(),
            resource: "deployments".into(),
            namespace: Some("ops".into()),
            name: "acme".into(),
            uid: "u".into(),
            missing: false,
        })
    }

    fn at(replicas: i64) -> Object {
        serde_json::from_value(json!({"metadata": {"uid": "u"}, "spec": {"replicas": replicas}})).unwrap()
    }

    #[test]
    fn only_workloads_with_zero_replicas_are_scaled() {
        let step = step(&workload());
        assert_eq!(step.command, "kubectl scale deployments.apps/acme -n ops --replicas=1");
        assert!(matches!(step.guard(Some(&at(0))), Guard::Holds));
        assert!(matches!(step.guard(Some(&at(2))), Guard::AlreadySo(_)));
        let request = step.request(&json!({}), "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(request.body[1], json!({"op": "test", "path": "/spec/replicas", "value": 0}));
        assert!(matches!(step.verify(Some(&at(1)), &request), StepVerdict::Done(_)));
        assert!(matches!(step.verify(Some(&at(0)), &request), StepVerdict::NotYet(_)));
    }
}
