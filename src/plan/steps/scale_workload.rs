//! Scale a workload that is at 0 replicas up to 1, so that the controller in it
//! comes back. It then does what the pending deletions asked for: what that may
//! cost is the remedy's risk, not the step's.

use crate::plan::action::Action;
use crate::plan::image::Kept;
use crate::plan::request::json_patch;
use crate::plan::reversal::WayBack;
use crate::plan::setting::Setting;
use crate::plan::shell::{in_namespace, named, quote};
use crate::plan::write::{Guard, Verdict, WriteRequest};
use crate::report::{Ref, Step, StepKind};
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::{Value, json};

const REPLICAS: &str = "/spec/replicas";

/// The step that scales `workload`, a `Deployment` or `StatefulSet`, from 0 to 1.
#[must_use]
pub fn step(workload: &Ref) -> Step {
    let command = format!("kubectl scale {}{} --replicas=1", quote(&workload.kubectl()), in_namespace(workload));
    Step { value: Some(json!(0)), command, ..ScaleWorkload.step(workload) }
}

fn replicas(workload: &Object) -> Option<i64> {
    workload.at(REPLICAS).and_then(Value::as_i64)
}

/// See [`StepKind::ScaleWorkload`].
pub(super) struct ScaleWorkload;

impl Action for ScaleWorkload {
    fn kind(&self) -> StepKind {
        StepKind::ScaleWorkload
    }

    fn title(&self, step: &Step) -> String {
        format!("scale {} to 1", step.object)
    }

    fn compare(&self, step: &Step, now: &Object) -> Guard {
        if now.is_deleting() {
            return Guard::Changed(format!("{} is being deleted", step.object));
        }
        match replicas(now) {
            Some(0) => Guard::Holds,
            Some(more) => Guard::AlreadySo(format!("{} is at {more} already", step.object)),
            None => Guard::Changed(format!("{} does not say how many replicas it is to have", step.object)),
        }
    }

    fn request(&self, step: &Step, _: &Value, _: Timestamp) -> WriteRequest {
        let operations = vec![
            json!({"op": "test", "path": REPLICAS, "value": 0}),
            json!({"op": "replace", "path": REPLICAS, "value": 1}),
        ];
        json_patch(&step.object, operations)
    }

    fn judge(&self, step: &Step, after: &Object, _: &WriteRequest) -> Verdict {
        match replicas(after) {
            Some(0) | None => Verdict::NotYet(format!("{} is still at 0 replicas", step.object)),
            Some(replicas) => Verdict::Done(format!("{} is at {replicas}", step.object)),
        }
    }

    fn takes_away(&self) -> bool {
        false
    }

    fn kept(&self, _: &Step) -> Kept {
        Kept::Part(&["spec/replicas"])
    }

    fn can_be_undone(&self, _: &Step) -> bool {
        true
    }

    fn undo(&self, step: &Step, request: &WriteRequest, _: &Value) -> WayBack {
        let setting = Setting::replaced_by(request)?;
        let title = format!("scale {} back to {}", named(&step.object), setting.before());
        Ok(setting.put_back(title, "the controller in it stops"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
