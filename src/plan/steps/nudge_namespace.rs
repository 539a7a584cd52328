//! Touch a namespace: any change wakes its controller within 5 seconds
//! (kubernetes/kubernetes: `pkg/controller/namespace/namespace_controller.go`).

use crate::plan::action::Action;
use crate::plan::request::path;
use crate::plan::reversal::{NoWayBack, WayBack};
use crate::plan::shell::one;
use crate::plan::write::{Verdict, WriteRequest};
use crate::report::{Ref, Step, StepKind};
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::{Value, json};

const ANNOTATION: &str = "unstick.dev/nudged-at";

/// The step that touches `namespace`.
#[must_use]
pub fn step(namespace: &Ref) -> Step {
    let command = format!(
        "kubectl annotate {} --overwrite {ANNOTATION}=\"$(date -u +%FT%TZ)\"",
        one("namespace", &namespace.name)
    );
    Step { command, ..NudgeNamespace.step(namespace) }
}

/// See [`StepKind::NudgeNamespace`].
pub(super) struct NudgeNamespace;

impl Action for NudgeNamespace {
    fn kind(&self) -> StepKind {
        StepKind::NudgeNamespace
    }

    fn title(&self, step: &Step) -> String {
        format!("touch namespace {} so that its controller looks now", step.object.name)
    }

    /// A merge patch: a JSON patch would have to replace all annotations where there
    /// are none yet. The uid in it makes the server refuse another object.
    fn request(&self, step: &Step, _: &Value, at: Timestamp) -> WriteRequest {
        WriteRequest {
            method: "PATCH",
            path: path(&step.object),
            content_type: "application/merge-patch+json",
            body: json!({"metadata": {"uid": step.object.uid, "annotations": {ANNOTATION: at.to_string()}}}),
        }
    }

    fn judge(&self, _: &Step, after: &Object, request: &WriteRequest) -> Verdict {
        let written = &request.body["metadata"]["annotations"][ANNOTATION];
        match after.metadata.annotations.get(ANNOTATION) {
            Some(at) if written == at => {
                Verdict::Done(format!("touched at {at}; the controller looks within 5 seconds"))
            }
            _ => Verdict::NotYet("the annotation is not there".into()),
        }
    }

    /// The annotation that is left is nothing to put back.
    fn can_be_undone(&self, _: &Step) -> bool {
        true
    }

    fn undo(&self, _: &Step, _: &WriteRequest, _: &Value) -> WayBack {
        let why = "it was only touched: an annotation says when, and nobody acts on it";
        Err(NoWayBack::Nothing(why.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    #[test]
    fn a_touch_of_somebody_else_is_not_this_one() {
        let step = step(&Ref::from(Named { kind: "Namespace".into(), name: "shop".into(), ..Named::default() }));
        let request = step.request(&Value::Null, "2026-01-01T00:00:00Z".parse().unwrap());
        let touched = |at: &str| {
            let object = json!({"metadata": {"name": "shop", "annotations": {ANNOTATION: at}}});
            NudgeNamespace.judge(&step, &Object::single(object).unwrap(), &request)
        };
        assert!(matches!(touched("2026-01-01T00:00:00Z"), Verdict::Done(_)));
        assert!(matches!(touched("2025-01-01T00:00:00Z"), Verdict::NotYet(_)));
    }
}
