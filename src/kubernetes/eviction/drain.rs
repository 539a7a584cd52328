//! The drain of a node, because an object that represents the node is being deleted.

use crate::kubernetes::finalizers::groups::{domain, is_reserved};
use crate::report::{Controller, Ref};
use crate::survey::{Object, Resource, Seen};
use serde_json::Value;

/// A node's drain, after which an object is deleted.
#[derive(Debug)]
pub(crate) struct Drain<'s> {
    /// The object.
    pub(crate) held: Seen<'s>,
    /// The node, whole.
    pub(crate) node: &'s Object,
    /// A reference to the node.
    pub(crate) named: Ref,
    /// Who drains it.
    pub(crate) controller: Controller,
    /// Whether its finalizer is known to wait for a drain.
    pub(crate) known: bool,
}

/// Whether an object is a node, or its machine: the kind's name ends in Machine, or both have the
/// same identity at a provider (kubernetes/kubernetes: `staging/src/k8s.io/api/core/v1/types.go`,
/// `NodeSpec.ProviderID`). Other objects only run on the node that they name.
pub(crate) fn is_machine_of(seen: Seen<'_>, whole: &Object, node: &Object, nodes: &Resource) -> bool {
    let identity = ["/spec/providerID", "/status/providerID"].iter().find_map(|pointer| whole.text(pointer));
    let same = identity.is_some_and(|identity| !identity.is_empty() && node.text("/spec/providerID") == Some(identity));
    seen.resource.id == nodes.id
        || seen.resource.kind.ends_with("Machine") && whole.at("/status/nodeRef").is_some()
        || same
}

/// The node that an object represents.
pub(crate) fn node_of(seen: Seen<'_>, whole: &Object, nodes: &Resource) -> Option<String> {
    if seen.resource.id == nodes.id {
        return Some(whole.name().to_owned());
    }
    let named = ["/status/nodeRef/name", "/status/nodeName"].iter().find_map(|pointer| whole.text(pointer));
    named.filter(|name| !name.is_empty()).map(str::to_owned)
}

/// Whether the node is cordoned: every drain begins with that.
pub(crate) fn is_closed(node: &Object) -> bool {
    let closes = |taint: &Value| {
        let text = |field: &str| taint.get(field).and_then(Value::as_str).unwrap_or_default();
        !is_reserved(domain(text("key"))) && matches!(text("effect"), "NoSchedule" | "NoExecute")
    };
    node.at("/spec/unschedulable").and_then(Value::as_bool) == Some(true)
        || node.array("/spec/taints").iter().any(closes)
}

#[cfg(test)]
mod tests {
    use super::is_closed;
    use serde_json::json;

    #[test]
    fn a_taint_that_kubernetes_sets_by_itself_does_not_close_a_node() {
        for (key, closes) in [
            ("karpenter.sh/disrupted", true),
            ("ToBeDeletedByClusterAutoscaler", true),
            ("node.kubernetes.io/not-ready", false),
            ("node-role.kubernetes.io/control-plane", false),
            ("node.cloudprovider.kubernetes.io/uninitialized", false),
        ] {
            let spec = json!({"taints": [{"key": key, "effect": "NoSchedule"}]});
            let node = serde_json::from_value(json!({"metadata": {"name": "n"}, "spec": spec})).unwrap();
            assert_eq!(is_closed(&node), closes, "{key}");
        }
    }
}
