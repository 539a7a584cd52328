//! Pods that would not end: their kubelet must say that their containers have.

use super::{Outlook, in_words, refs};
use crate::diagnosis::Draft;
use crate::diagnosis::facts::{Facts, Known, Unknown, is_pod};
use crate::diagnosis::report::{Cause, Ref};
use crate::diagnosis::target::Target;
use crate::plan::{Remedy, quote};
use crate::survey::{Condition, Form, Object, Seen};
use std::collections::{BTreeMap, HashSet};

/// So many nodes are looked at.
const NODES: usize = 100;
/// What the kubelet puts on the mirror of a static pod (kubernetes/kubernetes:
/// `pkg/kubelet/types/pod_update.go`).
const MIRROR: &str = "kubernetes.io/config.mirror";

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
        format!("{} would wait for the kubelet of node {}, which does not answer", in_words(pods), named.name),
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
        .any(|taint| taint.get("key").and_then(serde_json::Value::as_str) == Some("node.kubernetes.io/out-of-service"))
}

fn mirrored(pods: &[Seen<'_>], node: Ref) -> Draft {
    let title = format!("remove the manifest on node {} first (by default in /etc/kubernetes/manifests)", node.name);
    Draft::new(
        Cause::Kubelet,
        Ref::from(pods[0]),
        format!("{} would come back: the kubelet of node {} runs it from a manifest", in_words(pods), node.name),
    )
    .waits_for(node)
    .evidence("mirrors a static pod", &Ref::from(pods[0]), "metadata.annotations[kubernetes.io/config.mirror]")
    .likely()
    .remedy(Remedy::manual(title, "the static pod ends"))
    .objects(refs(pods))
}
