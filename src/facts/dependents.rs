//! Dependents: the objects with a reference to an owner. The garbage collector finds them by the
//! owner's uid alone, in any namespace
//! (kubernetes/kubernetes: `pkg/controller/garbagecollector/graph_builder.go`).

use super::read::Facts;
use crate::facts::is_event;
use crate::survey::{Form, Object, Resource, Seen, Unread};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// An object with its reference to one owner.
#[derive(Debug, Clone, Copy)]
pub struct Dependent<'s> {
    /// The object.
    pub seen: Seen<'s>,
    /// Its reference; if several have the owner's uid, the one that blocks.
    pub reference: &'s OwnerReference,
}

/// Objects by the uids of their owners, if they could be listed.
pub struct Dependents<'f, 's> {
    pub(super) facts: &'f Facts<'s>,
    pub(super) owned: Rc<OwnerIndex>,
    pub(super) namespace: Option<&'f str>,
    pub(super) form: Form,
}

/// The kinds of which some objects have owners, and the index of these objects. A kind is given by
/// its index among those that can be listed.
#[derive(Debug, Default)]
pub(super) struct OwnerIndex {
    /// For each owner, the positions of its dependents. The index is made once for all owners, so that many
    /// owners cost no more than a single one.
    places: HashMap<String, Vec<IndexEntry>>,
    kinds: Vec<usize>,
    pub(super) unread: Vec<usize>,
}

/// The objects of one kind.
pub(super) type List<'s> = (&'s Resource, &'s [Object]);

#[derive(Debug, Clone, Copy)]
struct IndexEntry {
    list: usize,
    object: usize,
    reference: usize,
}

impl OwnerIndex {
    /// Adds the objects of a kind.
    pub(super) fn add(&mut self, kind: usize, objects: &[Object]) {
        let list = self.kinds.len();
        self.kinds.push(kind);
        for (object, owned) in objects.iter().enumerate() {
            for (reference, owner) in owned.metadata.owner_references.iter().enumerate() {
                let place = IndexEntry { list, object, reference };
                if !owner.uid.is_empty() {
                    add(self.places.entry(owner.uid.clone()).or_default(), place, blocks(owner));
                }
            }
        }
    }
}

/// Adds a dependent; if an object has several references to the owner, the one that blocks stays.
fn add(known: &mut Vec<IndexEntry>, place: IndexEntry, blocks: bool) {
    match known.last_mut().filter(|last| (last.list, last.object) == (place.list, place.object)) {
        Some(last) if blocks => *last = place,
        Some(_) => {}
        None => known.push(place),
    }
}

impl<'s> Dependents<'_, 's> {
    /// The dependents of `owner`, in the order of discovery.
    #[must_use]
    pub fn of(&self, owner: &Object) -> Vec<Dependent<'s>> {
        let places = self.owned.places.get(owner.uid()).map_or(&[][..], Vec::as_slice);
        // The dependents of one kind are adjacent: its list is looked up once.
        let of_a_kind = places.chunk_by(|one, next| one.list == next.list);
        let dependents = of_a_kind.flat_map(|places| {
            let (resource, objects) = self.list(places[0].list);
            places.iter().map(move |place| {
                let object = &objects[place.object];
                let reference = &object.metadata.owner_references[place.reference];
                Dependent { seen: Seen { resource, object }, reference }
            })
        });
        dependents.collect()
    }

    /// The kinds that could not be listed.
    #[must_use]
    pub fn unread(&self) -> Vec<(&'s Resource, &'s Unread)> {
        self.facts.unread(&self.owned.unread, self.namespace, self.form)
    }

    /// Whether every kind could be listed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.owned.unread.is_empty()
    }

    fn list(&self, list: usize) -> List<'s> {
        self.facts.list_of(self.owned.kinds[list], self.namespace, self.form)
    }

    /// The dependents of `owner` that its foreground deletion waits for.
    #[must_use]
    pub fn blocking(&self, owner: &Object) -> Vec<Dependent<'s>> {
        self.of(owner).into_iter().filter(Dependent::blocks).collect()
    }
}

impl Dependent<'_> {
    /// Whether the foreground deletion of the owner waits for it.
    #[must_use]
    pub fn blocks(&self) -> bool {
        blocks(self.reference)
    }
}

/// Whether the foreground deletion of the owner waits for the object with this reference.
#[must_use]
pub fn blocks(reference: &OwnerReference) -> bool {
    reference.block_owner_deletion == Some(true)
}

/// Whether the garbage collector watches the objects of a resource: those that can be listed,
/// watched and deleted, except events (kubernetes/kubernetes:
/// `pkg/controller/garbagecollector/garbagecollector.go`, `GetDeletableResources`).
#[must_use]
pub fn is_watched(resource: &Resource) -> bool {
    ["list", "watch", "delete"].iter().all(|verb| resource.can(verb)) && !is_event(resource)
}

/// Collects the objects below `owner`: `under` returns the objects directly below an object, and `goes`
/// decides, by the uids collected so far, whether an object is collected.
pub(crate) fn all_below<'s>(
    owner: Seen<'s>,
    under: impl Fn(Seen<'s>) -> Vec<Seen<'s>>,
    goes: impl Fn(Seen<'s>, &HashSet<&str>) -> bool,
) -> Vec<Seen<'s>> {
    let mut known: HashSet<&str> = [owner.object.uid()].into();
    let (mut found, mut next) = (Vec::new(), vec![owner]);
    while let Some(owner) = next.pop() {
        for seen in under(owner) {
            if goes(seen, &known) && known.insert(seen.object.uid()) {
                found.push(seen);
                next.push(seen);
            }
        }
    }
    found
}

/// Whether an object is deleted together with the known ones, because it has no other owner.
pub(crate) fn goes_with(seen: Seen<'_>, known: &HashSet<&str>) -> bool {
    seen.object.metadata.owner_references.iter().all(|owner| known.contains(owner.uid.as_str()))
}

/// Whether a reference with the uid of `owner` also has its name and kind. If not, the garbage
/// collector looks for the object named in the reference, does not find it, and considers the
/// owner gone; the owner still waits for the dependent.
#[must_use]
pub fn refers_rightly(reference: &OwnerReference, owner: Seen<'_>) -> bool {
    let group = reference.api_version.split_once('/').map_or("", |(group, _)| group);
    reference.name == owner.object.name() && reference.kind == owner.resource.kind && group == owner.resource.id.group
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{InMemory, Want};
    use serde_json::json;

    fn resource(verbs: &[&str]) -> Resource {
        let verbs = verbs.iter().map(ToString::to_string).collect();
        Resource { verbs, ..Resource::tested("", "configmaps", "ConfigMap", true) }
    }

    fn owned(name: &str, owners: &[(&str, Option<bool>)]) -> Object {
        let owners: Vec<_> = owners
            .iter()
            .map(|(uid, block)| {
                json!({"apiVersion": "v1", "kind": "ConfigMap", "name": "o", "uid": uid, "blockOwnerDeletion": block})
            })
            .collect();
        serde_json::from_value(json!({"metadata": {"name": name, "uid": name, "ownerReferences": owners}})).unwrap()
    }

    #[test]
    fn absurd_references_are_indexed_once_each() {
        let kind = resource(&["list", "watch", "delete"]);
        let many: Vec<(String, Option<bool>)> = (0..5000).map(|n| (format!("u{n}"), None)).collect();
        let many: Vec<(&str, Option<bool>)> = many.iter().map(|(uid, block)| (uid.as_str(), *block)).collect();
        let objects = [
            owned("thousands", &many),
            owned("twice", &[("u1", None), ("u1", Some(true)), ("u1", Some(false))]),
            owned("self", &[("self", Some(true))]),
            owned("empty", &[("", Some(true))]),
        ];
        let mut cluster = InMemory::holding("2026-01-01T00:00:00Z", [kind.clone()], []);
        for object in &objects {
            cluster.add(&kind.id, object.clone());
        }
        let survey = cluster.read([Want::list(&kind.id, None, Form::Owned)]);
        let facts = Facts::new(&survey);
        let index = facts.dependents_anywhere().unwrap();
        let owner: Object = serde_json::from_value(json!({"metadata": {"name": "o", "uid": "u1"}})).unwrap();
        let found = index.of(&owner);
        let names: Vec<&str> = found.iter().map(|dependent| dependent.seen.object.name()).collect();
        assert_eq!(names, ["thousands", "twice"]);
        assert_eq!(index.blocking(&owner).len(), 1);
        assert_eq!(index.blocking(&objects[2]).len(), 1);
        let nobody: Object = serde_json::from_value(json!({"metadata": {"name": "n"}})).unwrap();
        assert!(index.of(&nobody).is_empty(), "an empty uid owns nothing");
    }

    #[test]
    fn the_garbage_collector_sees_only_watchable_kinds() {
        assert!(is_watched(&resource(&["list", "watch", "delete"])));
        assert!(!is_watched(&resource(&["list", "delete"])));
    }
}
