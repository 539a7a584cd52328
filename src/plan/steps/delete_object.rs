//! Delete one object: a stranded one, whose namespace is gone, or the namespace that was created again to
//! release such objects. It never deletes anything else: right before it, `write` checks that the
//! namespace of the object is still gone, or contains only leftovers.
//!
//! The API server accepts a DELETE without a namespace (kubernetes/kubernetes:
//! staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go); an object without
//! finalizers is deleted at once. With Background, the API server also removes its own
//! `foregroundDeletion` and `orphan` from an object that is being deleted
//! (staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go).

use super::recreate_namespace;
use crate::plan::{
    Behaviour, Delete, DoneStep, Guard, Needs, NoWayBack, Property, Saved, Shape, StepVerdict, WayBack, arguments,
};
use crate::report::{DeleteObject, Ref, Step};
use crate::survey::{Object, ResourceId};

/// The finalizers that a DELETE removes.
const OF_DELETION: [&str; 2] = ["foregroundDeletion", "orphan"];

/// The step that deletes `object`.
pub fn step(object: &Ref) -> Step {
    let command = format!("kubectl delete {} --cascade=background --wait=false", arguments(object));
    Step::new(DeleteObject {}, object, command)
}

/// Whether a DELETE removes this finalizer.
#[must_use]
pub fn takes_off(finalizer: &str) -> bool {
    OF_DELETION.contains(&finalizer)
}

/// Whether a DELETE changes anything about `object`: it is not being deleted yet, or has a finalizer that
/// another DELETE removes.
#[must_use]
pub fn changes(object: &Object) -> bool {
    !object.is_deleting() || object.metadata.finalizers.iter().any(|key| takes_off(key))
}

/// Whether a DELETE alone deletes `object`.
#[must_use]
pub fn suffices(object: &Object) -> bool {
    changes(object) && object.metadata.finalizers.iter().all(|key| takes_off(key))
}

/// The kinds that can contain no secret, by group and plural, each with its whole content: the journal
/// keeps a deleted object of these, so that it can be created again.
const PUBLIC: [(&str, &str, &[&str]); 9] = [
    ("", "resourcequotas", &["spec/**"]),
    ("", "limitranges", &["spec/**"]),
    ("", "serviceaccounts", &["{secrets,imagePullSecrets}/*/name", "automountServiceAccountToken"]),
    ("coordination.k8s.io", "leases", &["spec/**"]),
    ("discovery.k8s.io", "endpointslices", &["addressType", "{endpoints,ports}/**"]),
    ("networking.k8s.io", "networkpolicies", &["spec/**"]),
    ("policy", "poddisruptionbudgets", &["spec/**"]),
    ("rbac.authorization.k8s.io", "rolebindings", &["{subjects,roleRef}/**"]),
    ("rbac.authorization.k8s.io", "roles", &["rules/**"]),
];

/// Whether the journal keeps deleted objects of this kind whole.
#[must_use]
pub fn is_kept(resource: &ResourceId) -> bool {
    whole(resource).is_some()
}

fn whole(resource: &ResourceId) -> Option<&'static [&'static str]> {
    let is_it = |(group, plural, _): &&(&str, &str, _)| resource.is(group, plural);
    PUBLIC.iter().find(is_it).map(|(_, _, paths)| *paths)
}

impl Behaviour for DeleteObject {
    fn properties(&self) -> &'static [Property] {
        &[Property::IsAgreedToTogether]
    }

    fn title(&self, _: &Ref, called: &str) -> String {
        format!("delete {called}")
    }

    fn shape(&self, _: &Ref) -> Shape {
        Shape::Delete(Delete::BACKGROUND)
    }

    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        if !changes(now) {
            return Guard::AlreadySo(format!("{object} is already being deleted"));
        }
        if object.namespace.is_none() && !recreate_namespace::made(now) {
            return Guard::Changed(format!("{object} was not created to release what was stranded in it"));
        }
        Guard::Holds
    }

    fn judge(&self, object: &Ref, after: &Object) -> StepVerdict {
        if changes(after) {
            return StepVerdict::NotYet(format!("{object} is not being deleted"));
        }
        StepVerdict::done(format!("{object} is being deleted"), "finalizers still hold it:", after)
    }

    fn needs<'o>(&self, object: &'o Ref) -> Needs<'o> {
        object.namespace.as_deref().map_or(Needs::OnlyLeftovers, Needs::Missing)
    }

    fn kept(&self, object: &Ref) -> Saved {
        whole(&object.target().resource).map_or(Saved::Nothing, Saved::Whole)
    }

    /// A stranded object is not restored. A namespace that has the name by now is another one, and a role
    /// binding, a quota or an endpoint would take effect there.
    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        let name = done.object;
        let Some(namespace) = &name.namespace else {
            return Err(NoWayBack::Nothing(format!("{name} had been created only to release what was stranded in it")));
        };
        if done.before["metadata"]["deletionTimestamp"].is_string() {
            return Err(NoWayBack::Nothing(format!("{name} was already being deleted")));
        }
        let kept = if is_kept(&name.target().resource) {
            "the journal shows it as it was"
        } else {
            "the journal does not contain its content"
        };
        Err(NoWayBack::Cannot(format!(
            "namespace {namespace} did not exist when {name} was deleted; nothing is restored into a new namespace of \
            that name; {kept}"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Write;
    use crate::report::Named;
    use serde_json::{Value, json};

    fn object(value: Value) -> Object {
        serde_json::from_value(value).unwrap()
    }

    fn settings() -> Ref {
        Ref::from(Named {
            api_version: "v1".into(),
            kind: "ConfigMap".into(),
            resource: "configmaps".into(),
            namespace: Some("gone".into()),
            name: "settings".into(),
            uid: "u1".into(),
            missing: false,
        })
    }

    #[test]
    fn the_request_names_the_uid_and_the_policy() {
        let step = step(&settings());
        let request = step.request(&Value::Null, "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!((request.method, request.path.as_str()), ("DELETE", "/api/v1/namespaces/gone/configmaps/settings"));
        assert_eq!(request.body["preconditions"], json!({"uid": "u1"}));
        assert_eq!(request.body["propagationPolicy"], "Background");
        assert_eq!(step.command, "kubectl delete configmaps settings -n gone --cascade=background --wait=false");
    }

    #[test]
    fn namesakes_are_spared_and_only_foreground_deletions_are_repeated() {
        let step = step(&settings());
        assert_eq!(step.guard(Some(&object(json!({"metadata": {"uid": "u1"}})))), Guard::Holds);
        assert!(matches!(step.guard(Some(&object(json!({"metadata": {"uid": "u2"}})))), Guard::Changed(_)));
        let going = |finalizer: &str| {
            object(json!({"metadata": {"uid": "u1", "deletionTimestamp": "2026-01-01T00:00:00Z",
                "finalizers": [finalizer]}}))
        };
        assert!(matches!(step.guard(Some(&going("acme.io/x"))), Guard::AlreadySo(_)));
        assert_eq!(step.guard(Some(&going("foregroundDeletion"))), Guard::Holds);
    }

    #[test]
    fn only_namespaces_that_this_program_created_are_deleted() {
        let namespace = recreate_namespace::namespace("gone").with_uid("u1");
        let step = step(&namespace);
        let made = recreate_namespace::step("gone").request(&Value::Null, "2026-01-01T00:00:00Z".parse().unwrap());
        let mut ours = object(made.body);
        ours.metadata.uid = "u1".into();
        assert_eq!(step.guard(Some(&ours)), Guard::Holds);
        assert!(matches!(step.guard(Some(&object(json!({"metadata": {"uid": "u1"}})))), Guard::Changed(_)));
    }
}
