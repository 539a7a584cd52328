//! References in other specs: missing objects that the owners of an object refer to, and objects that
//! were made for it.

use crate::facts::{Facts, Known, flat_each};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::progress::absent::{Absent, ReferenceRole, if_absent, part};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::references::{SpecReference, references};
use crate::report::Ref;
use crate::survey::{Form, Object, Resource, Seen};

/// How many owners are followed.
const MAX_OWNERS: usize = 2;

/// The missing objects to which owners of held objects refer, if these are being deleted, too: Secrets
/// and `ConfigMaps`, and an owner's sources. Controllers read them by way of the owner.
pub(crate) fn lacked_by_owners(inquiry: Inquiry<'_, '_>) -> Known<Vec<Absent>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let owners = held.read().filter(|seen| is_custom(&seen.resource.id.group)).take(1).flat_map(|seen| {
        let all = seen.object.metadata.owner_references.iter().take(MAX_OWNERS);
        all.map(move |owner| (seen.object.metadata.namespace.as_deref(), owner))
    });
    let read = flat_each(owners, |(place, owner)| {
        let kind = facts.discovery().by_kind(&owner.api_version, &owner.kind);
        let Some(kind) = kind.filter(|kind| is_custom(&kind.id.group)) else { return Ok(None) };
        let object =
            gaps.pass(facts.get(&kind.id, place.filter(|_| kind.namespaced), &owner.name, Form::Whole))?.flatten();
        let is_it = |object: &&Object| object.uid() == owner.uid && object.is_deleting();
        Ok(object.filter(is_it).map(|object| Seen { resource: kind, object }))
    })?;
    let mut named: Vec<(Ref, SpecReference<'_>)> = Vec::new();
    for owner in read {
        let counts = |reference: &SpecReference<'_>| {
            matches!(part(reference, &owner.resource.id.group), ReferenceRole::Source | ReferenceRole::Data)
        };
        let all = references(owner, facts.discovery()).into_iter().filter(counts);
        named.extend(all.map(|reference| (owner.into(), reference)));
    }
    // Missing data is better evidence than a missing source.
    named.sort_by_key(|(_, reference)| !reference.resource.id.group.is_empty());
    flat_each(named, |(owner, SpecReference { resource, namespace, name, field, .. })| {
        let what = if_absent(resource, namespace.as_deref(), &name, inquiry)?;
        Ok(what.map(|what| Absent::source(what, format!("{field} of {owner}"))))
    })
}

/// The references of a spec, each with the object of that name, if it exists: the controller may have
/// created some of them for it.
pub(crate) fn made_for<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Vec<(&'s Resource, Known<Option<&'s Object>>)> {
    let read = |reference: SpecReference<'s>| {
        let SpecReference { resource, namespace, name, .. } = reference;
        (resource, facts.metadata(&resource.id, namespace.as_deref(), &name))
    };
    references(seen, facts.discovery()).into_iter().map(read).collect()
}
