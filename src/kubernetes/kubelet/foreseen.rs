//! The pods that would be deleted with a target, by the node whose kubelet must report the end of
//! their containers.

use crate::facts::{Facts, Known, Readable, Target, flat_each, is_pod};
use crate::survey::{Form, Seen};
use std::collections::{BTreeMap, HashSet};

/// How many nodes are read.
const MAX_NODES: usize = 100;

/// Pods, and the node that they run on.
pub(crate) struct PodsOnNode<'s> {
    /// The pods, at least one.
    pub(crate) pods: Vec<Seen<'s>>,
    /// The node.
    pub(crate) node: Seen<'s>,
}

/// The pods that would be deleted, by node. The pod garbage collector deletes the pods of a node
/// that does not exist. A node that cannot be read is noted and left out.
///
/// # Errors
/// When something was not surveyed yet, or the pods cannot be read.
pub(crate) fn by_node<'s>(target: &Target<'s>, content: &[Seen<'s>], facts: &Facts<'s>) -> Known<Vec<PodsOnNode<'s>>> {
    let pods = pods(target, content, facts)?;
    let mut by_node: BTreeMap<&str, Vec<Seen<'s>>> = BTreeMap::new();
    for pod in &pods {
        let node = pod.object.text("/spec/nodeName").filter(|name| !name.is_empty());
        // A pod that was never scheduled is deleted at once.
        if let Some(node) = node {
            by_node.entry(node).or_default().push(*pod);
        }
    }
    let Some(nodes) = facts.preferred("", "nodes") else { return Ok(Vec::new()) };
    if by_node.len() > MAX_NODES {
        facts.note_unknown(
            format!("the nodes of {} pods", pods.len()),
            format!("only the first {MAX_NODES} are checked"),
        );
    }
    flat_each(by_node.into_iter().take(MAX_NODES), |(name, pods)| {
        let node = facts.get(&nodes.id, None, name, Form::Whole).or_note(facts)?.flatten();
        Ok(node.map(|object| PodsOnNode { pods, node: Seen { resource: nodes, object } }))
    })
}

/// The pods that would be deleted, whole.
fn pods<'s>(target: &Target<'s>, content: &[Seen<'s>], facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    if is_pod(target.seen.resource) {
        return Ok(vec![target.seen]);
    }
    let uids: HashSet<&str> =
        content.iter().filter(|seen| is_pod(seen.resource)).map(|seen| seen.object.uid()).collect();
    let Some(first) = content.iter().find(|seen| is_pod(seen.resource)) else { return Ok(Vec::new()) };
    // All are in one namespace: the target, or that of their owner.
    let whole = facts.list(&first.resource.id, first.object.metadata.namespace.as_deref(), Form::Whole)?;
    let those = whole.iter().filter(|pod| uids.contains(pod.uid()));
    Ok(those.map(|object| Seen { resource: first.resource, object }).collect())
}
