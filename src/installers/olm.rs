//! The Operator Lifecycle Manager: a label `operators.coreos.com/PACKAGE.NAMESPACE` on the
//! components of an operator, and the name of the `ClusterServiceVersion` on the cluster-scoped
//! objects that it created (operator-framework/operator-lifecycle-manager:
//! `pkg/controller/operators/decorators/operator.go`, `pkg/lib/ownerutil/util.go`).

use super::installer::{Installer, Mark, PLAIN, Role, is_definition};
use super::inventory::Inventory;
use crate::kubernetes::mentions::Entry;
use crate::survey::{Object, ResourceId, Seen};
use serde_json::Value;

pub(super) const INSTALLER: Installer = Installer {
    word: "olm",
    title: "OLM operator",
    mark,
    names,
    own: &[(GROUP, "subscriptions"), (GROUP, "clusterserviceversions"), (GROUP, "operators")],
    role,
    inventory,
    leaves: is_definition,
    // https://olm.operatorframework.io/docs/tasks/uninstall-operator/
    by_itself: "OLM deletes the operator with its ClusterServiceVersion while its objects still exist, and does not \
        delete its definitions, nor webhooks that OLM did not create",
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
    // An object that is a component of two operators belongs to neither alone.
    let mut all = metadata.labels.keys().filter_map(|key| operator(key.strip_prefix("operators.coreos.com/")?));
    all.next().filter(|_| all.next().is_none())
}

/// The operator with this name of an Operator: `PACKAGE.NAMESPACE`.
fn operator(name: &str) -> Option<Mark> {
    name.rsplit_once('.').map(|(package, place)| Mark::new(Some(place), package))
}

/// A Subscription and a `ClusterServiceVersion` are in the namespace that their label names; anybody may
/// write the label elsewhere.
fn names(seen: Seen<'_>) -> Option<Mark> {
    if seen.resource.id.is(GROUP, OPERATORS) {
        return operator(seen.object.name());
    }
    mark(seen).filter(|mark| mark.namespace.as_deref() == seen.object.metadata.namespace.as_deref())
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
        let name = definition.get("name").and_then(Value::as_str)?.into();
        Some(Entry { group: Some("apiextensions.k8s.io"), kind: "CustomResourceDefinition", namespace: None, name })
    });
    Inventory { entries: owned.collect(), is_part: true, ..Inventory::default() }
}
