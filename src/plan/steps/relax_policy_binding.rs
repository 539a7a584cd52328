//! Take the teeth out of one binding of an admission policy: what it refused is
//! only put into the audit log, or a parameter that is gone no longer refuses
//! everything. Changes of bindings pass no policy (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules/rules.go`).

use crate::plan::action::Action;
use crate::plan::image::Kept;
use crate::plan::request::json_patch;
use crate::plan::reversal::WayBack;
use crate::plan::setting::Setting;
use crate::plan::shell::patch;
use crate::plan::write::{Guard, Verdict, WriteRequest, as_shown};
use crate::report::{Ref, Step, StepKind};
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::{Value, json};

/// What a binding does no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relax {
    /// Refuse what its policy objects to.
    Denial,
    /// Refuse everything when its parameter does not exist.
    MissingParameter,
}

impl Relax {
    const ALL: [Self; 2] = [Self::Denial, Self::MissingParameter];

    /// The field that is changed, as it is named below `spec`.
    fn field(self) -> &'static str {
        match self {
            Self::Denial => "validationActions",
            Self::MissingParameter => "paramRef/parameterNotFoundAction",
        }
    }

    fn pointer(self) -> String {
        format!("/spec/{}", self.field())
    }

    fn relaxed(self) -> Value {
        match self {
            Self::Denial => json!(["Audit"]),
            Self::MissingParameter => json!("Allow"),
        }
    }

    fn refuses(self, value: Option<&Value>) -> bool {
        match self {
            Self::Denial => value.and_then(Value::as_array).is_some_and(|actions| actions.contains(&json!("Deny"))),
            Self::MissingParameter => value == Some(&json!("Deny")),
        }
    }
}

/// The step that relaxes `binding`, in which the field is `now`.
#[must_use]
pub fn step(binding: &Ref, relax: Relax, now: &Object) -> Step {
    let value = now.at(&relax.pointer()).cloned();
    let command = patch(binding, &json_patch(binding, operations(relax, value.as_ref())).body);
    Step { entry: Some(relax.field().into()), value, command, ..RelaxPolicyBinding.step(binding) }
}

fn operations(relax: Relax, now: Option<&Value>) -> Vec<Value> {
    let path = relax.pointer();
    vec![
        json!({"op": "test", "path": path, "value": now}),
        json!({"op": "replace", "path": path, "value": relax.relaxed()}),
    ]
}

fn relax(step: &Step) -> Relax {
    let entry = step.entry.as_deref().unwrap_or_default();
    Relax::ALL.into_iter().find(|relax| relax.field() == entry).unwrap_or(Relax::Denial)
}

/// See [`StepKind::RelaxPolicyBinding`].
pub(super) struct RelaxPolicyBinding;

impl Action for RelaxPolicyBinding {
    fn kind(&self) -> StepKind {
        StepKind::RelaxPolicyBinding
    }

    fn title(&self, step: &Step) -> String {
        if step.entry.as_deref() == Some(Relax::Denial.field()) {
            format!("set Deny to Audit in validationActions of {}", step.object)
        } else {
            format!("set parameterNotFoundAction of {} to Allow", step.object)
        }
    }

    fn compare(&self, step: &Step, now: &Object) -> Guard {
        let relax = relax(step);
        if relax.refuses(now.at(&relax.pointer())) {
            as_shown(step, now.at(&relax.pointer()))
        } else {
            Guard::AlreadySo(format!("{} does not refuse any more", step.object))
        }
    }

    fn request(&self, step: &Step, _: &Value, _: Timestamp) -> WriteRequest {
        json_patch(&step.object, operations(relax(step), step.value.as_ref()))
    }

    fn judge(&self, step: &Step, after: &Object, _: &WriteRequest) -> Verdict {
        let relax = relax(step);
        if relax.refuses(after.at(&relax.pointer())) {
            Verdict::NotYet(format!("{} is as it was", step.object))
        } else {
            Verdict::Done(format!("{} does not refuse", step.object))
        }
    }

    fn rests_on_other_objects(&self, _: &Step) -> bool {
        true
    }

    fn opens_admission(&self) -> bool {
        true
    }

    fn kept(&self, _: &Step) -> Kept {
        Kept::Part(&["spec/{policyName,validationActions}", "spec/paramRef/**"])
    }

    fn can_be_undone(&self, _: &Step) -> bool {
        true
    }

    fn undo(&self, step: &Step, request: &WriteRequest, _: &Value) -> WayBack {
        let setting = Setting::replaced_by(request)?;
        let entry = step.entry.as_deref().unwrap_or_default();
        let title = format!("set {entry} of {} back to {}", step.object, setting.before());
        Ok(setting.put_back(title, "what it refused before is refused again"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        assert!(matches!(step.verify(Some(&relaxed), &request), Verdict::Done(_)));
        assert!(matches!(step.verify(Some(&now), &request), Verdict::NotYet(_)));
    }

    #[test]
    fn a_parameter_that_is_gone_may_be_allowed_to_be_gone() {
        let now = object(&json!({"paramRef": {"parameterNotFoundAction": "Deny"}}));
        let step = step(&binding(), Relax::MissingParameter, &now);
        assert!(step.command.contains("/spec/paramRef/parameterNotFoundAction"), "{}", step.command);
        assert_eq!(step.guard(Some(&now)), Guard::Holds);
        let relaxed = object(&json!({"paramRef": {"parameterNotFoundAction": "Allow"}}));
        assert!(matches!(step.guard(Some(&relaxed)), Guard::AlreadySo(_)));
    }
}
