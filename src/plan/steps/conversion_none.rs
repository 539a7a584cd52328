//! Set the conversion of a `CustomResourceDefinition` to `None`, so that its objects can be read and
//! deleted while its webhook does not answer. Then only the version's name is rewritten, and fields that
//! exist only in another version are pruned when an object is written (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/nop_converter.go`).
//! The image before the write restores the webhook. The definition need not be in deletion.

use crate::plan::{Behaviour, DoneStep, Guard, Property, Saved, Setting, Shape, StepVerdict, WayBack, as_shown, one};
use crate::report::{ConversionNone, Ref, Step};
use crate::survey::Object;
use serde_json::{Value, json};

const CONVERSION: &str = "/spec/conversion";

/// The step that removes the webhook from `definition`, whose present conversion is `shown`.
pub fn step(definition: &Ref, shown: &Value) -> Step {
    Step::patch_of(ConversionNone { shown: shown.clone() }, definition, &one("crd", &definition.name), 0)
}

fn strategy(definition: &Object) -> &str {
    definition.text("/spec/conversion/strategy").unwrap_or("None")
}

impl Behaviour for ConversionNone {
    fn properties(&self) -> &'static [Property] {
        &[Property::KeepsItsObject, Property::RestsOnOtherObjects, Property::CanBeUndone, Property::IsForATime]
    }

    fn title(&self, object: &Ref, _: &str) -> String {
        format!("set the conversion of CRD {} to None", object.name)
    }

    /// The whole conversion is compared, so that a repair in the meantime is not undone.
    fn shape(&self, _: &Ref) -> Shape {
        let to = json!({"strategy": "None"});
        Shape::Set(Setting { webhook: None, field: CONVERSION, from: self.shown.clone(), to })
    }

    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        match strategy(now) {
            "Webhook" => as_shown(object, &self.shown, now.at(CONVERSION)),
            other => Guard::AlreadySo(format!("the conversion of {object} is already {other}")),
        }
    }

    fn judge(&self, object: &Ref, after: &Object) -> StepVerdict {
        match strategy(after) {
            "None" => StepVerdict::Done(format!("the conversion of {object} is None")),
            other => StepVerdict::NotYet(format!("the conversion of {object} is still {other}")),
        }
    }

    fn kept(&self, _: &Ref) -> Saved {
        Saved::Part(&["spec/conversion/**"])
    }

    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        let title = format!("restore the conversion webhook of CRD {}", done.object.name);
        let consequence = "objects stored in other versions cannot be read until its backend answers";
        done.put_back(|_| title, consequence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Write;
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
    fn only_the_conversion_that_was_shown_is_replaced() {
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
    fn definitions_without_a_conversion_webhook_are_not_patched() {
        let step = step(&gadgets(), &json!({"strategy": "Webhook"}));
        let none = read(&now(&json!({"strategy": "None"})));
        assert!(matches!(step.guard(Some(&none)), Guard::AlreadySo(_)));
        assert!(matches!(step.guard(None), Guard::Changed(_)));
        let request = step.request(&json!({}), "2026-01-01T00:00:00Z".parse().unwrap());
        assert!(matches!(step.verify(Some(&none), &request), StepVerdict::Done(_)));
        let webhook = read(&now(&json!({"strategy": "Webhook"})));
        assert!(matches!(step.verify(Some(&webhook), &request), StepVerdict::NotYet(_)));
    }
}
