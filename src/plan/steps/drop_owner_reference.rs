//! Remove exactly one owner reference from one object: a reference that cannot be resolved. The garbage
//! collector can then judge the object, or ignores it. Besides changes of settings, this is the only step
//! for an object that need not be in deletion; the object itself stays as it is.

use crate::plan::{Behaviour, DoneStep, Guard, ListEntry, NoWayBack, Property, Shape, StepVerdict, WayBack};
use crate::report::{DropOwnerReference, NamedOwner, Ref, Step};
use crate::survey::Object;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;

/// The step that removes the reference to `owner`, which is at `index`, from `dependent`.
pub fn step(dependent: &Ref, owner: &OwnerReference, index: usize) -> Step {
    let owner = NamedOwner { called: format!("{} {}", owner.kind, owner.name), uid: owner.uid.clone() };
    Step { place: Some(index), ..Step::patch(DropOwnerReference { owner }, dependent, index) }
}

impl DropOwnerReference {
    fn is_named_by(&self, object: &Object) -> bool {
        object.metadata.owner_references.iter().any(|reference| reference.uid == self.owner.uid)
    }
}

impl Behaviour for DropOwnerReference {
    fn properties(&self) -> &'static [Property] {
        &[Property::RestsOnOtherObjects]
    }

    fn title(&self, _: &Ref, called: &str) -> String {
        format!("remove the reference to its owner {} from {called}", self.owner.called)
    }

    fn shape(&self, _: &Ref) -> Shape {
        let value = self.owner.uid.clone().into();
        Shape::Remove(ListEntry { list: "/metadata/ownerReferences", key: "/uid", value })
    }

    fn compare(&self, object: &Ref, now: &Object) -> Guard {
        if self.is_named_by(now) {
            Guard::Holds
        } else {
            Guard::AlreadySo(format!("{object} no longer names {} as an owner", self.owner.called))
        }
    }

    fn judge(&self, object: &Ref, after: &Object) -> StepVerdict {
        let owner = &self.owner.called;
        if self.is_named_by(after) {
            StepVerdict::NotYet(format!("{object} still names {owner} as an owner"))
        } else {
            StepVerdict::Done(format!("{object} no longer names {owner} as an owner"))
        }
    }

    fn undo(&self, done: DoneStep<'_>) -> WayBack {
        Err(NoWayBack::Cannot(format!(
            "the owner that {} named cannot exist, so its reference is not restored; the journal shows it",
            done.object
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Write;
    use crate::report::Named;
    use serde_json::{Value, json};

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
    fn exactly_one_reference_is_removed_wherever_it_is_now() {
        let step = step(&dependent(), &reference("w, uid x", "o2"), 0);
        let entry = step.action.parameters().entry;
        assert_eq!(entry.as_deref(), Some("Widget w, uid x, uid o2"));
        let back: Step = serde_json::from_value(step.record()).unwrap();
        assert_eq!(back.action, step.action);
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
        assert!(matches!(step.verify(Some(&object(naming(&["o1"]))), &request), StepVerdict::Done(_)));
        assert!(matches!(step.verify(Some(&object(naming(&["o2"]))), &request), StepVerdict::NotYet(_)));
    }
}
