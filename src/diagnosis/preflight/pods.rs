//! Pods that would not end: their kubelet must say that their containers have.

use crate::facts::{Facts, Known, Target, Unknown, is_pod};
use crate::needs::{Cost, Draft, Outlook};
use crate::plan::quote;
use crate::report::{Cause, Ref, Remedy, Risk, counted, refs};
use crate::survey::{Condition, Form, Object, Seen};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

/// So many nodes are looked at.
const NODES: usize = 100;
/// What the kubelet puts on the mirror of a static pod (kubernetes/kubernetes:
/// `pkg/kubelet/types/pod_update.go`).
const MIRROR: &str = "kubernetes.io/config.mirror";

/// Adds what becomes of the pods that run on a node which goes: the pod garbage collector
/// deletes them without asking the kubelet (kubernetes/kubernetes:
/// `pkg/controller/podgc/gc_controller.go`), and what makes them starts others elsewhere.
pub(super) fn of_node(target: &Target<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let id = &target.seen.resource.id;
    if !(id.group.is_empty() && id.plural == "nodes") {
        return Ok(());
    }
    let Some(kind) = facts.discovery().preferred("", "pods") else { return Ok(()) };
    let all = facts.list(&kind.id, None, Form::Whole)?;
    let name = target.object().name();
    let here: Vec<Seen<'_>> = all
        .iter()
        .filter(|pod| pod.text("/spec/nodeName") == Some(name) && !is_finished(pod))
        .map(|object| Seen { resource: kind, object })
        .collect();
    if here.is_empty() {
        return Ok(());
    }
    let named = target.reference();
    let they = if here.len() == 1 { "which runs on it, is" } else { "which run on it, are" };
    let removed = format!("{}, {they} removed by the pod garbage collector", counted(&here));
    out.consequence(named.clone(), &removed);
    let with_identity: Vec<Seen<'_>> = here.iter().copied().filter(|seen| has_identity(seen.object)).collect();
    let mut cost = Cost { object: named.clone(), risk: Risk::Disruptive, text: removed };
    if !with_identity.is_empty() {
        let why = format!(
            "if its kubelet runs on, {} may come up twice, which can destroy data (of a StatefulSet, or with a claim)",
            counted(&with_identity)
        );
        out.consequence(named, &why);
        cost.risk = Risk::LosesData;
        cost.text = format!("{}; {why}", cost.text);
    }
    out.costs.push(cost);
    Ok(())
}

fn is_finished(pod: &Object) -> bool {
    matches!(pod.text("/status/phase"), Some("Succeeded" | "Failed"))
}

/// Whether two of it at a time do harm: it has a place in a `StatefulSet`, or writes to a claim.
fn has_identity(pod: &Object) -> bool {
    let of_set = pod.metadata.owner_references.iter().any(|owner| owner.kind == "StatefulSet");
    let claims = |volume: &Value| volume.get("persistentVolumeClaim").or_else(|| volume.get("ephemeral")).is_some();
    of_set || pod.array("/spec/volumes").iter().any(claims)
}

/// Adds pods whose node does not answer, and static pods.
pub(super) fn look<'s>(target: &Target<'s>, content: &[Seen<'s>], facts: &Facts<'s>, out: &mut Outlook) -> Known {
    let pods = pods(target, content, facts)?;
    let mut by_node: BTreeMap<&str, Vec<Seen<'s>>> = BTreeMap::new();
    for pod in &pods {
        let node = pod.object.text("/spec/nodeName").filter(|name| !name.is_empty());
        // One that was never started goes at once.
        if let Some(node) = node {
            by_node.entry(node).or_default().push(*pod);
        }
    }
    let Some(nodes) = facts.discovery().preferred("", "nodes") else { return Ok(()) };
    if by_node.len() > NODES {
        facts.note_unknown(format!("the nodes of {} pods", pods.len()), format!("only {NODES} are looked at"));
    }
    let reads: Vec<(Vec<Seen<'s>>, Known<Option<&'s Object>>)> = by_node
        .into_iter()
        .take(NODES)
        .map(|(name, pods)| (pods, facts.get(&nodes.id, None, name, Form::Whole)))
        .collect();
    let mut waits = false;
    for (pods, read) in reads {
        match read {
            // Of a node that is gone the pod garbage collector takes the pods away.
            Ok(None) => {}
            Ok(Some(node)) => on_node(&pods, Ref::of(nodes, node), node, out),
            Err(Unknown::NotSurveyed) => waits = true,
            Err(Unknown::Unread { what, why }) => facts.note_unread(what, &why),
        }
    }
    if waits { Err(Unknown::NotSurveyed) } else { Ok(()) }
}

/// The pods that would go, whole.
fn pods<'s>(target: &Target<'s>, content: &[Seen<'s>], facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    if is_pod(target.seen.resource) {
        return Ok(vec![target.seen]);
    }
    let uids: HashSet<&str> =
        content.iter().filter(|seen| is_pod(seen.resource)).map(|seen| seen.object.uid()).collect();
    let Some(first) = content.iter().find(|seen| is_pod(seen.resource)) else { return Ok(Vec::new()) };
    // All are in one namespace: that which goes, or that of their owner.
    let whole = facts.list(&first.resource.id, first.object.metadata.namespace.as_deref(), Form::Whole)?;
    let those = whole.iter().filter(|pod| uids.contains(pod.uid()));
    Ok(those.map(|object| Seen { resource: first.resource, object }).collect())
}

fn on_node(pods: &[Seen<'_>], named: Ref, node: &Object, out: &mut Outlook) {
    let ready = node.condition("Ready");
    if ready.map(Condition::status) == Some("True") {
        let mirrors: Vec<Seen<'_>> =
            pods.iter().copied().filter(|pod| pod.object.metadata.annotations.contains_key(MIRROR)).collect();
        if !mirrors.is_empty() {
            out.hangs("static-pod", mirrored(&mirrors, named));
        }
        return;
    }
    if is_out_of_service(node) {
        return;
    }
    let says = ready.map_or_else(|| "it has no Ready condition".to_owned(), Condition::says);
    let draft = Draft::new(
        Cause::Kubelet,
        Ref::from(pods[0]),
        format!("{} would wait for the kubelet of node {}, which does not answer", counted(pods), named.name),
    )
    .waits_for(named.clone())
    .evidence(says, &named, "status.conditions[Ready]")
    .likely()
    .remedy(Remedy::manual(
        format!(
            "bring node {0} back before you delete, or delete it for good: kubectl describe node {1}",
            named.name,
            quote(&named.name)
        ),
        "nothing is lost by looking",
    ))
    .objects(refs(pods));
    out.hangs("pod-node-not-ready", draft);
}

/// Of such a node the control plane lets go of the pods by itself (kubernetes/kubernetes:
/// `pkg/controller/podgc/gc_controller.go`).
fn is_out_of_service(node: &Object) -> bool {
    node.array("/spec/taints")
        .iter()
        .any(|taint| taint.get("key").and_then(Value::as_str) == Some("node.kubernetes.io/out-of-service"))
}

fn mirrored(pods: &[Seen<'_>], node: Ref) -> Draft {
    let title = format!("remove the manifest on node {} first (by default in /etc/kubernetes/manifests)", node.name);
    Draft::new(
        Cause::Kubelet,
        Ref::from(pods[0]),
        format!("{} would come back: the kubelet of node {} runs it from a manifest", counted(pods), node.name),
    )
    .waits_for(node)
    .evidence("mirrors a static pod", &Ref::from(pods[0]), "metadata.annotations[kubernetes.io/config.mirror]")
    .likely()
    .remedy(Remedy::manual(title, "the static pod ends"))
    .objects(refs(pods))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
