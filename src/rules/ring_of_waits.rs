//! Objects that are being deleted wait for each other, by the words of their own
//! controllers: none can go first, and no controller is to blame.

use crate::facts::{Facts, Known, Target};
use crate::knowledge::catalogue;
use crate::kubernetes::controllers::held_up::{by_finalizer, waiting};
use crate::kubernetes::controllers::release::removal;
use crate::kubernetes::controllers::{Held, InTheWay, Why, find};
use crate::needs::{Draft, Explains, Findings, Rule, rings as connected};
use crate::report::{Cause, Ref, Remedy, Risk};
use crate::survey::Seen;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const RULE: Rule = Rule {
    name: "ring-of-waits",
    explanation: include_str!("ring_of_waits.md"),
    explains: &[Explains::Deleted(diagnose)],
};

/// Of one target, so many finalizers are gone through.
const GROUPS: usize = 50;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    for ring in rings(&waits(target, facts)?) {
        found.add(draft(&ring));
    }
    Ok(())
}

/// The uids of all objects that are members of a ring.
pub(super) fn members(target: &Target<'_>, facts: &Facts<'_>) -> Known<BTreeSet<String>> {
    let rings = rings(&waits(target, facts)?);
    Ok(rings.iter().flatten().map(|edge| edge.waiting.object.uid().to_owned()).collect())
}

/// Which of the held objects waits for which object.
fn waits<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<InTheWay<'s>>> {
    let held = waiting(target, facts)?;
    // One alone is no ring: its controller is looked for once, where it counts.
    if held.len() < 2 {
        return Ok(Vec::new());
    }
    let groups = by_finalizer(held.into_iter());
    let read = groups.iter().take(GROUPS).map(|(finalizer, objects)| {
        let found = find(finalizer, &Held::read_whole(objects, facts)?, facts)?;
        Ok(if let Why::Blocked(edges) = found.why { edges } else { Vec::new() })
    });
    let read: Vec<Known<Vec<InTheWay<'_>>>> = read.collect();
    let edges: Vec<Vec<InTheWay<'_>>> = read.into_iter().collect::<Known<_>>()?;
    Ok(edges.into_iter().flatten().filter(|edge| edge.blocker.object.is_deleting()).collect())
}

/// The rings: each the edges between objects that all lead to each other.
fn rings<'s>(edges: &[InTheWay<'s>]) -> Vec<Vec<InTheWay<'s>>> {
    let mut place: BTreeMap<&str, usize> = BTreeMap::new();
    for edge in edges {
        for seen in [edge.waiting, edge.blocker] {
            let next = place.len();
            place.entry(seen.object.uid()).or_insert(next);
        }
    }
    let at = |seen: Seen<'_>| place[seen.object.uid()];
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); place.len()];
    for edge in edges {
        next[at(edge.waiting)].push(at(edge.blocker));
    }
    let mut ring_of: Vec<Option<usize>> = vec![None; place.len()];
    let rings = connected(&next);
    for (ring, members) in rings.iter().enumerate() {
        for member in members {
            ring_of[*member] = Some(ring);
        }
    }
    let mut inner: Vec<Vec<InTheWay<'_>>> = vec![Vec::new(); rings.len()];
    for edge in edges {
        let (waiting, blocker) = (ring_of[at(edge.waiting)], ring_of[at(edge.blocker)]);
        if let Some(ring) = waiting.filter(|_| waiting == blocker) {
            inner[ring].push(*edge);
        }
    }
    inner
}

fn draft(ring: &[InTheWay<'_>]) -> Draft {
    let mut members: Vec<Seen<'_>> = Vec::new();
    for edge in ring {
        if !members.iter().any(|seen| seen.object.uid() == edge.waiting.object.uid()) {
            members.push(edge.waiting);
        }
    }
    let objects: Vec<Ref> = members.iter().map(|seen| (*seen).into()).collect();
    let names: Vec<String> = objects.iter().take(3).map(Ref::to_string).collect();
    let summary = format!("{} wait for each other: none can go first", names.join(" and "));
    let mut draft = Draft::new(Cause::Dependents, objects[0].clone(), summary).likely();
    for edge in ring {
        let (waiting, blocker) = (Ref::from(edge.waiting), Ref::from(edge.blocker));
        draft = draft.evidence(format!("the controller of {waiting} waits for {blocker}"), &waiting, "status");
    }
    draft = draft.remedy(Remedy::manual(
        "see whether one of the controllers can be told to let go: an annotation, or a policy that keeps what is outside",
        "nothing is lost",
    ));
    let held = members.iter().flat_map(|seen| seen.object.metadata.finalizers.iter().map(move |key| (key, *seen)));
    if let Some((finalizer, seen)) = held.min_by_key(|(finalizer, _)| risk(finalizer)) {
        draft = draft.remark(format!(
            "the edge to cut is {finalizer} of {}: of the ring's finalizers none costs less to lose",
            Ref::from(seen)
        ));
        let cut = removal(finalizer, catalogue::lookup(finalizer), &[seen], &[seen.into()]);
        draft = cut.into_iter().fold(draft, Draft::remedy);
    }
    draft.objects(objects)
}

/// What it costs to lose a finalizer; one that nobody knows may cost anything.
fn risk(finalizer: &str) -> Risk {
    catalogue::lookup(finalizer).map_or(Risk::Leaks, |entry| entry.risk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{Object, Resource, ResourceId};

    /// The rings of `a>b`-like edges, each as its members in order.
    fn rings_of(edges: &[(&str, &str)]) -> Vec<String> {
        let resource = Resource {
            id: ResourceId::new("acme.io", "v1", "widgets"),
            kind: "Widget".into(),
            namespaced: true,
            singular: String::new(),
            short_names: vec![],
            verbs: vec![],
        };
        let names: BTreeSet<&str> = edges.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let objects: BTreeMap<&str, Object> = names
            .into_iter()
            .map(|name| (name, serde_json::from_value(serde_json::json!({"metadata": {"uid": name}})).unwrap()))
            .collect();
        let seen = |name: &str| Seen { resource: &resource, object: &objects[name] };
        let edges: Vec<InTheWay<'_>> =
            edges.iter().map(|(a, b)| InTheWay { waiting: seen(a), blocker: seen(b) }).collect();
        let members = |ring: Vec<InTheWay<'_>>| -> String {
            let uids: BTreeSet<&str> = ring.iter().map(|edge| edge.waiting.object.uid()).collect();
            uids.into_iter().map(str::to_owned).collect::<Vec<_>>().concat()
        };
        rings(&edges).into_iter().map(members).collect()
    }

    #[test]
    fn only_what_leads_back_to_itself_is_a_ring() {
        assert!(rings_of(&[("a", "b"), ("b", "c")]).is_empty());
        assert_eq!(rings_of(&[("a", "b"), ("b", "a"), ("x", "a")]), ["ab"]);
        assert_eq!(rings_of(&[("a", "b"), ("b", "c"), ("c", "a"), ("d", "e"), ("e", "d")]), ["abc", "de"]);
    }
}
