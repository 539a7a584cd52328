//! Have the API server go on when one admission webhook cannot be asked:
//! failurePolicy Fail becomes Ignore, in one entry of one configuration. Changes
//! of these configurations pass no webhook (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules/rules.go`).

use crate::plan::step::{Guard, Verdict, WriteRequest, json_patch, quote};
use crate::report::{Ref, Step, StepKind};
use crate::survey::Object;
use serde_json::{Value, json};

/// The step that has the entry `name` ignored, which is at `index` in `configuration`.
#[must_use]
pub fn step(configuration: &Ref, index: usize, name: &str) -> Step {
    let mut step = Step {
        kind: StepKind::IgnoreWebhook,
        object: configuration.clone(),
        finalizer: None,
        entry: Some(name.into()),
        command: String::new(),
    };
    let patch = json_patch(&step, operations(index, name)).body.to_string();
    let full = configuration.kubectl();
    let (resource, object) = full.split_once('/').unwrap_or((&full, ""));
    step.command = format!("kubectl patch {} {} --type=json -p {}", quote(resource), quote(object), quote(&patch));
    step
}

fn operations(index: usize, name: &str) -> Vec<Value> {
    let entry = format!("/webhooks/{index}");
    vec![
        json!({"op": "test", "path": format!("{entry}/name"), "value": name}),
        json!({"op": "test", "path": format!("{entry}/failurePolicy"), "value": "Fail"}),
        json!({"op": "replace", "path": format!("{entry}/failurePolicy"), "value": "Ignore"}),
    ]
}

fn entry<'a>(step: &Step, webhooks: &'a [Value]) -> Option<(usize, &'a Value)> {
    webhooks.iter().enumerate().find(|(_, webhook)| webhook["name"].as_str() == step.entry.as_deref())
}

pub(in crate::plan) fn guard(step: &Step, now: &Object) -> Guard {
    let name = step.entry.as_deref().unwrap_or_default();
    match entry(step, now.array("/webhooks")) {
        None => Guard::AlreadySo(format!("{} no longer has the webhook {name}", step.object)),
        Some((_, webhook)) if webhook["failurePolicy"] == "Ignore" => {
            Guard::AlreadySo(format!("a failure of webhook {name} is ignored already"))
        }
        Some(_) => Guard::Holds,
    }
}

pub(in crate::plan) fn request(step: &Step, raw: &Value) -> WriteRequest {
    let webhooks = raw["webhooks"].as_array().map_or(&[][..], Vec::as_slice);
    let index = entry(step, webhooks).map(|(index, _)| index).unwrap_or_default();
    json_patch(step, operations(index, step.entry.as_deref().unwrap_or_default()))
}

pub(in crate::plan) fn verify(step: &Step, after: &Object) -> Verdict {
    match guard(step, after) {
        Guard::AlreadySo(text) => Verdict::Done(text.replace(" already", "")),
        _ => Verdict::NotYet(format!("{} is as it was", step.object)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configuration() -> Ref {
        Ref {
            api_version: "admissionregistration.k8s.io/v1".into(),
            kind: "ValidatingWebhookConfiguration".into(),
            resource: "validatingwebhookconfigurations".into(),
            name: "acme".into(),
            uid: "u1".into(),
            ..Ref::default()
        }
    }

    fn object(policies: &[(&str, &str)]) -> Object {
        let webhooks: Vec<Value> =
            policies.iter().map(|(name, policy)| json!({"name": name, "failurePolicy": policy})).collect();
        serde_json::from_value(json!({"metadata": {"uid": "u1"}, "webhooks": webhooks})).unwrap()
    }

    #[test]
    fn the_patch_names_the_entry_and_what_it_changes() {
        let step = step(&configuration(), 1, "b.acme.io");
        // Another entry came before it since.
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
        assert!(matches!(step.verify(Some(&object(&[("a.acme.io", "Ignore")])), &request), Verdict::Done(_)));
        assert!(matches!(step.verify(Some(&object(&[("a.acme.io", "Fail")])), &request), Verdict::NotYet(_)));
    }
}
