//! Make one binding of an admission policy refuse less: what it refused is only written to the audit log,
//! or a missing parameter no longer refuses everything. Changes of bindings pass no policy
//! (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules/rules.go`).

use crate::plan::{Behaviour, DoneStep, Guard, Property, Saved, Setting, Shape, StepVerdict, WayBack, as_shown};
use crate::report::{Ref, RelaxPolicyBinding, Step};
use crate::survey::Object;
use serde_json::{Value, json};

pub use crate::report::Relax;

/// The step that relaxes `binding`, whose present state is `now`.
pub fn step(binding: &Ref, relax: Relax, now: &Object) -> Step {
    let shown = now.at(relax.pointer()).cloned().unwrap_or_default();
    Step::patch(RelaxPolicyBinding { relax, shown }, binding, 0)
}

impl RelaxPolicyBinding {
    fn refuses(&self, binding: &Object) -> bool {
        let value = binding.at(self.relax.pointer());
        match self.relax {
            Relax::Denial => value.and_then(Value::as_array).is_some_and(|actions| actions.contains(&json!("Deny"))),
            Relax::MissingParameter => value == Some(&json!("Deny")),
        }
    }
}

impl Behaviour for RelaxPolicyBinding {
    fn properties(&self) -> &'static [Property] {
        &[Property::RestsOnOtherObjects, Property::OpensAdmission, Property::CanBeUndone, Property::IsForATime]
    }

    fn title(&self, object: &Ref, _: &str) -> String {
        match self.relax {
            Relax::Denial => format!("set Deny to Audit in validationActions of {object}"),
            Relax::MissingParameter => format!("set parameterNotFoundAction of {object} to Allow"),
        }
    }

    fn shape(&self, _: &Ref) -> Shape {
        let to = match self.relax {
            Relax::Denial => json!(["Audit"]),
            Relax::MissingParameter => json!("Allow"),
        };
        Shape::Set(Setting { webhook: None, field: self.relax.pointer(), from: self.shown.clone(), to })
    }

    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        if self.refuses(now) {
            as_shown(object, &self.shown, now.at(self.relax.pointer()))
        } else {
            Guard::AlreadySo(format!("{object} no longer refuses"))
        }
    }

    fn judge(&self, object: &Ref, after: &Object) -> StepVerdict {
        if self.refuses(after) {
            StepVerdict::NotYet(format!("{object} is as it was"))
        } else {
            StepVerdict::Done(format!("{object} does not refuse"))
        }
    }

    fn kept(&self, _: &Ref) -> Saved {
        Saved::Part(&["spec/{policyName,validationActions}", "spec/paramRef/**"])
    }

    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        let (field, object) = (self.relax.field(), done.object);
        done.put_back(
            |value| format!("set {field} of {object} back to {value}"),
            "it again refuses what it refused before",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Write;
    use crate::report::Named;

    fn binding() -> Ref {
        Ref::from(Named {
            api_version: "admissionregistration.k8s.io/v1".into(),
            kind: "ValidatingAdmissionPolicyBinding".into(),
            resource: "validatingadmissionpolicybindings".into(),
            name: "keep".into(),
            uid: "u1".into(),
            ..Named::default()
        })
    }

    fn object(spec: &Value) -> Object {
        serde_json::from_value(json!({"metadata": {"uid": "u1"}, "spec": spec})).unwrap()
    }

    #[test]
    fn a_denial_becomes_an_entry_in_the_audit_log() {
        let now = object(&json!({"validationActions": ["Deny", "Audit"]}));
        let step = step(&binding(), Relax::Denial, &now);
        let raw = json!({"spec": {"validationActions": ["Deny", "Audit"]}});
        let request = step.request(&raw, "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(
            request.body,
            json!([{"op": "test", "path": "/metadata/uid", "value": "u1"},
                {"op": "test", "path": "/spec/validationActions", "value": ["Deny", "Audit"]},
                {"op": "replace", "path": "/spec/validationActions", "value": ["Audit"]}])
        );
        assert_eq!(step.guard(Some(&now)), Guard::Holds);
        let relaxed = object(&json!({"validationActions": ["Audit"]}));
        assert!(matches!(step.guard(Some(&relaxed)), Guard::AlreadySo(_)));
        assert!(matches!(step.verify(Some(&relaxed), &request), StepVerdict::Done(_)));
        assert!(matches!(step.verify(Some(&now), &request), StepVerdict::NotYet(_)));
    }

    #[test]
    fn a_missing_parameter_can_be_allowed() {
        let now = object(&json!({"paramRef": {"parameterNotFoundAction": "Deny"}}));
        let step = step(&binding(), Relax::MissingParameter, &now);
        assert!(step.command.contains("/spec/paramRef/parameterNotFoundAction"), "{}", step.command);
        assert_eq!(step.guard(Some(&now)), Guard::Holds);
        let relaxed = object(&json!({"paramRef": {"parameterNotFoundAction": "Allow"}}));
        assert!(matches!(step.guard(Some(&relaxed)), Guard::AlreadySo(_)));
    }
}
