//! Annotate a namespace: any change wakes its controller within 5 seconds
//! (kubernetes/kubernetes: `pkg/controller/namespace/namespace_controller.go`).

use crate::plan::{Behaviour, DoneStep, NoWayBack, Property, Shape, StepVerdict, WayBack, WriteRequest, one};
use crate::report::{NudgeNamespace, Ref, Step};
use crate::survey::Object;

/// The annotation with the time of the request.
pub(crate) const ANNOTATION: &str = "unstick.dev/nudged-at";

/// The step that annotates `namespace`.
pub fn step(namespace: &Ref) -> Step {
    let object = one("namespace", &namespace.name);
    let command = format!("kubectl annotate {object} --overwrite {ANNOTATION}=\"$(date -u +%FT%TZ)\"");
    Step::new(NudgeNamespace {}, namespace, command)
}

impl Behaviour for NudgeNamespace {
    /// The remaining annotation need not be removed.
    fn properties(&self) -> &'static [Property] {
        &[Property::CanBeUndone]
    }

    fn title(&self, object: &Ref, _: &str) -> String {
        format!("annotate namespace {} so that its controller checks it now", object.name)
    }

    fn shape(&self, _: &Ref) -> Shape {
        Shape::Annotate(ANNOTATION)
    }

    /// An annotation by another run is not this one.
    fn verify(&self, object: &Ref, after: Option<&Object>, request: &WriteRequest) -> StepVerdict {
        let written = &request.body["metadata"]["annotations"][ANNOTATION];
        match after.filter(|after| after.uid() == object.uid).map(|after| after.metadata.annotations.get(ANNOTATION)) {
            None => StepVerdict::Done(format!("{object} is gone")),
            Some(Some(at)) if written == at => {
                StepVerdict::Done(format!("annotated at {at}; the controller checks it within 5 seconds"))
            }
            Some(_) => StepVerdict::NotYet("the annotation does not exist".into()),
        }
    }

    fn undo(&self, _: DoneStep<'_>) -> WayBack {
        let why = "only an annotation with the time was added; nothing acts on it";
        Err(NoWayBack::Nothing(why.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Write;
    use crate::report::Named;
    use serde_json::{Value, json};

    #[test]
    fn an_older_annotation_does_not_verify_the_step() {
        let step = step(&Ref::from(Named { kind: "Namespace".into(), name: "shop".into(), ..Named::default() }));
        let request = step.request(&Value::Null, "2026-01-01T00:00:00Z".parse().unwrap());
        let touched = |at: &str| {
            let object = json!({"metadata": {"name": "shop", "annotations": {ANNOTATION: at}}});
            step.verify(Some(&Object::single(object).unwrap()), &request)
        };
        assert!(matches!(touched("2026-01-01T00:00:00Z"), StepVerdict::Done(_)));
        assert!(matches!(touched("2025-01-01T00:00:00Z"), StepVerdict::NotYet(_)));
    }
}
