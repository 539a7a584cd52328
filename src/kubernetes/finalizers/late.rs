//! Objects that are being deleted, are late and are held by finalizers.

use crate::facts::{Facts, Known, SETTLE, Target, is_late, is_pod};
use crate::survey::{ResourceId, Seen, is_collectors};
use indexmap::IndexMap;

/// How many finalizers of one target are searched for their controllers.
pub(crate) const MAX_FINALIZERS: usize = 50;

/// The objects that are being deleted here and are late. Pods are left out: they wait for their
/// kubelet first; then `finished_pod_held` reports them.
pub(crate) fn waiting<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    Ok(late_or_fresh(target, facts)?.0)
}

/// The same objects, and those whose deletion was requested a moment ago: for these, nothing is late yet.
pub(crate) fn late_or_fresh<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<(Vec<Seen<'s>>, Vec<Seen<'s>>)> {
    let objects = target.deleting(facts)?.into_iter().filter(|seen| !is_pod(seen.resource));
    Ok(objects.partition(|seen| is_late(seen.object, facts, SETTLE)))
}

/// Groups objects by each of their finalizers and their kind, in order of first appearance: some
/// products have a controller for each kind.
pub(crate) fn by_finalizer<'s>(
    held: impl Iterator<Item = Seen<'s>>,
    facts: &Facts<'_>,
) -> Vec<(&'s str, Vec<Seen<'s>>)> {
    let mut groups: IndexMap<(&str, &ResourceId), Vec<Seen<'s>>> = IndexMap::new();
    for seen in held {
        let keys = seen.object.metadata.finalizers.iter();
        for finalizer in keys.filter(|key| !is_collectors(key) && !facts.is_owned(seen.resource, key)) {
            groups.entry((finalizer, &seen.resource.id)).or_default().push(seen);
        }
    }
    groups.into_iter().map(|((finalizer, _), objects)| (finalizer, objects)).collect()
}

/// The objects here that are late and held by finalizers, by kind.
pub(crate) fn held_kinds<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Vec<Seen<'s>>>> {
    let mut kinds: IndexMap<&ResourceId, Vec<Seen<'s>>> = IndexMap::new();
    let held = waiting(target, facts)?;
    for seen in held.into_iter().filter(|seen| !seen.object.metadata.finalizers.is_empty()) {
        kinds.entry(&seen.resource.id).or_default().push(seen);
    }
    Ok(kinds.into_values().collect())
}
