//! The world after a deletion that is not requested yet.

#![expect(clippy::missing_errors_doc, reason = "`Known` says when it fails")]

use crate::facts::{Facts, Known, is_namespace};
use crate::plan::deletion::{self, Circumstance};
use crate::report::{Ref, Risk};
use crate::survey::{Cascade, Seen};
use std::collections::BTreeSet;

/// The objects that are deleted with the targets.
#[derive(Debug, Default)]
pub struct Going<'s> {
    /// The namespaces among them.
    pub(crate) namespaces: BTreeSet<&'s str>,
    /// The uids of all.
    pub(crate) uids: BTreeSet<&'s str>,
    /// The namespaces and names of the Services among them.
    pub(crate) services: BTreeSet<(&'s str, &'s str)>,
    /// The uids of those that an installer has created, and creates again from its own sources.
    pub(crate) made: BTreeSet<&'s str>,
    /// The propagation policy for dependents.
    pub(crate) cascade: Cascade,
    /// Whether they are deleted together, in a common order.
    pub(crate) as_one: bool,
}

impl<'s> Going<'s> {
    /// A deletion of these objects only.
    pub(crate) fn of_objects(objects: impl Iterator<Item = Seen<'s>>) -> Self {
        let mut going = Self::default();
        objects.for_each(|seen| going.add(seen));
        going
    }

    /// Adds an object.
    pub(crate) fn add(&mut self, seen: Seen<'s>) {
        let (name, id) = (seen.object.name(), &seen.resource.id);
        self.uids.insert(seen.object.uid());
        if is_namespace(seen.resource) {
            self.namespaces.insert(name);
        }
        if let Some(namespace) = seen.object.metadata.namespace.as_deref()
            && id.group.is_empty()
            && id.plural == "services"
        {
            self.services.insert((namespace, name));
        }
    }

    /// Whether the backend of a Service is deleted: with the Service or with its namespace.
    #[must_use]
    pub fn serves(&self, namespace: &str, service: &str) -> bool {
        self.holds(Some(namespace)) || self.services.contains(&(namespace, service))
    }

    /// The object with which the backend is deleted: `namespace shop`, or `Service shop/hook`.
    #[must_use]
    pub fn place(&self, namespace: &str, service: &str) -> String {
        if self.holds(Some(namespace)) {
            format!("namespace {namespace}")
        } else {
            format!("Service {namespace}/{service}")
        }
    }

    /// Whether everything in this namespace is deleted.
    #[must_use]
    pub fn holds(&self, namespace: Option<&str>) -> bool {
        namespace.is_some_and(|namespace| self.namespaces.contains(namespace))
    }

    /// Whether an object is deleted: by itself or with its namespace.
    #[must_use]
    pub fn takes(&self, object: &Ref) -> bool {
        self.holds(object.namespace.as_deref()) || (!object.uid.is_empty() && self.uids.contains(object.uid.as_str()))
    }
}

/// An object that affects the deletion of a target without being part of it.
#[derive(Debug, Clone, Copy)]
pub struct Further<'s> {
    /// The object.
    pub(crate) seen: Seen<'s>,
    /// Its relation to the deletion.
    pub(crate) relation: Relation,
}

/// The relation of an object to another's deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Its owner is deleted, or the target's controller deletes the objects in the target's inventory.
    GoesWith,
    /// The target's controller waits until the target has no users, and this one is not being deleted.
    Uses,
}

impl Relation {
    /// The words in a line after the name of one object or of several.
    #[must_use]
    pub fn words(self, is_one: bool) -> &'static str {
        match (self, is_one) {
            (Self::GoesWith, true) => ", which is deleted with it,",
            (Self::GoesWith, false) => ", which are deleted with it,",
            (Self::Uses, true) => ", which uses it,",
            (Self::Uses, false) => ", which use it,",
        }
    }
}

/// The world after the deletion of all targets, as one of them sees it.
#[derive(Debug, Clone, Copy)]
pub struct World<'w> {
    /// The objects that are deleted with the targets.
    pub(crate) going: &'w Going<'w>,
    content: &'w Known<Vec<Seen<'w>>>,
    further: &'w Known<Vec<Further<'w>>>,
}

impl<'w> World<'w> {
    /// The world without the objects in `going`; `content` is deleted with the target in question, and `further`
    /// affects its deletion.
    #[must_use]
    pub fn new(going: &'w Going<'w>, content: &'w Known<Vec<Seen<'w>>>, further: &'w Known<Vec<Further<'w>>>) -> Self {
        Self { going, content, further }
    }

    /// The objects that are no part of the target, and are deleted with it or use it.
    pub fn further(&self) -> Known<&'w [Further<'w>]> {
        self.further.as_deref().map_err(Clone::clone)
    }

    /// Whether an object is deleted: by itself, with its namespace, or because of the target.
    #[must_use]
    pub fn takes(&self, object: &Ref) -> bool {
        let follows =
            |further: &Further<'_>| further.relation == Relation::GoesWith && further.seen.object.uid() == object.uid;
        self.going.takes(object) || self.further.as_ref().is_ok_and(|further| further.iter().any(follows))
    }

    /// The risk of deleting an object before the targets, and why: the same as that of deleting it as a target.
    #[must_use]
    pub(crate) fn cost(&self, seen: &Seen<'_>, facts: &Facts<'_>) -> (Risk, String) {
        let is_made = self.going.made.contains(seen.object.uid());
        let known = if is_made { Circumstance::Installed } else { Circumstance::Ordinary };
        deletion::cost_with_disk(seen, known, deletion::known_volumes(facts))
    }

    /// The objects that are deleted with the target: the content of a namespace, the instances of a definition,
    /// and in foreground deletion the dependents that must be deleted first.
    pub fn content(&self) -> Known<&'w [Seen<'w>]> {
        self.content.as_deref().map_err(Clone::clone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;
    use crate::survey::{Form, InMemory, Object, Resource, Want};
    use serde_json::json;

    #[test]
    fn an_early_turn_is_rated_as_its_object_is_as_a_target() {
        let claims = Resource::tested("", "persistentvolumeclaims", "PersistentVolumeClaim", true);
        let volumes = Resource::tested("", "persistentvolumes", "PersistentVolume", false);
        let gizmos = Resource::tested("acme.io", "gizmos", "Gizmo", true);
        let volume = json!({"metadata": {"name": "pv", "uid": "v"},
            "spec": {"persistentVolumeReclaimPolicy": "Retain", "claimRef": {"uid": "data"}}});
        let cluster = InMemory::holding("2026-01-01T00:00:00Z", [volumes.clone()], [("persistentvolumes", volume)]);
        let survey = cluster.read([Want::list(&volumes.id, None, Form::Whole)]);
        let facts = Facts::new(&survey);
        let going = Going { made: ["made"].into(), ..Going::default() };
        let (content, further) = (Ok(Vec::new()), Ok(Vec::new()));
        let world = World::new(&going, &content, &further);
        let risk = |resource: &Resource, name: &str| {
            let metadata = json!({"metadata": {"name": name, "namespace": "shop", "uid": name}});
            let object = Object::single(metadata).unwrap();
            world.cost(&Seen { resource, object: &object }, &facts).0
        };
        assert_eq!((risk(&gizmos, "made"), risk(&gizmos, "own")), (Risk::Disruptive, Risk::LosesData));
        assert_eq!((risk(&claims, "data"), risk(&claims, "other")), (Risk::Disruptive, Risk::LosesData));
    }

    #[test]
    fn deleted_objects_are_known_by_uid_or_namespace() {
        let going = Going {
            namespaces: ["shop"].into(),
            uids: ["u1", ""].into(),
            services: [].into(),
            made: [].into(),
            cascade: Cascade::Background,
            as_one: false,
        };
        let object = |namespace: Option<&str>, uid: &str| {
            Ref::from(Named { namespace: namespace.map(Into::into), uid: uid.into(), ..Named::default() })
        };
        assert!(going.takes(&object(Some("shop"), "u9")) && going.takes(&object(None, "u1")));
        assert!(!going.takes(&object(Some("ops"), "u9")));
        assert!(!going.takes(&object(Some("ops"), "")), "of one that was not read nobody knows it");
    }
}
