//! Create a namespace of a name that is gone, so that what was stranded in it can
//! be updated again: without it every UPDATE is refused with 404 (kubernetes/kubernetes:
//! staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go).
//! The rows come back in it with their old timestamps. Its undo is its deletion,
//! once it is empty.

use crate::plan::action::Action;
use crate::plan::request::deletion_if;
use crate::plan::reversal::{Reversal, WayBack};
use crate::plan::shell::{create, one, quote};
use crate::plan::write::{Guard, Needs, Verdict, WriteRequest};
use crate::report::{Named, Ref, Risk, Step, StepKind};
use crate::survey::{Object, ResourceId};
use jiff::Timestamp;
use serde_json::{Value, json};

/// By this annotation the namespaces that were made here are known again.
const ANNOTATION: &str = "unstick.dev/recreated";
const REASON: &str = "to release what was stranded when the namespace of this name was finalized by force";

/// The step that creates the namespace `name`.
#[must_use]
pub fn step(name: &str) -> Step {
    let command = format!(
        "{} && kubectl annotate {} {ANNOTATION}={}",
        create("namespace", &namespace(name)),
        one("namespace", name),
        quote(REASON)
    );
    Step { command, ..RecreateNamespace.step(&namespace(name).missing()) }
}

/// Names a namespace that was not read.
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

/// Whether a namespace was made by this step.
#[must_use]
pub fn made(namespace: &Object) -> bool {
    namespace.metadata.annotations.contains_key(ANNOTATION)
}

/// See [`StepKind::RecreateNamespace`].
pub(super) struct RecreateNamespace;

impl Action for RecreateNamespace {
    fn kind(&self) -> StepKind {
        StepKind::RecreateNamespace
    }

    fn title(&self, step: &Step) -> String {
        format!("create namespace {} again", step.object.name)
    }

    /// Holds only while there is none: whoever made one meanwhile has a use for it.
    fn guard(&self, _: &Step, now: Option<&Object>) -> Guard {
        match now {
            None => Guard::Holds,
            Some(now) if now.is_deleting() => {
                Guard::Changed(format!("namespace {} exists and is being deleted", now.name()))
            }
            Some(now) => Guard::AlreadySo(format!("namespace {} exists again", now.name())),
        }
    }

    /// A POST: the server refuses a second namespace of the name.
    fn request(&self, step: &Step, _: &Value, _: Timestamp) -> WriteRequest {
        WriteRequest {
            method: "POST",
            path: ResourceId::new("", "v1", "namespaces").path(None, None),
            content_type: "application/json",
            body: json!({"apiVersion": "v1", "kind": "Namespace",
                "metadata": {"name": step.object.name, "annotations": {ANNOTATION: REASON}}}),
        }
    }

    fn verify(&self, step: &Step, after: Option<&Object>, _: &WriteRequest) -> Verdict {
        match after {
            Some(after) if made(after) => Verdict::Done(format!("{} is there again", step.object)),
            Some(_) => Verdict::NotYet(format!("{} was made by somebody else", step.object)),
            None => Verdict::NotYet(format!("{} is not there", step.object)),
        }
    }

    fn creates(&self) -> bool {
        true
    }

    fn can_be_undone(&self, _: &Step) -> bool {
        true
    }

    fn undo(&self, _: &Step, _: &WriteRequest, _: &Value) -> WayBack {
        Ok(Box::new(DeleteMade))
    }
}

/// Deletes the namespace that was made.
#[derive(Debug)]
struct DeleteMade;

impl Reversal for DeleteMade {
    fn title(&self, of: &Step) -> String {
        format!("delete namespace {}, which was made again", of.object.name)
    }

    fn consequence(&self) -> &'static str {
        "it holds nothing"
    }

    fn risk(&self) -> Risk {
        Risk::Harmless
    }

    fn command(&self, of: &Step) -> String {
        format!("kubectl delete {}", one("namespace", &of.object.name))
    }

    fn guard(&self, of: &Step, now: Option<&Object>) -> Guard {
        let name = &of.object;
        match now {
            None => Guard::AlreadySo(format!("{name} is gone again")),
            Some(now) if now.is_deleting() => Guard::AlreadySo(format!("{name} is being deleted already")),
            Some(now) if made(now) => Guard::Holds,
            Some(_) => Guard::Changed(format!("{name} was made anew since by somebody: not touched")),
        }
    }

    /// The step did not know the uid that the namespace would get: it is the one just read.
    fn request(&self, of: &Step, raw: &Value) -> WriteRequest {
        let read = &raw["metadata"];
        let preconditions = json!({"uid": read["uid"], "resourceVersion": read["resourceVersion"]});
        deletion_if(&of.object, "Background", &preconditions)
    }

    fn verify(&self, of: &Step, after: Option<&Object>) -> Verdict {
        let name = &of.object;
        match after {
            None => Verdict::Done(format!("{name} is gone")),
            Some(after) if after.is_deleting() => Verdict::Done(format!("{name} is being deleted")),
            Some(_) => Verdict::NotYet(format!("{name} is not being deleted")),
        }
    }

    fn needs(&self) -> Needs<'static> {
        Needs::OnlyDefaultContent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
