//! How to exempt a namespace from a webhook or policy.

use crate::kubernetes::admission::{Gate, Operation};
use crate::kubernetes::finalizers::names::is_installer;
use crate::plan::{self, arguments};
use crate::report::{Ref, Remedy};
use serde_json::{Value, json};

/// The remedy if a policy engine manages the configuration of a webhook and overwrites edits: the policy
/// behind the webhook must be changed.
pub(super) fn engine(gate: Gate<'_>) -> Option<Remedy> {
    let Gate::Webhook { configuration, .. } = gate else { return None };
    let labels = &configuration.object.metadata.labels;
    let (_, engine) = labels
        .keys()
        .zip(labels.values())
        .find(|(key, engine)| key.ends_with("/managed-by") && !is_installer(engine) && !engine.is_empty())?;
    Some(Remedy::manual(
        format!(
            "change the policy of {engine} that causes this: {engine} manages {} and would undo an edit",
            gate.reference()
        ),
        "nothing is lost: its other policies stay in force",
    ))
}

/// The command that exempts the namespace of the held objects. A cluster-scoped object cannot be exempted
/// in this way.
pub(crate) fn except(gate: Gate<'_>, refs: &[Ref], operation: Operation) -> Option<Remedy> {
    let namespace = refs.first()?.namespace.as_deref()?;
    let not_here = json!({"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": [namespace]});
    let with = |selector: Option<&Value>| {
        let mut selector = selector.cloned().unwrap_or_else(|| json!({}));
        let known = selector.get("matchExpressions").and_then(Value::as_array).cloned().unwrap_or_default();
        selector["matchExpressions"] = known.into_iter().chain([not_here.clone()]).collect();
        selector
    };
    let patch = match gate {
        Gate::Webhook { index, entry, .. } => json!([
            {"op": "test", "path": format!("/webhooks/{index}/name"), "value": gate.name()},
            {"op": "add", "path": format!("/webhooks/{index}/namespaceSelector"),
                "value": with(entry.get("namespaceSelector"))}]),
        Gate::Policy { binding, .. } => {
            let mut resources = binding.object.at("/spec/matchResources").cloned().unwrap_or_else(|| json!({}));
            resources["namespaceSelector"] = with(resources.get("namespaceSelector"));
            json!([{"op": "add", "path": "/spec/matchResources", "value": resources}])
        }
    };
    let until = if operation == Operation::Create { "the pods run" } else { "the deletion is done" };
    Some(Remedy::command(
        format!("exempt namespace {namespace} from this webhook or policy until {until}"),
        plan::patch(&arguments(&gate.reference()), &patch),
        "it stays in force everywhere else",
    ))
}
