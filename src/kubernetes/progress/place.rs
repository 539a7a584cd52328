//! Whether the program that should release an object runs where it must: a node's agent on the node
//! that the object names, a driver that is registered there, and the pod that holds the leader's lease.

use crate::facts::{All, Facts, Known, Readable, each, since};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::belongs_to;
use crate::kubernetes::kubelet::devices::is_offered;
use crate::kubernetes::lease::{holder, renewed};
use crate::kubernetes::mentions::nodes::{node_edges, node_in_entry};
use crate::kubernetes::mentions::{Clarity, Edge, How};
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::ownership::drivers;
use crate::kubernetes::ownership::named_workloads::names;
use crate::kubernetes::ownership::owner::run_the_same;
use crate::kubernetes::ownership::zones::{ZONE_LABEL, zone_of};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::missing::if_absent;
use crate::kubernetes::progress::reasons::{AgentPlace, NotThere};
use crate::kubernetes::workloads::health;
use crate::kubernetes::workloads::placement::left_out;
use crate::report::Ref;
use crate::survey::{Condition, Form, Object, Resource, Seen};
use jiff::SignedDuration;

/// Why `best`, whose Ready pods are `pods`, does not run where the held objects need it.
pub(crate) fn not_there<'s>(
    best: &Candidate<'s>,
    pods: &[&Object],
    inquiry: Inquiry<'_, 's>,
) -> Known<Option<NotThere>> {
    let led = led_by(best, pods, inquiry);
    let own = health::lease(best.seen, pods, inquiry.facts);
    let (led, agent) = (led, agent(best, inquiry)).all()?;
    if led.is_some() {
        return Ok(led);
    }
    // If a pod of the workload leads, that pod works for all nodes.
    let leads = inquiry.gaps.pass(own)?.flatten().is_some();
    Ok(agent.filter(|_| !leads))
}

/// The failure of the agent on the nodes of the held objects; `None` unless every object has one.
fn agent<'s>(best: &Candidate<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<NotThere>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let Some(nodes) = facts.preferred("", "nodes").filter(|_| best.seen.resource.id.plural == "daemonsets") else {
        return Ok(None);
    };
    let found = each(held.read(), |seen| {
        let in_entry = node_in_entry(inquiry.finalizer, seen, nodes, facts, gaps);
        let (in_entry, named) = (in_entry, node_edges(seen, facts, gaps)).all()?;
        let named = in_entry.into_iter().chain(named);
        let found = each(named, |named| on_node(best, seen, named, nodes, inquiry))?;
        match found.into_iter().find(|it| !matches!(it, AgentOnNode::NoNode)) {
            Some(AgentOnNode::Fails(why)) => Ok(Some(why)),
            Some(_) => Ok(None),
            None => in_zone(best, seen, nodes, inquiry),
        }
    })?;
    // An object whose agent works waits for something else.
    let all: Option<Vec<NotThere>> = found.into_iter().collect();
    Ok(all.and_then(|all| all.into_iter().next()))
}

/// The state of the agent on a node.
enum AgentOnNode {
    /// There is no node of that name.
    NoNode,
    /// Nothing is known to be wrong.
    Works,
    Fails(NotThere),
}

/// The state of the agent on one node.
fn on_node<'s>(
    best: &Candidate<'s>,
    held: Seen<'_>,
    named: Edge<'_>,
    nodes: &Resource,
    inquiry: Inquiry<'_, 's>,
) -> Known<AgentOnNode> {
    let Inquiry { facts, gaps, .. } = inquiry;
    let Edge { name, from, field, clarity, .. } = named;
    let of = Ref::from(from);
    let node = facts.get(&nodes.id, None, &name, Form::Whole);
    let pods = best.pods(facts);
    let missing = missing_driver(held, &name, inquiry);
    let (node, pods, missing) = (gaps.pass(node), gaps.pass(pods), missing).all()?;
    let node = match node {
        None => return Ok(AgentOnNode::Works),
        Some(None) if clarity == Clarity::Explicit => {
            let node = Ref::absent(nodes, None, name);
            return Ok(AgentOnNode::Fails(NotThere::NodeGone(AgentPlace { node, of, field })));
        }
        Some(None) => return Ok(AgentOnNode::NoNode),
        Some(Some(node)) => node,
    };
    let place = AgentPlace { node: Ref::of(nodes, node), of, field };
    let Some(pods) = pods else { return Ok(AgentOnNode::Works) };
    let here = |pod: &&&Object| pod.text("/spec/nodeName") == Some(node.name()) && !pod.is_deleting();
    let Some(pod) = pods.iter().find(here) else {
        return Ok(AgentOnNode::Fails(NotThere::NoAgent { why: left_out(best.seen.object, node), place }));
    };
    let is_ready = node.condition("Ready").map(Condition::status) == Some("True");
    if is_ready && health::says_ready(pod) {
        let missing = missing.map(|driver| NotThere::NoDriver { place, driver });
        return Ok(missing.map_or(AgentOnNode::Works, AgentOnNode::Fails));
    }
    let reason = if is_ready { health::why_not_ready(pod) } else { format!("its node {} is not Ready", node.name()) };
    let kind = facts.preferred("", "pods");
    let down = kind.map(|kind| NotThere::AgentDown { place, pod: Ref::of(kind, pod), reason });
    Ok(down.map_or(AgentOnNode::Works, AgentOnNode::Fails))
}

/// The pod of `best` that a held object names in its status, if that pod does not work: in some workloads each pod
/// has its own share of the objects.
pub(crate) fn named_pod_down<'s>(best: &Candidate<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<NotThere>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let pods = gaps.pass(best.pods(facts))?.unwrap_or_default();
    let Some(kind) = facts.preferred("", "pods") else { return Ok(None) };
    let named = pods.iter().find(|pod| held.whole.iter().any(|object| names(object, pod.name())));
    let down = named.filter(|pod| !health::says_ready(pod) && !pod.is_deleting());
    Ok(down.map(|pod| NotThere::NamedPodDown { pod: Ref::of(kind, pod), reason: health::why_not_ready(pod) }))
}

/// Whether the agent has no pod in the zone of a held object that names no node.
fn in_zone<'s>(
    best: &Candidate<'s>,
    held: Seen<'_>,
    nodes: &Resource,
    inquiry: Inquiry<'_, 's>,
) -> Known<Option<NotThere>> {
    let Inquiry { facts, gaps, .. } = inquiry;
    let Some((field, zone)) = zone_of(held.object) else { return Ok(None) };
    let all = facts.list(&nodes.id, None, Form::Metadata);
    let pods = best.pods(facts);
    let (Some(all), Some(pods)) = (gaps.pass(all), gaps.pass(pods)).all()? else { return Ok(None) };
    // Without labels on nodes, zones cannot be distinguished.
    let zone_of_node = |node: &'s Object| Some((node.name(), node.metadata.labels.get(ZONE_LABEL)?));
    let zones: Vec<(&str, &String)> = all.iter().filter_map(zone_of_node).collect();
    let is_there = |pod: &&Object| {
        let node = pod.text("/spec/nodeName").unwrap_or_default();
        zones.iter().any(|(name, of_node)| *name == node && **of_node == zone)
    };
    if zones.is_empty() || pods.iter().any(is_there) {
        return Ok(None);
    }
    let has_nodes = zones.iter().any(|(_, of_node)| **of_node == zone);
    Ok(Some(NotThere::NoAgentInZone { zone, of: held.into(), field, has_nodes }))
}

/// The driver of an object, if it is not registered on a node: a storage driver with the kubelet, a
/// device driver by the devices that it offers there.
fn missing_driver(held: Seen<'_>, node: &str, inquiry: Inquiry<'_, '_>) -> Known<Option<String>> {
    let Inquiry { facts, gaps, .. } = inquiry;
    let devices = held.object.array("/status/allocation/devices/results").first();
    if let Some(driver) = devices.and_then(|result| result.get("driver")?.as_str()) {
        let Some(slices) = facts.preferred("resource.k8s.io", "resourceslices") else { return Ok(None) };
        let Some(slices) = gaps.pass(facts.list(&slices.id, None, Form::Whole))? else { return Ok(None) };
        return Ok((!is_offered(slices, driver, node)).then(|| driver.to_owned()));
    }
    let driver = drivers::FIELDS.iter().find_map(|pointer| held.object.text(pointer));
    let kind = facts.preferred("storage.k8s.io", "csinodes");
    let (Some(driver), Some(kind)) = (driver, kind) else { return Ok(None) };
    let Some(registered) = gaps.pass(facts.get(&kind.id, None, node, Form::Whole))?.flatten() else { return Ok(None) };
    let knows = registered.array("/spec/drivers").iter().any(|it| it.get("name").is_some_and(|name| name == driver));
    Ok((!knows).then(|| driver.to_owned()))
}

/// Whether a name is certainly that of a Deployment's pod, which ends in a hash and five characters
/// (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/storage/names/generate.go`).
fn is_a_pods(name: &str, workload: &Object) -> bool {
    let rest = name.strip_prefix(workload.name()).and_then(|rest| rest.strip_prefix('-'));
    let words = rest.and_then(|rest| rest.split_once('-'));
    words.is_some_and(|(hash, end)| hash.len() > 4 && end.len() == 5 && end.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// Whether `seen` itself certainly means a node.
fn is_own(edge: &Edge<'_>, seen: Seen<'_>) -> bool {
    edge.clarity == Clarity::Explicit && edge.from.object.uid() == seen.object.uid()
}

/// The node that an agent is bound to, if it no longer exists and nothing of the agent is left.
pub(crate) fn lost_node<'s>(best: &Candidate<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<NotThere>> {
    Ok(agent(best, inquiry)?.filter(|why| matches!(why, NotThere::NodeGone(_))))
}

/// The only node from which the volumes can be reached, if no node has that name or label: the program
/// that deletes such a volume runs there.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn node_of_volume_gone(held: &HeldObjects<'_>, facts: &Facts<'_>) -> Known<Option<NotThere>> {
    let is_volume = held.first().resource.id.is("", "persistentvolumes");
    let Some(nodes) = facts.preferred("", "nodes").filter(|_| is_volume) else { return Ok(None) };
    let found = each(held.read(), |seen| {
        let mut named = node_edges(seen, facts, &Gaps::default())?.into_iter();
        let Some(named) = named.find(|edge| is_own(edge, seen)) else {
            return Ok(None);
        };
        let (of, Edge { name, field, .. }) = (Ref::from(named.from), named);
        if facts.metadata(&nodes.id, None, &name).or_note(facts)? != Some(None) {
            return Ok(None);
        }
        let is_it = |node: &Object| node.metadata.labels.values().any(|value| *value == name);
        let all = facts.list(&nodes.id, None, Form::Metadata).or_note(facts)?;
        if all.is_none_or(|all| all.iter().any(is_it)) {
            return Ok(None);
        }
        let node = Ref::absent(nodes, None, name);
        Ok(Some(NotThere::NodeGone(AgentPlace { node, of, field })))
    })?;
    let all: Option<Vec<NotThere>> = found.into_iter().collect();
    Ok(all.and_then(|all| all.into_iter().next()))
}

/// The node that the spec, a label or an owner of the first held object names, if it no longer exists; and the field.
/// A node in the status does not count: the clean-up may have deleted it. A label of another product does not count
/// either: `kwok.x-k8s.io/node` is `fake`, and a host may have another name than its node.
///
/// # Errors
/// When something was not surveyed yet.
pub(super) fn node_gone(inquiry: Inquiry<'_, '_>) -> Known<Option<(Ref, String)>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let Some(seen) = held.read().next() else { return Ok(None) };
    let named = node_edges(seen, facts, gaps)?;
    let group = &seen.resource.id.group;
    let is_foreign = |field: &str| {
        let domain =
            field.strip_prefix("metadata.labels[").and_then(|key| key.split_once('/')).map(|(domain, _)| domain);
        domain.is_some_and(|domain| domain != group && !belongs_to(group, domain))
    };
    let counts = |edge: &Edge<'_>| is_own(edge, seen) && edge.how != How::Status && !is_foreign(&edge.field);
    let Some(edge) = named.into_iter().find(counts) else { return Ok(None) };
    Ok(if_absent(&edge, inquiry)?.map(|node| (node, edge.field)))
}

/// How long after its last renewal a lease is certainly held.
const HELD_FOR: SignedDuration = SignedDuration::from_secs(15);

/// The leader instead of `best`: a pod that does not exist, or one of another installation of the same
/// program.
fn led_by<'s>(best: &Candidate<'s>, own: &[&Object], inquiry: Inquiry<'_, 's>) -> Known<Option<NotThere>> {
    let Inquiry { facts, gaps, .. } = inquiry;
    let (Some(leases), Some(kind)) = (facts.preferred("coordination.k8s.io", "leases"), facts.preferred("", "pods"))
    else {
        return Ok(None);
    };
    let namespace = best.seen.object.metadata.namespace.as_deref();
    let all = facts.list(&leases.id, namespace, Form::Whole);
    let pods = facts.list(&kind.id, namespace, Form::Whole);
    let (all, pods) = (gaps.pass(all), gaps.pass(pods)).all()?;
    let (Some(all), Some(pods)) = (all, pods) else { return Ok(None) };
    let holders = all.iter().filter_map(|lease| {
        let (renewed, holder) = renewed(lease).zip(holder(lease))?;
        let pod = holder.split('_').next().unwrap_or(holder);
        (since(renewed, facts.now()) <= HELD_FOR).then_some((lease, holder, pod))
    });
    let holders: Vec<_> = holders.collect();
    if holders.iter().any(|(_, _, pod)| own.iter().any(|own| own.name() == *pod)) {
        return Ok(None);
    }
    let found = holders.into_iter().find_map(|(lease, holder, name)| {
        let lease = Ref::of(leases, lease);
        match pods.iter().find(|pod| pod.name() == name) {
            None => {
                is_a_pods(name, best.seen.object).then(|| NotThere::HolderGone { lease, holder: holder.to_owned() })
            }
            Some(pod) => {
                run_the_same(pod, best.seen.object).then(|| NotThere::LedByAnother { lease, pod: Ref::of(kind, pod) })
            }
        }
    });
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_of_a_deployment_is_known_by_its_name() {
        let workload: Object = serde_json::from_value(serde_json::json!({"metadata": {"name": "acme"}})).unwrap();
        assert!(is_a_pods("acme-5c689d88bb-x7k2p", &workload));
        for other in ["acme-7c9f", "acme-other-5c689d88bb-x7k2p", "worker-1", "acme"] {
            assert!(!is_a_pods(other, &workload), "{other}");
        }
    }
}
