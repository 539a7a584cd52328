//! Delete an APIService whose backend does not answer. A new installation of the product creates it again,
//! and the image before the write restores it.

use crate::plan::{Behaviour, Delete, DoneStep, Guard, Property, Saved, Shape, StepVerdict, WayBack, as_shown, one};
use crate::report::{DeleteApiService, Ref, Step};
use crate::survey::{Condition, Object};
use serde_json::json;

/// The step that deletes `object`, an APIService that names this `service`.
pub fn step(object: &Ref, service: &Ref) -> Step {
    let shown = json!({"namespace": service.namespace, "name": service.name});
    Step::new(DeleteApiService { shown }, object, format!("kubectl delete {}", one("apiservice", &object.name)))
}

impl Behaviour for DeleteApiService {
    fn properties(&self) -> &'static [Property] {
        &[Property::RestsOnOtherObjects, Property::CanBeUndone]
    }

    fn title(&self, object: &Ref, _: &str) -> String {
        format!("delete APIService {}", object.name)
    }

    /// An API that has just come back is not deleted.
    fn shape(&self, _: &Ref) -> Shape {
        Shape::Delete(Delete::AS_READ)
    }

    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        let part = |field: &str| now.text(&format!("/spec/service/{field}"));
        match now.condition("Available").map(Condition::status) {
            Some("True") => Guard::Changed(format!("APIService {} is available again", now.name())),
            _ => as_shown(object, &self.shown, Some(&json!({"namespace": part("namespace"), "name": part("name")}))),
        }
    }

    fn judge(&self, _: &Ref, _: &Object) -> StepVerdict {
        StepVerdict::NotYet("the APIService still exists".into())
    }

    fn kept(&self, _: &Ref) -> Saved {
        Saved::Whole(&[
            "spec/{group,version,groupPriorityMinimum,versionPriority,insecureSkipTLSVerify,caBundle}",
            "spec/service/{namespace,name,port}",
        ])
    }

    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        done.create_again("it gets a new uid; until its server answers, no namespace can be deleted")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Write;
    use crate::report::Named;

    #[test]
    fn an_available_api_service_is_not_deleted() {
        let service = Ref::from(Named { kind: "APIService".into(), name: "v1.acme.io".into(), ..Named::default() });
        let behind = Ref::from(Named { namespace: Some("a".into()), name: "b".into(), ..Named::default() });
        let guard = |status: &str| {
            let object = json!({"metadata": {"name": "v1.acme.io"}, "spec": {"service": {"namespace": "a", "name": "b"}},
                "status": {"conditions": [{"type": "Available", "status": status}]}});
            step(&service, &behind).guard(Some(&Object::single(object).unwrap()))
        };
        assert_eq!(guard("True"), Guard::Changed("APIService v1.acme.io is available again".into()));
        assert_eq!(guard("False"), Guard::Holds);
    }
}
