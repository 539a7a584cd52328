//! Nodes that are drained because an object that represents them is being deleted.

use super::find;
use super::found_reason::FoundReason;
use super::judgement::Judgement;
use super::not_its_turn::BeforeRelease;
use super::reason::Stage;
use super::{dependency_missing, kind_not_served};
use crate::facts::{All, Facts, Known, Readable, Target, each, flat_each};
use crate::knowledge::catalogue;
use crate::kubernetes::control_plane::releases;
use crate::kubernetes::eviction::drain::{Drain, is_closed, is_machine_of, node_of};
use crate::kubernetes::eviction::{hooks, left, refusals};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::finalizers::late::{by_finalizer, waiting};
use crate::report::{Controller, Ref};
use crate::survey::{Form, Object, Resource, Seen};
use std::collections::BTreeMap;

/// How many finalizers are checked for a drain.
const MAX_FINALIZERS: usize = 5;
/// How many objects that are not being deleted are checked for a drain.
const MAX_FORESEEN: usize = 10;

/// Objects that are being deleted and represent a node: a Node, or an object whose status names
/// one, such as a Machine. Objects whose controller is gone or down are left out: no budget is to
/// blame for them.
pub(crate) fn drains<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Drain<'s>>> {
    let Some(nodes) = facts.preferred("", "nodes") else { return Ok(Vec::new()) };
    let may_be = |seen: &Seen<'_>| seen.resource.id == nodes.id || is_custom(&seen.resource.id.group);
    let groups = by_finalizer(waiting(target, facts)?.into_iter().filter(may_be), facts);
    let drains = each(groups.iter().take(MAX_FINALIZERS), |(finalizer, objects)| {
        let held = HeldObjects::read_whole(objects, facts)?;
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
        let Judgement { why, profile } = found;
        let closed = closed.into_iter().filter(|_| is_able(&why));
        let drain = |(held, node)| drain(held, finalizer, node, nodes, profile.controller.clone());
        Ok(closed.map(drain).collect::<Vec<_>>())
    })?;
    Ok(drains.into_iter().flatten().collect())
}

/// The nodes that would be drained if `objects` were deleted. Only objects that certainly represent
/// a node and have a controller that can drain it are considered.
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
        let Judgement { why, profile } = find(finalizer, &held, facts)?;
        Ok(is_able(&why).then(|| drain(*seen, finalizer, node, nodes, profile.controller)))
    })
}

/// The drain of `node`, which `held` represents, by the controller that removes `finalizer`.
fn drain<'s>(held: Seen<'s>, finalizer: &str, node: &'s Object, nodes: &Resource, controller: Controller) -> Drain<'s> {
    let known = catalogue::lookup(finalizer).is_some_and(|entry| entry.drains);
    Drain { held, node, named: Ref::of(nodes, node), controller, known }
}

/// Whether the controller that drains a node exists and can do so.
fn is_able(why: &FoundReason<'_>) -> bool {
    why.reason.stage > Stage::Gates && !why.is_one_of(&[&dependency_missing::REASON, &kind_not_served::REASON])
}

/// The objects that wait for a drain of their node, or for a hook, by uid.
pub(crate) fn hindered(target: &Target<'_>, facts: &Facts<'_>) -> Known<BTreeMap<String, BeforeRelease>> {
    let waiting = flat_each(drains(target, facts)?, |drain| {
        let (refusals, left) = (refusals(&drain, facts), left(&drain, facts)).all()?;
        Ok((!refusals.is_empty() || !left.is_empty())
            .then(|| (drain.held.object.uid().to_owned(), BeforeRelease::Drain)))
    });
    let (waiting, hooks) = (waiting, hooks(target, facts)).all()?;
    let hooks = hooks.iter().map(|hook| (hook.held.object.uid().to_owned(), BeforeRelease::Hook));
    Ok(hooks.chain(waiting).collect())
}
