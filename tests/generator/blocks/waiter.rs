//! A custom resource whose operator runs and reports what it waits for: another object, which is
//! held itself.

use crate::api::now;
use crate::draft::{Draft, Phase};
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use serde_json::json;

/// Puts a waiting object in front of a held one, and returns it.
pub fn put_in_front(draft: &mut Draft, held: &Id) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Ready, Rights::OwnKind);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let (kind, other) = (&held.kind, &held.name);
    let resource = match held.group() {
        "" => held.plural.clone(),
        group => format!("{}.{group}", held.plural),
    };
    let message = match draft.random.below(4) {
        0 => format!("waiting for {kind} {other} to be deleted"),
        1 => format!("{} \"{other}\" still exists", kind.to_lowercase()),
        2 => format!("cannot delete: dependent {resource} \"{other}\" has not been removed"),
        _ => format!("deletion is blocked by {kind} {namespace}/{other}"),
    };
    let (says, manager) = (object.clone(), operator.manager.clone());
    draft.act(Phase::Afterwards, move |api| {
        let condition = json!({"type": "Ready", "status": "False", "reason": "Deleting", "message": message,
            "lastTransitionTime": now()});
        Ok(api.patch(&says, &json!({"status": {"conditions": [condition]}}), &manager)?)
    });
    let other = held.path();
    operator.works_once(draft, &object, move |api| matches!(api.get(&other), Ok(None)));
    draft.allowed.push(object.clone());
    object
}
