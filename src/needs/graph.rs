//! The graph of needs: which rests on which, and which of the broken ones are the roots.

use super::parts;
use crate::report::Need;
use std::collections::HashMap;

/// Needs, each with the needs that it rests on. Equal needs are one node.
#[derive(Debug, Default)]
pub struct Graph {
    places: HashMap<Need, usize>,
    rests_on: Vec<Vec<usize>>,
    broken: Vec<bool>,
}

impl Graph {
    /// Puts on record that `need` is not met, and not on its way.
    pub fn breaks(&mut self, need: Need) {
        let place = self.place(need);
        self.broken[place] = true;
    }

    /// Puts on record that `need` is met only after `on`.
    pub fn rests(&mut self, need: Need, on: Need) {
        let (place, on) = (self.place(need), self.place(on));
        self.rests_on[place].push(on);
    }

    /// Whether nothing rests on anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// What follows from the needs as they are on record now. Takes time in the number of
    /// needs and of what they rest on.
    #[must_use]
    pub fn settled(&self) -> Settled<'_> {
        let parts = parts(&self.rests_on);
        let (mut part_of, mut is_broken) = (vec![0; self.broken.len()], vec![false; parts.len()]);
        for (number, part) in parts.iter().enumerate() {
            for place in part {
                part_of[*place] = number;
            }
            is_broken[number] = part.iter().any(|place| self.broken[*place]);
        }
        let mut follows = vec![false; self.broken.len()];
        // What a part leads to is settled before it. In a ring no need is below another.
        for (number, part) in parts.iter().enumerate() {
            let mut leads_out =
                part.iter().flat_map(|place| &self.rests_on[*place]).filter(|on| part_of[**on] != number);
            let below = leads_out.any(|on| is_broken[part_of[*on]] || follows[*on]);
            for place in part {
                follows[*place] = below || (is_broken[number] && !self.broken[*place]);
            }
        }
        Settled { graph: self, follows }
    }

    fn place(&mut self, need: Need) -> usize {
        let next = self.broken.len();
        let place = *self.places.entry(need).or_insert(next);
        if place == next {
            self.rests_on.push(Vec::new());
            self.broken.push(false);
        }
        place
    }
}

/// A graph, and which of its needs rest on a broken one.
#[derive(Debug)]
pub struct Settled<'g> {
    graph: &'g Graph,
    follows: Vec<bool>,
}

impl Settled<'_> {
    /// Whether `need` rests on a broken need, directly or over others: then its own
    /// repair would not meet it.
    #[must_use]
    pub fn follows(&self, need: &Need) -> bool {
        self.graph.places.get(need).is_some_and(|place| self.follows[*place])
    }

    /// Whether `need` is broken.
    #[must_use]
    pub fn is_broken(&self, need: &Need) -> bool {
        self.graph.places.get(need).is_some_and(|place| self.graph.broken[*place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Ref;
    use std::collections::BTreeSet;

    /// Random numbers that are the same in every run (Marsaglia's xorshift).
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            usize::try_from(self.0 % limit as u64).unwrap()
        }
    }

    /// Needs by number: which are broken, and which rest on which.
    #[derive(Clone, Default)]
    struct Case {
        needs: usize,
        broken: BTreeSet<usize>,
        edges: Vec<(usize, usize)>,
    }

    fn need(number: usize) -> Need {
        Need::Deleted(Ref { kind: "Pod".into(), name: number.to_string(), ..Ref::default() })
    }

    /// Whether `need` is broken and rests on nothing else that is.
    fn is_root(settled: &Settled<'_>, need: &Need) -> bool {
        settled.is_broken(need) && !settled.follows(need)
    }

    impl Case {
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

    fn cases() -> impl Iterator<Item = Case> {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        (0..2000).map(move |_| Case::random(&mut random))
    }

    #[test]
    fn roots_are_the_broken_needs_below_which_nothing_else_is_broken() {
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
    fn a_broken_need_that_nothing_rests_on_is_a_root_more_and_no_other() {
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
    fn the_order_in_which_it_is_put_on_record_does_not_matter() {
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
