//! A custom resource that refers to an object of a kind without definition, so that its operator
//! cannot proceed. In the twin the kind and the object exist, and the operator is at zero.

use super::paused::say;
use crate::draft::{Draft, Phase};
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::Truth;
use serde_json::json;

/// The object to which another one refers.
fn refer(draft: &mut Draft, object: &Id) -> (Operator, Id) {
    let provider = Operator::invent(draft);
    let name = draft.random.word();
    let other = provider.object(&draft.namespace.clone(), &name);
    let (from, to) = (object.clone(), other.clone());
    draft.act(Phase::Pods, move |api| {
        let spec = json!({"spec": {"infrastructureRef": {"apiVersion": to.api_version, "kind": to.kind,
            "name": to.name}}});
        Ok(api.patch(&from, &spec, "kubectl-edit")?)
    });
    (provider, other)
}

/// The kind is not served.
pub fn not_served(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Ready, Rights::AndCommon);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let (provider, other) = refer(draft, &object);
    if draft.random.percent(60) {
        let message = format!("no matches for kind \"{}\" in version \"{}\"", other.kind, other.api_version);
        say(draft, &object, &operator.manager, "InfrastructureUnavailable", message);
    }
    let truth = Truth::object("a kind that it refers to is gone", &provider.definition());
    draft.truths.push(truth.or(&other).or(&object).or(&operator.deployment()).says(&other.kind));
    draft.allowed.push(object.clone());
    draft.youngest = draft.youngest.max(900);
    // Only a person can install it again.
    draft.releasable = false;
    object
}

/// The kind and the object exist.
pub fn served(draft: &mut Draft) -> Id {
    let operator = Operator::invent(draft);
    operator.define(draft);
    operator.install(draft, &Pods::Parked, Rights::AndCommon);
    let (namespace, name) = (draft.namespace.clone(), draft.random.word());
    let object = operator.adopt(draft, &namespace, &name);
    let (provider, other) = refer(draft, &object);
    provider.define(draft);
    let manifest = json!({"apiVersion": other.api_version, "kind": other.kind,
        "metadata": {"name": other.name, "namespace": namespace}, "spec": {}});
    draft.create_as(Phase::Things, manifest, Some(&other.plural), "kubectl-client-side-apply");
    draft.truths.push(Truth::object("its operator is at zero", &operator.deployment()).controller(&["Down"]));
    draft.allowed.push(object.clone());
    let starts = operator.clone();
    operator.works_once(draft, &object, move |api| starts.is_started(api));
    object
}
