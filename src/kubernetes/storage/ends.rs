//! The claims for storage and the contents of snapshots that are deleted when the deletions of other objects end.

use super::snapshots::{content_of, is_content, is_snapshot};
use super::{CLAIM_IN_USE, claim_name, is_claim};
use crate::facts::{Facts, Known, Readable, SETTLE, Target, all_below, each, goes_with, is_late, is_namespace, is_pod};
use crate::report::Ref;
use crate::survey::{Form, Object, Seen, deletes_dependents, has};
use std::collections::HashSet;

/// How many claims of one pod, or snapshots of one namespace, are read.
const MAX_READ: usize = 10;

/// The kinds of objects in a namespace with which something that is stored may go.
const HOLDING: [&str; 3] = ["persistentvolumeclaims", "pods", "volumesnapshots"];

/// What is stored and goes.
#[derive(Debug, Default)]
pub(crate) struct Stored<'s> {
    /// Claims for storage.
    pub(crate) claims: Vec<Seen<'s>>,
    /// Contents of snapshots, whole.
    pub(crate) contents: Vec<Seen<'s>>,
}

impl<'s> Stored<'s> {
    fn claims(claims: Vec<Seen<'s>>) -> Self {
        Self { claims, ..Self::default() }
    }

    fn contents(contents: impl IntoIterator<Item = Seen<'s>>) -> Self {
        Self { contents: contents.into_iter().collect(), ..Self::default() }
    }
}

/// What goes when the deletions of `targets` end, or of `objects` in targets that are namespaces. `emptied` says
/// whether what has not been deleted yet in these namespaces is deleted then, too.
pub(crate) fn stored<'s>(targets: &[Ref], objects: &[Ref], emptied: bool, facts: &Facts<'s>) -> Known<Stored<'s>> {
    let namespaces: HashSet<&str> =
        targets.iter().filter(|it| it.is_namespace()).map(|namespace| namespace.name.as_str()).collect();
    let is_inside = |object: &Ref| object.namespace.as_deref().is_some_and(|place| namespaces.contains(place));
    let outside = targets.iter().map(|object| (object, false));
    let inside = objects.iter().filter(|object| HOLDING.contains(&&*object.resource) && is_inside(object));
    let inside = inside.map(|object| (object, true));
    let all = each(outside.chain(inside), |(object, is_inside)| {
        let seen = facts.seen(object).if_readable()?.flatten();
        seen.map_or_else(|| Ok(Stored::default()), |seen| with(seen, is_inside, emptied, facts))
    })?;
    let (mut known, mut stored) = (HashSet::new(), Stored::default());
    for one in all {
        stored.claims.extend(one.claims.into_iter().filter(|seen| known.insert(seen.object.uid())));
        stored.contents.extend(one.contents.into_iter().filter(|seen| known.insert(seen.object.uid())));
    }
    Ok(stored)
}

/// What goes with one object. An object inside a target goes although its deletion may not have been requested yet.
fn with<'s>(seen: Seen<'s>, is_inside: bool, emptied: bool, facts: &Facts<'s>) -> Known<Stored<'s>> {
    if is_pod(seen.resource) {
        return Ok(Stored::claims(of_pod(seen, is_inside, facts)?));
    }
    if !is_inside && !seen.object.is_deleting() {
        return Ok(Stored::default());
    }
    if is_claim(seen.resource) {
        return Ok(Stored::claims(vec![seen]));
    }
    if is_snapshot(seen.resource) {
        return Ok(Stored::contents(of_snapshot(seen, facts)?));
    }
    if is_content(seen.resource) {
        let whole = facts.whole(seen).or_note(facts)?.flatten();
        return Ok(Stored::contents(whole.map(|object| Seen { object, ..seen })));
    }
    if is_namespace(seen.resource) {
        return if emptied { left_in(seen, facts) } else { Ok(Stored::default()) };
    }
    Ok(Stored::claims(below(seen, facts)?))
}

/// The claims that go with a pod: those that only its use still keeps, and those that were made for it alone.
fn of_pod<'s>(pod: Seen<'s>, is_inside: bool, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let namespace = pod.object.metadata.namespace.as_deref();
    let Some(claims) = facts.preferred("", "persistentvolumeclaims") else { return Ok(Vec::new()) };
    let whole = if pod.object.body.is_empty() && is_inside {
        // One list has all pods of a namespace.
        let all = facts.list(&pod.resource.id, namespace, Form::Whole).if_readable()?;
        all.into_iter().flatten().find(|it| it.uid() == pod.object.uid())
    } else {
        whole_of(pod, facts).if_readable()?.flatten()
    };
    let volumes = whole.map_or(&[][..], |whole| whole.array("/spec/volumes"));
    let named = volumes.iter().filter_map(|volume| claim_name(pod.object, volume)).take(MAX_READ);
    let read = each(named, |name| {
        let claim = if is_inside {
            facts.metadata(&claims.id, namespace, &name)
        } else {
            facts.get(&claims.id, namespace, &name, Form::Whole)
        };
        Ok(claim.or_note(facts)?.flatten())
    })?;
    let is_its_own = |claim: &Object| {
        pod.object.is_deleting() && claim.metadata.owner_references.iter().any(|owner| owner.uid == pod.object.uid())
    };
    let all = read.into_iter().flatten().map(|object| Seen { resource: claims, object });
    Ok(all.filter(|it| it.object.is_deleting() && has(it.object, CLAIM_IN_USE) || is_its_own(it.object)).collect())
}

/// The content of a snapshot, if that belongs to no other.
fn of_snapshot<'s>(snapshot: Seen<'s>, facts: &Facts<'s>) -> Known<Option<Seen<'s>>> {
    let Some(object) = whole_of(snapshot, facts).or_note(facts)?.flatten() else { return Ok(None) };
    let content = content_of(Seen { object, ..snapshot }, facts)?;
    let uid = snapshot.object.uid();
    Ok(content.filter(|it| it.object.text("/spec/volumeSnapshotRef/uid").is_none_or(|of| of == uid)))
}

/// The claims and contents in a namespace that is being emptied, if nobody has requested their deletion yet.
fn left_in<'s>(namespace: Seen<'s>, facts: &Facts<'s>) -> Known<Stored<'s>> {
    let Some(object) = whole_of(namespace, facts).if_readable()?.flatten() else { return Ok(Stored::default()) };
    let seen = Seen { object, ..namespace };
    let Some(name) = (Target { seen }).namespace_being_emptied() else { return Ok(Stored::default()) };
    let Some(content) = facts.sweep(name).if_readable()? else { return Ok(Stored::default()) };
    let left = || content.rest().filter(|seen| !seen.object.is_deleting());
    let snapshots: Vec<Seen<'s>> = left().filter(|seen| is_snapshot(seen.resource)).collect();
    if snapshots.len() > MAX_READ {
        let more = snapshots.len() - MAX_READ;
        facts.note_unknown(format!("the contents of {more} more snapshots"), "only the first ones are read");
    }
    let contents = each(snapshots.into_iter().take(MAX_READ), |snapshot| of_snapshot(snapshot, facts))?;
    let claims = left().filter(|seen| is_claim(seen.resource)).collect();
    Ok(Stored { claims, contents: contents.into_iter().flatten().collect() })
}

/// The claims below an owner that is late in foreground deletion.
fn below<'s>(owner: Seen<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    if !deletes_dependents(owner.object) || !is_late(owner.object, facts, SETTLE) {
        return Ok(Vec::new());
    }
    let dependents = facts.dependents_near(owner.object)?;
    let under = |owner: Seen<'s>| dependents.of(owner.object).into_iter().map(|it| it.seen).collect();
    Ok(all_below(owner, under, goes_with).into_iter().filter(|seen| is_claim(seen.resource)).collect())
}

/// An object whole, of which only the metadata may have been seen.
fn whole_of<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Option<&'s Object>> {
    if seen.object.body.is_empty() { facts.whole(seen) } else { Ok(Some(seen.object)) }
}
