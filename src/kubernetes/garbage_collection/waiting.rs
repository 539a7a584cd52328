//! Owners that wait in foreground deletion: the dependents that block them, why these are not
//! deleted, and which of them wait for each other.

use crate::facts::{Dependent, Dependents, Facts, Gap, Known, Readable, SETTLE, Target, each, is_late, is_pod};
use crate::kubernetes::garbage_collection::{standing, upward};
use crate::report::{OwnerState, Ref};
use crate::survey::{Object, Seen, deletes_dependents, is_collectors};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// An owner in foreground deletion, with the dependents that it waits for.
#[derive(Debug)]
pub struct WaitingOwner<'s> {
    /// The owner.
    pub owner: Seen<'s>,
    /// The dependents that block it: those in its own namespace or, if there are none, in all
    /// namespaces.
    pub blocking: Vec<Dependent<'s>>,
    /// Whether every kind that matters could be listed.
    pub complete: bool,
}

impl<'s> WaitingOwner<'s> {
    /// The blocking dependents that should have been deleted. While others are being deleted, those that
    /// a controller has created since the owner's deletion, such as the revisions of a `StatefulSet`, do
    /// not count: the owner is checked again when one of the others is gone.
    pub(crate) fn idle(&self) -> impl Iterator<Item = Dependent<'s>> {
        let asked = self.owner.object.deletion_asked();
        let at_work = self.blocking.iter().any(|dependent| dependent.seen.object.is_deleting());
        let idle = self.blocking.iter().copied().filter(|dependent| !dependent.seen.object.is_deleting());
        idle.filter(move |dependent| !at_work || dependent.seen.object.metadata.creation_timestamp < asked)
    }
}

/// Why a dependent of an owner in foreground deletion has not been deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hindrance {
    /// The dependent is cluster-scoped and this owner is not: the garbage collector gives up.
    Impossible(Ref),
    /// The server does not serve the kind of this owner: the garbage collector retries silently.
    UnknownKind(Ref),
    /// This owner could not be read.
    Unread(Ref),
    /// This other owner keeps the dependent: the garbage collector removes the reference.
    Kept(Ref),
    /// Nothing can be seen: the dependent would be deleted.
    None,
}

/// How many owners of one dependent are read.
const MAX_OWNERS: usize = 20;

/// The owners that are late in foreground deletion: the target, or objects in it. Pods that still
/// wait for their kubelet are left out.
pub fn waiting<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<WaitingOwner<'s>>> {
    let owners = collectors(target, facts)?.into_iter().filter(|seen| deletes_dependents(seen.object));
    each_waiting(owners, facts)
}

/// The dependents that each of these owners waits for.
pub fn each_waiting<'s>(owners: impl IntoIterator<Item = Seen<'s>>, facts: &Facts<'s>) -> Known<Vec<WaitingOwner<'s>>> {
    let mut books = Books::new(facts);
    each(owners, |owner| books.waiting(owner))
}

/// The objects here that are late and have a finalizer of the garbage collector: a Namespace itself,
/// and its content.
pub fn collectors<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let itself = Some(target.seen).filter(|_| target.is_namespace() && target.is_deleting());
    let late = |seen: &Seen<'s>| {
        let grace = is_pod(seen.resource) && seen.object.metadata.deletion_grace_period_seconds != Some(0);
        !grace && is_late(seen.object, facts, SETTLE)
    };
    let held = |seen: &Seen<'s>| seen.object.metadata.finalizers.iter().any(|key| is_collectors(key));
    Ok(itself.into_iter().chain(target.deleting(facts)?).filter(|seen| held(seen) && late(seen)).collect())
}

/// The dependents by owner, read once for each namespace.
struct Books<'f, 's> {
    facts: &'f Facts<'s>,
    near: HashMap<&'s str, Dependents<'f, 's>>,
    all: Option<Dependents<'f, 's>>,
}

impl<'f, 's> Books<'f, 's> {
    fn new(facts: &'f Facts<'s>) -> Self {
        Self { facts, near: HashMap::new(), all: None }
    }

    fn waiting(&mut self, owner: Seen<'s>) -> Known<WaitingOwner<'s>> {
        if let Some(namespace) = owner.object.metadata.namespace.as_deref() {
            let near = match self.near.entry(namespace) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(self.facts.dependents_in(namespace)?),
            };
            let blocking = near.blocking(owner.object);
            if !blocking.is_empty() {
                return Ok(WaitingOwner { owner, blocking, complete: true });
            }
        }
        let all = match &self.all {
            Some(all) => all,
            None => self.all.insert(self.facts.dependents_anywhere()?),
        };
        let complete = all.is_complete() && self.facts.discovery().stale.is_empty();
        Ok(WaitingOwner { owner, blocking: all.blocking(owner.object), complete })
    }
}

/// All dependents of `owner`, blocking or not, and whether the list is complete.
pub fn all_dependents<'s>(owner: Seen<'s>, facts: &Facts<'s>) -> Known<(Vec<Dependent<'s>>, bool)> {
    let all = facts.dependents_anywhere()?;
    let complete = all.is_complete() && facts.discovery().stale.is_empty();
    let mut found = all.of(owner.object);
    if let Some(namespace) = owner.object.metadata.namespace.as_deref().filter(|_| !complete) {
        // A user who may not list everywhere may still list here.
        let known: HashSet<&str> = found.iter().map(|dependent| dependent.seen.object.uid()).collect();
        let near = facts.dependents_in(namespace)?.of(owner.object);
        found.extend(near.into_iter().filter(|near| !known.contains(near.seen.object.uid())));
    }
    Ok((found, complete))
}

/// Why the garbage collector has not deleted `dependent`, from its references in their order: it
/// stops at the first that it cannot resolve (kubernetes/kubernetes:
/// `pkg/controller/garbagecollector/garbagecollector.go`, `classifyReferences`).
pub fn hindrance(dependent: &Object, facts: &Facts<'_>) -> Known<Hindrance> {
    let namespace = dependent.metadata.namespace.as_deref();
    let mut kept = Hindrance::None;
    let references = dependent.metadata.owner_references.iter().take(MAX_OWNERS);
    let standings = each(references, |owner| Ok((owner, standing(owner, namespace, facts).surveyed()?)))?;
    for (reference, standing) in standings {
        let named = || upward::named(reference, namespace, facts);
        match standing {
            Err(Gap { what, why }) => {
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

/// Owners in foreground deletion, with the owners among their dependents, and so on.
#[derive(Debug, Default)]
pub struct Web<'s> {
    /// Each owner once, with the dependents that it waits for.
    pub owners: Vec<WaitingOwner<'s>>,
    place: HashMap<&'s str, usize>,
}

impl<'s> Web<'s> {
    /// Follows the dependents of the owners in `start`.
    pub(crate) fn below(start: &[WaitingOwner<'s>], facts: &Facts<'s>) -> Known<Self> {
        let mut books = Books::new(facts);
        let mut web = Self::default();
        let mut next: Vec<Seen<'s>> = start.iter().map(|waiting| waiting.owner).collect();
        while let Some(owner) = next.pop() {
            if web.place.contains_key(owner.object.uid()) {
                continue;
            }
            web.place.insert(owner.object.uid(), web.owners.len());
            let waiting = books.waiting(owner)?;
            let onward = waiting.blocking.iter().map(|dependent| dependent.seen);
            next.extend(onward.filter(|seen| deletes_dependents(seen.object)));
            web.owners.push(waiting);
        }
        Ok(web)
    }

    /// Pairs of owners; the first waits for the second.
    pub(crate) fn order(&self) -> impl Iterator<Item = (Seen<'s>, Seen<'s>)> {
        let is_owner = |dependent: &&Dependent<'s>| self.place.contains_key(dependent.seen.object.uid());
        let of = move |owner: &'_ WaitingOwner<'s>| {
            let waiting = owner.owner;
            owner.blocking.iter().filter(is_owner).map(move |it| (waiting, it.seen)).collect::<Vec<_>>()
        };
        self.owners.iter().flat_map(of)
    }

    /// The dependents at the ends of the chains: they are being deleted, and do not merely wait for
    /// dependents of their own.
    pub(crate) fn ends(&self) -> Vec<Seen<'s>> {
        let mut known = HashSet::new();
        let dependents = self.owners.iter().flat_map(|owner| &owner.blocking).map(|dependent| dependent.seen);
        let ends = dependents.filter(|seen| seen.object.is_deleting() && !self.is_after_others(seen));
        ends.filter(|seen| known.insert(seen.object.uid())).collect()
    }

    fn is_after_others(&self, seen: &Seen<'_>) -> bool {
        let owner = self.place.get(seen.object.uid()).map(|&place| &self.owners[place].blocking);
        let only = seen.object.metadata.finalizers.len() == 1;
        only && owner.is_some_and(|others| !others.is_empty() && others.iter().all(|it| it.seen.object.is_deleting()))
    }
}
