//! Delete a webhook configuration none of whose webhooks can come back: their backends are gone together
//! with the namespace. A new installation of the product creates it again, and the image before the write
//! restores it.

use crate::plan::{Behaviour, Delete, DoneStep, Guard, Property, Saved, Shape, StepVerdict, WayBack, as_shown, quote};
use crate::report::{DeleteWebhookConfiguration, Ref, Step};
use crate::survey::Object;
use serde_json::{Value, json};

/// The step that deletes `configuration` while its webhooks call the Services that they called when it
/// was `shown`.
pub fn step(configuration: &Ref, shown: &Object) -> Step {
    let command = format!("kubectl delete {}", quote(&configuration.kubectl()));
    Step::new(DeleteWebhookConfiguration { shown: called(shown) }, configuration, command)
}

/// Each webhook, and the Service that it calls.
fn called(configuration: &Object) -> Value {
    let one = |webhook: &Value| {
        let part = |field: &str| webhook.pointer(&format!("/clientConfig/service/{field}")).cloned();
        json!({"webhook": webhook["name"], "namespace": part("namespace"), "name": part("name")})
    };
    configuration.array("/webhooks").iter().map(one).collect()
}

impl Behaviour for DeleteWebhookConfiguration {
    fn properties(&self) -> &'static [Property] {
        &[Property::RestsOnOtherObjects, Property::OpensAdmission, Property::CanBeUndone]
    }

    fn title(&self, object: &Ref, _: &str) -> String {
        format!("delete {object}")
    }

    /// A configuration that was just installed again is not deleted.
    fn shape(&self, _: &Ref) -> Shape {
        Shape::Delete(Delete::AS_READ)
    }

    /// A webhook that is called by URL may well exist.
    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        match now.array("/webhooks").iter().find(|webhook| webhook.pointer("/clientConfig/service").is_none()) {
            Some(webhook) => Guard::Changed(format!("its webhook {} is called by URL", webhook["name"])),
            None => as_shown(object, &self.shown, Some(&called(now))),
        }
    }

    fn judge(&self, _: &Ref, _: &Object) -> StepVerdict {
        StepVerdict::NotYet("the configuration still exists".into())
    }

    fn kept(&self, _: &Ref) -> Saved {
        Saved::Whole(&[
            "webhooks/*/{name,failurePolicy,matchPolicy,timeoutSeconds,sideEffects,admissionReviewVersions}",
            "webhooks/*/reinvocationPolicy",
            "webhooks/*/clientConfig/caBundle",
            "webhooks/*/clientConfig/service/{namespace,name,port,path}",
            "webhooks/*/{rules,namespaceSelector,objectSelector,matchConditions}/**",
        ])
    }

    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        done.create_again("it gets a new uid; until its backends answer, requests that its webhooks match are refused")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Write;
    use crate::report::Named;

    #[test]
    fn only_the_shown_version_without_url_webhooks_is_deleted() {
        let configuration = Ref::from(Named {
            api_version: "admissionregistration.k8s.io/v1".into(),
            kind: "MutatingWebhookConfiguration".into(),
            resource: "mutatingwebhookconfigurations".into(),
            name: "acme".into(),
            uid: "u1".into(),
            ..Named::default()
        });
        let object = |client: Value| -> Object {
            serde_json::from_value(json!({"metadata": {"uid": "u1"},
                "webhooks": [{"name": "w", "clientConfig": client}]}))
            .unwrap()
        };
        let step = step(&configuration, &object(json!({"service": {"name": "s"}})));
        let request =
            step.request(&json!({"metadata": {"resourceVersion": "7"}}), "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(request.body["preconditions"], json!({"uid": "u1", "resourceVersion": "7"}));
        assert_eq!(step.command, "kubectl delete mutatingwebhookconfigurations.admissionregistration.k8s.io/acme");
        assert_eq!(step.guard(Some(&object(json!({"service": {"name": "s"}})))), Guard::Holds);
        assert!(matches!(step.guard(Some(&object(json!({"url": "https://x"})))), Guard::Changed(_)));
        assert!(matches!(step.guard(Some(&object(json!({"service": {"name": "t"}})))), Guard::Changed(_)));
        assert!(matches!(step.guard(None), Guard::AlreadySo(_)));
    }
}
