//! The pods of a target that wait for a kubelet, by the state of their node.

use crate::facts::{Facts, Known, Readable, Target, flat_each};
use crate::kubernetes::built_in::named;
use crate::kubernetes::kubelet::out_of_service::out_of_service_taint;
use crate::kubernetes::storage::claim_name;
use crate::report::Ref;
use crate::survey::{Condition, Form, Object, Seen};
use indexmap::IndexMap;

/// The state of a pod's node.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NodeOfPod<'s> {
    /// The Node object does not exist.
    Gone,
    /// It exists and is not Ready.
    NotReady(&'s Object),
    /// It exists and is Ready.
    Ready(&'s Object),
}

impl NodeOfPod<'_> {
    /// Whether the pod can no longer run there: the node does not exist, or was declared out of service.
    pub(crate) fn is_out(self) -> bool {
        match self {
            Self::Gone => true,
            Self::NotReady(node) | Self::Ready(node) => out_of_service_taint(node).is_some(),
        }
    }
}

/// A pod that waits for its kubelet, with its node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WaitingPod<'s> {
    pub(crate) pod: Seen<'s>,
    pub(crate) node_name: &'s str,
    pub(crate) node: NodeOfPod<'s>,
}

/// The pods that are being deleted and wait for a kubelet. Pods whose node cannot be read are noted
/// and left out.
pub(crate) fn waiting_for_kubelet<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<WaitingPod<'s>>> {
    let pods = target.deleting_pods(facts)?;
    let scheduled = pods.into_iter().filter(|pod| !kubelet_is_done(pod.object)).filter_map(|pod| {
        let node_name = pod.object.text("/spec/nodeName").filter(|name| !name.is_empty())?;
        Some((pod, node_name))
    });
    flat_each(scheduled, |(pod, node_name)| {
        Ok(node(node_name, facts).or_note(facts)?.map(|node| WaitingPod { pod, node_name, node }))
    })
}

fn node<'s>(name: &str, facts: &Facts<'s>) -> Known<NodeOfPod<'s>> {
    let Some(nodes) = facts.preferred("", "nodes") else { return Ok(NodeOfPod::Gone) };
    Ok(match facts.get(&nodes.id, None, name, Form::Whole)? {
        None => NodeOfPod::Gone,
        Some(node) if node.condition("Ready").map(Condition::status) == Some("True") => NodeOfPod::Ready(node),
        Some(node) => NodeOfPod::NotReady(node),
    })
}

/// Whether the kubelet has confirmed the end of a pod, or the pod was force-deleted: then only
/// finalizers hold it.
pub(crate) fn kubelet_is_done(pod: &Object) -> bool {
    pod.metadata.deletion_grace_period_seconds == Some(0)
}

/// Groups pods by node, in order of first appearance.
pub(crate) fn by_node<'s>(waiting: impl IntoIterator<Item = WaitingPod<'s>>) -> Vec<Vec<WaitingPod<'s>>> {
    let mut groups: IndexMap<&str, Vec<WaitingPod<'s>>> = IndexMap::new();
    for pod in waiting {
        groups.entry(pod.node_name).or_default().push(pod);
    }
    groups.into_values().collect()
}

/// A reference to a pod's node, also if that does not exist.
pub(crate) fn node_ref(waiting: &WaitingPod<'_>) -> Ref {
    let named = named("v1", "Node", "nodes", None, waiting.node_name);
    match waiting.node {
        NodeOfPod::Gone => named.missing(),
        NodeOfPod::NotReady(node) | NodeOfPod::Ready(node) => named.with_uid(node.uid()),
    }
}

/// Pods and their verb: `Pod shop/web waits`, `3 pods wait`.
pub(crate) fn pods_wait(pods: &[Ref]) -> String {
    format!("{} {}", pods_in_words(pods), if pods.len() == 1 { "waits" } else { "wait" })
}

/// `Pod shop/web-1`, or `3 pods` for several.
pub(crate) fn pods_in_words(pods: &[Ref]) -> String {
    match pods {
        [only] => only.to_string(),
        several => format!("{} pods", several.len()),
    }
}

/// Whether two copies of a pod that run at the same time do harm: it has a place in a `StatefulSet`, or
/// mounts a claim, also one of its own.
pub(crate) fn has_identity(pod: &Object) -> bool {
    let stateful = pod.metadata.owner_references.iter().any(|owner| owner.kind == "StatefulSet");
    stateful || pod.array("/spec/volumes").iter().any(|volume| claim_name(pod, volume).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn pod(owner: &str, volume: &Value) -> Object {
        let owner = json!({"apiVersion": "apps/v1", "kind": owner, "name": "db", "uid": "u"});
        serde_json::from_value(json!({"metadata": {"name": "db-0", "uid": "p", "ownerReferences": [owner]},
            "spec": {"nodeName": "worker", "volumes": [volume]}}))
        .unwrap()
    }

    #[test]
    fn a_pod_of_a_stateful_set_or_with_a_claim_must_not_run_twice() {
        let none = json!({"name": "tmp", "emptyDir": {}});
        assert!(!has_identity(&pod("ReplicaSet", &none)));
        assert!(has_identity(&pod("StatefulSet", &none)));
        assert!(has_identity(&pod("ReplicaSet", &json!({"name": "d", "persistentVolumeClaim": {"claimName": "d"}}))));
        assert!(has_identity(&pod("ReplicaSet", &json!({"name": "d", "ephemeral": {}}))));
    }
}
