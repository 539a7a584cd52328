//! Delete again in the background: the API server then takes its garbage
//! collector's own finalizer off, also of an object that is being deleted
//! already (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go`,
//! `deletionFinalizersForGarbageCollection`). It asks nothing to go that was not
//! asked before, but dependents that were to be orphaned are collected.

use crate::plan::action::Action;
use crate::plan::request::deletion;
use crate::plan::reversal::{NoWayBack, WayBack};
use crate::plan::shell::{in_namespace, named, quote};
use crate::plan::write::{Guard, Verdict, WriteRequest};
use crate::report::{Ref, Step, StepKind};
use crate::survey::{ORPHAN, Object, has};
use jiff::Timestamp;
use serde_json::Value;

/// The step that takes `finalizer`, `foregroundDeletion` or `orphan`, off `object`.
#[must_use]
pub fn step(object: &Ref, finalizer: &str) -> Step {
    let command = format!(
        "kubectl delete {}{} --cascade=background --wait=false",
        quote(&object.kubectl()),
        in_namespace(object)
    );
    Step { finalizer: Some(finalizer.into()), command, ..DropGarbageCollectorFinalizer.step(object) }
}

/// Whether the API server would leave the finalizer alone: that of a pod whose
/// grace period is pending, and that of a Namespace with `spec.finalizers`.
#[must_use]
pub fn would_do_nothing(reference: &Ref, object: &Object) -> bool {
    let emptied = reference.kind == "Namespace" && reference.api_version == "v1";
    object.metadata.deletion_grace_period_seconds.unwrap_or_default() > 0
        || (emptied && !object.array("/spec/finalizers").is_empty())
}

/// See [`StepKind::DropGarbageCollectorFinalizer`].
pub(super) struct DropGarbageCollectorFinalizer;

impl Action for DropGarbageCollectorFinalizer {
    fn kind(&self) -> StepKind {
        StepKind::DropGarbageCollectorFinalizer
    }

    fn title(&self, step: &Step) -> String {
        let finalizer = step.finalizer.as_deref().unwrap_or_default();
        format!("delete {} again, in the background: that takes off {finalizer}", named(&step.object))
    }

    fn compare(&self, step: &Step, now: &Object) -> Guard {
        let finalizer = step.finalizer.as_deref().unwrap_or_default();
        if !has(now, finalizer) {
            return Guard::AlreadySo(format!("{} no longer has the finalizer {finalizer}", step.object));
        }
        if now.is_deleting() && would_do_nothing(&step.object, now) {
            let why = "its grace period still runs, or its spec.finalizers is not empty";
            return Guard::Changed(format!("the API server would leave {finalizer} on {}: {why}", step.object));
        }
        Guard::while_deleted(&step.object, now)
    }

    fn request(&self, step: &Step, _: &Value, _: Timestamp) -> WriteRequest {
        deletion(&step.object, "Background")
    }

    fn judge(&self, step: &Step, after: &Object, _: &WriteRequest) -> Verdict {
        let finalizer = step.finalizer.as_deref().unwrap_or_default();
        if has(after, finalizer) {
            return Verdict::NotYet(format!("{} still has the finalizer {finalizer}", step.object));
        }
        let left = after.metadata.finalizers.join(", ");
        let held = if left.is_empty() { String::new() } else { format!("; it is still held by {left}") };
        Verdict::Done(format!("{finalizer} is off {}{held}", step.object))
    }

    /// Dependents that were to be orphaned may be there again.
    fn rests_on_other_objects(&self, step: &Step) -> bool {
        step.finalizer.as_deref() == Some(ORPHAN)
    }

    fn is_agreed_to_together(&self) -> bool {
        true
    }

    fn undo(&self, step: &Step, _: &WriteRequest, _: &Value) -> WayBack {
        Err(NoWayBack::finalizer_is_off(&step.object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;
    use serde_json::json;

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
    fn it_is_done_only_to_what_is_deleted_and_has_the_finalizer() {
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
        assert!(matches!(verify(json!(["foregroundDeletion"])), Verdict::NotYet(_)));
        assert!(matches!(verify(json!(["acme.io/x"])), Verdict::Done(text) if text.contains("acme.io/x")));
        assert!(matches!(step.verify(None, &request(&step)), Verdict::Done(text) if text.contains("gone")));
    }

    #[test]
    fn only_a_namespace_of_kubernetes_is_emptied_first() {
        let object = now(&json!({}), &json!({"spec": {"finalizers": ["kubernetes"]}}));
        let of = |api_version: &str, kind: &str| {
            Ref::from(Named { api_version: api_version.into(), kind: kind.into(), ..web().parts() })
        };
        assert!(would_do_nothing(&of("v1", "Namespace"), &object));
        assert!(!would_do_nothing(&of("acme.io/v1", "Namespace"), &object));
        assert!(!would_do_nothing(&of("v1", "ConfigMap"), &object));
    }

    #[test]
    fn only_the_finalizer_that_orphans_rests_on_the_dependents() {
        let rests = |finalizer: &str| {
            let step = step(&web(), finalizer);
            DropGarbageCollectorFinalizer.rests_on_other_objects(&step)
        };
        assert!(rests("orphan") && !rests("foregroundDeletion"));
    }
}
