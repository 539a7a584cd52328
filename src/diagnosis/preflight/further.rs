//! Objects that affect the deletion of an object without being part of it: those that are deleted after
//! it, and its users.

use crate::facts::{Facts, Known, Target, all_below, flat_each, goes_with};
use crate::installers;
use crate::kubernetes::control_plane::releases;
use crate::kubernetes::definitions::Definition;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::mentions::followers;
use crate::needs::{Further, Going, Outlook, Relation};
use crate::reasons::{find, gives_no_reason, in_use};
use crate::report::and_more_kinds;
use crate::survey::{Cascade, Seen};
use std::collections::BTreeSet;

/// How many finalizers of a target are checked for its users.
const MAX_FINALIZERS: usize = 5;
/// How many objects that are deleted with a target, or use it, are checked.
const MAX_FURTHER: usize = 40;

/// The objects that affect the deletion of a single object, each once. For a namespace or a definition,
/// all objects are part of the deletion.
pub(super) fn of<'s>(
    target: &Target<'s>,
    collected: &Known<Vec<Seen<'s>>>,
    going: &Going<'_>,
    facts: &Facts<'s>,
) -> Known<Vec<Further<'s>>> {
    if target.is_namespace() || Definition::is(target.seen).is_some() {
        return Ok(Vec::new());
    }
    // The content of an installer's own object is known already, without what it only names.
    let lists = going.cascade != Cascade::Orphan && !installers::is_installers_own(&target.seen.resource.id);
    let listed = if lists { followers::followers(target.seen, facts) } else { Ok(Vec::new()) };
    let listed = listed.map(|all| all.into_iter().filter(|entry| is_said_back(*entry, target.seen)));
    let bound = if going.cascade == Cascade::Orphan { Ok(None) } else { followers::bound_object(target.seen, facts) };
    let users = users(target.seen, facts);
    let collected = collected.as_deref().unwrap_or_default().iter().copied();
    let follow = collected.chain(listed?).chain(bound?).map(|seen| Further { seen, relation: Relation::GoesWith });
    let mut known: BTreeSet<&str> = [target.object().uid()].into();
    let mut all: Vec<Further<'s>> = Vec::new();
    // An object that is deleted, too, is no longer a user.
    for further in follow.chain(users?) {
        let lives = !further.seen.object.is_deleting() && !going.takes(&further.seen.into());
        if lives && known.insert(further.seen.object.uid()) && all.len() < MAX_FURTHER {
            all.push(further);
        }
    }
    Ok(all)
}

/// Whether an object in the list of another, which may be written by somebody who may write in that namespace
/// alone, belongs to it: it is there, too, or its owner references, labels or annotations name the other.
fn is_said_back(entry: Seen<'_>, lister: Seen<'_>) -> bool {
    let Some(home) = lister.object.metadata.namespace.as_deref() else { return true };
    let metadata = &entry.object.metadata;
    let has =
        |word: &str| metadata.labels.values().chain(metadata.annotations.values()).any(|text| text.contains(word));
    metadata.namespace.as_deref() == Some(home)
        || entry.object.is_owned_by(lister.object)
        || has(lister.object.uid())
        || (has(home) && has(lister.object.name()))
}

/// The users because of which the controllers of an object keep it. A counterpart of the object is
/// deleted with it.
fn users<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Vec<Further<'s>>> {
    let finalizers = seen.object.metadata.finalizers.iter().filter(|key| !releases(key)).take(MAX_FINALIZERS);
    flat_each(finalizers, |finalizer| {
        let held = HeldObjects::read_whole(&[seen], facts)?;
        let found = find(finalizer, &held, facts)?;
        let users = if found.why.is(&in_use::REASON) {
            found.why.others
        } else if found.why.is(&gives_no_reason::REASON) {
            followers::foreign_users(&held, found.profile.controller.workload.as_ref(), facts)?
        } else {
            Vec::new()
        };
        let further = |edge: crate::kubernetes::mentions::InTheWay<'s>| {
            let own = followers::is_counterpart(edge, &held);
            Further { seen: edge.blocker, relation: if own { Relation::GoesWith } else { Relation::Uses } }
        };
        Ok(users.into_iter().map(further).collect::<Vec<_>>())
    })
}

/// The objects that the garbage collector deletes after a single object: those without other owners.
/// Their finalizers count, too. The search reads every kind in the namespace, so it is made only for the
/// objects of products and for owners of claims.
pub(super) fn collected<'s>(
    owner: Seen<'s>,
    going: &Going<'_>,
    facts: &Facts<'s>,
    out: &mut Outlook,
) -> Known<Vec<Seen<'s>>> {
    let id = &owner.resource.id;
    let is_owner = is_custom(&id.group) || id.is("apps", "statefulsets");
    if going.cascade == Cascade::Orphan || !is_owner || Definition::is(owner).is_some() {
        return Ok(Vec::new());
    }
    let all = facts.dependents_near(owner.object)?;
    let unread = all.unread();
    if owner.object.metadata.finalizers.iter().any(|key| !releases(key)) {
        for (resource, why) in &unread {
            facts.note_unread(format!("dependents among {}", resource.id), why);
        }
    }
    if let Some((resource, why)) = unread.first() {
        let more = and_more_kinds(unread.len() - 1);
        let text = format!(
            "it is not known whether it owns any {}{more}, which would be deleted with it: {}",
            resource.id.short(),
            why.message
        );
        out.consequence(owner.into(), text);
    }
    let under = |owner: Seen<'s>| all.of(owner.object).into_iter().map(|dependent| dependent.seen).collect();
    Ok(all_below(owner, under, goes_with))
}
