//! Remove exactly one finalizer from one object. It cannot be undone: the API
//! server accepts no new finalizer on an object that is being deleted
//! (kubernetes/kubernetes: staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go).

use crate::plan::{Behaviour, DoneStep, Guard, ListEntry, NoWayBack, Property, Shape, StepVerdict, WayBack};
use crate::report::{Ref, RemoveFinalizer, Step};
use crate::survey::{Object, has};

/// The step that removes `finalizer` from `object`.
pub fn step(object: &Ref, finalizers: &[String], finalizer: &str) -> Step {
    let place = finalizers.iter().position(|key| key == finalizer).unwrap_or_default();
    let action = RemoveFinalizer { finalizer: finalizer.into() };
    Step { place: Some(place), ..Step::patch(action, object, place) }
}

/// The steps that remove these finalizers of `object`, one after the other.
pub fn one_by_one(object: &Ref, finalizers: &[String]) -> impl Iterator<Item = Step> {
    finalizers.iter().enumerate().map(|(gone, finalizer)| step(object, &finalizers[gone..], finalizer))
}

impl Behaviour for RemoveFinalizer {
    /// The work that the finalizer's owner wanted done first is skipped for ever.
    fn properties(&self) -> &'static [Property] {
        &[Property::Leaks, Property::IsAgreedToTogether]
    }

    fn title(&self, _: &Ref, called: &str) -> String {
        format!("remove finalizer {} from {called}", self.finalizer)
    }

    fn shape(&self, _: &Ref) -> Shape {
        let value = self.finalizer.clone().into();
        Shape::Remove(ListEntry { list: "/metadata/finalizers", key: "", value })
    }

    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        if !has(now, &self.finalizer) {
            return Guard::AlreadySo(format!("{object} no longer has the finalizer {}", self.finalizer));
        }
        Guard::while_deleted(object, now)
    }

    fn judge(&self, object: &Ref, after: &Object) -> StepVerdict {
        let finalizer = &self.finalizer;
        if has(after, finalizer) {
            StepVerdict::NotYet(format!("{object} still has the finalizer {finalizer}"))
        } else {
            StepVerdict::Done(format!("{finalizer} is removed from {object}"))
        }
    }

    fn in_vain(&self, object: &Ref, tried: &Object) -> Option<String> {
        let finalizer = &self.finalizer;
        has(tried, finalizer).then(|| {
            format!(
                "nothing was written: the server would accept it, but {object} would keep the finalizer {finalizer}: a \
                mutating webhook or policy adds it again, or it is in the list twice"
            )
        })
    }

    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        Err(NoWayBack::finalizer_is_off(done.object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Write;
    use crate::report::Named;
    use serde_json::{Value, json};

    fn database() -> Ref {
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
    fn a_removal_is_useless_if_the_finalizer_is_added_again() {
        let step = step(&database(), &["a.io/x".into()], "a.io/x");
        let tried = |finalizers: Value| object(json!({"metadata": {"name": "orders", "finalizers": finalizers}}));
        assert!(step.in_vain(&tried(json!(["b.io/y", "a.io/x"]))).unwrap().contains("adds it again"));
        assert_eq!(step.in_vain(&tried(json!(["b.io/y"]))), None);
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
        assert!(matches!(step.verify(Some(&now), &request), StepVerdict::Done(_)));
    }

    #[test]
    fn a_finalizer_that_is_gone_needs_no_write() {
        let step = step(&database(), &["a.io/x".into()], "a.io/x");
        let now = object(json!({"metadata": {"uid": "u1", "deletionTimestamp": "2026-01-01T00:00:00Z"}}));
        assert!(matches!(step.guard(Some(&now)), Guard::AlreadySo(_)));
        assert!(matches!(step.guard(None), Guard::AlreadySo(_)));
    }
}
