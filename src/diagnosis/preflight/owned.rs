//! The objects that are deleted after those of a product's kinds.

use crate::installers::Rows;
use crate::kubernetes::control_plane::releases;
use crate::report::InstalledKind;
use crate::survey::Seen;
use std::collections::{HashMap, HashSet};

/// The claims, and the objects with finalizers, that the garbage collector deletes after an object of
/// one of these kinds, by the uid of that object. Such finalizers stand for a disk, a load balancer or
/// something else outside of the cluster.
pub(super) fn owned<'s>(kinds: &[InstalledKind], rows: &Rows<'s>) -> HashMap<&'s str, Vec<Seen<'s>>> {
    let kinds: HashSet<&str> = kinds.iter().map(|kind| kind.resource.as_str()).collect();
    let is_claim = |seen: &Seen<'_>| seen.resource.id.is("", "persistentvolumeclaims");
    let matters = |seen: &Seen<'_>| {
        let metadata = &seen.object.metadata;
        !seen.object.is_deleting() && (is_claim(seen) || metadata.finalizers.iter().any(|key| !releases(key)))
    };
    let of_kind = rows.all.iter().filter(|seen| kinds.contains(seen.resource.id.short().as_str()));
    let with_owned = of_kind.map(|owner| {
        let owned = rows.collected_after(*owner).into_iter().filter(matters).collect::<Vec<_>>();
        (owner.object.uid(), owned)
    });
    with_owned.filter(|(_, owned)| !owned.is_empty()).collect()
}
