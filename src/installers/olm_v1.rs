//! OLM v1: labels on the objects that a `ClusterExtension` created, and the manifests in its
//! revisions (operator-framework/operator-controller: `internal/labels/labels.go`,
//! `api/v1/clusterextensionrevision_types.go`; later the revisions are called `ClusterObjectSets`).

use super::installer::{Installer, Mark, PLAIN, label};
use super::inventory::Inventory;
use crate::kubernetes::mentions::Entry;
use crate::survey::{Object, Seen};

pub(super) const INSTALLER: Installer = Installer {
    word: "olmv1",
    title: "OLM ClusterExtension",
    mark,
    by_name: true,
    names,
    own: &[(GROUP, "clusterextensions"), (GROUP, "clusterextensionrevisions"), (GROUP, "clusterobjectsets")],
    inventory,
    by_itself: "OLM deletes the operator and its definitions together: their objects wait for an operator that is gone",
    ..PLAIN
};

const GROUP: &str = "olm.operatorframework.io";

fn names(seen: Seen<'_>) -> Option<Mark> {
    let is_extension = seen.resource.id.is(GROUP, "clusterextensions");
    if is_extension { Some(Mark::new(None, seen.object.name())) } else { mark(seen) }
}

fn mark(seen: Seen<'_>) -> Option<Mark> {
    let metadata = &seen.object.metadata;
    let of_extension =
        label(metadata, "olm.operatorframework.io/owner-kind").is_none_or(|kind| kind == "ClusterExtension");
    let name = label(metadata, "olm.operatorframework.io/owner-name").filter(|_| of_extension);
    name.map(|name| Mark::new(None, name))
}

fn inventory(object: &Object) -> Inventory<'_> {
    let phases = object.array("/spec/phases").iter();
    let objects = phases.filter_map(|phase| phase.get("objects")?.as_array()).flatten();
    let entries = objects.filter_map(|item| Entry::of_manifest(item.get("object").unwrap_or(item))).collect();
    Inventory { entries, ..Inventory::default() }
}
