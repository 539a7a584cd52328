//! A custom resource whose operator runs but was told to ignore it: on the object, or on its owner.
//! The twin has the same field with the opposite value, and its operator is at zero.

use crate::api::{Api, now};
use crate::draft::{Draft, Phase};
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::Truth;
use serde_json::{Value, json};

/// A mark that pauses an object, and the word without which the reason is incomplete.
fn mark(draft: &mut Draft, group: &str, is_paused: bool) -> (Value, &'static str) {
    match draft.random.below(4) {
        0 => (json!({"spec": {"paused": is_paused}}), "paused"),
        1 => (json!({"spec": {"suspend": is_paused}}), "suspend"),
        2 => (json!({"metadata": {"annotations": {format!("{group}/paused"): is_paused.to_string()}}}), "paused"),
        _ => {
            let value = if is_paused { "disabled" } else { "enabled" };
            (json!({"metadata": {"annotations": {format!("{group}/reconcile"): value}}}), "reconcile")
        }
    }
}

/// Whether an object has all fields of a mark.
fn has(api: &Api, of: &Id, mark: &Value) -> bool {
    let Ok(Some(found)) = api.get(&of.path()) else { return false };
    let paths = ["/spec/paused", "/spec/suspend", "/metadata/annotations"];
    paths.iter().any(|path| match (mark.pointer(path), found.pointer(path)) {
        (Some(Value::Object(marks)), Some(found)) => marks.iter().all(|(key, value)| found[key] == *value),
        (Some(mark), Some(found)) => mark == found,
        _ => false,
    })
}

fn set(draft: &mut Draft, of: &Id, mark: Value) {
    let of = of.clone();
    draft.act(Phase::Pods, move |api| Ok(api.patch(&of, &mark, "kubectl-edit")?));
}

/// The mark is on the object itself.
pub fn object(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Ready, Rights::OwnKind);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let (mark, word) = mark(draft, &operator.group, true);
    set(draft, &object, mark.clone());
    let truth = Truth::object("it is paused", &object).besides(&operator.deployment());
    draft.truths.push(truth.controller(&["Alive", "Failing"]).says(word));
    late(draft, &object);
    let of = object.clone();
    operator.works_once(draft, &object, move |api| !has(api, &of, &mark));
    object
}

/// The mark is on its owner, which is not being deleted.
pub fn owner(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Ready, Rights::OwnKind);
    let group = operator.with_kind(&format!("{}set", operator.kind.to_lowercase()));
    group.define(draft);
    group.give(draft, Rights::OwnKind);
    let (namespace, name, above) = (draft.namespace.clone(), draft.random.word(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let owner = group.object(&namespace, &above);
    let manifest = json!({"apiVersion": owner.api_version, "kind": owner.kind,
        "metadata": {"name": above, "namespace": namespace}, "spec": {"size": 1}});
    draft.create_as(Phase::Things, manifest, Some(&owner.plural), "kubectl-client-side-apply");
    let (mark, word) = mark(draft, &operator.group, true);
    set(draft, &owner, mark.clone());
    let (of, below) = (owner.clone(), object.clone());
    draft.act(Phase::Pods, move |api| {
        let found = api.get(&of.path())?.unwrap_or_default();
        let reference = json!({"apiVersion": of.api_version, "kind": of.kind, "name": of.name,
            "uid": found["metadata"]["uid"]});
        Ok(api.patch(&below, &json!({"metadata": {"ownerReferences": [reference]}}), "kubectl-edit")?)
    });
    let truth = Truth::object("its owner is paused", &owner).besides(&operator.deployment());
    draft.truths.push(truth.controller(&["Alive", "Failing"]).says(word));
    late(draft, &object);
    operator.works_once(draft, &object, move |api| !has(api, &owner, &mark));
    object
}

/// The field has the opposite value; another object of the kind is paused.
pub fn not_at_all(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Parked, Rights::OwnKind);
    let (namespace, name, other) = (draft.namespace.clone(), draft.random.word(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let (no, _) = mark(draft, &operator.group, false);
    set(draft, &object, no);
    let sibling = operator.adopt(draft, "team-one", &other);
    let (yes, _) = mark(draft, &operator.group, true);
    set(draft, &sibling, yes);
    draft.truths.push(Truth::object("its operator is at zero", &operator.deployment()).controller(&["Down"]));
    draft.allowed.push(object.clone());
    let starts = operator.clone();
    operator.works_once(draft, &object, move |api| starts.is_started(api));
    object
}

/// Makes a paused object old: it has been silent for hours, and only a person resumes it.
fn late(draft: &mut Draft, object: &Id) {
    draft.allowed.push(object.clone());
    draft.youngest = draft.youngest.max(900);
    draft.releasable = false;
}

/// Writes a condition into an object's status, as its operator.
pub fn say(draft: &mut Draft, object: &Id, manager: &str, reason: &str, message: String) {
    let (object, manager, reason) = (object.clone(), manager.to_owned(), reason.to_owned());
    draft.act(Phase::Afterwards, move |api| {
        let condition = json!({"type": "Ready", "status": "False", "reason": reason, "message": message,
            "lastTransitionTime": now()});
        Ok(api.patch(&object, &json!({"status": {"conditions": [condition]}}), &manager)?)
    });
}
