//! Delete an APIService whose backend does not answer. Whoever installs the
//! product again creates it again, and the before-image restores it.

use crate::plan::action::Action;
use crate::plan::image::Kept;
use crate::plan::recreation::created_again;
use crate::plan::request::deletion_as_read;
use crate::plan::reversal::WayBack;
use crate::plan::shell::one;
use crate::plan::write::{Guard, Verdict, WriteRequest, as_shown};
use crate::report::{Ref, Risk, Step, StepKind};
use crate::survey::{Condition, Object};
use jiff::Timestamp;
use serde_json::{Value, json};

/// The step that deletes `object`, an APIService that names this `service`.
#[must_use]
pub fn step(object: &Ref, service: &Ref) -> Step {
    let value = json!({"namespace": service.namespace, "name": service.name});
    let command = format!("kubectl delete {}", one("apiservice", &object.name));
    Step { value: Some(value), command, ..DeleteApiService.step(object) }
}

/// See [`StepKind::DeleteApiService`].
pub(super) struct DeleteApiService;

impl Action for DeleteApiService {
    fn kind(&self) -> StepKind {
        StepKind::DeleteApiService
    }

    fn title(&self, step: &Step) -> String {
        format!("delete APIService {}", step.object.name)
    }

    fn compare(&self, step: &Step, now: &Object) -> Guard {
        let part = |field: &str| now.text(&format!("/spec/service/{field}"));
        match now.condition("Available").map(Condition::status) {
            Some("True") => Guard::Changed(format!("APIService {} is available again", now.name())),
            _ => as_shown(step, Some(&json!({"namespace": part("namespace"), "name": part("name")}))),
        }
    }

    /// An API that has just come back is not deleted.
    fn request(&self, step: &Step, raw: &Value, _: Timestamp) -> WriteRequest {
        deletion_as_read(&step.object, raw)
    }

    fn judge(&self, _: &Step, _: &Object, _: &WriteRequest) -> Verdict {
        Verdict::NotYet("the APIService is still there".into())
    }

    fn rests_on_other_objects(&self, _: &Step) -> bool {
        true
    }

    fn kept(&self, _: &Step) -> Kept {
        Kept::Whole(&[
            "spec/{group,version,groupPriorityMinimum,versionPriority,insecureSkipTLSVerify,caBundle}",
            "spec/service/{namespace,name,port}",
        ])
    }

    fn can_be_undone(&self, _: &Step) -> bool {
        true
    }

    fn undo(&self, step: &Step, _: &WriteRequest, before: &Value) -> WayBack {
        let consequence = "it gets a new uid; as long as nobody answers behind it, no namespace can be deleted";
        created_again(step, before, Risk::Disruptive, consequence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    #[test]
    fn one_that_is_available_again_is_not_deleted() {
        let service = Ref::from(Named { kind: "APIService".into(), name: "v1.acme.io".into(), ..Named::default() });
        let behind = Ref::from(Named { namespace: Some("a".into()), name: "b".into(), ..Named::default() });
        let guard = |status: &str| {
            let object = json!({"metadata": {"name": "v1.acme.io"}, "spec": {"service": {"namespace": "a", "name": "b"}},
                "status": {"conditions": [{"type": "Available", "status": status}]}});
            DeleteApiService.compare(&step(&service, &behind), &Object::single(object).unwrap())
        };
        assert_eq!(guard("True"), Guard::Changed("APIService v1.acme.io is available again".into()));
        assert_eq!(guard("False"), Guard::Holds);
    }
}
