//! Make the API server continue when one admission webhook cannot be called: failurePolicy Fail becomes
//! Ignore, in one entry of one configuration. Changes of these configurations pass no webhook
//! (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules/rules.go`).

use crate::plan::{
    Behaviour, DoneStep, Guard, Property, Saved, Setting, Shape, StepVerdict, WayBack, as_shown, webhook,
};
use crate::report::{IgnoreWebhook, Ref, Step};
use crate::survey::Object;
use serde_json::json;

/// The step for the entry `name`, which is at `index` in `configuration`.
pub fn step(configuration: &Ref, index: usize, name: &str) -> Step {
    Step::patch(IgnoreWebhook { webhook: name.into(), shown: json!("Fail") }, configuration, index)
}

impl Behaviour for IgnoreWebhook {
    fn properties(&self) -> &'static [Property] {
        &[Property::RestsOnOtherObjects, Property::OpensAdmission, Property::CanBeUndone, Property::IsForATime]
    }

    fn title(&self, object: &Ref, _: &str) -> String {
        format!("set failurePolicy of webhook {} to Ignore in {object}", self.webhook)
    }

    fn shape(&self, _: &Ref) -> Shape {
        let (webhook, from) = (Some(self.webhook.clone()), self.shown.clone());
        Shape::Set(Setting { webhook, field: "/failurePolicy", from, to: json!("Ignore") })
    }

    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        let name = &self.webhook;
        match webhook(now, name) {
            None => Guard::AlreadySo(format!("{object} no longer has the webhook {name}")),
            Some(webhook) if webhook["failurePolicy"] == "Ignore" => {
                Guard::AlreadySo(format!("failures of webhook {name} are already ignored"))
            }
            Some(webhook) => as_shown(object, &self.shown, webhook.get("failurePolicy")),
        }
    }

    fn judge(&self, object: &Ref, after: &Object) -> StepVerdict {
        let name = &self.webhook;
        match webhook(after, name) {
            None => StepVerdict::Done(format!("{object} no longer has the webhook {name}")),
            Some(webhook) if webhook["failurePolicy"] == "Ignore" => {
                StepVerdict::Done(format!("failures of webhook {name} are ignored"))
            }
            Some(_) => StepVerdict::NotYet(format!("{object} is as it was")),
        }
    }

    fn kept(&self, _: &Ref) -> Saved {
        Saved::Part(&["webhooks/*/{name,failurePolicy}"])
    }

    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        let (name, object) = (&self.webhook, done.object);
        let title = |policy: &str| format!("set failurePolicy of webhook {name} back to {policy} in {object}");
        done.put_back(title, "requests that it matches are refused until its backend answers")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Write;
    use crate::report::Named;
    use serde_json::Value;

    fn configuration() -> Ref {
        Ref::from(Named {
            api_version: "admissionregistration.k8s.io/v1".into(),
            kind: "ValidatingWebhookConfiguration".into(),
            resource: "validatingwebhookconfigurations".into(),
            name: "acme".into(),
            uid: "u1".into(),
            ..Named::default()
        })
    }

    fn object(policies: &[(&str, &str)]) -> Object {
        let webhooks: Vec<Value> =
            policies.iter().map(|(name, policy)| json!({"name": name, "failurePolicy": policy})).collect();
        serde_json::from_value(json!({"metadata": {"uid": "u1"}, "webhooks": webhooks})).unwrap()
    }

    #[test]
    fn the_patch_names_the_entry_and_what_it_changes() {
        let step = step(&configuration(), 1, "b.acme.io");
        // Another entry was inserted before it since.
        let raw = json!({"webhooks": [{"name": "x"}, {"name": "a.acme.io"}, {"name": "b.acme.io"}]});
        let request = step.request(&raw, "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(
            request.body,
            json!([{"op": "test", "path": "/metadata/uid", "value": "u1"},
                {"op": "test", "path": "/webhooks/2/name", "value": "b.acme.io"},
                {"op": "test", "path": "/webhooks/2/failurePolicy", "value": "Fail"},
                {"op": "replace", "path": "/webhooks/2/failurePolicy", "value": "Ignore"}])
        );
        assert!(step.command.starts_with(
            "kubectl patch validatingwebhookconfigurations.admissionregistration.k8s.io acme --type=json -p '[{"
        ));
        assert!(step.command.contains("/webhooks/1/name"));
    }

    #[test]
    fn only_an_entry_that_fails_closed_is_changed() {
        let step = step(&configuration(), 0, "a.acme.io");
        assert_eq!(step.guard(Some(&object(&[("a.acme.io", "Fail")]))), Guard::Holds);
        assert!(matches!(step.guard(Some(&object(&[("a.acme.io", "Ignore")]))), Guard::AlreadySo(_)));
        assert!(matches!(step.guard(Some(&object(&[("other", "Fail")]))), Guard::AlreadySo(_)));
        assert!(matches!(step.guard(None), Guard::AlreadySo(_)));
        let mut other = object(&[("a.acme.io", "Fail")]);
        other.metadata.uid = "u2".into();
        assert!(matches!(step.guard(Some(&other)), Guard::Changed(_)));
    }

    #[test]
    fn it_is_done_when_the_failure_is_ignored() {
        let step = step(&configuration(), 0, "a.acme.io");
        let request = step.request(&json!({}), "2026-01-01T00:00:00Z".parse().unwrap());
        assert!(matches!(step.verify(Some(&object(&[("a.acme.io", "Ignore")])), &request), StepVerdict::Done(_)));
        assert!(matches!(step.verify(Some(&object(&[("a.acme.io", "Fail")])), &request), StepVerdict::NotYet(_)));
    }
}
