//! kapp-controller: a `PackageInstall` creates an App of the same name, whose status contains the kapp label of the
//! objects that it deployed (carvel-dev/kapp-controller:
//! `pkg/apis/kappctrl/v1alpha1/types.go`, `AssociatedResources`).

use super::installer::{Installer, PLAIN, is_true};
use super::inventory::Inventory;
use super::kapp;
use crate::survey::Object;

pub(super) const INSTALLER: Installer = Installer {
    word: "carvel",
    title: "Carvel package",
    account: |own| own.text("/spec/serviceAccountName"),
    own: &[("packaging.carvel.dev", "packageinstalls"), ("kappctrl.k14s.io", "apps")],
    inventory,
    signed: Some(kapp::signed),
    by_itself: "kapp-controller deletes everything without an ordering rule at once, the operator with the objects \
                that need it, and needs the ServiceAccount of the App for that",
    ..PLAIN
};

fn inventory(object: &Object) -> Inventory<'_> {
    let label = object.text("/status/deploy/kapp/associatedResources/label");
    let label = label.and_then(|text| text.split_once('=')).filter(|(key, _)| *key == kapp::APP);
    let noop = is_true(object, "/spec/noopDelete");
    let namespaces = object.array("/status/deploy/kapp/associatedResources/namespaces").iter();
    let namespaces = namespaces.filter_map(serde_json::Value::as_str).collect();
    Inventory { stays: noop.then_some("spec.noopDelete is true"), label, namespaces, ..Inventory::default() }
}
