//! Create a namespace again under a deleted name, so that the objects stranded in it can be updated:
//! without it, every UPDATE is refused with 404 (kubernetes/kubernetes:
//! staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go).
//! The stored objects come back in it with their old timestamps. Its undo is its deletion, once it is
//! empty.

use crate::plan::{
    Back, Behaviour, DoneStep, Guard, Property, Reversal, Shape, StepVerdict, WayBack, WriteRequest, create, one, quote,
};
use crate::report::{Named, RecreateNamespace, Ref, Risk, Step};
use crate::survey::Object;
use serde_json::json;

/// The annotation that identifies namespaces which this program has created.
const ANNOTATION: &str = "unstick.dev/recreated";
const REASON: &str = "to release what was stranded when the namespace of this name was finalized by force";

/// The step that creates the namespace `name`.
pub fn step(name: &str) -> Step {
    let (made, object) = (create("namespace", &namespace(name)), one("namespace", name));
    let command = format!("{made} && kubectl annotate {object} {ANNOTATION}={}", quote(REASON));
    Step::new(RecreateNamespace {}, &namespace(name).missing(), command)
}

/// A reference to a namespace that was not read.
#[must_use]
pub fn namespace(name: &str) -> Ref {
    Ref::from(Named {
        api_version: "v1".into(),
        kind: "Namespace".into(),
        resource: "namespaces".into(),
        name: name.into(),
        ..Named::default()
    })
}

/// Whether a namespace was created by this step.
#[must_use]
pub fn made(namespace: &Object) -> bool {
    namespace.metadata.annotations.contains_key(ANNOTATION)
}

impl Behaviour for RecreateNamespace {
    fn properties(&self) -> &'static [Property] {
        &[Property::Creates, Property::CanBeUndone]
    }

    fn title(&self, object: &Ref, _: &str) -> String {
        format!("create namespace {} again", object.name)
    }

    fn shape(&self, object: &Ref) -> Shape {
        Shape::Create(json!({"apiVersion": "v1", "kind": "Namespace",
            "metadata": {"name": object.name, "annotations": {ANNOTATION: REASON}}}))
    }

    /// Holds only while there is none: a namespace that was created in the meantime is in use.
    fn guard(&self, _: &Ref, now: Option<&Object>) -> Guard {
        match now {
            None => Guard::Holds,
            Some(now) if now.is_deleting() => {
                Guard::Changed(format!("namespace {} exists and is being deleted", now.name()))
            }
            Some(now) => Guard::AlreadySo(format!("namespace {} exists again", now.name())),
        }
    }

    fn verify(&self, object: &Ref, after: Option<&Object>, _: &WriteRequest) -> StepVerdict {
        match after {
            Some(after) => self.judge(object, after),
            None => StepVerdict::NotYet(format!("{object} does not exist")),
        }
    }

    fn judge(&self, object: &Ref, after: &Object) -> StepVerdict {
        if made(after) {
            StepVerdict::Done(format!("{object} exists again"))
        } else {
            StepVerdict::NotYet(format!("{object} was created by somebody else"))
        }
    }

    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        let name = &done.object.name;
        Ok(Reversal {
            title: format!("delete namespace {name}, which was created again"),
            consequence: "the namespace is empty",
            risk: Risk::Harmless,
            command: format!("kubectl delete {}", one("namespace", name)),
            back: Back::Unmake(ANNOTATION),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Write;
    use serde_json::Value;

    fn object(value: Value) -> Object {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_namespace_is_created_only_if_it_is_missing() {
        let step = step("shop");
        assert_eq!(step.guard(None), Guard::Holds);
        let there = object(json!({"metadata": {"name": "shop", "uid": "u9"}}));
        assert!(matches!(step.guard(Some(&there)), Guard::AlreadySo(_)));
        let going =
            object(json!({"metadata": {"name": "shop", "uid": "u9", "deletionTimestamp": "2026-01-01T00:00:00Z"}}));
        assert!(matches!(step.guard(Some(&going)), Guard::Changed(_)));
    }

    #[test]
    fn the_created_namespace_is_recognized() {
        let step = step("shop");
        let request = step.request(&Value::Null, "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!((request.method, request.path.as_str()), ("POST", "/api/v1/namespaces"));
        let made = object(request.body.clone());
        assert!(matches!(step.verify(Some(&made), &request), StepVerdict::Done(_)));
        let other = object(json!({"metadata": {"name": "shop", "uid": "u9"}}));
        assert!(matches!(step.verify(Some(&other), &request), StepVerdict::NotYet(_)));
        assert!(matches!(step.verify(None, &request), StepVerdict::NotYet(_)));
    }
}
