//! Rancher Fleet: an annotation on the objects that a bundle created, and `status.resources` of a
//! `BundleDeployment` (rancher/fleet: `internal/helmdeployer/postrender.go`,
//! `pkg/apis/fleet.cattle.io/v1alpha1/bundledeployment_types.go`).

use super::helm;
use super::installer::{Installer, Mark, PLAIN, Role, annotation, is_true, label};
use super::inventory::Inventory;
use crate::survey::{Object, ResourceId, Seen};

pub(super) const INSTALLER: Installer = Installer {
    word: "fleet",
    title: "Fleet bundle",
    mark,
    names,
    place,
    own: &[("fleet.cattle.io", "bundles"), ("fleet.cattle.io", DEPLOYMENTS)],
    role,
    inventory,
    keeps: helm::keeps,
    by_itself: "Fleet uninstalls a bundle as helm does, the Deployment and its permissions at once, before the \
                objects that need them, and creates the bundle of a GitRepo again",
    ..PLAIN
};

const DEPLOYMENTS: &str = "bundledeployments";

/// A `BundleDeployment` is in the namespace of its cluster, and names its bundle. The labels of a Bundle
/// are written by whoever wrote its repository.
#[expect(clippy::unnecessary_wraps, reason = "an installer may have own objects that name no product")]
fn names(seen: Seen<'_>) -> Option<Mark> {
    let metadata = &seen.object.metadata;
    let of = |key: &str| label(metadata, key).filter(|_| seen.resource.id.plural == DEPLOYMENTS);
    let (namespace, name) = (of("fleet.cattle.io/bundle-namespace"), of("fleet.cattle.io/bundle-name"));
    let here = metadata.namespace.as_deref().filter(|_| seen.resource.id.plural == "bundles");
    Some(Mark::new(namespace.or(here), name.unwrap_or(seen.object.name())))
}

/// Fleet annotates the namespace that it makes for a cluster
/// (`internal/cmd/controller/agentmanagement/controllers/cluster/controller.go`).
fn place(own: &ResourceId) -> Option<&'static str> {
    (own.plural == DEPLOYMENTS).then_some("fleet.cattle.io/cluster-namespace")
}

fn mark(seen: Seen<'_>) -> Option<Mark> {
    let metadata = &seen.object.metadata;
    // Other programs of Rancher write other ids.
    let id = annotation(metadata, "objectset.rio.cattle.io/id")?;
    Some(Mark::new(None, id.strip_prefix("default-")?))
}

/// A Bundle creates its `BundleDeployments`; when it is deleted, it deletes them and waits for them
/// (`internal/cmd/controller/reconciler/bundle_controller.go`, `handleDelete`).
fn role(own: &ResourceId) -> Role {
    if own.plural == DEPLOYMENTS { Role::Follows } else { Role::Removes }
}

fn inventory(object: &Object) -> Inventory<'_> {
    let keeps = is_true(object, "/spec/keepResources") || is_true(object, "/spec/options/keepResources");
    Inventory { stays: keeps.then_some("keepResources is true"), ..Inventory::listed(object, "/status/resources") }
}
