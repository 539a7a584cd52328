//! Objects that are being deleted, are late and are held by finalizers.

use crate::facts::{Facts, Known, SETTLE, Target, is_late, is_pod};
use crate::survey::{Seen, is_collectors};

/// How many finalizers of one target are searched for their controllers.
pub(crate) const MAX_FINALIZERS: usize = 50;

/// The objects that are being deleted here and are late. Pods are left out: they wait for their
/// kubelet first; then `finished_pod_held` reports them.
pub(crate) fn waiting<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let late = |seen: &Seen<'_>| !is_pod(seen.resource) && is_late(seen.object, facts, SETTLE);
    Ok(target.deleting(facts)?.into_iter().filter(late).collect())
}

/// Groups objects by each of their finalizers and their kind, in order of first appearance: some
/// products have a controller for each kind.
pub(crate) fn by_finalizer<'s>(
    held: impl Iterator<Item = Seen<'s>>,
    facts: &Facts<'_>,
) -> Vec<(&'s str, Vec<Seen<'s>>)> {
    let mut place = std::collections::HashMap::new();
    let mut groups: Vec<(&str, Vec<Seen<'s>>)> = Vec::new();
    for seen in held {
        let keys = seen.object.metadata.finalizers.iter();
        for finalizer in keys.filter(|key| !is_collectors(key) && !facts.is_owned(seen.resource, key)) {
            let at = *place.entry((finalizer.as_str(), &seen.resource.id)).or_insert_with(|| {
                groups.push((finalizer, Vec::new()));
                groups.len() - 1
            });
            groups[at].1.push(seen);
        }
    }
    groups
}

/// The objects here that are late and held by finalizers, by kind.
pub(crate) fn held_kinds<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Vec<Seen<'s>>>> {
    let mut kinds: Vec<Vec<Seen<'s>>> = Vec::new();
    let held = waiting(target, facts)?;
    for seen in held.into_iter().filter(|seen| !seen.object.metadata.finalizers.is_empty()) {
        match kinds.iter_mut().find(|kind| kind[0].resource.id == seen.resource.id) {
            Some(kind) => kind.push(seen),
            None => kinds.push(vec![seen]),
        }
    }
    Ok(kinds)
}
