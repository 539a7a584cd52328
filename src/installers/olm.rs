//! The Operator Lifecycle Manager: a label `operators.coreos.com/PACKAGE.NAMESPACE` on the
//! components of an operator, and the name of the `ClusterServiceVersion` on the cluster-scoped
//! objects that it created (operator-framework/operator-lifecycle-manager:
//! `pkg/controller/operators/decorators/operator.go`, `pkg/lib/ownerutil/util.go`).

use super::installer::{Installer, Mark, PLAIN, Role, is_definition};
use super::inventory::{Entry, Inventory};
use crate::survey::{Object, ResourceId, Seen};
use serde_json::Value;

pub(super) const INSTALLER: Installer = Installer {
    word: "olm",
    title: "OLM operator",
    mark,
    own: &[(GROUP, "subscriptions"), (GROUP, "clusterserviceversions"), (GROUP, "operators")],
    role,
    inventory,
    leaves: is_definition,
    // https://olm.operatorframework.io/docs/tasks/uninstall-operator/
    by_itself: "OLM deletes the operator with its ClusterServiceVersion while its objects still exist, and leaves the \
                definitions and the webhooks that it does not know",
    ..PLAIN
};

const GROUP: &str = "operators.coreos.com";
/// The kind of an Operator. It is not deleted: it is created again while any object has its label
/// (`pkg/controller/operators/operator_controller.go`).
const OPERATORS: &str = "operators";

fn mark(seen: Seen<'_>) -> Option<Mark> {
    let metadata = &seen.object.metadata;
    // Copies of a ClusterServiceVersion in other namespaces are deleted with it.
    if metadata.labels.contains_key("olm.copiedFrom") {
        return None;
    }
    let parts = |name: &str| name.rsplit_once('.').map(|(package, place)| Mark::new(Some(place), package));
    if is_summary(seen) {
        return parts(seen.object.name());
    }
    metadata.labels.keys().find_map(|key| parts(key.strip_prefix("operators.coreos.com/")?))
}

fn role(own: &ResourceId) -> Role {
    match own.plural.as_str() {
        "subscriptions" => Role::Asks("OLM removes an operator with its ClusterServiceVersion"),
        OPERATORS => Role::Counts,
        _ => Role::Removes,
    }
}

/// The definitions that a `ClusterServiceVersion` owns. The components that an Operator counts are
/// not used: they are all objects with its label, whoever set it.
fn inventory(object: &Object) -> Inventory<'_> {
    let owned = object.array("/spec/customresourcedefinitions/owned").iter();
    let owned = owned.filter_map(|definition| {
        let name = definition.get("name").and_then(Value::as_str)?;
        Some(Entry { group: Some("apiextensions.k8s.io"), kind: "CustomResourceDefinition", namespace: None, name })
    });
    Inventory { entries: owned.collect(), is_part: true, ..Inventory::default() }
}

/// Whether it is an Operator. It has the name that is in the label of the objects it counts.
fn is_summary(seen: Seen<'_>) -> bool {
    seen.resource.id.is(GROUP, OPERATORS)
}
