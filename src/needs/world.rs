//! The world after a deletion that nobody has asked for yet.

use crate::facts::{Known, is_namespace};
use crate::report::Ref;
use crate::survey::{Cascade, Seen};
use std::collections::BTreeSet;

/// What goes with the targets.
#[derive(Debug)]
pub struct Going<'s> {
    /// The namespaces among them.
    pub(crate) namespaces: BTreeSet<&'s str>,
    /// The uids of all.
    pub(crate) uids: BTreeSet<&'s str>,
    /// The namespaces and names of the Services among them.
    pub(crate) services: BTreeSet<(&'s str, &'s str)>,
    /// How dependents are dealt with.
    pub(crate) cascade: Cascade,
    /// Whether they are deleted as one, in an order that is made for all of them.
    pub(crate) as_one: bool,
}

impl<'s> Going<'s> {
    /// That these go, and nothing else.
    pub(crate) fn of_objects(objects: impl Iterator<Item = Seen<'s>>) -> Self {
        let mut going = Self {
            namespaces: BTreeSet::new(),
            uids: BTreeSet::new(),
            services: BTreeSet::new(),
            cascade: Cascade::Background,
            as_one: false,
        };
        objects.for_each(|seen| going.add(seen));
        going
    }

    /// This one goes, too.
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

    /// Whether what answers behind a Service goes: with the Service or with its namespace.
    #[must_use]
    pub fn serves(&self, namespace: &str, service: &str) -> bool {
        self.holds(Some(namespace)) || self.services.contains(&(namespace, service))
    }

    /// `namespace shop`, or `Service shop/hook`: with what it goes.
    #[must_use]
    pub fn place(&self, namespace: &str, service: &str) -> String {
        if self.holds(Some(namespace)) {
            format!("namespace {namespace}")
        } else {
            format!("Service {namespace}/{service}")
        }
    }

    /// Whether what lives in this namespace goes.
    #[must_use]
    pub fn holds(&self, namespace: Option<&str>) -> bool {
        namespace.is_some_and(|namespace| self.namespaces.contains(namespace))
    }

    /// Whether an object goes: by itself or with its namespace.
    #[must_use]
    pub fn takes(&self, object: &Ref) -> bool {
        self.holds(object.namespace.as_deref()) || (!object.uid.is_empty() && self.uids.contains(object.uid.as_str()))
    }
}

/// An object that has a part in the deletion of a target, and is no part of the target.
#[derive(Debug, Clone, Copy)]
pub struct Further<'s> {
    /// The object.
    pub(crate) seen: Seen<'s>,
    /// Its part.
    pub(crate) relation: Relation,
}

/// The part of an object in the deletion of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Its owner goes, or the target's controller deletes what the target lists as its own.
    GoesWith,
    /// The target's controller waits until nothing uses the target, and nobody deletes this.
    Uses,
}

impl Relation {
    /// What a line says behind the name of one object or of several.
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

/// The world after all targets were deleted, as one of them meets it.
#[derive(Debug, Clone, Copy)]
pub struct World<'w> {
    /// What goes with the targets.
    pub(crate) going: &'w Going<'w>,
    content: &'w Known<Vec<Seen<'w>>>,
    further: &'w Known<Vec<Further<'w>>>,
}

impl<'w> World<'w> {
    /// The world without all that `going` says; `content` goes with the target that meets it, and
    /// `further` has a part in that.
    #[must_use]
    pub fn new(going: &'w Going<'w>, content: &'w Known<Vec<Seen<'w>>>, further: &'w Known<Vec<Further<'w>>>) -> Self {
        Self { going, content, further }
    }

    /// What is no part of the target, and goes with it or uses it.
    ///
    /// # Errors
    /// When it was not surveyed yet.
    pub fn further(&self) -> Known<&'w [Further<'w>]> {
        self.further.as_deref().map_err(Clone::clone)
    }

    /// Whether an object goes: by itself, with its namespace, or because the target goes.
    #[must_use]
    pub fn takes(&self, object: &Ref) -> bool {
        let follows =
            |further: &Further<'_>| further.relation == Relation::GoesWith && further.seen.object.uid() == object.uid;
        self.going.takes(object) || self.further.as_ref().is_ok_and(|further| further.iter().any(follows))
    }

    /// What goes with the target: what is in a namespace, the instances of a definition; in
    /// the foreground, the dependents that go first.
    ///
    /// # Errors
    /// When it was not surveyed yet or cannot be read.
    pub fn content(&self) -> Known<&'w [Seen<'w>]> {
        self.content.as_deref().map_err(Clone::clone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    #[test]
    fn what_goes_is_known_by_its_uid_or_its_namespace() {
        let going = Going {
            namespaces: ["shop"].into(),
            uids: ["u1", ""].into(),
            services: [].into(),
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
