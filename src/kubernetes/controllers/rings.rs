//! Objects that are being deleted and wait for each other, by the words of their own
//! controllers.

use crate::facts::{Facts, Known, Target};
use crate::kubernetes::controllers::held_up::{by_finalizer, waiting};
use crate::kubernetes::controllers::{Held, InTheWay, Why, find};
use crate::needs::rings as connected;
use crate::survey::Seen;
use std::collections::{BTreeMap, BTreeSet};

/// Of one target, so many finalizers are gone through.
const GROUPS: usize = 50;

/// The rings of a target: each the edges between objects that all lead to each other.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn rings<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Vec<InTheWay<'s>>>> {
    Ok(among(&waits(target, facts)?))
}

/// The uids of all objects that are members of a ring.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn members(target: &Target<'_>, facts: &Facts<'_>) -> Known<BTreeSet<String>> {
    let rings = rings(target, facts)?;
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

/// The rings among these edges.
fn among<'s>(edges: &[InTheWay<'s>]) -> Vec<Vec<InTheWay<'s>>> {
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
            edges.iter().map(|(a, b)| InTheWay { waiting: seen(a), blocker: seen(b), sure: true }).collect();
        let members = |ring: Vec<InTheWay<'_>>| -> String {
            let uids: BTreeSet<&str> = ring.iter().map(|edge| edge.waiting.object.uid()).collect();
            uids.into_iter().map(str::to_owned).collect::<Vec<_>>().concat()
        };
        among(&edges).into_iter().map(members).collect()
    }

    #[test]
    fn only_what_leads_back_to_itself_is_a_ring() {
        assert!(rings_of(&[("a", "b"), ("b", "c")]).is_empty());
        assert_eq!(rings_of(&[("a", "b"), ("b", "a"), ("x", "a")]), ["ab"]);
        assert_eq!(rings_of(&[("a", "b"), ("b", "c"), ("c", "a"), ("d", "e"), ("e", "d")]), ["abc", "de"]);
    }
}
