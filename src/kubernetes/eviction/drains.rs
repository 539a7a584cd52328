//! Nodes that are drained because an object that represents them is being deleted.

use crate::facts::{All, Facts, Known, Readable, Target, each, flat_each};
use crate::knowledge::catalogue;
use crate::kubernetes::control_plane::releases;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::{domain, is_custom, is_reserved};
use crate::kubernetes::finalizers::late::{by_finalizer, waiting};
use crate::kubernetes::progress::{Explanation, Judgement, find};
use crate::report::{Controller, Ref};
use crate::survey::{Form, Object, Resource, Seen};
use serde_json::Value;

/// How many finalizers are checked for a drain.
const MAX_FINALIZERS: usize = 5;
/// How many objects that are not being deleted are checked for a drain.
const MAX_FORESEEN: usize = 10;

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

/// Objects that are being deleted and represent a node: a Node, or an object whose status names
/// one, such as a Machine. Objects whose controller is gone or down are left out: no budget is to
/// blame for them.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn drains<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Drain<'s>>> {
    let Some(nodes) = facts.preferred("", "nodes") else { return Ok(Vec::new()) };
    let may_be = |seen: &Seen<'_>| seen.resource.id == nodes.id || is_custom(&seen.resource.id.group);
    let groups = by_finalizer(waiting(target, facts)?.into_iter().filter(may_be), facts);
    let drains = each(groups.iter().take(MAX_FINALIZERS), |(finalizer, objects)| {
        let held = HeldObjects::read_whole(objects, facts)?;
        let known = catalogue::lookup(finalizer).is_some_and(|entry| entry.drains);
        let wholes = objects.iter().zip(&held.whole);
        let named: Vec<_> = wholes.filter_map(|(seen, whole)| Some((*seen, node_of(*seen, whole, nodes)?))).collect();
        if named.is_empty() {
            return Ok(Vec::new());
        }
        let closed = flat_each(named, |(seen, name)| {
            let node = facts.get(&nodes.id, None, &name, Form::Whole).if_readable()?.flatten();
            Ok(node.filter(|node| is_closed(node)).map(|node| (seen, node)))
        });
        let (closed, found) = (closed, find(finalizer, &held, facts)).all()?;
        let Judgement { why, controller, .. } = found;
        let closed = closed.into_iter().filter(|_| is_able(&why));
        let drain =
            |(held, node)| Drain { held, node, named: Ref::of(nodes, node), controller: controller.clone(), known };
        Ok(closed.map(drain).collect::<Vec<_>>())
    })?;
    Ok(drains.into_iter().flatten().collect())
}

/// The nodes that would be drained if `objects` were deleted. Only objects that certainly represent
/// a node and have a controller that can drain it are considered.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn foreseen<'s>(objects: &[Seen<'s>], facts: &Facts<'s>) -> Known<Vec<Drain<'s>>> {
    let Some(nodes) = facts.preferred("", "nodes") else { return Ok(Vec::new()) };
    let may_be = |seen: &&Seen<'_>| {
        let own = seen.object.metadata.finalizers.iter().any(|key| !releases(key));
        own && !seen.object.is_deleting() && (seen.resource.id == nodes.id || is_custom(&seen.resource.id.group))
    };
    flat_each(objects.iter().filter(may_be).take(MAX_FORESEEN), |seen| {
        let Some(whole) = facts.whole(*seen).or_note(facts)?.flatten() else { return Ok(None) };
        let Some(name) = node_of(*seen, whole, nodes) else { return Ok(None) };
        let Some(node) = facts.get(&nodes.id, None, &name, Form::Whole).or_note(facts)?.flatten() else {
            return Ok(None);
        };
        if !is_machine_of(*seen, whole, node, nodes) {
            return Ok(None);
        }
        let finalizer = whole.metadata.finalizers.iter().find(|key| !releases(key));
        let Some(finalizer) = finalizer else { return Ok(None) };
        let held = HeldObjects::read_whole(&[*seen], facts)?;
        let known = catalogue::lookup(finalizer).is_some_and(|entry| entry.drains);
        let Judgement { why, controller, .. } = find(finalizer, &held, facts)?;
        Ok(is_able(&why).then(|| Drain { held: *seen, node, named: Ref::of(nodes, node), controller, known }))
    })
}

/// Whether an object is a node, or its machine: the kind's name ends in Machine, or both have the
/// same identity at a provider (kubernetes/kubernetes: `staging/src/k8s.io/api/core/v1/types.go`,
/// `NodeSpec.ProviderID`). Other objects only run on the node that they name.
fn is_machine_of(seen: Seen<'_>, whole: &Object, node: &Object, nodes: &Resource) -> bool {
    let identity = ["/spec/providerID", "/status/providerID"].iter().find_map(|pointer| whole.text(pointer));
    let same = identity.is_some_and(|identity| !identity.is_empty() && node.text("/spec/providerID") == Some(identity));
    seen.resource.id == nodes.id
        || seen.resource.kind.ends_with("Machine") && whole.at("/status/nodeRef").is_some()
        || same
}

/// Whether the controller that drains a node exists and can do so.
fn is_able(why: &Explanation<'_>) -> bool {
    !matches!(
        why,
        Explanation::Gone { .. }
            | Explanation::ScaledToZero(_)
            | Explanation::Down { .. }
            | Explanation::NotThere(_)
            | Explanation::LooksAway(_)
            | Explanation::LostRights { .. }
            | Explanation::Barred { .. }
            | Explanation::Missing { .. }
            | Explanation::NoKind(_)
    )
}

/// The node that an object represents.
fn node_of(seen: Seen<'_>, whole: &Object, nodes: &Resource) -> Option<String> {
    if seen.resource.id == nodes.id {
        return Some(whole.name().to_owned());
    }
    let named = ["/status/nodeRef/name", "/status/nodeName"].iter().find_map(|pointer| whole.text(pointer));
    named.filter(|name| !name.is_empty()).map(str::to_owned)
}

/// Whether the node is cordoned: every drain begins with that.
fn is_closed(node: &Object) -> bool {
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
