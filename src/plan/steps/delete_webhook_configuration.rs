//! Delete a webhook configuration none of whose webhooks can come back: what
//! they called is gone together with its namespace. Whoever installs the product
//! again creates it again, and the before-image restores it.

use crate::plan::step::{Guard, WriteRequest, quote};
use crate::report::{Ref, Step, StepKind};
use crate::survey::Object;
use serde_json::{Value, json};

/// The step that deletes `configuration`.
#[must_use]
pub fn step(configuration: &Ref) -> Step {
    let command = format!("kubectl delete {}", quote(&configuration.kubectl()));
    Step {
        kind: StepKind::DeleteWebhookConfiguration,
        object: configuration.clone(),
        finalizer: None,
        entry: None,
        command,
    }
}

/// A webhook that is called by URL may well be there.
pub(in crate::plan) fn guard(now: &Object) -> Guard {
    match now.array("/webhooks").iter().find(|webhook| webhook.pointer("/clientConfig/service").is_none()) {
        Some(webhook) => Guard::Changed(format!("its webhook {} is called by URL", webhook["name"])),
        None => Guard::Holds,
    }
}

pub(in crate::plan) fn request(step: &Step, raw: &Value) -> WriteRequest {
    let version = raw.pointer("/metadata/resourceVersion").cloned().unwrap_or_default();
    WriteRequest {
        method: "DELETE",
        path: step.path(),
        content_type: "application/json",
        // With the resourceVersion: one that was just installed anew is not deleted.
        body: json!({"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background",
            "preconditions": {"uid": step.object.uid, "resourceVersion": version}}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_names_what_was_shown_and_spares_what_is_called_by_url() {
        let configuration = Ref {
            api_version: "admissionregistration.k8s.io/v1".into(),
            kind: "MutatingWebhookConfiguration".into(),
            resource: "mutatingwebhookconfigurations".into(),
            name: "acme".into(),
            uid: "u1".into(),
            ..Ref::default()
        };
        let step = step(&configuration);
        let request =
            step.request(&json!({"metadata": {"resourceVersion": "7"}}), "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(request.body["preconditions"], json!({"uid": "u1", "resourceVersion": "7"}));
        assert_eq!(step.command, "kubectl delete mutatingwebhookconfigurations.admissionregistration.k8s.io/acme");
        let object = |client: Value| -> Object {
            serde_json::from_value(json!({"metadata": {"uid": "u1"},
                "webhooks": [{"name": "w", "clientConfig": client}]}))
            .unwrap()
        };
        assert_eq!(step.guard(Some(&object(json!({"service": {"name": "s"}})))), Guard::Holds);
        assert!(matches!(step.guard(Some(&object(json!({"url": "https://x"})))), Guard::Changed(_)));
        assert!(matches!(step.guard(None), Guard::AlreadySo(_)));
    }
}
