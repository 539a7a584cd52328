//! The controller waits until other objects are deleted.

use super::common::{Case, FoundReason, NamedReason, Spoken, Stage, UnsaidReasons, WordedReason};
use super::in_use;
use super::others::{free_first, going, named, release, reports};
use super::silent::SilentController;
use crate::facts::{All, Known, flat_each, is_pod};
use crate::kubernetes::eviction::NodePods;
use crate::kubernetes::eviction::drain::{is_closed, node_of};
use crate::kubernetes::finalizers::groups::{belongs_to, domain};
use crate::kubernetes::mentions::InTheWay;
use crate::kubernetes::mentions::followers::foreign_users;
use crate::kubernetes::mentions::implied_users::recorded_user;
use crate::kubernetes::mentions::parts::{Attached, attached};
use crate::kubernetes::messages::mentions;
use crate::kubernetes::messages::trouble::{is_about_a_part_going, is_waiting};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::unwell::{partners_going, partners_in_trouble};
use crate::kubernetes::statements::said_in::SaidIn;
use crate::kubernetes::statements::statement::Statement;
use crate::kubernetes::storage::is_finished;
use crate::report::{Cause, ControllerState, Ref, Sentence};
use crate::survey::{Form, Seen};

pub(crate) const REASON: NamedReason =
    NamedReason::new("waits-for-others", include_str!("waits_for_others.md"), Stage::Stated);

/// Objects that are being deleted and that messages name by kind and name, or else that the objects list as their own.
pub(super) fn ask<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let others = spoken.in_the_way.clone();
    let place = if spoken.lists_in_the_way { None } else { spoken.place(|message| names_one_of(message, &others)) };
    Ok((!others.is_empty()).then(|| said_by(spoken, others, place)))
}

/// Objects that messages about trouble name without their kind.
pub(super) fn ask_without_kind<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let others = spoken.named_without_kind()?.there;
    let place = spoken.place_of_trouble(|message| names_one_of(message, &others));
    Ok((!others.is_empty()).then(|| said_by(spoken, others, place)))
}

/// The reason with the place of its words. Whoever waits for pods within their grace period does not fail, whatever the
/// words are.
fn said_by<'s>(spoken: &Spoken<'_, 's>, others: Vec<InTheWay<'s>>, place: Option<SaidIn<'s>>) -> FoundReason<'s> {
    let in_grace = |Seen { resource, object }: Seen<'_>| {
        is_pod(resource) && object.metadata.deletion_timestamp.is_some_and(|end| end > spoken.inquiry.facts.now())
    };
    let is_calm = others.iter().all(|edge| in_grace(edge.blocker));
    let why = spoken.says(found(others), place);
    if is_calm { why.state(ControllerState::Alive) } else { why }
}

/// Objects of the same product that are in trouble, if the controller says that it waits.
pub(super) fn ask_partners<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let waits = |said: &&Statement<'s>| !said.is_hearsay(spoken.names) && is_waiting(&said.message);
    let Some(said) = spoken.telling().filter(waits) else { return Ok(None) };
    let others = partners_in_trouble(said, spoken.inquiry)?;
    Ok((!others.is_empty()).then(|| spoken.says(found(others), Some(said.said_in))))
}

/// Objects of the same product that are being deleted and that the controller's reports of its work may mean.
pub(super) fn ask_partners_going<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let at_work = || spoken.inquiry.said.iter().filter(|said| said.goes_on && !said.is_hearsay(spoken.names));
    let going = flat_each(at_work(), |said| partners_going(said, spoken.inquiry))?;
    let place = at_work().map(|said| said.said_in).min();
    Ok((spoken.troubles.is_empty() && !going.is_empty()).then(|| found(going).said_in(place)))
}

/// Users of other products that are deleted along with the objects.
pub(super) fn ask_users_going<'s>(unsaid: &UnsaidReasons<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { held, facts, .. } = unsaid.asked.inquiry;
    if held.objects.iter().all(|seen| !seen.object.is_deleting()) {
        return Ok(None);
    }
    let mut going = foreign_users(held, Some(&unsaid.asked.best.reference()), facts)?;
    going.retain(|edge| edge.blocker.object.is_deleting());
    Ok((!going.is_empty()).then(|| found(going)))
}

fn names_one_of(message: &str, others: &[InTheWay<'_>]) -> bool {
    others.iter().any(|edge| mentions(message, edge.blocker.object.name()))
}

/// Pods that are past their grace period on a node that the object represents and that is drained.
pub(super) fn ask_pods<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { held, facts, gaps, .. } = silent.inquiry;
    let (Some(nodes), Some(pods)) = (facts.preferred("", "nodes"), facts.preferred("", "pods")) else {
        return Ok(None);
    };
    let waiting = held.first();
    let node = held.read().next().and_then(|seen| node_of(seen, seen.object, nodes));
    let Some(name) = node.filter(|_| silent.gives_none && silent.is_going()) else { return Ok(None) };
    let (node, there) = (facts.get(&nodes.id, None, &name, Form::Whole), facts.pods_on(&pods.id, &name));
    let (node, there) = (gaps.pass(node), gaps.pass(there)).all()?;
    if !node.flatten().is_some_and(is_closed) {
        return Ok(None);
    }
    let overdue = NodePods::of(there.unwrap_or_default(), pods, facts.now()).overdue.into_iter();
    let others: Vec<InTheWay<'s>> = overdue.map(|blocker| InTheWay { waiting, blocker, sure: false }).collect();
    Ok((!others.is_empty()).then(|| found(others).unsaid(true)))
}

/// Words in the keys of labels that say to which group a pod belongs.
const GROUPS: [&str; 4] = ["gang", "group", "workload", "job"];

/// The pods that still run in the group of a finished pod, according to a label of the finalizer's own domain: the
/// finished ones are kept until the whole group is counted.
pub(super) fn ask_group<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { finalizer, held, facts, gaps, .. } = silent.inquiry;
    let waiting = held.first();
    let is_asked = silent.gives_none && silent.is_going() && is_pod(waiting.resource) && is_finished(waiting.object);
    let is_group = |(key, _): &(&String, &String)| {
        let its = key.split_once('/').filter(|(of, _)| *of == domain(finalizer) || belongs_to(of, domain(finalizer)));
        its.is_some_and(|(_, word)| GROUPS.iter().any(|group| word.contains(group)))
    };
    let Some((key, group)) = waiting.object.metadata.labels.iter().find(is_group).filter(|_| is_asked) else {
        return Ok(None);
    };
    let (resource, place) = (waiting.resource, waiting.object.metadata.namespace.as_deref());
    let pods = gaps.pass(facts.list(&resource.id, place, Form::Whole))?.unwrap_or_default();
    let others = pods.iter().filter(|pod| pod.metadata.labels.get(key) == Some(group) && !is_finished(pod));
    let edge = |object| InTheWay { waiting, blocker: Seen { resource, object }, sure: false };
    let others: Vec<InTheWay<'s>> = others.map(edge).collect();
    Ok((!others.is_empty()).then(|| found(others).unsaid(true)))
}

/// Parts of the objects that are being deleted, or users that name the objects in an annotation.
pub(super) fn ask_parts<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { finalizer, held, facts, gaps, .. } = silent.inquiry;
    // Words about the end of a part are no complaint: the part has a reason of its own.
    let tells = silent.says(is_about_a_part_going);
    if !silent.is_silent && !tells {
        return Ok(None);
    }
    let Attached { mut going, mut asking } = attached(finalizer, held, facts, gaps)?;
    if tells {
        let is_named = |kind: &str| silent.says(|words| words.to_lowercase().contains(kind));
        going.retain(|edge| is_named(&edge.blocker.resource.kind.to_lowercase()));
        asking.clear();
    }
    let found = match (going.is_empty(), asking.is_empty()) {
        (false, _) => found(going),
        (true, false) => in_use::found(asking),
        (true, true) => return Ok(None),
    };
    Ok(Some(found.unsaid(!tells)))
}

/// The user that the held object records, if it is the record of a use.
pub(super) fn ask_recorded_user<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { held, facts, gaps, .. } = silent.inquiry;
    let record = held.read().next().filter(|_| silent.is_silent);
    let Some(edge) = record.and_then(|record| recorded_user(record, facts.discovery())) else { return Ok(None) };
    let user = gaps.pass(edge.read(Form::Metadata, facts))?.flatten();
    Ok(user.map(|blocker| {
        let others = vec![InTheWay { waiting: held.first(), blocker, sure: false }];
        let found = if blocker.object.is_deleting() { found(others) } else { in_use::found(others) };
        found.unsaid(true)
    }))
}

pub(super) fn found(others: Vec<InTheWay<'_>>) -> FoundReason<'_> {
    let told = others.clone();
    FoundReason { others, ..REASON.found(move |case| answer(case, &told)) }.state(ControllerState::Alive)
}

fn answer<'s>(case: &Case<'_, 's>, others: &[InTheWay<'s>]) -> Known<WordedReason<'s>> {
    let waits = Sentence::from("its controller waits for ");
    let first = Ref::from(others[0].blocker);
    if case.is_foreseen() {
        let answer = REASON.likely(case, waits.then(&first)).acts().remedies([free_first(&first)]);
        return Ok(answer.waits_for(first));
    }
    // If several kinds have that name, another may be meant.
    let is_sure = others.iter().all(|edge| edge.sure);
    let because = waits.then(named(others)).then(reports(&others[0], case.facts)?);
    let answer = REASON.proven(case, because).proven_if(is_sure).cause(Cause::Dependents).waits_for(first);
    let ways = others.iter().take(2).map(|edge| case.by_hand(release(edge.blocker)));
    Ok(answer.needs(going(others)).others(others.iter().map(|edge| edge.blocker).collect()).remedies(ways))
}
