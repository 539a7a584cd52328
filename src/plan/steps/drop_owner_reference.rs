//! Take exactly one owner reference off one object: one that no owner can answer to,
//! so that the garbage collector can judge the object, or leaves it alone. The only
//! step besides changes of settings that touches an object which need not be being
//! deleted; the object itself stays as it is.

use crate::plan::action::Action;
use crate::plan::request::json_patch;
use crate::plan::reversal::{NoWayBack, WayBack};
use crate::plan::shell::{named, patch};
use crate::plan::write::{Guard, Verdict, WriteRequest};
use crate::report::{Ref, Step, StepKind};
use crate::survey::Object;
use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use serde_json::{Value, json};

/// Between the owner's name and its uid in the entry of a step.
const UID: &str = ", uid ";

/// The step that takes the reference to `owner` off `dependent`, where it is the
/// one at `index`.
#[must_use]
pub fn step(dependent: &Ref, owner: &OwnerReference, index: usize) -> Step {
    let entry = Some(format!("{} {}{UID}{}", owner.kind, owner.name, owner.uid));
    let command = command(dependent, index, &owner.uid);
    Step { entry, command, place: Some(index), ..DropOwnerReference.step(dependent) }
}

fn command(dependent: &Ref, index: usize, uid: &str) -> String {
    patch(dependent, &json_patch(dependent, operations(index, uid)).body)
}

/// The owner of the step, as it is spoken of.
fn owner(step: &Step) -> &str {
    let entry = step.entry.as_deref().unwrap_or_default();
    entry.rsplit_once(UID).map_or(entry, |(owner, _)| owner)
}

fn uid(step: &Step) -> &str {
    step.entry.as_deref().and_then(|entry| entry.rsplit_once(UID)).map_or("", |(_, uid)| uid)
}

fn operations(index: usize, uid: &str) -> Vec<Value> {
    let place = format!("/metadata/ownerReferences/{index}");
    vec![json!({"op": "test", "path": format!("{place}/uid"), "value": uid}), json!({"op": "remove", "path": place})]
}

/// See [`StepKind::DropOwnerReference`].
pub(super) struct DropOwnerReference;

impl Action for DropOwnerReference {
    fn kind(&self) -> StepKind {
        StepKind::DropOwnerReference
    }

    fn title(&self, step: &Step) -> String {
        format!("take the reference to its owner {} off {}", owner(step), named(&step.object))
    }

    fn command_at(&self, step: &Step, place: usize) -> Option<String> {
        Some(command(&step.object, place, uid(step)))
    }

    fn compare(&self, step: &Step, now: &Object) -> Guard {
        if now.metadata.owner_references.iter().any(|reference| reference.uid == uid(step)) {
            Guard::Holds
        } else {
            Guard::AlreadySo(format!("{} no longer names {} as an owner", step.object, owner(step)))
        }
    }

    fn request(&self, step: &Step, raw: &Value, _: Timestamp) -> WriteRequest {
        let references = raw.pointer("/metadata/ownerReferences").and_then(Value::as_array);
        let index = references.into_iter().flatten().position(|reference| reference["uid"] == uid(step));
        json_patch(&step.object, operations(index.unwrap_or_default(), uid(step)))
    }

    fn judge(&self, step: &Step, after: &Object, _: &WriteRequest) -> Verdict {
        match self.compare(step, after) {
            Guard::AlreadySo(text) => Verdict::Done(text),
            _ => Verdict::NotYet(format!("{} still names {} as an owner", step.object, owner(step))),
        }
    }

    fn rests_on_other_objects(&self, _: &Step) -> bool {
        true
    }

    fn undo(&self, step: &Step, _: &WriteRequest, _: &Value) -> WayBack {
        let name = &step.object;
        Err(NoWayBack::Cannot(format!(
            "no owner could answer to the reference that {name} had: the record shows it as it was"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    fn dependent() -> Ref {
        Ref::from(Named {
            api_version: "acme.io/v1".into(),
            kind: "Rule".into(),
            resource: "rules".into(),
            name: "all".into(),
            uid: "u1".into(),
            ..Named::default()
        })
    }

    fn reference(name: &str, uid: &str) -> OwnerReference {
        OwnerReference { kind: "Widget".into(), name: name.into(), uid: uid.into(), ..OwnerReference::default() }
    }

    fn naming(uids: &[&str]) -> Value {
        let references: Vec<Value> =
            uids.iter().map(|uid| json!({"apiVersion": "v1", "kind": "Widget", "name": "w", "uid": uid})).collect();
        json!({"metadata": {"uid": "u1", "ownerReferences": references}})
    }

    #[test]
    fn exactly_one_reference_goes_wherever_it_is_by_then() {
        let step = step(&dependent(), &reference("w, uid x", "o2"), 0);
        assert_eq!(owner(&step), "Widget w, uid x");
        let request = step.request(&naming(&["o1", "o2"]), "2026-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(
            request.body,
            json!([{"op": "test", "path": "/metadata/uid", "value": "u1"},
                {"op": "test", "path": "/metadata/ownerReferences/1/uid", "value": "o2"},
                {"op": "remove", "path": "/metadata/ownerReferences/1"}])
        );
        assert!(step.command.contains("/metadata/ownerReferences/0/uid"), "{}", step.command);
    }

    #[test]
    fn it_is_done_when_no_reference_has_the_uid() {
        let step = step(&dependent(), &reference("w", "o2"), 0);
        let object = |value: Value| serde_json::from_value::<Object>(value).unwrap();
        assert_eq!(step.guard(Some(&object(naming(&["o1", "o2"])))), Guard::Holds);
        assert!(matches!(step.guard(Some(&object(naming(&["o1"])))), Guard::AlreadySo(_)));
        let request = step.request(&naming(&["o2"]), "2026-01-01T00:00:00Z".parse().unwrap());
        assert!(matches!(step.verify(Some(&object(naming(&["o1"]))), &request), Verdict::Done(_)));
        assert!(matches!(step.verify(Some(&object(naming(&["o2"]))), &request), Verdict::NotYet(_)));
    }
}
