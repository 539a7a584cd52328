//! Whether the program that should release an object runs where it must: a node's agent on the node
//! that the object names, and a driver that is registered there.

use super::agent_place::AgentPlace;
use super::asked::AskedController;
use super::found_reason::FoundReason;
use super::silent::SilentController;
use super::{agent_down, driver_not_registered, no_agent, node_gone};
use crate::facts::{All, Facts, Known, Readable, each, flat_each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::kubelet::devices::is_offered;
use crate::kubernetes::mentions::nodes::{node_edges, node_in_entry};
use crate::kubernetes::mentions::{Clarity, Edge};
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::ownership::drivers;
use crate::kubernetes::ownership::named_workloads::names;
use crate::kubernetes::ownership::zones::{ZONE_LABEL, zone_of};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::missing::is_own;
use crate::kubernetes::progress::stopped_part;
use crate::kubernetes::workloads::health;
use crate::kubernetes::workloads::placement::left_out;
use crate::report::{ControllerState, Ref};
use crate::survey::{Condition, Form, Object, Resource, Seen};

/// The failure of the agent on the nodes of the held objects. An agent that works for its node alone shows that by its
/// statements, and if a pod of the workload leads, that pod works for all nodes.
pub(super) fn ask_on_node<'s>(asked: &AskedController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let AskedController { best, pods, watches, inquiry, .. } = *asked;
    let own = health::lease(best.seen, pods, inquiry.facts);
    let (own, agent) = (inquiry.gaps.pass(own), agent(best.seen, inquiry)).all()?;
    Ok(agent.filter(|_| !watches && own.flatten().is_none()))
}

/// The failure of another part of the product, an agent on the nodes of the held objects, if the controller says
/// nothing: it may wait until the agent has done its work there.
pub(super) fn ask_sibling<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Some(best) = silent.best.filter(|_| silent.gives_none && silent.is_going()) else { return Ok(None) };
    let failing = flat_each(stopped_part::parts(best, silent.inquiry)?, |part| {
        Ok(agent(part, silent.inquiry)?.map(|why| (Ref::from(part), why)))
    })?;
    Ok(failing.into_iter().next().map(|(part, why)| {
        let told = format!("{part} belongs to the same product and may write this kind");
        FoundReason { instead: Some(part), ..why }.evidence(vec![told.into()]).turns_out(ControllerState::Failing)
    }))
}

/// The failure of an agent on the nodes of the held objects; `None` unless every object has one.
fn agent<'s>(workload: Seen<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let Some(nodes) = facts.preferred("", "nodes").filter(|_| workload.resource.id.plural == "daemonsets") else {
        return Ok(None);
    };
    let found = each(held.read(), |seen| {
        let in_entry = node_in_entry(inquiry.finalizer, seen, nodes, facts, gaps);
        let (in_entry, named) = (in_entry, node_edges(seen, facts, gaps)).all()?;
        let named = in_entry.into_iter().chain(named);
        let found = each(named, |named| on_node(workload, seen, named, nodes, inquiry))?;
        match found.into_iter().find(|it| !matches!(it, AgentOnNode::NoNode)) {
            Some(AgentOnNode::Fails(why)) => Ok(Some(*why)),
            Some(_) => Ok(None),
            None => in_zone(workload, seen, nodes, inquiry),
        }
    })?;
    // An object whose agent works waits for something else.
    let all: Option<Vec<FoundReason<'s>>> = found.into_iter().collect();
    Ok(all.and_then(|all| all.into_iter().next()))
}

fn pods_of<'s>(workload: Seen<'s>, facts: &Facts<'s>) -> Known<Vec<&'s Object>> {
    health::pods_of(workload.object, workload.object.metadata.namespace.as_deref().unwrap_or_default(), facts)
}

/// The state of the agent on a node.
enum AgentOnNode<'s> {
    /// There is no node of that name.
    NoNode,
    /// Nothing is known to be wrong.
    Works,
    Fails(Box<FoundReason<'s>>),
}

/// The state of the agent on one node.
fn on_node<'s>(
    workload: Seen<'s>,
    held: Seen<'_>,
    named: Edge<'_>,
    nodes: &Resource,
    inquiry: Inquiry<'_, 's>,
) -> Known<AgentOnNode<'s>> {
    let Inquiry { facts, gaps, .. } = inquiry;
    let Edge { name, from, field, clarity, .. } = named;
    let of = Ref::from(from);
    let node = facts.get(&nodes.id, None, &name, Form::Whole);
    let pods = pods_of(workload, facts);
    let missing = missing_driver(held, &name, inquiry);
    let (node, pods, missing) = (gaps.pass(node), gaps.pass(pods), missing).all()?;
    let node = match node {
        None => return Ok(AgentOnNode::Works),
        Some(None) if clarity == Clarity::Explicit => {
            let node = Ref::absent(nodes, None, name);
            return Ok(AgentOnNode::Fails(Box::new(node_gone::found(AgentPlace { node, of, field }))));
        }
        Some(None) => return Ok(AgentOnNode::NoNode),
        Some(Some(node)) => node,
    };
    let place = AgentPlace { node: Ref::of(nodes, node), of, field };
    let Some(pods) = pods else { return Ok(AgentOnNode::Works) };
    let here = |pod: &&&Object| pod.text("/spec/nodeName") == Some(node.name()) && !pod.is_deleting();
    let Some(pod) = pods.iter().find(here) else {
        let why = left_out(workload.object, node);
        return Ok(AgentOnNode::Fails(Box::new(no_agent::found_on_node(place, why))));
    };
    let is_ready = node.condition("Ready").map(Condition::status) == Some("True");
    if is_ready && health::says_ready(pod) {
        let missing = missing.map(|driver| driver_not_registered::found(place, driver));
        return Ok(missing.map_or(AgentOnNode::Works, |why| AgentOnNode::Fails(Box::new(why))));
    }
    let reason = if is_ready { health::why_not_ready(pod) } else { format!("its node {} is not Ready", node.name()) };
    let kind = facts.preferred("", "pods");
    let down = kind.map(|kind| agent_down::found_on_node(place, Ref::of(kind, pod), reason));
    Ok(down.map_or(AgentOnNode::Works, |why| AgentOnNode::Fails(Box::new(why))))
}

/// The pod of an agent on the node of the first held object, if the agent has several.
pub(super) fn pod_on_node(best: &Candidate<'_>, pods: &[&Object], inquiry: Inquiry<'_, '_>) -> Known<Option<Ref>> {
    let Inquiry { held, facts, .. } = inquiry;
    let kind = facts.preferred("", "pods").filter(|_| best.seen.resource.id.plural == "daemonsets" && pods.len() > 1);
    let (Some(kind), Some(seen)) = (kind, held.read().next()) else { return Ok(None) };
    let nodes = node_edges(seen, facts, &Gaps::default())?;
    let is_there = |pod: &&&Object| nodes.iter().any(|edge| pod.text("/spec/nodeName") == Some(edge.name.as_str()));
    Ok(pods.iter().find(is_there).map(|pod| Ref::of(kind, pod)))
}

/// The pod that a held object names in its status, if that pod does not work: in some workloads each pod has its own
/// share of the objects.
pub(super) fn ask_named_pod<'s>(asked: &AskedController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { held, facts, gaps, .. } = asked.inquiry;
    let pods = gaps.pass(asked.best.pods(facts))?.unwrap_or_default();
    let Some(kind) = facts.preferred("", "pods") else { return Ok(None) };
    let named = pods.iter().find(|pod| held.whole.iter().any(|object| names(object, pod.name())));
    let down = named.filter(|pod| !health::says_ready(pod) && !pod.is_deleting());
    Ok(down.map(|pod| agent_down::found_named(Ref::of(kind, pod), health::why_not_ready(pod))))
}

/// Whether the agent has no pod in the zone of a held object that names no node.
fn in_zone<'s>(
    workload: Seen<'s>,
    held: Seen<'_>,
    nodes: &Resource,
    inquiry: Inquiry<'_, 's>,
) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { facts, gaps, .. } = inquiry;
    let Some((field, zone)) = zone_of(held.object) else { return Ok(None) };
    let all = facts.list(&nodes.id, None, Form::Metadata);
    let pods = pods_of(workload, facts);
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
    Ok(Some(no_agent::found_in_zone(zone, held.into(), field, has_nodes)))
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

/// The node that an agent is bound to, if it no longer exists and nothing of the agent is left.
pub(super) fn lost_node<'s>(best: &Candidate<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    Ok(agent(best.seen, inquiry)?.filter(|why| why.is(&node_gone::REASON)))
}

/// The only node from which the volumes can be reached, if no node has that name or label: the program
/// that deletes such a volume runs there.
pub(super) fn node_of_volume_gone<'s>(held: &HeldObjects<'_>, facts: &Facts<'_>) -> Known<Option<FoundReason<'s>>> {
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
        Ok(Some(node_gone::found(AgentPlace { node, of, field })))
    })?;
    let all: Option<Vec<FoundReason<'s>>> = found.into_iter().collect();
    Ok(all.and_then(|all| all.into_iter().next()))
}
