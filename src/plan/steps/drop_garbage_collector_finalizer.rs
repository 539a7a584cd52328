//! Delete again in the background: the API server then removes its garbage collector's own finalizer, even
//! from an object that is already being deleted (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go`,
//! `deletionFinalizersForGarbageCollection`). This requests no new deletion, but dependents that were to be
//! orphaned are collected.

use crate::plan::{
    Behaviour, Delete, DoneStep, Guard, NoWayBack, Property, Shape, StepVerdict, WayBack, in_namespace, quote,
};
use crate::report::{DropGarbageCollectorFinalizer, Ref, Step};
use crate::survey::{ORPHAN, Object, has};

/// The step that removes `finalizer`, `foregroundDeletion` or `orphan`, from `object`.
pub fn step(object: &Ref, finalizer: &str) -> Step {
    let name = format!("{}{}", quote(&object.kubectl()), in_namespace(object));
    let command = format!("kubectl delete {name} --cascade=background --wait=false");
    Step::new(DropGarbageCollectorFinalizer { finalizer: finalizer.into() }, object, command)
}

/// Whether the API server would not remove the finalizer: from a pod whose grace period is pending, and from
/// a Namespace with `spec.finalizers`.
#[must_use]
pub fn would_do_nothing(reference: &Ref, object: &Object) -> bool {
    object.metadata.deletion_grace_period_seconds.unwrap_or_default() > 0
        || (reference.is_namespace() && !object.array("/spec/finalizers").is_empty())
}

impl Behaviour for DropGarbageCollectorFinalizer {
    /// Dependents that were to be orphaned may exist again.
    fn properties(&self) -> &'static [Property] {
        let all = &[Property::IsAgreedToTogether, Property::RestsOnOtherObjects];
        if self.finalizer == ORPHAN { all } else { &all[..1] }
    }

    fn title(&self, _: &Ref, called: &str) -> String {
        format!("delete {called} again, in the background: that removes {}", self.finalizer)
    }

    fn shape(&self, _: &Ref) -> Shape {
        Shape::Delete(Delete::BACKGROUND)
    }

    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        let finalizer = &self.finalizer;
        if !has(now, finalizer) {
            return Guard::AlreadySo(format!("{object} no longer has the finalizer {finalizer}"));
        }
        if now.is_deleting() && would_do_nothing(object, now) {
            let why = "its grace period has not ended, or its spec.finalizers is not empty";
            return Guard::Changed(format!("the API server would leave {finalizer} on {object}: {why}"));
        }
        Guard::while_deleted(object, now)
    }

    fn judge(&self, object: &Ref, after: &Object) -> StepVerdict {
        let finalizer = &self.finalizer;
        if has(after, finalizer) {
            return StepVerdict::NotYet(format!("{object} still has the finalizer {finalizer}"));
        }
        StepVerdict::done(format!("{finalizer} is removed from {object}"), "it is still held by", after)
    }

    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        Err(NoWayBack::finalizer_is_off(done.object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Write, WriteRequest};
    use crate::report::Named;
    use serde_json::{Value, json};

    fn web() -> Ref {
        Ref::from(Named {
            api_version: "apps/v1".into(),
            kind: "Deployment".into(),
            resource: "deployments".into(),
            namespace: Some("shop".into()),
            name: "web".into(),
            uid: "u1".into(),
            missing: false,
        })
    }

    fn now(metadata: &Value, body: &Value) -> Object {
        let mut object = json!({"metadata": {"uid": "u1", "name": "web"}});
        object["metadata"].as_object_mut().unwrap().extend(metadata.as_object().unwrap().clone());
        object.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        serde_json::from_value(object).unwrap()
    }

    fn request(step: &Step) -> WriteRequest {
        step.request(&Value::Null, "2026-01-01T00:00:00Z".parse().unwrap())
    }

    #[test]
    fn it_is_a_background_delete_of_exactly_this_object() {
        let step = step(&web(), "foregroundDeletion");
        assert_eq!(step.command, "kubectl delete deployments.apps/web -n shop --cascade=background --wait=false");
        let request = request(&step);
        assert_eq!(
            (request.method, request.path.as_str()),
            ("DELETE", "/apis/apps/v1/namespaces/shop/deployments/web")
        );
        assert_eq!(request.body["propagationPolicy"], "Background");
        assert_eq!(request.body["preconditions"]["uid"], "u1");
    }

    #[test]
    fn only_terminating_objects_with_the_finalizer_are_changed() {
        let step = step(&web(), "foregroundDeletion");
        let deleted = "2026-01-01T00:00:00Z";
        let guard = |metadata: Value, body: Value| step.guard(Some(&now(&metadata, &body)));
        let held = json!({"finalizers": ["foregroundDeletion"], "deletionTimestamp": deleted});
        assert_eq!(guard(held.clone(), json!({})), Guard::Holds);
        assert!(matches!(guard(json!({"deletionTimestamp": deleted}), json!({})), Guard::AlreadySo(_)));
        assert!(matches!(guard(json!({"finalizers": ["foregroundDeletion"]}), json!({})), Guard::Changed(_)));
        let emptied = json!({"spec": {"finalizers": ["kubernetes"]}});
        assert_eq!(guard(held.clone(), emptied.clone()), Guard::Holds);
        let namespace = Ref::from(Named { kind: "Namespace".into(), api_version: "v1".into(), ..web().parts() });
        let of_namespace = super::step(&namespace, "foregroundDeletion");
        assert!(matches!(of_namespace.guard(Some(&now(&held, &emptied))), Guard::Changed(_)));
        let mut pod = held;
        pod["deletionGracePeriodSeconds"] = json!(30);
        assert!(matches!(guard(pod, json!({})), Guard::Changed(why) if why.contains("grace")));
    }

    #[test]
    fn another_finalizer_may_still_hold_the_object_afterwards() {
        let step = step(&web(), "foregroundDeletion");
        let verify = |keys: Value| step.verify(Some(&now(&json!({"finalizers": keys}), &json!({}))), &request(&step));
        assert!(matches!(verify(json!(["foregroundDeletion"])), StepVerdict::NotYet(_)));
        assert!(matches!(verify(json!(["acme.io/x"])), StepVerdict::Done(text) if text.contains("acme.io/x")));
        assert!(matches!(step.verify(None, &request(&step)), StepVerdict::Done(text) if text.contains("gone")));
    }

    #[test]
    fn only_core_namespaces_are_emptied_first() {
        let object = now(&json!({}), &json!({"spec": {"finalizers": ["kubernetes"]}}));
        let of = |api_version: &str, kind: &str| {
            Ref::from(Named { api_version: api_version.into(), kind: kind.into(), ..web().parts() })
        };
        assert!(would_do_nothing(&of("v1", "Namespace"), &object));
        assert!(!would_do_nothing(&of("acme.io/v1", "Namespace"), &object));
        assert!(!would_do_nothing(&of("v1", "ConfigMap"), &object));
    }

    #[test]
    fn only_the_orphan_finalizer_depends_on_other_objects() {
        let rests = |finalizer: &str| step(&web(), finalizer).has(Property::RestsOnOtherObjects);
        assert!(rests("orphan") && !rests("foregroundDeletion"));
    }
}
