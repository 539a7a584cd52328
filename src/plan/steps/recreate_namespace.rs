//! Create a namespace of a name that is gone, so that what was stranded in it can
//! be updated again: without it every UPDATE is refused with 404 (kubernetes/kubernetes:
//! staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go).
//! The rows come back in it with their old timestamps. Its undo is its deletion,
//! once it is empty.

use crate::plan::step::{Guard, Verdict, WriteRequest, quote};
use crate::report::{Ref, Step, StepKind};
use crate::survey::{Object, ResourceId};
use serde_json::json;

/// By this annotation the namespaces that were made here are known again.
const ANNOTATION: &str = "unstick.dev/recreated";
const REASON: &str = "to release what was stranded when the namespace of this name was finalized by force";

/// The step that creates the namespace `name`.
#[must_use]
pub fn step(name: &str) -> Step {
    let command = format!(
        "kubectl create namespace {0} && kubectl annotate namespace {0} {ANNOTATION}={1}",
        quote(name),
        quote(REASON)
    );
    Step { kind: StepKind::RecreateNamespace, object: namespace(name).missing(), finalizer: None, entry: None, command }
}

/// Names a namespace that was not read.
#[must_use]
pub fn namespace(name: &str) -> Ref {
    Ref {
        api_version: "v1".into(),
        kind: "Namespace".into(),
        resource: "namespaces".into(),
        name: name.into(),
        ..Ref::default()
    }
}

/// Whether a namespace was made by this step.
#[must_use]
pub fn made(namespace: &Object) -> bool {
    namespace.metadata.annotations.contains_key(ANNOTATION)
}

/// Holds only while there is none: whoever made one meanwhile has a use for it.
pub(in crate::plan) fn guard(now: Option<&Object>) -> Guard {
    match now {
        None => Guard::Holds,
        Some(now) if now.is_deleting() => {
            Guard::Changed(format!("namespace {} exists and is being deleted", now.name()))
        }
        Some(now) => Guard::AlreadySo(format!("namespace {} exists again", now.name())),
    }
}

/// A POST: the server refuses a second namespace of the name.
pub(in crate::plan) fn request(step: &Step) -> WriteRequest {
    WriteRequest {
        method: "POST",
        path: ResourceId::new("", "v1", "namespaces").path(None, None),
        content_type: "application/json",
        body: json!({"apiVersion": "v1", "kind": "Namespace",
            "metadata": {"name": step.object.name, "annotations": {ANNOTATION: REASON}}}),
    }
}

pub(in crate::plan) fn verify(step: &Step, after: Option<&Object>) -> Verdict {
    match after {
        Some(after) if made(after) => Verdict::Done(format!("{} is there again", step.object)),
        Some(_) => Verdict::NotYet(format!("{} was made by somebody else", step.object)),
        None => Verdict::NotYet(format!("{} is not there", step.object)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::StepKind;
    use serde_json::Value;

    fn object(value: Value) -> Object {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn it_is_made_only_where_there_is_none() {
        let step = step("shop");
        assert_eq!(step.guard(None), Guard::Holds);
        let there = object(json!({"metadata": {"name": "shop", "uid": "u9"}}));
        assert!(matches!(step.guard(Some(&there)), Guard::AlreadySo(_)));
        let going =
            object(json!({"metadata": {"name": "shop", "uid": "u9", "deletionTimestamp": "2026-01-01T00:00:00Z"}}));
        assert!(matches!(step.guard(Some(&going)), Guard::Changed(_)));
    }

    #[test]
    fn what_it_makes_is_known_again() {
        let step = step("shop");
        let request = step.request(&Value::Null, "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!((request.method, request.path.as_str()), ("POST", "/api/v1/namespaces"));
        let made = object(request.body.clone());
        assert!(matches!(step.verify(Some(&made), &request), Verdict::Done(_)));
        let other = object(json!({"metadata": {"name": "shop", "uid": "u9"}}));
        assert!(matches!(step.verify(Some(&other), &request), Verdict::NotYet(_)));
        assert!(matches!(step.verify(None, &request), Verdict::NotYet(_)));
        assert_eq!(step.kind, StepKind::RecreateNamespace);
    }
}
