//! Delete an object that is not being deleted yet, because the user named it with `--delete`, or because
//! it must be deleted before one that was named. It is used for nothing else: no remedy of a diagnosis
//! contains it.

use crate::plan::{Behaviour, Delete, DoneStep, Guard, NoWayBack, Shape, StepVerdict, WayBack, arguments};
use crate::report::{DeleteOnRequest, Ref, Step};
use crate::survey::{Cascade, Object};

/// The step that deletes `object`; `cascade` decides about its dependents.
pub fn step(object: &Ref, cascade: Cascade) -> Step {
    Step::new(DeleteOnRequest { cascade }, object, format!("{} --wait=false", command(object, cascade)))
}

/// The command that does the same and waits until the object is gone.
#[must_use]
pub fn waiting_command(object: &Ref, cascade: Cascade) -> String {
    let default = if cascade == Cascade::Background { command_of(object) } else { command(object, cascade) };
    format!("{default} --timeout=5m")
}

fn command_of(object: &Ref) -> String {
    format!("kubectl delete {}", arguments(object))
}

fn command(object: &Ref, cascade: Cascade) -> String {
    format!("{} --cascade={}", command_of(object), cascade.word())
}

impl Behaviour for DeleteOnRequest {
    fn title(&self, _: &Ref, called: &str) -> String {
        format!("delete {called}")
    }

    fn shape(&self, _: &Ref) -> Shape {
        Shape::Delete(Delete { policy: self.cascade.policy(), ..Delete::BACKGROUND })
    }

    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        if now.is_deleting() {
            return Guard::AlreadySo(format!("{object} is already being deleted"));
        }
        Guard::Holds
    }

    fn judge(&self, object: &Ref, after: &Object) -> StepVerdict {
        if !after.is_deleting() {
            return StepVerdict::NotYet(format!("{object} is not being deleted"));
        }
        StepVerdict::done(format!("{object} is being deleted"), "it waits for:", after)
    }

    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        Err(NoWayBack::Cannot(format!(
            "it was deleted on request, and what {} represented may be gone; the journal does not contain its data, \
            which may be secret",
            done.object
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Needs, Write};
    use crate::report::Named;
    use serde_json::{Value, json};

    fn settings() -> Ref {
        Ref::from(Named {
            api_version: "v1".into(),
            kind: "ConfigMap".into(),
            resource: "configmaps".into(),
            namespace: Some("shop".into()),
            name: "settings".into(),
            uid: "u1".into(),
            missing: false,
        })
    }

    fn object(value: Value) -> Object {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn the_request_names_the_uid_and_the_policy_that_was_asked_for() {
        for (cascade, policy) in
            [(Cascade::Background, "Background"), (Cascade::Foreground, "Foreground"), (Cascade::Orphan, "Orphan")]
        {
            let step = step(&settings(), cascade);
            let request = step.request(&Value::Null, "2026-01-01T00:00:00Z".parse().unwrap());
            assert_eq!(
                (request.method, request.path.as_str()),
                ("DELETE", "/api/v1/namespaces/shop/configmaps/settings")
            );
            assert_eq!(request.body["preconditions"], json!({"uid": "u1"}));
            assert_eq!(request.body["propagationPolicy"], policy);
            assert!(step.command.contains(&format!("--cascade={}", policy.to_lowercase())), "{}", step.command);
        }
    }

    #[test]
    fn namesakes_and_terminating_objects_are_left_alone() {
        let step = step(&settings(), Cascade::Background);
        assert_eq!(step.guard(Some(&object(json!({"metadata": {"uid": "u1"}})))), Guard::Holds);
        assert!(matches!(step.guard(Some(&object(json!({"metadata": {"uid": "u2"}})))), Guard::Changed(_)));
        let going = json!({"metadata": {"uid": "u1", "deletionTimestamp": "2026-01-01T00:00:00Z"}});
        assert!(matches!(step.guard(Some(&object(going))), Guard::AlreadySo(_)));
        assert!(matches!(step.guard(None), Guard::AlreadySo(_)));
        // The deletion of a stranded object is another kind of step.
        assert_eq!(step.needs(), Needs::Nothing);
    }
}
