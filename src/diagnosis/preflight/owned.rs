//! The objects of a product's kinds, and those that are deleted after them.

use crate::facts::{Facts, Known, Readable, each};
use crate::installers::Rows;
use crate::kubernetes::definitions::{Definition, Instances};
use crate::report::InstalledKind;
use crate::survey::Seen;
use std::collections::{HashMap, HashSet};

/// The objects of the kinds that are defined by these, by the names of the definitions.
pub(super) fn instances<'s>(members: &[Seen<'s>], facts: &Facts<'s>) -> Known<Vec<(&'s str, Vec<Seen<'s>>)>> {
    let definitions: Vec<Seen<'s>> = members.iter().filter(|seen| Definition::is(**seen).is_some()).copied().collect();
    each(definitions, |seen| {
        let whole = facts.whole(seen).if_readable()?.flatten();
        let listed = match whole.and_then(|object| Definition::is(Seen { object, ..seen })) {
            Some(definition) => definition.instances(facts)?,
            None => Instances::Unserved,
        };
        let Instances::Listed(all) = listed else { return Ok((seen.object.name(), Vec::new())) };
        Ok((seen.object.name(), all))
    })
}

/// The claims, and the objects with finalizers, that the garbage collector deletes after an object of
/// one of these kinds, by the uid of that object. Such finalizers stand for a disk, a load balancer or
/// something else outside of the cluster.
pub(super) fn owned<'s>(kinds: &[InstalledKind], rows: &Rows<'s>) -> HashMap<&'s str, Vec<Seen<'s>>> {
    let kinds: HashSet<&str> = kinds.iter().map(|kind| kind.resource.as_str()).collect();
    let matters = |seen: &Seen<'_>| {
        !seen.object.metadata.finalizers.is_empty()
            || (seen.resource.id.group.is_empty() && seen.resource.id.plural == "persistentvolumeclaims")
    };
    let of_kind = rows.all.iter().filter(|seen| kinds.contains(seen.resource.id.short().as_str()));
    let with_owned = of_kind.map(|owner| {
        let owned = rows.collected_after(*owner).into_iter().filter(matters).collect::<Vec<_>>();
        (owner.object.uid(), owned)
    });
    with_owned.filter(|(_, owned)| !owned.is_empty()).collect()
}
