//! The order of deletions, and its rings, which are found in a graph of needs.

use super::Graph;
use crate::report::{Need, Ref};
use indexmap::IndexSet;
use std::collections::{HashMap, HashSet};

/// An object that is deleted only after another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct After {
    /// The object that waits.
    pub waiting: Ref,
    /// Its finalizer, which is removed after that.
    pub finalizer: String,
    /// The object that is deleted first.
    pub on: Ref,
}

impl After {
    fn released(&self) -> Need {
        Need::Released(self.waiting.clone(), self.finalizer.as_str().into())
    }
}

/// Objects that are each deleted only after the next.
#[derive(Debug, Clone, Default)]
pub struct Ring {
    /// The waits among them.
    pub waits: Vec<After>,
}

impl Ring {
    /// The objects, each once.
    #[must_use]
    pub fn members(&self) -> Vec<&Ref> {
        let mut known = HashSet::new();
        self.waits.iter().map(|wait| &wait.waiting).filter(|object| known.insert(&object.uid)).collect()
    }
}

/// The known order of deletions.
#[derive(Debug, Default)]
pub(crate) struct Order {
    waits: IndexSet<After>,
    rings: Vec<Ring>,
    /// The rings that each object is in, and the finalizers, by uid.
    places: HashMap<String, Vec<(String, usize)>>,
}

impl Order {
    /// Adds waits. Returns the rings in which one of them is new.
    pub(crate) fn add(&mut self, waits: Vec<After>) -> Vec<Ring> {
        let before = self.waits.len();
        self.waits.extend(waits);
        if self.waits.len() == before {
            return Vec::new();
        }
        self.read_off();
        let is_new: HashSet<&After> = self.waits.iter().skip(before).collect();
        self.rings.iter().filter(|ring| ring.waits.iter().any(|wait| is_new.contains(wait))).cloned().collect()
    }

    /// Finds the rings: each wait is in the one that contains both its needs.
    fn read_off(&mut self) {
        let mut graph = Graph::default();
        for wait in &self.waits {
            graph.rests(Need::Deleted(wait.waiting.clone()), wait.released());
            graph.rests(wait.released(), Need::Deleted(wait.on.clone()));
        }
        let (ring_of, count) = graph.rings();
        (self.rings, self.places) = (vec![Ring::default(); count], HashMap::new());
        for wait in &self.waits {
            let ring = ring_of.get(&wait.released());
            let Some(ring) = ring.filter(|_| ring == ring_of.get(&Need::Deleted(wait.on.clone()))) else { continue };
            self.rings[*ring].waits.push(wait.clone());
            self.places.entry(wait.waiting.uid.clone()).or_default().push((wait.finalizer.clone(), *ring));
        }
    }

    fn places(&self, uid: &str) -> &[(String, usize)] {
        self.places.get(uid).map_or(&[], Vec::as_slice)
    }

    /// Whether the controller that removes the finalizer from this object waits in a ring.
    pub(crate) fn is_in_ring(&self, uid: &str, finalizer: &str) -> bool {
        self.places(uid).iter().any(|(key, _)| key == finalizer)
    }

    /// Whether the first object waits for the other in a ring.
    pub(crate) fn waits_in_ring(&self, uid: &str, finalizer: &str, on: &str) -> bool {
        let rings = self.places(uid).iter().filter(|(key, _)| key == finalizer).map(|(_, ring)| ring);
        rings.into_iter().any(|ring| self.places(on).iter().any(|(_, other)| other == ring))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;

    /// Waits from pairs such as `a>b`.
    fn waits(edges: &[(&str, &str)]) -> Vec<After> {
        let object = |name: &str| Ref::from(Named { name: name.into(), uid: name.into(), ..Named::default() });
        let wait = |(a, b): &(&str, &str)| After { waiting: object(a), finalizer: "acme.io/x".into(), on: object(b) };
        edges.iter().map(wait).collect()
    }

    /// The members of each ring, in order.
    fn names(rings: &[Ring]) -> Vec<String> {
        let members = |ring: &Ring| {
            let mut names: Vec<&str> = ring.members().iter().map(|member| member.name.as_str()).collect();
            names.sort_unstable();
            names.concat()
        };
        rings.iter().map(members).collect()
    }

    fn rings_of(edges: &[(&str, &str)]) -> Vec<String> {
        names(&Order::default().add(waits(edges)))
    }

    #[test]
    fn only_cycles_are_rings() {
        assert!(rings_of(&[("a", "b"), ("b", "c")]).is_empty());
        assert_eq!(rings_of(&[("a", "a")]), ["a"]);
        assert_eq!(rings_of(&[("a", "b"), ("b", "a"), ("x", "a")]), ["ab"]);
        assert_eq!(rings_of(&[("a", "b"), ("b", "c"), ("c", "a"), ("d", "e"), ("e", "d")]), ["abc", "de"]);
    }

    #[test]
    fn a_ring_is_reported_once_when_it_closes() {
        let mut order = Order::default();
        assert!(order.add(waits(&[("a", "b"), ("x", "a")])).is_empty());
        assert!(!order.is_in_ring("a", "acme.io/x"));
        assert_eq!(names(&order.add(waits(&[("b", "a")]))), ["ab"]);
        assert!(order.add(waits(&[("b", "a"), ("a", "b")])).is_empty());
        assert!(order.is_in_ring("a", "acme.io/x") && !order.is_in_ring("a", "acme.io/y"));
        assert!(!order.is_in_ring("x", "acme.io/x"));
        assert!(order.waits_in_ring("a", "acme.io/x", "b") && !order.waits_in_ring("x", "acme.io/x", "a"));
    }
}
