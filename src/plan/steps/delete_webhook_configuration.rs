//! Delete a webhook configuration none of whose webhooks can come back: what
//! they called is gone together with its namespace. Whoever installs the product
//! again creates it again, and the before-image restores it.

use crate::plan::action::Action;
use crate::plan::image::Kept;
use crate::plan::recreation::created_again;
use crate::plan::request::deletion_as_read;
use crate::plan::reversal::WayBack;
use crate::plan::shell::quote;
use crate::plan::write::{Guard, Verdict, WriteRequest, as_shown};
use crate::report::{Ref, Risk, Step, StepKind};
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::{Value, json};

/// The step that deletes `configuration`, which calls what it called when it was `shown`.
#[must_use]
pub fn step(configuration: &Ref, shown: &Object) -> Step {
    let command = format!("kubectl delete {}", quote(&configuration.kubectl()));
    Step { value: Some(called(shown)), command, ..DeleteWebhookConfiguration.step(configuration) }
}

/// Each webhook, and the Service that it calls.
fn called(configuration: &Object) -> Value {
    let one = |webhook: &Value| {
        let part = |field: &str| webhook.pointer(&format!("/clientConfig/service/{field}")).cloned();
        json!({"webhook": webhook["name"], "namespace": part("namespace"), "name": part("name")})
    };
    configuration.array("/webhooks").iter().map(one).collect()
}

/// See [`StepKind::DeleteWebhookConfiguration`].
pub(super) struct DeleteWebhookConfiguration;

impl Action for DeleteWebhookConfiguration {
    fn kind(&self) -> StepKind {
        StepKind::DeleteWebhookConfiguration
    }

    fn title(&self, step: &Step) -> String {
        format!("delete {}", step.object)
    }

    /// A webhook that is called by URL may well be there.
    fn compare(&self, step: &Step, now: &Object) -> Guard {
        match now.array("/webhooks").iter().find(|webhook| webhook.pointer("/clientConfig/service").is_none()) {
            Some(webhook) => Guard::Changed(format!("its webhook {} is called by URL", webhook["name"])),
            None => as_shown(step, Some(&called(now))),
        }
    }

    /// One that was just installed anew is not deleted.
    fn request(&self, step: &Step, raw: &Value, _: Timestamp) -> WriteRequest {
        deletion_as_read(&step.object, raw)
    }

    fn judge(&self, _: &Step, _: &Object, _: &WriteRequest) -> Verdict {
        Verdict::NotYet("the configuration is still there".into())
    }

    fn rests_on_other_objects(&self, _: &Step) -> bool {
        true
    }

    fn opens_admission(&self) -> bool {
        true
    }

    fn kept(&self, _: &Step) -> Kept {
        Kept::Whole(&[
            "webhooks/*/{name,failurePolicy,matchPolicy,timeoutSeconds,sideEffects,admissionReviewVersions}",
            "webhooks/*/reinvocationPolicy",
            "webhooks/*/clientConfig/caBundle",
            "webhooks/*/clientConfig/service/{namespace,name,port,path}",
            "webhooks/*/{rules,namespaceSelector,objectSelector,matchConditions}/**",
        ])
    }

    fn can_be_undone(&self, _: &Step) -> bool {
        true
    }

    fn undo(&self, step: &Step, _: &WriteRequest, before: &Value) -> WayBack {
        let consequence = "it gets a new uid; what its webhooks match is refused as long as nobody answers behind them";
        created_again(step, before, Risk::Disruptive, consequence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    #[test]
    fn it_names_what_was_shown_and_spares_what_is_called_by_url() {
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
