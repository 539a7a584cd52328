//! Owners that wait in foreground deletion: for which dependents, why these do
//! not go, and which of them wait for each other.

use super::dependents::Dependent;
use super::rings::rings;
use super::{deletes_dependents, standing, upward};
use crate::diagnosis::facts::{Facts, Known, Unknown, is_pod};
use crate::diagnosis::report::{OwnerState, Ref};
use crate::diagnosis::target::{SETTLE, Target, is_late};
use crate::survey::{Object, Seen};
use std::collections::{HashMap, HashSet};

/// An owner in foreground deletion, with the dependents that it waits for.
#[derive(Debug)]
pub struct Waiting<'s> {
    /// The owner.
    pub owner: Seen<'s>,
    /// The dependents that hold it up; looked for in its own namespace first, and
    /// in all where there are none.
    pub blocking: Vec<Dependent<'s>>,
    /// Whether every kind that matters could be listed.
    pub complete: bool,
}

/// Why a dependent of an owner in foreground deletion has not been asked to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hindrance {
    /// It is cluster-scoped and this owner of it is not: the garbage collector
    /// gives up on it.
    Impossible(Ref),
    /// This owner of it is of a kind that the server does not serve: the garbage
    /// collector tries again and again, quietly.
    UnknownKind(Ref),
    /// This owner of it could not be read.
    Unread(Ref),
    /// This other owner keeps it: the garbage collector takes the reference off.
    Kept(Ref),
    /// Nothing that shows: it would be deleted.
    None,
}

/// Of one dependent, so many owners are looked at.
const OWNERS: usize = 20;

/// The owners here that are late in foreground deletion: the target, or what is
/// in it. A pod waits for its kubelet first.
///
/// # Errors
/// When something was not surveyed yet.
pub fn waiting<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Waiting<'s>>> {
    let mut owners = collectors(target, facts)?;
    owners.retain(|seen| deletes_dependents(seen.object));
    let mut waiting = Vec::new();
    for owner in owners {
        let (blocking, complete) = blocking(owner, facts)?;
        waiting.push(Waiting { owner, blocking, complete });
    }
    Ok(waiting)
}

/// What is late here and has a finalizer of the garbage collector; a Namespace
/// counts beside its content.
///
/// # Errors
/// When the content was not surveyed yet.
pub fn collectors<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let itself = Some(target.seen).filter(|_| target.is_namespace() && target.is_deleting());
    let late = |seen: &Seen<'s>| {
        let grace = is_pod(seen.resource) && seen.object.metadata.deletion_grace_period_seconds != Some(0);
        !grace && is_late(seen.object, facts, SETTLE)
    };
    let held = |seen: &Seen<'s>| seen.object.metadata.finalizers.iter().any(|key| super::is_collectors(key));
    Ok(itself.into_iter().chain(target.deleting(facts)?).filter(|seen| held(seen) && late(seen)).collect())
}

fn blocking<'s>(owner: Seen<'s>, facts: &Facts<'s>) -> Known<(Vec<Dependent<'s>>, bool)> {
    if let Some(namespace) = owner.object.metadata.namespace.as_deref() {
        let near = facts.dependents_in(namespace)?.blocking(owner.object);
        if !near.is_empty() {
            return Ok((near, true));
        }
    }
    let all = facts.dependents_anywhere()?;
    let complete = all.unread.is_empty() && facts.discovery().stale.is_empty();
    Ok((all.blocking(owner.object), complete))
}

/// Every dependent of `owner`, blocking or not, and whether there can be no others.
///
/// # Errors
/// When something was not surveyed yet.
pub fn all_dependents<'s>(owner: Seen<'s>, facts: &Facts<'s>) -> Known<(Vec<Dependent<'s>>, bool)> {
    let all = facts.dependents_anywhere()?;
    let complete = all.unread.is_empty() && facts.discovery().stale.is_empty();
    let mut found = all.of(owner.object);
    if let Some(namespace) = owner.object.metadata.namespace.as_deref().filter(|_| !complete) {
        // Who may not list everywhere may still list here.
        let known: HashSet<&str> = found.iter().map(|dependent| dependent.seen.object.uid()).collect();
        let near = facts.dependents_in(namespace)?.of(owner.object);
        found.extend(near.into_iter().filter(|near| !known.contains(near.seen.object.uid())));
    }
    Ok((found, complete))
}

/// Why the garbage collector has not deleted `dependent`, from its references in
/// their order: one that cannot be judged stops it before the others count
/// (kubernetes/kubernetes: `pkg/controller/garbagecollector/garbagecollector.go`,
/// `classifyReferences`).
///
/// # Errors
/// When an owner was not surveyed yet.
pub fn hindrance(dependent: &Object, facts: &Facts<'_>) -> Known<Hindrance> {
    let namespace = dependent.metadata.namespace.as_deref();
    let mut kept = Hindrance::None;
    for reference in dependent.metadata.owner_references.iter().take(OWNERS) {
        let named = || upward::named(reference, namespace, facts);
        match standing(reference, namespace, facts) {
            Err(Unknown::NotSurveyed) => return Err(Unknown::NotSurveyed),
            Err(Unknown::Unread { what, why }) => {
                facts.note_unread(what, &why);
                return Ok(Hindrance::Unread(named()));
            }
            Ok((OwnerState::Impossible, _)) => return Ok(Hindrance::Impossible(named())),
            Ok((OwnerState::UnknownKind, _)) => return Ok(Hindrance::UnknownKind(named())),
            Ok((_, Some(owner))) if kept == Hindrance::None && !deletes_dependents(owner.object) => {
                kept = Hindrance::Kept(named());
            }
            Ok(_) => {}
        }
    }
    Ok(kept)
}

/// Owners in foreground deletion that wait for each other, each ring once, with
/// everything that its members wait for.
///
/// # Errors
/// When something was not surveyed yet.
pub fn waiting_for_each_other<'s>(start: &[Waiting<'s>], facts: &Facts<'s>) -> Known<Vec<Vec<Waiting<'s>>>> {
    let mut members: Vec<Waiting<'s>> = Vec::new();
    let mut place: HashMap<&'s str, usize> = HashMap::new();
    let mut next: Vec<Seen<'s>> = start.iter().map(|waiting| waiting.owner).collect();
    while let Some(owner) = next.pop() {
        if place.contains_key(owner.object.uid()) {
            continue;
        }
        place.insert(owner.object.uid(), members.len());
        let (blocking, complete) = blocking(owner, facts)?;
        let onward = blocking.iter().map(|dependent| dependent.seen);
        next.extend(onward.filter(|seen| deletes_dependents(seen.object)));
        members.push(Waiting { owner, blocking, complete });
    }
    let edges: Vec<Vec<usize>> = members
        .iter()
        .map(|member| member.blocking.iter().filter_map(|it| place.get(it.seen.object.uid()).copied()).collect())
        .collect();
    let rings = rings(&edges);
    let mut members: Vec<Option<Waiting<'s>>> = members.into_iter().map(Some).collect();
    Ok(rings.iter().map(|ring| ring.iter().filter_map(|&member| members[member].take()).collect()).collect())
}
