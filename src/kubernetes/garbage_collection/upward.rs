//! The ownerReferences of objects, followed up to the roots.

use crate::facts::{Facts, Known, Readable};
use crate::report::{Named, Owner, OwnerState, Ownership, Ref};
use crate::survey::{Form, Object, Seen, TargetName};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;

/// How many objects of one finding are read for their owners.
const MAX_OBJECTS: usize = 50;
/// How many owners of one object are followed.
const MAX_OWNERS: usize = 5;
const MAX_DEPTH: usize = 10;

/// The owners of each object that has any.
#[must_use]
pub fn of(objects: &[Ref], facts: &Facts<'_>) -> Vec<Ownership> {
    let owned = objects.iter().take(MAX_OBJECTS).filter_map(|object| {
        let TargetName { resource, namespace, name } = object.target();
        let read = facts.metadata(&resource, namespace.as_deref(), &name).ok()?;
        let read = read.filter(|read| read.uid() == object.uid)?;
        let owners = owners_of(read, facts, &mut vec![object.uid.clone()]);
        (!owners.is_empty()).then(|| Ownership { of: object.clone(), owners })
    });
    owned.collect()
}

/// The owner that a reference of an object in `namespace` names, looked up as the garbage collector
/// does it: by name in the dependent's own namespace, then by uid.
pub fn standing<'s>(
    reference: &OwnerReference,
    namespace: Option<&str>,
    facts: &Facts<'s>,
) -> Known<(OwnerState, Option<Seen<'s>>)> {
    let Some(resource) = facts.discovery().served(&reference.api_version, &reference.kind) else {
        return Ok((OwnerState::UnknownKind, None));
    };
    if resource.namespaced && namespace.is_none() {
        return Ok((OwnerState::Impossible, None));
    }
    let namespace = if resource.namespaced { namespace } else { None };
    Ok(match facts.metadata(&resource.id, namespace, &reference.name)? {
        None => (OwnerState::Missing, None),
        Some(object) if object.uid() != reference.uid => (OwnerState::Replaced, None),
        Some(object) if object.is_deleting() => (OwnerState::Terminating, Some(Seen { resource, object })),
        Some(object) => (OwnerState::Present, Some(Seen { resource, object })),
    })
}

/// The owner with this uid in another namespace, from one list of its kind; `None` also if that
/// cannot be read.
pub fn elsewhere(reference: &OwnerReference, namespace: Option<&str>, facts: &Facts<'_>) -> Known<Option<Ref>> {
    let kind = facts.discovery().by_kind(&reference.api_version, &reference.kind);
    let Some(kind) = kind.filter(|kind| kind.namespaced && kind.can("list") && namespace.is_some()) else {
        return Ok(None);
    };
    let all = facts.list(&kind.id, None, Form::Metadata).if_readable()?.unwrap_or_default();
    let owner = all.iter().find(|object| object.uid() == reference.uid && !reference.uid.is_empty());
    Ok(owner.filter(|owner| owner.metadata.namespace.as_deref() != namespace).map(|owner| Ref::of(kind, owner)))
}

/// The version in which an owner's kind is served, if it is not the one in the reference; the
/// garbage collector does not try other versions.
pub(crate) fn served_as(owner: &Ref, facts: &Facts<'_>) -> Option<String> {
    let discovery = facts.discovery();
    let other = discovery.by_kind(&owner.api_version, &owner.kind)?;
    discovery.served(&owner.api_version, &owner.kind).is_none().then(|| other.id.api_version())
}

/// A reference to the owner that `reference` names.
pub(crate) fn named(reference: &OwnerReference, namespace: Option<&str>, facts: &Facts<'_>) -> Ref {
    let resource = facts.discovery().by_kind(&reference.api_version, &reference.kind);
    Ref::from(Named {
        api_version: reference.api_version.clone(),
        kind: reference.kind.clone(),
        resource: resource.map(|resource| resource.id.plural.clone()).unwrap_or_default(),
        namespace: namespace.filter(|_| resource.is_some_and(|resource| resource.namespaced)).map(Into::into),
        name: reference.name.clone(),
        uid: reference.uid.clone(),
        missing: false,
    })
}

/// The owners of `object`; `below` has the uids on the path from the first object down here.
fn owners_of(object: &Object, facts: &Facts<'_>, below: &mut Vec<String>) -> Vec<Owner> {
    let references = object.metadata.owner_references.iter().take(MAX_OWNERS);
    references.map(|reference| owner(reference, object.metadata.namespace.as_deref(), facts, below)).collect()
}

fn owner(reference: &OwnerReference, namespace: Option<&str>, facts: &Facts<'_>, below: &mut Vec<String>) -> Owner {
    let mut owner = Owner {
        object: named(reference, namespace, facts),
        state: OwnerState::Unread,
        controller: reference.controller == Some(true),
        owners: Vec::new(),
    };
    if below.contains(&reference.uid) {
        owner.state = OwnerState::Cycle;
        return owner;
    }
    let read = standing(reference, namespace, facts);
    owner.state = state(&read);
    owner.object = owner.object.missing_if(owner.state == OwnerState::Missing);
    if let Ok((_, Some(seen))) = read
        && below.len() < MAX_DEPTH
    {
        below.push(reference.uid.clone());
        owner.owners = owners_of(seen.object, facts, below);
        below.pop();
    }
    owner
}

pub(crate) fn state(read: &Known<(OwnerState, Option<Seen<'_>>)>) -> OwnerState {
    read.as_ref().map_or(OwnerState::Unread, |(state, _)| *state)
}
