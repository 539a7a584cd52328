//! Set the conversion of a `CustomResourceDefinition` to `None`, so that its
//! objects can be read and deleted while nobody answers for its webhook. Only
//! the version's name is rewritten then, and what another version alone knows is
//! pruned when an object is written (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/nop_converter.go`).
//! The before-image puts the webhook back. A definition need not be going.

use crate::plan::action::Action;
use crate::plan::image::Kept;
use crate::plan::request::json_patch;
use crate::plan::reversal::WayBack;
use crate::plan::setting::Setting;
use crate::plan::shell::{one, quote};
use crate::plan::write::{Guard, Verdict, WriteRequest, as_shown};
use crate::report::{Ref, Step, StepKind};
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::{Value, json};

const CONVERSION: &str = "/spec/conversion";

/// The step that takes the webhook out of `definition`, whose conversion is
/// `shown` now.
#[must_use]
pub fn step(definition: &Ref, shown: &Value) -> Step {
    let patch = json_patch(definition, operations(shown)).body.to_string();
    let command = format!("kubectl patch {} --type=json -p {}", one("crd", &definition.name), quote(&patch));
    Step { value: Some(shown.clone()), command, ..ConversionNone.step(definition) }
}

/// The whole conversion is compared, so that nobody's repair is undone.
fn operations(shown: &Value) -> Vec<Value> {
    vec![
        json!({"op": "test", "path": CONVERSION, "value": shown}),
        json!({"op": "replace", "path": CONVERSION, "value": {"strategy": "None"}}),
    ]
}

fn strategy(definition: &Object) -> &str {
    definition.text("/spec/conversion/strategy").unwrap_or("None")
}

/// See [`StepKind::ConversionNone`].
pub(super) struct ConversionNone;

impl Action for ConversionNone {
    fn kind(&self) -> StepKind {
        StepKind::ConversionNone
    }

    fn title(&self, step: &Step) -> String {
        format!("set the conversion of CRD {} to None", step.object.name)
    }

    fn compare(&self, step: &Step, now: &Object) -> Guard {
        match strategy(now) {
            "Webhook" => as_shown(step, now.at(CONVERSION)),
            other => Guard::AlreadySo(format!("the conversion of {} is {other} already", step.object)),
        }
    }

    fn request(&self, step: &Step, _: &Value, _: Timestamp) -> WriteRequest {
        json_patch(&step.object, operations(step.value.as_ref().unwrap_or(&Value::Null)))
    }

    fn judge(&self, step: &Step, after: &Object, _: &WriteRequest) -> Verdict {
        match strategy(after) {
            "None" => Verdict::Done(format!("the conversion of {} is None", step.object)),
            other => Verdict::NotYet(format!("the conversion of {} is still {other}", step.object)),
        }
    }

    fn takes_away(&self) -> bool {
        false
    }

    fn rests_on_other_objects(&self, _: &Step) -> bool {
        true
    }

    fn kept(&self, _: &Step) -> Kept {
        Kept::Part(&["spec/conversion/**"])
    }

    fn can_be_undone(&self, _: &Step) -> bool {
        true
    }

    fn undo(&self, step: &Step, request: &WriteRequest, _: &Value) -> WayBack {
        let title = format!("put the conversion webhook of CRD {} back", step.object.name);
        let consequence = "objects stored in other versions cannot be read as long as nobody answers behind it";
        Ok(Setting::replaced_by(request)?.put_back(title, consequence))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    fn gadgets() -> Ref {
        Ref::from(Named {
            api_version: "apiextensions.k8s.io/v1".into(),
            kind: "CustomResourceDefinition".into(),
            resource: "customresourcedefinitions".into(),
            name: "gadgets.acme.io".into(),
            uid: "u".into(),
            ..Named::default()
        })
    }

    fn now(conversion: &Value) -> Value {
        json!({"metadata": {"name": "gadgets.acme.io", "uid": "u"}, "spec": {"conversion": conversion}})
    }

    fn read(raw: &Value) -> Object {
        serde_json::from_value(raw.clone()).unwrap()
    }

    #[test]
    fn the_webhook_that_was_shown_is_taken_out_and_no_other() {
        let webhook = json!({"strategy": "Webhook", "webhook": {"clientConfig": {"service": {"name": "conv"}}}});
        let step = step(&gadgets(), &webhook);
        assert!(step.command.starts_with("kubectl patch crd gadgets.acme.io --type=json -p '[{"), "{}", step.command);
        let raw = now(&webhook);
        assert_eq!(step.guard(Some(&read(&raw))), Guard::Holds);
        let request = step.request(&raw, "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(request.path, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.acme.io");
        assert_eq!(
            request.body,
            json!([{"op": "test", "path": "/metadata/uid", "value": "u"},
                {"op": "test", "path": "/spec/conversion", "value": webhook},
                {"op": "replace", "path": "/spec/conversion", "value": {"strategy": "None"}}])
        );
    }

    #[test]
    fn none_is_none_already_and_a_definition_that_is_gone_was_not_changed() {
        let step = step(&gadgets(), &json!({"strategy": "Webhook"}));
        let none = read(&now(&json!({"strategy": "None"})));
        assert!(matches!(step.guard(Some(&none)), Guard::AlreadySo(_)));
        assert!(matches!(step.guard(None), Guard::Changed(_)));
        let request = step.request(&json!({}), "2026-01-01T00:00:00Z".parse().unwrap());
        assert!(matches!(step.verify(Some(&none), &request), Verdict::Done(_)));
        let webhook = read(&now(&json!({"strategy": "Webhook"})));
        assert!(matches!(step.verify(Some(&webhook), &request), Verdict::NotYet(_)));
    }
}
