//! The graph of needs: their dependencies, their states, and the roots among the broken
//! ones.

use super::parts::parts;
use crate::report::{Need, NeedState, Ref, Verb};
use indexmap::IndexSet;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Needs, each with the needs that it depends on. Equal needs are one node.
#[derive(Debug, Default)]
pub struct Graph {
    needs: IndexSet<Need>,
    rests_on: Vec<Vec<usize>>,
    /// Other dependencies of each need, which decide no root.
    leads_to: Vec<Vec<usize>>,
    /// Whether a finding calls each need broken: only these may be roots.
    broken: Vec<bool>,
    /// Whether others depend on each need.
    rested_on: Vec<bool>,
    /// The state of each need that was read itself; that of the others follows from their dependencies.
    read: Vec<Option<NeedState>>,
    /// The needs that depend on an accepted request, with its object. Most often nothing is
    /// refused.
    accepted: Vec<(usize, Verb, Ref)>,
    refused: BTreeSet<Verb>,
}

impl Graph {
    /// Adds that `need` is not met, and not under way.
    pub fn breaks(&mut self, need: Need) {
        let place = self.place(need);
        self.broken[place] = true;
    }

    /// Adds `need`, about which nothing else may be known.
    pub fn mentions(&mut self, need: Need) {
        self.place(need);
    }

    /// Adds the state of `need` itself, as far as it can be seen. It decides no root.
    pub fn shows(&mut self, need: Need, state: NeedState) {
        let place = self.place(need);
        self.read[place] = self.read[place].max(Some(state));
    }

    /// Adds that `need` is met only after `on`.
    pub fn rests(&mut self, need: Need, on: Need) {
        let (place, on) = (self.place(need), self.place(on));
        if place != on && self.rests_on[place].last() != Some(&on) {
            self.rests_on[place].push(on);
            self.rested_on[on] = true;
        }
    }

    /// Adds that `need` is met only after `verb` was accepted for the object.
    pub fn rests_on_acceptance(&mut self, need: Need, verb: Verb, object: &Ref) {
        let place = self.place(need);
        self.accepted.push((place, verb, object.clone()));
    }

    /// Adds that `verb` is refused for some object. Only for such verbs does it matter whether they are accepted.
    pub fn refuses(&mut self, verb: Verb) {
        self.refused.insert(verb);
    }

    /// Adds the dependencies on accepted requests, once all refusals are known.
    pub fn complete(&mut self) {
        let mut first: HashMap<usize, Vec<usize>> = HashMap::new();
        for (place, verb, object) in std::mem::take(&mut self.accepted) {
            if self.refused.contains(&verb) {
                let on = self.place(Need::Accepted(verb, object));
                self.rested_on[on] = true;
                first.entry(place).or_default().push(on);
            }
        }
        // These come before all other dependencies.
        for (place, mut on) in first {
            on.append(&mut self.rests_on[place]);
            self.rests_on[place] = on;
        }
    }

    /// Adds that `need` is met only after `on`, if the finding about `need` has judged that itself: it decides no
    /// root.
    pub fn leads(&mut self, need: Need, on: Need) {
        let (place, on) = (self.place(need), self.place(on));
        if place != on {
            self.leads_to[place].push(on);
            self.rested_on[on] = true;
        }
    }

    /// Records that, in a ring, `need` is met only after `on`. A ring is a cause of its own, so this does not count as
    /// a need that depends on `on`.
    pub fn turns(&mut self, need: Need, on: Need) {
        let (place, on) = (self.place(need), self.place(on));
        self.leads_to[place].push(on);
    }

    /// The needs that lead back to themselves, each with the number of its ring, and how many rings there are.
    #[must_use]
    pub fn rings(&self) -> (HashMap<&Need, usize>, usize) {
        let parts = parts(&self.rests_on);
        let rings: Vec<&[usize]> = parts.iter().filter(|part| part.len() > 1).collect();
        let mut ring_of = vec![None; self.broken.len()];
        for (number, places) in rings.iter().enumerate() {
            for place in *places {
                ring_of[*place] = Some(number);
            }
        }
        let places = self.needs.iter().zip(ring_of).filter_map(|(need, ring)| Some((need, ring?)));
        (places.collect(), rings.len())
    }

    /// Whether another need depends on `need`.
    #[must_use]
    pub fn is_rested_on(&self, need: &Need) -> bool {
        self.needs.get_index_of(need).is_some_and(|place| self.rested_on[place])
    }

    /// The consequences of the present needs. Takes linear time in the number of needs and their
    /// dependencies.
    #[must_use]
    pub fn settled(&self) -> Settled<'_> {
        let parts = parts(&self.rests_on);
        let count = self.broken.len();
        let (mut part_of, mut is_broken) = (vec![0; count], vec![false; parts.len()]);
        for (number, part) in parts.iter().enumerate() {
            for place in part {
                part_of[*place] = number;
            }
            is_broken[number] = part.iter().any(|place| self.broken[*place]);
        }
        let (mut follows, mut states) = (vec![false; count], vec![NeedState::Underway; count]);
        let mut waits = vec![false; count];
        // The dependencies of a part are settled before it. In a ring, no need is below another.
        for (number, part) in parts.iter().enumerate() {
            let out = || part.iter().flat_map(|place| &self.rests_on[*place]).filter(|on| part_of[**on] != number);
            let below = out().any(|on| is_broken[part_of[*on]] || follows[*on]);
            let worst = out().map(|on| states[*on]).chain(part.iter().filter_map(|place| self.own(*place))).max();
            // A need about which nothing was read is unknown.
            let worst = worst.unwrap_or(NeedState::Unknown).max(NeedState::Underway);
            let on_its_way = |on: &usize| waits[*on] || self.own(*on) == Some(NeedState::Underway);
            let only_waits = out().any(on_its_way);
            for place in part {
                waits[*place] = only_waits;
                follows[*place] = below || (is_broken[number] && !self.broken[*place]);
                states[*place] = self.own(*place).unwrap_or(worst);
            }
        }
        Settled { graph: self, follows, waits, states }
    }

    /// The state of a need according to a finding or the need itself.
    fn own(&self, place: usize) -> Option<NeedState> {
        if self.broken[place] { Some(NeedState::Broken) } else { self.read[place] }
    }

    /// All needs that one leads to, by index.
    fn below(&self, place: usize) -> impl DoubleEndedIterator<Item = usize> {
        self.rests_on[place].iter().chain(&self.leads_to[place]).copied()
    }

    fn place(&mut self, need: Need) -> usize {
        let (place, is_new) = self.needs.insert_full(need);
        if is_new {
            self.rests_on.push(Vec::new());
            self.leads_to.push(Vec::new());
            self.broken.push(false);
            self.rested_on.push(false);
            self.read.push(None);
        }
        place
    }
}

/// A graph with the needs that depend on a broken one, and the state of each.
#[derive(Debug)]
pub struct Settled<'g> {
    graph: &'g Graph,
    follows: Vec<bool>,
    waits: Vec<bool>,
    states: Vec<NeedState>,
}

impl<'g> Settled<'g> {
    /// Whether `need` depends on a broken need, directly or over others: then its own repair would not meet
    /// it.
    #[must_use]
    pub fn follows(&self, need: &Need) -> bool {
        self.place(need).is_some_and(|place| self.follows[place])
    }

    /// Whether `need` depends on one that is under way, directly or over others.
    #[must_use]
    pub fn waits(&self, need: &Need) -> bool {
        self.place(need).is_some_and(|place| self.waits[place])
    }

    /// Whether `need` is broken.
    #[must_use]
    pub fn is_broken(&self, need: &Need) -> bool {
        self.place(need).is_some_and(|place| self.graph.broken[place])
    }

    /// The needs that `tops` depend on, directly or over others that `leads_on`.
    pub fn below(&self, tops: &[Need], leads_on: impl Fn(&Need) -> bool) -> Reached<'g> {
        let mut next: Vec<usize> = tops.iter().filter_map(|top| self.place(top)).collect();
        let mut reached = vec![false; self.states.len()];
        while let Some(place) = next.pop() {
            if !std::mem::replace(&mut reached[place], true) && leads_on(&self.graph.needs[place]) {
                next.extend(self.graph.below(place));
            }
        }
        Reached { graph: self.graph, reached }
    }

    /// The index of a need.
    #[must_use]
    pub fn place(&self, need: &Need) -> Option<usize> {
        self.graph.needs.get_index_of(need)
    }

    /// The indices of these needs.
    #[must_use]
    pub fn places(&self, needs: &[Need]) -> HashSet<usize> {
        needs.iter().filter_map(|need| self.place(need)).collect()
    }

    /// Whether `need` depends on anything except `others`.
    #[must_use]
    pub fn rests_on_more_than(&self, need: &Need, others: &HashSet<usize>) -> bool {
        let Some(place) = self.place(need) else { return false };
        self.graph.rests_on[place].iter().any(|on| !others.contains(on))
    }

    /// How many needs there are; their indices begin with 0.
    #[must_use]
    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// The need with an index, and its state.
    #[must_use]
    pub fn at(&self, place: usize) -> (&'g Need, NeedState) {
        (&self.graph.needs[place], self.states[place])
    }

    /// The indices of the dependencies of the need with index `place`.
    #[must_use]
    pub fn rests_on(&self, place: usize) -> impl DoubleEndedIterator<Item = usize> {
        self.graph.below(place)
    }
}

/// Some of the needs of a graph.
#[derive(Debug)]
pub struct Reached<'g> {
    graph: &'g Graph,
    /// Whether each is among them, by index.
    reached: Vec<bool>,
}

impl Reached<'_> {
    /// Whether `need` is among them.
    #[must_use]
    pub fn contains(&self, need: &Need) -> bool {
        self.graph.needs.get_index_of(need).is_some_and(|place| self.reached[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::report::{Named, Ref};
    use std::collections::BTreeSet;

    /// Needs by number: the broken ones, and the dependencies.
    #[derive(Clone, Default)]
    struct NumberedNeeds {
        needs: usize,
        broken: BTreeSet<usize>,
        edges: Vec<(usize, usize)>,
    }

    fn need(number: usize) -> Need {
        Need::Deleted(Ref::from(Named { kind: "Pod".into(), name: number.to_string(), ..Named::default() }))
    }

    /// Whether `need` is broken and depends on no other that is.
    fn is_root(settled: &Settled<'_>, need: &Need) -> bool {
        settled.is_broken(need) && !settled.follows(need)
    }

    impl NumberedNeeds {
        fn random(random: &mut Random) -> Self {
            let needs = 1 + random.below(12);
            let broken = (0..needs).filter(|_| random.below(3) == 0).collect();
            let edges = (0..random.below(24)).map(|_| (random.below(needs), random.below(needs))).collect();
            Self { needs, broken, edges }
        }

        fn graph(&self) -> Graph {
            let mut graph = Graph::default();
            self.edges.iter().for_each(|(from, on)| graph.rests(need(*from), need(*on)));
            self.broken.iter().for_each(|number| graph.breaks(need(*number)));
            graph
        }

        fn roots(&self) -> BTreeSet<usize> {
            let graph = self.graph();
            let settled = graph.settled();
            (0..self.needs).filter(|number| is_root(&settled, &need(*number))).collect()
        }

        fn reaches(&self, from: usize, to: usize) -> bool {
            let (mut known, mut next) = (BTreeSet::new(), vec![from]);
            while let Some(node) = next.pop() {
                let on = self.edges.iter().filter(|(from, _)| *from == node).map(|(_, on)| *on);
                next.extend(on.filter(|on| known.insert(*on)));
            }
            known.contains(&to)
        }
    }

    fn cases() -> impl Iterator<Item = NumberedNeeds> {
        let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
        (0..2000).map(move |_| NumberedNeeds::random(&mut random))
    }

    #[test]
    fn roots_are_broken_needs_with_nothing_broken_below() {
        for case in cases() {
            let sink = |number: &usize| {
                let below = |other: &&usize| case.reaches(*number, **other) && !case.reaches(**other, *number);
                !case.broken.iter().any(|other| below(&other))
            };
            let sinks: BTreeSet<usize> = case.broken.iter().copied().filter(sink).collect();
            assert_eq!(case.roots(), sinks, "{:?} {:?}", case.broken, case.edges);
        }
    }

    #[test]
    fn the_rings_are_the_needs_that_reach_themselves() {
        for case in cases() {
            let graph = case.graph();
            let (ring_of, _) = graph.rings();
            for (a, b) in (0..case.needs).flat_map(|a| (0..case.needs).map(move |b| (a, b))).filter(|(a, b)| a != b) {
                let together = case.reaches(a, b) && case.reaches(b, a);
                let ring = |number: usize| ring_of.get(&need(number));
                assert_eq!(ring(a).is_some() && ring(a) == ring(b), together, "{a} {b} {:?}", case.edges);
            }
        }
    }

    #[test]
    fn a_healthy_need_changes_no_root() {
        for mut case in cases() {
            let before = case.roots();
            let new = case.needs;
            case.needs += 1;
            case.edges.extend((0..new).map(|number| (number, new)));
            assert_eq!(case.roots(), before);
        }
    }

    #[test]
    fn an_isolated_broken_need_adds_exactly_one_root() {
        for mut case in cases() {
            let mut expected = case.roots();
            let new = case.needs;
            case.needs += 1;
            case.broken.insert(new);
            expected.insert(new);
            assert_eq!(case.roots(), expected);
        }
    }

    #[test]
    fn roots_do_not_depend_on_the_order_of_edges() {
        for mut case in cases() {
            let before = case.roots();
            case.edges.reverse();
            assert_eq!(case.roots(), before);
        }
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_has_one_root() {
        let mut graph = Graph::default();
        for number in 0..100_000 {
            graph.rests(need(number), need(number + 1));
            graph.breaks(need(number));
        }
        graph.breaks(need(100_000));
        let settled = graph.settled();
        assert_eq!((0..=100_000).filter(|number| is_root(&settled, &need(*number))).collect::<Vec<_>>(), [100_000]);
    }
}
