//! Remove exactly one finalizer from one object. It cannot be undone: the API
//! server accepts no new finalizer on an object that is being deleted
//! (kubernetes/kubernetes: staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go).

use crate::plan::action::Action;
use crate::plan::request::json_patch;
use crate::plan::reversal::{NoWayBack, WayBack};
use crate::plan::shell::{named, patch};
use crate::plan::write::{Guard, Verdict, WriteRequest};
use crate::report::{Ref, Risk, Step, StepKind};
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::{Value, json};

/// The step that removes `finalizer` from `object`.
#[must_use]
pub fn step(object: &Ref, finalizers: &[String], finalizer: &str) -> Step {
    let index = position(finalizers.iter().map(String::as_str), finalizer);
    let command = command(object, index, finalizer);
    Step { finalizer: Some(finalizer.into()), command, place: Some(index), ..RemoveFinalizer.step(object) }
}

/// The steps that remove these finalizers, which `object` has, one after the other.
pub fn one_by_one(object: &Ref, finalizers: &[String]) -> impl Iterator<Item = Step> {
    finalizers.iter().enumerate().map(|(gone, finalizer)| step(object, &finalizers[gone..], finalizer))
}

fn command(object: &Ref, index: usize, finalizer: &str) -> String {
    patch(object, &json_patch(object, operations(index, finalizer)).body)
}

fn position<'a>(mut finalizers: impl Iterator<Item = &'a str>, finalizer: &str) -> usize {
    finalizers.position(|key| key == finalizer).unwrap_or_default()
}

fn operations(index: usize, finalizer: &str) -> Vec<Value> {
    let path = format!("/metadata/finalizers/{index}");
    vec![json!({"op": "test", "path": path, "value": finalizer}), json!({"op": "remove", "path": path})]
}

/// See [`StepKind::RemoveFinalizer`].
pub(super) struct RemoveFinalizer;

impl Action for RemoveFinalizer {
    fn kind(&self) -> StepKind {
        StepKind::RemoveFinalizer
    }

    /// Whoever set it wanted something done first; that is skipped for good.
    fn least_risk(&self) -> Risk {
        Risk::Leaks
    }

    fn title(&self, step: &Step) -> String {
        let finalizer = step.finalizer.as_deref().unwrap_or_default();
        format!("remove finalizer {finalizer} from {}", named(&step.object))
    }

    fn command_at(&self, step: &Step, place: usize) -> Option<String> {
        Some(command(&step.object, place, step.finalizer.as_deref().unwrap_or_default()))
    }

    fn compare(&self, step: &Step, now: &Object) -> Guard {
        let finalizer = step.finalizer.as_deref().unwrap_or_default();
        if !now.metadata.finalizers.iter().any(|key| key == finalizer) {
            return Guard::AlreadySo(format!("{} no longer has the finalizer {finalizer}", step.object));
        }
        Guard::while_deleted(&step.object, now)
    }

    fn request(&self, step: &Step, raw: &Value, _: Timestamp) -> WriteRequest {
        let finalizer = step.finalizer.as_deref().unwrap_or_default();
        let finalizers = raw.pointer("/metadata/finalizers").and_then(Value::as_array);
        let index = position(finalizers.into_iter().flatten().filter_map(Value::as_str), finalizer);
        json_patch(&step.object, operations(index, finalizer))
    }

    fn judge(&self, step: &Step, after: &Object, _: &WriteRequest) -> Verdict {
        let finalizer = step.finalizer.as_deref().unwrap_or_default();
        if after.metadata.finalizers.iter().any(|key| key == finalizer) {
            Verdict::NotYet(format!("{} still has the finalizer {finalizer}", step.object))
        } else {
            Verdict::Done(format!("{finalizer} is off {}", step.object))
        }
    }

    fn in_vain(&self, step: &Step, tried: &Object) -> Option<String> {
        let finalizer = step.finalizer.as_deref().unwrap_or_default();
        tried.metadata.finalizers.iter().any(|key| key == finalizer).then(|| {
            format!(
                "nothing was written: the server would accept it, and {} would still have the finalizer {finalizer}: \
                 a mutating webhook or policy puts it back, or the list has it twice",
                step.object
            )
        })
    }

    fn is_agreed_to_together(&self) -> bool {
        true
    }

    fn undo(&self, step: &Step, _: &WriteRequest, _: &Value) -> WayBack {
        Err(NoWayBack::finalizer_is_off(&step.object))
    }
}

#[cfg(test)]
pub(in crate::plan) mod tests {
    use super::*;
    use crate::report::Named;

    pub(in crate::plan) fn database() -> Ref {
        Ref::from(Named {
            api_version: "acme.io/v1".into(),
            kind: "Database".into(),
            resource: "databases".into(),
            namespace: Some("shop".into()),
            name: "orders".into(),
            uid: "u1".into(),
            missing: false,
        })
    }

    fn object(value: Value) -> Object {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_removal_that_would_change_nothing_is_in_vain() {
        let step = step(&database(), &["a.io/x".into()], "a.io/x");
        let tried = |finalizers: Value| object(json!({"metadata": {"name": "orders", "finalizers": finalizers}}));
        assert!(RemoveFinalizer.in_vain(&step, &tried(json!(["b.io/y", "a.io/x"]))).unwrap().contains("puts it back"));
        assert_eq!(RemoveFinalizer.in_vain(&step, &tried(json!(["b.io/y"]))), None);
    }

    #[test]
    fn the_patch_tests_what_was_shown_and_removes_only_that() {
        let step = step(&database(), &["a.io/x".into(), "b.io/y".into()], "b.io/y");
        let raw = json!({"metadata": {"finalizers": ["a.io/x", "b.io/y"]}});
        let request = step.request(&raw, "2026-01-01T00:00:00Z".parse().unwrap());
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
