//! Have the API server go on when one admission webhook cannot be asked:
//! failurePolicy Fail becomes Ignore, in one entry of one configuration. Changes
//! of these configurations pass no webhook (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules/rules.go`).

use crate::plan::action::Action;
use crate::plan::image::Kept;
use crate::plan::request::json_patch;
use crate::plan::reversal::{Reversal, WayBack, guard_same, verify_same};
use crate::plan::setting::Setting;
use crate::plan::shell;
use crate::plan::write::{Guard, Verdict, WriteRequest, as_shown};
use crate::report::{Ref, Step, StepKind};
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::{Value, json};

/// The step that has the entry `name` ignored, which is at `index` in `configuration`.
#[must_use]
pub fn step(configuration: &Ref, index: usize, name: &str) -> Step {
    let command = shell::patch(configuration, &json_patch(configuration, operations(index, name)).body);
    Step { entry: Some(name.into()), value: Some(json!("Fail")), command, ..IgnoreWebhook.step(configuration) }
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

fn webhooks(raw: &Value) -> &[Value] {
    raw["webhooks"].as_array().map_or(&[][..], Vec::as_slice)
}

fn is_gone(step: &Step) -> String {
    format!("{} no longer has the webhook {}", step.object, step.entry.as_deref().unwrap_or_default())
}

fn is_ignored(step: &Step) -> String {
    format!("a failure of webhook {} is ignored", step.entry.as_deref().unwrap_or_default())
}

/// See [`StepKind::IgnoreWebhook`].
pub(super) struct IgnoreWebhook;

impl Action for IgnoreWebhook {
    fn kind(&self) -> StepKind {
        StepKind::IgnoreWebhook
    }

    fn title(&self, step: &Step) -> String {
        let entry = step.entry.as_deref().unwrap_or_default();
        format!("set failurePolicy of webhook {entry} to Ignore in {}", step.object)
    }

    fn compare(&self, step: &Step, now: &Object) -> Guard {
        match entry(step, now.array("/webhooks")) {
            None => Guard::AlreadySo(is_gone(step)),
            Some((_, webhook)) if webhook["failurePolicy"] == "Ignore" => {
                Guard::AlreadySo(format!("{} already", is_ignored(step)))
            }
            Some((_, webhook)) => as_shown(step, webhook.get("failurePolicy")),
        }
    }

    fn request(&self, step: &Step, raw: &Value, _: Timestamp) -> WriteRequest {
        let index = entry(step, webhooks(raw)).map(|(index, _)| index).unwrap_or_default();
        json_patch(&step.object, operations(index, step.entry.as_deref().unwrap_or_default()))
    }

    fn judge(&self, step: &Step, after: &Object, _: &WriteRequest) -> Verdict {
        match entry(step, after.array("/webhooks")) {
            None => Verdict::Done(is_gone(step)),
            Some((_, webhook)) if webhook["failurePolicy"] == "Ignore" => Verdict::Done(is_ignored(step)),
            Some(_) => Verdict::NotYet(format!("{} is as it was", step.object)),
        }
    }

    fn rests_on_other_objects(&self, _: &Step) -> bool {
        true
    }

    fn opens_admission(&self) -> bool {
        true
    }

    fn kept(&self, _: &Step) -> Kept {
        Kept::Part(&["webhooks/*/{name,failurePolicy}"])
    }

    fn can_be_undone(&self, _: &Step) -> bool {
        true
    }

    fn undo(&self, _: &Step, request: &WriteRequest, _: &Value) -> WayBack {
        Ok(Box::new(PolicyBack(Setting::replaced_by(request)?)))
    }
}

/// Puts the failurePolicy back, wherever the entry is by then.
#[derive(Debug)]
struct PolicyBack(Setting);

impl PolicyBack {
    fn compare(&self, of: &Step, now: &Object) -> Guard {
        let webhook = entry(of, now.array("/webhooks")).map(|(_, webhook)| webhook);
        self.0.compare(&of.object, webhook.and_then(|webhook| webhook.get("failurePolicy")))
    }

    fn patch(&self, of: &Step, place: &str) -> WriteRequest {
        let name = place.rsplit_once('/').map(|(entry, _)| format!("{entry}/name"));
        let same = name.map(|name| json!({"op": "test", "path": name, "value": of.entry}));
        json_patch(&of.object, same.into_iter().chain(self.0.operations(place)).collect())
    }
}

impl Reversal for PolicyBack {
    fn title(&self, of: &Step) -> String {
        let entry = of.entry.as_deref().unwrap_or_default();
        format!("set failurePolicy of webhook {entry} back to {} in {}", self.0.before(), of.object)
    }

    fn consequence(&self) -> &'static str {
        "what it matches is refused as long as nobody answers behind it"
    }

    fn command(&self, of: &Step) -> String {
        shell::patch(&of.object, &self.patch(of, &self.0.place).body)
    }

    fn guard(&self, of: &Step, now: Option<&Object>) -> Guard {
        guard_same(&of.object, now, |now| self.compare(of, now))
    }

    fn request(&self, of: &Step, raw: &Value) -> WriteRequest {
        let place = entry(of, webhooks(raw)).map(|(index, _)| format!("/webhooks/{index}/failurePolicy"));
        self.patch(of, &place.unwrap_or_default())
    }

    fn verify(&self, of: &Step, after: Option<&Object>) -> Verdict {
        verify_same(&of.object, after, |after| self.compare(of, after))
    }

    fn restores_a_setting(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

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
