//! The order of a set's objects among themselves, while their operators run.
//!
//! An object that manages others is deleted before them, or they would be created again. An object that
//! names others is deleted before these, since its clean-up may need them. Other dependents are deleted
//! before their owners. A ring is cut at the relation whose loss does no harm.

use crate::facts::{Facts, Known, Readable, for_each};
use crate::kubernetes::mentions::users;
use crate::report::{Ref, Turn};
use crate::survey::{Form, ResourceId, Seen};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many kinds are searched.
const MAX_KINDS: usize = 20;
/// How many objects are compared with each other.
const MAX_OBJECTS: usize = 300;

/// The relation of an object to another that is deleted after it. A ring is cut at the relation
/// that comes first here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedes {
    /// The other object is its owner, and does not manage it.
    Owned,
    /// It names the other object.
    Names,
    /// It manages the other object.
    Manages,
}

impl Precedes {
    fn words(self) -> &'static str {
        match self {
            Self::Owned => "which owns it",
            Self::Names => "which it names",
            Self::Manages => "which it manages",
        }
    }
}

/// An object that is deleted before another.
#[derive(Debug, Clone)]
struct PrecedenceEdge {
    before: Ref,
    after: Ref,
    relation: Precedes,
    /// Whether the opposite order does no harm.
    is_safe: bool,
}

/// The order of objects among themselves.
#[derive(Debug, Default)]
pub(super) struct Precedence {
    edges: Vec<PrecedenceEdge>,
    /// Why the order of some objects among themselves is unknown.
    gaps: Vec<String>,
}

impl Precedence {
    /// Reads the references and the owners of these objects. A kind that cannot be read is a gap, and so
    /// are too many kinds or objects.
    pub(super) fn read(objects: &[Ref], facts: &Facts<'_>) -> Known<Self> {
        let mut by_kind: BTreeMap<ResourceId, BTreeSet<&str>> = BTreeMap::new();
        for object in objects {
            by_kind.entry(object.target().resource).or_default().insert(&object.uid);
        }
        if by_kind.len() < 2 {
            return Ok(Self::default());
        }
        if by_kind.len() > MAX_KINDS {
            let gap = format!("{} kinds are too many to look for an order among their objects", by_kind.len());
            return Ok(Self { edges: Vec::new(), gaps: vec![gap] });
        }
        let mut gaps = Vec::new();
        let mut all: Vec<Seen<'_>> = Vec::new();
        for_each(&by_kind, |(id, uids)| {
            let Some(resource) = facts.discovery().resources.iter().find(|resource| resource.id == *id) else {
                return Ok(());
            };
            if let Some(listed) = facts.list(id, None, Form::Whole).if_readable()? {
                let ours = listed.iter().filter(|object| uids.contains(object.uid()));
                all.extend(ours.map(|object| Seen { resource, object }));
            } else {
                gaps.push(format!(
                    "could not read what {} refer to: they may have to be deleted in a certain order",
                    id.short()
                ));
            }
            Ok(())
        })?;
        if all.len() > MAX_OBJECTS {
            gaps.push(format!("{} objects are too many: an order is looked for among {MAX_OBJECTS}", all.len()));
            all.truncate(MAX_OBJECTS);
        }
        let pairs =
            all.iter().enumerate().flat_map(|(place, one)| all[place + 1..].iter().map(move |two| (*one, *two)));
        let of_two_kinds = pairs.filter(|(one, two)| one.resource.id != two.resource.id);
        Ok(Self { edges: of_two_kinds.flat_map(between).collect(), gaps })
    }

    /// Brings turns into this order, and adds the reasons. Turns without an order keep their places. The
    /// first turn says what is unknown.
    pub(super) fn arrange(&self, turns: Vec<Turn>) -> Vec<Turn> {
        let mut place_of: HashMap<&str, usize> = HashMap::new();
        for (place, turn) in turns.iter().enumerate() {
            place_of.extend(turn.steps.iter().map(|step| (step.object.uid.as_str(), place)));
        }
        let mut open: BTreeMap<(usize, usize), Vec<&PrecedenceEdge>> = BTreeMap::new();
        for edge in &self.edges {
            let (before, after) = (place_of.get(edge.before.uid.as_str()), place_of.get(edge.after.uid.as_str()));
            if let (Some(before), Some(after)) = (before, after)
                && before != after
            {
                open.entry((*before, *after)).or_default().push(edge);
            }
        }
        let mut why: Vec<Vec<String>> = vec![Vec::new(); turns.len()];
        let order = sorted(turns.len(), &mut open, &mut why);
        for ((before, _), edges) in &open {
            why[*before].push(format!("before {}, {}", edges[0].after, edges[0].relation.words()));
        }
        let mut turns: Vec<Option<Turn>> = turns.into_iter().map(Some).collect();
        if let (Some(first), true) = (order.first(), turns.len() > 1) {
            why[*first].extend(self.gaps.iter().cloned());
        }
        let said = order.into_iter().filter_map(|place| Some((turns[place].take()?, std::mem::take(&mut why[place]))));
        said.map(|(turn, why)| because(turn, why)).collect()
    }
}

fn because(turn: Turn, more: Vec<String>) -> Turn {
    let own = Some(turn.why.to_string()).filter(|why| !why.is_empty());
    Turn { why: own.into_iter().chain(more).collect::<Vec<_>>().join("; ").into(), ..turn }
}

/// The indices in order. An edge that is cut is removed, with a note on the turn that comes first because
/// of that.
fn sorted(
    count: usize,
    open: &mut BTreeMap<(usize, usize), Vec<&PrecedenceEdge>>,
    why: &mut [Vec<String>],
) -> Vec<usize> {
    let mut left: Vec<usize> = (0..count).collect();
    let mut done = Vec::new();
    while !left.is_empty() {
        let is_free = |place: &usize| !open.keys().any(|(before, after)| after == place && left.contains(before));
        if let Some(free) = left.iter().position(is_free) {
            done.push(left.remove(free));
            continue;
        }
        let in_ring = |(before, after): &(usize, usize)| leads(*after, *before, &left, open);
        let Some(cut) = open
            .iter()
            .filter(|(pair, _)| left.contains(&pair.0) && left.contains(&pair.1) && in_ring(pair))
            .min_by_key(|(_, edges)| edges.iter().map(|edge| (!edge.is_safe, edge.relation)).max())
            .map(|(pair, _)| *pair)
        else {
            done.append(&mut left);
            break;
        };
        let edges = open.remove(&cut).unwrap_or_default();
        why[cut.1].extend(edges.first().map(|edge| cut_in_words(edge)));
    }
    done
}

/// Whether one index comes before another, over any number of others.
fn leads(from: usize, to: usize, left: &[usize], open: &BTreeMap<(usize, usize), Vec<&PrecedenceEdge>>) -> bool {
    let mut known = BTreeSet::from([from]);
    let mut next = vec![from];
    while let Some(place) = next.pop() {
        if place == to {
            return true;
        }
        let after = open.keys().filter(|(before, after)| *before == place && left.contains(after));
        next.extend(after.map(|(_, after)| *after).filter(|after| known.insert(*after)));
    }
    false
}

fn cut_in_words(edge: &PrecedenceEdge) -> String {
    let PrecedenceEdge { before, after, relation, is_safe } = edge;
    let end = match (is_safe, relation) {
        (true, Precedes::Owned) => format!("that is safe, because the garbage collector deletes {before} afterwards"),
        (true, _) => format!("that is safe, because {before} has no finalizer and needs no clean-up"),
        (false, Precedes::Manages) => format!("{before} may create it again"),
        (false, _) => format!("the clean-up of {before} may need it"),
    };
    format!("{after} and {before} form a ring, which this order breaks: {end}")
}

/// The relations between two objects of different kinds.
fn between((one, two): (Seen<'_>, Seen<'_>)) -> Vec<PrecedenceEdge> {
    let owns = |owner: Seen<'_>, seen: Seen<'_>| {
        let mut all = seen.object.metadata.owner_references.iter();
        all.find(|reference| reference.uid == owner.object.uid()).map(|reference| reference.controller == Some(true))
    };
    let edge = |before: Seen<'_>, after: Seen<'_>, relation: Precedes| {
        let is_safe = match relation {
            Precedes::Owned => true,
            Precedes::Names => before.object.metadata.finalizers.is_empty(),
            Precedes::Manages => false,
        };
        PrecedenceEdge { before: before.into(), after: after.into(), relation, is_safe }
    };
    for (owner, seen) in [(one, two), (two, one)] {
        match owns(owner, seen) {
            Some(true) => return vec![edge(owner, seen, Precedes::Manages)],
            Some(false) if !users::names_it(owner, seen) => return vec![edge(seen, owner, Precedes::Owned)],
            Some(false) => return vec![edge(owner, seen, Precedes::Names)],
            None => {}
        }
    }
    let named = [(one, two), (two, one)].into_iter().filter(|(user, used)| users::names_it(*user, *used));
    named.map(|(user, used)| edge(user, used, Precedes::Names)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Risk;
    use crate::survey::{Object, Resource};
    use serde_json::{Value, json};

    fn resource(kind: &str) -> Resource {
        Resource {
            id: ResourceId::new("acme.io", "v1", format!("{}s", kind.to_lowercase()).as_str()),
            kind: kind.into(),
            namespaced: true,
            singular: String::new(),
            short_names: Vec::new(),
            verbs: Vec::new(),
        }
    }

    fn object(name: &str, finalizers: &[&str], owner: &Value, spec: &Value) -> Object {
        let metadata = json!({"name": name, "namespace": "shop", "uid": name, "finalizers": finalizers,
            "ownerReferences": owner});
        serde_json::from_value(json!({"metadata": metadata, "spec": spec})).unwrap()
    }

    fn disruptive(_: &Seen<'_>) -> (Risk, String) {
        (Risk::Disruptive, String::new())
    }

    /// The names in order, and the reason.
    fn arranged(all: &[(&Resource, &Object)]) -> (Vec<String>, String) {
        let all: Vec<Seen<'_>> = all.iter().map(|(resource, object)| Seen { resource, object }).collect();
        let pairs = all.iter().enumerate().flat_map(|(place, one)| all[place + 1..].iter().map(|two| (*one, *two)));
        let precedence = Precedence { edges: pairs.flat_map(between).collect(), gaps: Vec::new() };
        let turn = |seen: &Seen<'_>| Turn::objects(&[*seen], false, "now".into(), disruptive);
        let turns = precedence.arrange(all.iter().map(turn).collect());
        let names = turns.iter().map(|turn| turn.steps[0].object.name.clone()).collect();
        (names, turns.iter().map(|turn| turn.why.to_string()).collect::<Vec<_>>().join(" | "))
    }

    fn owner(controller: bool) -> Value {
        json!([{"apiVersion": "acme.io/v1", "kind": "Fleet", "name": "fleet", "uid": "fleet", "controller": controller}])
    }

    #[test]
    fn users_and_managers_are_deleted_before_what_they_name_or_create() {
        let (fleets, docks) = (resource("Fleet"), resource("Dock"));
        let plain = object("dock", &["acme.io/x"], &json!([]), &json!({}));
        let names = object("fleet", &["acme.io/x"], &json!([]), &json!({"dockRef": {"name": "dock"}}));
        let (order, why) = arranged(&[(&docks, &plain), (&fleets, &names)]);
        assert_eq!(order, ["fleet", "dock"]);
        assert_eq!(why, "now; before Dock shop/dock, which it names | now");
        let fleet = object("fleet", &[], &json!([]), &json!({}));
        let made = object("dock", &[], &owner(true), &json!({"fleetRef": {"name": "fleet"}}));
        assert_eq!(arranged(&[(&docks, &made), (&fleets, &fleet)]).0, ["fleet", "dock"], "it would be made again");
        let owned = object("dock", &[], &owner(false), &json!({}));
        assert_eq!(arranged(&[(&fleets, &fleet), (&docks, &owned)]).0, ["dock", "fleet"], "dependents go first");
        assert_eq!(arranged(&[(&fleets, &fleet), (&docks, &plain)]).1, "now | now", "they have no order");
    }

    #[test]
    fn the_first_of_several_turns_says_what_is_unknown() {
        let docks = resource("Dock");
        let all = ["one", "two"].map(|name| object(name, &["acme.io/x"], &json!([]), &json!({})));
        let precedence = Precedence { edges: Vec::new(), gaps: vec!["21 kinds are too many".into()] };
        let turn = |object| Turn::objects(&[Seen { resource: &docks, object }], false, "now".into(), disruptive);
        let whys = |turns: Vec<Turn>| precedence.arrange(turns).iter().map(|turn| turn.why.to_string()).collect();
        let several: Vec<String> = whys(all.iter().map(turn).collect());
        assert_eq!(several, ["now; 21 kinds are too many", "now"]);
        let alone: Vec<String> = whys(vec![turn(&all[0])]);
        assert_eq!(alone, ["now"]);
    }

    #[test]
    fn a_ring_is_cut_at_an_object_without_finalizers() {
        let (fleets, docks) = (resource("Fleet"), resource("Dock"));
        let ring = |fleet: &[&str], dock: &[&str]| {
            let fleet = object("fleet", fleet, &json!([]), &json!({"dockRef": {"name": "dock"}}));
            let dock = object("dock", dock, &json!([]), &json!({"fleetRef": {"name": "fleet"}}));
            arranged(&[(&fleets, &fleet), (&docks, &dock)])
        };
        let (order, why) = ring(&[], &["acme.io/x"]);
        assert_eq!(order, ["dock", "fleet"], "{why}");
        assert!(why.contains("that is safe, because Fleet shop/fleet has no finalizer"), "{why}");
        let (order, why) = ring(&["acme.io/x"], &[]);
        assert_eq!(order, ["fleet", "dock"], "{why}");
        let (order, why) = ring(&["acme.io/x"], &["acme.io/x"]);
        assert_eq!(order.len(), 2);
        assert!(why.contains("may need it"), "{why}");
    }
}
