//! Another program's finalizer on the namespace itself.

use crate::draft::{Draft, Phase};
use crate::object::Id;
use crate::operator::{Operator, Pods, Rights};
use crate::truth::{Named, Truth};
use serde_json::json;

/// A finalizer in the metadata, set by an operator that is at zero replicas or gone.
pub fn in_metadata(draft: &mut Draft) {
    let operator = Operator::invent(draft);
    let target = Id::of("Namespace", None, &draft.namespace);
    let (object, finalizer, manager) = (target.clone(), operator.finalizer.clone(), operator.manager.clone());
    draft.act(Phase::Things, move |api| {
        let found = api.get(&object.path())?.unwrap_or_default();
        let mut finalizers = found["metadata"]["finalizers"].as_array().cloned().unwrap_or_default();
        finalizers.push(json!(finalizer));
        Ok(api.patch(&object, &json!({"metadata": {"finalizers": finalizers}}), &manager)?)
    });
    if draft.random.percent(50) {
        // Rights on namespaces are rights on a built-in kind.
        operator.define(draft);
        operator.install(draft, &Pods::Parked, Rights::Everything);
        let mut truth = Truth::object("the operator of the namespace's finalizer is at zero", &operator.deployment());
        truth.names.push(Named::Finalizer(target, operator.finalizer));
        draft.truths.push(truth.controller(&["Down", "Unknown"]));
    } else {
        let truth = Truth::finalizer("the operator of the namespace's finalizer is gone", &target, &operator.finalizer);
        draft.truths.push(truth.controller(&["Gone", "Unknown"]));
    }
}

/// A finalizer in the spec, in addition to that of Kubernetes.
pub fn in_spec(draft: &mut Draft) {
    let finalizer = format!("{}.example.com/origin", draft.random.word());
    let target = Id::of("Namespace", None, &draft.namespace);
    draft.spec_finalizers.push(finalizer.clone());
    draft.truths.push(Truth::finalizer("a foreign finalizer in the namespace's spec", &target, &finalizer));
}
