//! Remove exactly one finalizer from one object. It cannot be undone: the API
//! server accepts no new finalizer on an object that is being deleted
//! (kubernetes/kubernetes: staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go).

use crate::plan::step::{Guard, Verdict, WriteRequest, deleting, in_namespace, json_patch, quote};
use crate::report::{Ref, Step, StepKind};
use crate::survey::Object;
use serde_json::{Value, json};

/// The step that removes `finalizer` from `object`.
#[must_use]
pub fn step(object: &Ref, finalizers: &[String], finalizer: &str) -> Step {
    let mut step = Step {
        kind: StepKind::RemoveFinalizer,
        object: object.clone(),
        finalizer: Some(finalizer.into()),
        entry: None,
        command: String::new(),
    };
    let index = position(finalizers.iter().map(String::as_str), finalizer);
    let patch = json_patch(&step, operations(index, finalizer)).body.to_string();
    let (resource, name) = split(object);
    step.command = format!("kubectl patch {resource} {name}{} --type=json -p {}", in_namespace(object), quote(&patch));
    step
}

fn split(object: &Ref) -> (String, String) {
    let full = object.kubectl();
    let (resource, name) = full.split_once('/').unwrap_or((&full, ""));
    (quote(resource), quote(name))
}

fn position<'a>(mut finalizers: impl Iterator<Item = &'a str>, finalizer: &str) -> usize {
    finalizers.position(|key| key == finalizer).unwrap_or_default()
}

fn operations(index: usize, finalizer: &str) -> Vec<Value> {
    let path = format!("/metadata/finalizers/{index}");
    vec![json!({"op": "test", "path": path, "value": finalizer}), json!({"op": "remove", "path": path})]
}

pub(in crate::plan) fn guard(step: &Step, now: &Object) -> Guard {
    let finalizer = step.finalizer.as_deref().unwrap_or_default();
    if !now.metadata.finalizers.iter().any(|key| key == finalizer) {
        return Guard::AlreadySo(format!("{} no longer has the finalizer {finalizer}", step.object));
    }
    deleting(step, now)
}

pub(in crate::plan) fn request(step: &Step, raw: &Value) -> WriteRequest {
    let finalizer = step.finalizer.as_deref().unwrap_or_default();
    let finalizers = raw.pointer("/metadata/finalizers").and_then(Value::as_array);
    let index = position(finalizers.into_iter().flatten().filter_map(Value::as_str), finalizer);
    json_patch(step, operations(index, finalizer))
}

pub(in crate::plan) fn verify(step: &Step, after: &Object) -> Verdict {
    let finalizer = step.finalizer.as_deref().unwrap_or_default();
    if after.metadata.finalizers.iter().any(|key| key == finalizer) {
        Verdict::NotYet(format!("{} still has the finalizer {finalizer}", step.object))
    } else {
        Verdict::Done(format!("{finalizer} is off {}", step.object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database() -> Ref {
        Ref {
            api_version: "acme.io/v1".into(),
            kind: "Database".into(),
            resource: "databases".into(),
            namespace: Some("shop".into()),
            name: "orders".into(),
            uid: "u1".into(),
            missing: false,
        }
    }

    fn object(value: Value) -> Object {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn the_patch_tests_what_was_shown_and_removes_only_that() {
        let step = step(&database(), &["a.io/x".into(), "b.io/y".into()], "b.io/y");
        let raw = json!({"metadata": {"finalizers": ["a.io/x", "b.io/y"]}});
        let request = request(&step, &raw);
        assert_eq!(request.path, "/apis/acme.io/v1/namespaces/shop/databases/orders");
        assert_eq!(
            request.body,
            json!([{"op": "test", "path": "/metadata/uid", "value": "u1"},
                {"op": "test", "path": "/metadata/finalizers/1", "value": "b.io/y"},
                {"op": "remove", "path": "/metadata/finalizers/1"}])
        );
        assert!(
            step.command.starts_with("kubectl patch databases.acme.io orders -n shop --type=json -p '[{"),
            "{}",
            step.command
        );
    }

    #[test]
    fn an_object_that_nobody_deletes_is_never_touched() {
        let step = step(&database(), &["a.io/x".into()], "a.io/x");
        let now = object(json!({"metadata": {"uid": "u1", "finalizers": ["a.io/x"]}}));
        assert!(matches!(step.guard(Some(&now)), Guard::Changed(why) if why.contains("not being deleted")));
    }

    #[test]
    fn a_namesake_is_another_object() {
        let step = step(&database(), &["a.io/x".into()], "a.io/x");
        let now = object(
            json!({"metadata": {"uid": "u2", "finalizers": ["a.io/x"], "deletionTimestamp": "2026-01-01T00:00:00Z"}}),
        );
        assert!(matches!(step.guard(Some(&now)), Guard::Changed(_)));
        let request = step.request(&json!({}), "2026-01-01T00:00:00Z".parse().unwrap());
        assert!(matches!(step.verify(Some(&now), &request), Verdict::Done(_)));
    }

    #[test]
    fn a_finalizer_that_is_gone_needs_no_write() {
        let step = step(&database(), &["a.io/x".into()], "a.io/x");
        let now = object(json!({"metadata": {"uid": "u1", "deletionTimestamp": "2026-01-01T00:00:00Z"}}));
        assert!(matches!(step.guard(Some(&now)), Guard::AlreadySo(_)));
        assert!(matches!(step.guard(None), Guard::AlreadySo(_)));
    }
}
