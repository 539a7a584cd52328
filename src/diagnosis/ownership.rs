//! The ownerReferences of waiting objects, upward to the roots.

use super::facts::{Facts, Known, Unknown};
use super::report::{Owner, OwnerState, Ownership, Ref};
use crate::survey::{Object, ResourceId};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;

/// Owners are read for so many objects of one finding.
const OBJECTS: usize = 50;
/// Of one object, so many owners are followed, so far up.
const BREADTH: usize = 5;
const DEPTH: usize = 10;

/// The owners of each object that has any.
pub(super) fn of(objects: &[Ref], facts: &Facts<'_>) -> Vec<Ownership> {
    let owned = objects.iter().take(OBJECTS).filter_map(|object| {
        let (group, version) = object.api_version.split_once('/').unwrap_or(("", &object.api_version));
        let resource = ResourceId::new(group, version, &object.resource);
        let read = facts.metadata(&resource, object.namespace.as_deref(), &object.name).ok()??;
        (read.uid() == object.uid).then_some((object, read))
    });
    let mut all = Vec::new();
    for (object, read) in owned {
        let owners = owners_of(read, facts, &mut vec![object.uid.clone()]);
        if !owners.is_empty() {
            all.push(Ownership { of: object.clone(), owners });
        }
    }
    all
}

/// `below` are the uids on the way down to where this began.
fn owners_of(object: &Object, facts: &Facts<'_>, below: &mut Vec<String>) -> Vec<Owner> {
    let references = object.metadata.owner_references.iter().take(BREADTH);
    references.map(|reference| owner(reference, object.metadata.namespace.as_deref(), facts, below)).collect()
}

fn owner(reference: &OwnerReference, namespace: Option<&str>, facts: &Facts<'_>, below: &mut Vec<String>) -> Owner {
    let mut owner = Owner {
        object: Ref {
            api_version: reference.api_version.clone(),
            kind: reference.kind.clone(),
            name: reference.name.clone(),
            uid: reference.uid.clone(),
            ..Ref::default()
        },
        state: OwnerState::UnknownKind,
        controller: reference.controller == Some(true),
        owners: Vec::new(),
    };
    let Some(resource) = facts.discovery().by_kind(&reference.api_version, &reference.kind) else { return owner };
    owner.object.resource.clone_from(&resource.id.plural);
    if resource.namespaced && namespace.is_none() {
        // Nobody says in which namespace: the garbage collector never finds it.
        owner.state = OwnerState::Missing;
        owner.object.missing = true;
        return owner;
    }
    // A namespaced owner is looked up in the dependent's own namespace, as the
    // garbage collector does.
    let namespace = if resource.namespaced { namespace } else { None };
    owner.object.namespace = namespace.map(Into::into);
    if below.contains(&reference.uid) {
        owner.state = OwnerState::Cycle;
        return owner;
    }
    let read = facts.metadata(&resource.id, namespace, &reference.name);
    owner.state = state(&read, reference);
    owner.object.missing = owner.state == OwnerState::Missing;
    if let Ok(Some(object)) = read
        && object.uid() == reference.uid
        && below.len() < DEPTH
    {
        below.push(reference.uid.clone());
        owner.owners = owners_of(object, facts, below);
        below.pop();
    }
    owner
}

fn state(read: &Known<Option<&Object>>, reference: &OwnerReference) -> OwnerState {
    match read {
        Ok(None) => OwnerState::Missing,
        Ok(Some(object)) if object.uid() != reference.uid => OwnerState::Replaced,
        Ok(Some(object)) if object.is_deleting() => OwnerState::Terminating,
        Ok(Some(_)) => OwnerState::Present,
        Err(Unknown::NotSurveyed | Unknown::Unread { .. }) => OwnerState::Unread,
    }
}
