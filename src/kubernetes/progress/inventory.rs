//! The inventory of an object, and the entries that are still being deleted: its controller waits for
//! them, whether it says so or not.

use crate::facts::{Facts, Known, Readable, flat_each, for_each};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::progress::indirect_references::made_for;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::judgement::InTheWay;
use crate::kubernetes::progress::references::only;
use crate::survey::{Discovery, Object, Resource, Seen, is_name};
use serde_json::Value;

/// How many entries of an inventory are looked up.
const MAX_ENTRIES: usize = 30;

/// How deep a status is searched for lists.
const MAX_DEPTH: usize = 3;

/// How deep a spec or a status is searched for embedded manifests.
const MAX_MANIFEST_DEPTH: usize = 6;

/// An entry of an inventory.
#[derive(Debug, PartialEq, Eq)]
struct InventoryEntry<'v> {
    /// `None` if it is not given.
    group: Option<&'v str>,
    kind: &'v str,
    namespace: Option<&'v str>,
    name: &'v str,
    /// Whether the list is known to be an inventory.
    known: bool,
}

/// The objects that are being deleted and that one of the held objects lists as its own: in a list of
/// its status, or by a reference to an object that it owns.
pub(crate) fn listed<'s>(inquiry: Inquiry<'_, 's>) -> Known<Vec<InTheWay<'s>>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let mut edges: Vec<InTheWay<'_>> = Vec::new();
    let mut add = |waiting: Seen<'s>, resource, read, by_reference: bool, sure| {
        let Some(object): Option<&Object> = gaps.pass(read)?.flatten() else { return Ok(()) };
        let owned = object.is_owned_by(waiting.object);
        let known = edges.iter().any(|edge| edge.blocker.object.uid() == object.uid());
        if object.is_deleting() && object.uid() != waiting.object.uid() && (owned || !by_reference) && !known {
            edges.push(InTheWay { waiting, blocker: Seen { resource, object }, sure: sure || owned });
        }
        Ok(())
    };
    for_each(held.read().filter(|seen| is_custom(&seen.resource.id.group)), |waiting| {
        let listed = for_each(entries(waiting.object).into_iter().take(MAX_ENTRIES), |entry| {
            let Some((resource, namespace)) = place_of(&entry, waiting, facts.discovery()) else { return Ok(()) };
            add(waiting, resource, facts.metadata(&resource.id, namespace, entry.name), false, entry.known)
        });
        let made = for_each(made_for(waiting, facts), |(resource, read)| add(waiting, resource, read, true, true));
        let nodes = for_each(nodes(waiting.object), |name| {
            let Some(nodes) = facts.preferred("", "nodes") else { return Ok(()) };
            add(waiting, nodes, facts.metadata(&nodes.id, None, name), false, true)
        });
        listed.and(made).and(nodes)
    })?;
    Ok(edges)
}

/// Fields of a status with the node that the object represents.
const NODES: [&str; 3] = ["/status/nodeName", "/status/nodeRef/name", "/status/node"];

fn nodes(object: &Object) -> impl Iterator<Item = &str> {
    NODES.iter().filter_map(|pointer| object.text(pointer)).filter(|name| is_name(name)).take(1)
}

/// Whether an object lists what its controller deletes with it, in a list that is known to be an inventory.
pub(crate) fn is_known(object: &Object) -> bool {
    entries(object).iter().any(|entry| entry.known)
}

/// The existing objects in an object's inventory, from lists that are known to be one. Objects that
/// cannot be read are noted and left out.
pub(crate) fn own<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let known = entries(seen.object).into_iter().filter(|entry| entry.known).take(MAX_ENTRIES);
    flat_each(known, |entry| {
        let Some((resource, place)) = place_of(&entry, seen, facts.discovery()) else { return Ok(None) };
        let found = facts.metadata(&resource.id, place, entry.name).or_note(facts)?.flatten();
        Ok(found.map(|object| Seen { resource, object }))
    })
}

/// The kind of an entry in the inventory of `seen`, and the namespace of its object; `None` if they are not known.
fn place_of<'s, 'v>(
    entry: &InventoryEntry<'v>,
    seen: Seen<'v>,
    discovery: &'s Discovery,
) -> Option<(&'s Resource, Option<&'v str>)> {
    let resource = resource(entry, discovery)?;
    let namespace = entry.namespace.or(seen.object.metadata.namespace.as_deref()).filter(|_| resource.namespaced);
    (resource.namespaced == namespace.is_some()).then_some((resource, namespace))
}

/// The kind of an entry; `None` if several kinds have the name.
fn resource<'s>(entry: &InventoryEntry<'_>, discovery: &'s Discovery) -> Option<&'s Resource> {
    let mut called = discovery.resources.iter().filter(|resource| resource.kind == entry.kind);
    match entry.group {
        Some(group) => called.find(|resource| resource.id.group == group),
        None => only(called, |resource| &resource.id.group),
    }
}

/// The entries of an object's inventory: of every list in its status whose entries have a kind and a
/// name, such as Argo CD's `status.resources`
/// (argoproj/argo-cd: `pkg/apis/application/v1alpha1/types.go`, `ResourceStatus`) and
/// Flux's `status.inventory`, `namespace_name_group_kind`
/// (<https://fluxcd.io/flux/components/kustomize/kustomizations/#inventory>).
fn entries(object: &Object) -> Vec<InventoryEntry<'_>> {
    let mut found = Vec::new();
    if let Some(status) = object.at("/status") {
        lists(status, "", 0, &mut found);
    }
    for entry in object.array("/status/inventory/entries") {
        let id = entry.get("id").and_then(Value::as_str).unwrap_or_default();
        let mut parts = id.splitn(2, '_');
        let (namespace, rest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let mut ends = rest.rsplitn(3, '_');
        if let (Some(kind), Some(group), Some(name)) = (ends.next(), ends.next(), ends.next()) {
            let namespace = Some(namespace).filter(|name| !name.is_empty());
            found.push(InventoryEntry { group: Some(group), kind, namespace, name, known: true });
        }
    }
    for field in ["/spec", "/status"] {
        object.at(field).into_iter().for_each(|value| manifests(value, 0, &mut found));
    }
    found
}

/// The manifests that are embedded in a spec or a status, as in Open Cluster Management's
/// `ManifestWork` and Crossplane's `Object`.
fn manifests<'v>(value: &'v Value, depth: usize, found: &mut Vec<InventoryEntry<'v>>) {
    match value {
        Value::Object(fields) if depth < MAX_MANIFEST_DEPTH => match manifest(value) {
            Some(entry) => found.push(entry),
            None => fields.values().for_each(|value| manifests(value, depth + 1, found)),
        },
        Value::Array(items) if depth < MAX_MANIFEST_DEPTH => {
            items.iter().take(MAX_ENTRIES).for_each(|item| manifests(item, depth + 1, found));
        }
        _ => {}
    }
}

fn manifest(value: &Value) -> Option<InventoryEntry<'_>> {
    let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
    let (version, kind, name) = (text("/apiVersion")?, text("/kind")?, text("/metadata/name")?);
    let group = Some(version.split_once('/').map_or("", |(group, _)| group));
    Some(InventoryEntry { group, kind, namespace: text("/metadata/namespace"), name, known: true })
}

fn lists<'v>(value: &'v Value, key: &str, depth: usize, found: &mut Vec<InventoryEntry<'v>>) {
    match value {
        Value::Object(fields) if depth < MAX_DEPTH => {
            fields.iter().for_each(|(key, value)| lists(value, key, depth + 1, found));
        }
        Value::Array(items) => found.extend(items.iter().filter_map(|item| entry(item, key))),
        _ => {}
    }
}

/// An entry of the list `key`.
fn entry<'v>(item: &'v Value, key: &str) -> Option<InventoryEntry<'v>> {
    let text = |field: &str| item.get(field).and_then(Value::as_str).filter(|text| !text.is_empty());
    let (kind, name) = (text("kind")?, text("name")?);
    let of_version = text("apiVersion").map(|it| it.split_once('/').map_or("", |(group, _)| group));
    // An entry with only a version means the core group.
    let group = text("group").or(of_version).or_else(|| text("version").map(|_| ""));
    Some(InventoryEntry { group, kind, namespace: text("namespace"), name, known: key == "resources" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn inventories_are_read_as_their_controllers_write_them() {
        let object = |status: Value| -> Object {
            serde_json::from_value(json!({"metadata": {"name": "a"}, "status": status})).unwrap()
        };
        let argo = object(json!({"resources": [
            {"group": "acme.io", "version": "v1", "kind": "Database", "namespace": "shop", "name": "orders"},
            {"version": "v1", "kind": "Namespace", "name": "shop"}, {"kind": "Broken"}]}));
        let database = InventoryEntry {
            group: Some("acme.io"),
            kind: "Database",
            namespace: Some("shop"),
            name: "orders",
            known: true,
        };
        let namespace =
            InventoryEntry { group: Some(""), kind: "Namespace", namespace: None, name: "shop", known: true };
        assert_eq!(entries(&argo), [database, namespace]);
        let flux = object(json!({"inventory": {"entries": [
            {"id": "shop_orders_acme.io_Database", "v": "v1"}, {"id": "_shop__Namespace", "v": "v1"}, {"id": "x"}]}}));
        assert_eq!(entries(&flux), entries(&argo));
        let other = object(json!({"applied": {"objects": [
            {"apiVersion": "acme.io/v1", "kind": "Database", "namespace": "shop", "name": "orders"},
            {"kind": "Database", "name": "orders"}]}, "conditions": [{"type": "Ready", "status": "False"}]}));
        let known = false;
        let bare = InventoryEntry { group: None, kind: "Database", namespace: None, name: "orders", known };
        let whole =
            InventoryEntry { group: Some("acme.io"), kind: "Database", namespace: Some("shop"), name: "orders", known };
        assert_eq!(entries(&other), [whole, bare]);
        let manifest = json!({"apiVersion": "acme.io/v1", "kind": "Database",
            "metadata": {"name": "orders", "namespace": "shop"}, "spec": {"x": 1}});
        let work: Object = serde_json::from_value(json!({"metadata": {"name": "a"},
            "spec": {"workload": {"manifests": [manifest]}, "template": {"metadata": {"name": "t"}}}}))
        .unwrap();
        let written = InventoryEntry {
            group: Some("acme.io"),
            kind: "Database",
            namespace: Some("shop"),
            name: "orders",
            known: true,
        };
        assert_eq!(entries(&work), [written]);
    }
}
