//! The inventory of an object: the objects that its controller has created and deletes with it. An inventory is a
//! list in the status, or consists of manifests that are embedded in the spec or the status.

use crate::facts::{Facts, Known, Readable, flat_each, for_each};
use crate::kubernetes::external;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::mentions::edge::{Clarity, Edge, How, InTheWay};
use crate::kubernetes::mentions::entry::Entry;
use crate::kubernetes::mentions::grammar::only;
use crate::kubernetes::mentions::spec::spec_edges;
use crate::report::some_of;
use crate::survey::{Discovery, Form, Object, Resource, Seen, is_name};
use serde_json::Value;

/// How many entries of an inventory are looked up.
const MAX_ENTRIES: usize = 30;

/// How deep a status is searched for lists.
const MAX_DEPTH: usize = 3;

/// How deep a spec or a status is searched for embedded manifests.
const MAX_MANIFEST_DEPTH: usize = 6;

/// How many entries are named in words.
const MAX_NAMED: usize = 3;

/// Lists of objects that are known to be an inventory.
const LISTS: [&str; 6] = [
    "/status/resources", "/status/inventory/entries", "/status/inventory", "/status/resourceRefs",
    "/spec/resourceRefs", "/spec/crossplane/resourceRefs",
];

/// Fields of a status with the node that the object represents.
const NODES: [&str; 3] = ["/status/nodeName", "/status/nodeRef/name", "/status/node"];

/// ` (Deployment shop/web, Service shop/web and 3 more)`: the objects in the inventory of `object`. Without an
/// inventory these are its external resources, and without such resources the text is empty.
pub(crate) fn in_words(object: &Object) -> String {
    let entries = LISTS.iter().flat_map(|pointer| object.array(pointer)).filter_map(|item| {
        let Entry { kind, namespace, name, .. } = Entry::of_item(item)?;
        let place = namespace.map(|namespace| format!("{namespace}/")).unwrap_or_default();
        Some(format!("{kind} {place}{name}"))
    });
    let listed: Vec<String> = entries.collect();
    let all = if listed.is_empty() { external::in_words(object) } else { listed };
    if all.is_empty() { String::new() } else { format!(" ({})", some_of(&all, MAX_NAMED)) }
}

/// The objects in the inventory of `seen`. An edge is explicit if its list is known to be an inventory.
pub(crate) fn inventory_edges<'s>(seen: Seen<'s>, discovery: &'s Discovery) -> Vec<Edge<'s>> {
    let entries = entries(seen.object).into_iter().filter_map(|(entry, clarity)| {
        let to = Edge::to(seen, kind_listed(&entry, discovery)?, entry.namespace, &entry.name)?;
        Some(Edge { how: How::Inventory, clarity, field: "its inventory".into(), ..to })
    });
    entries.take(MAX_ENTRIES).collect()
}

/// Whether an object has a list that is known to be an inventory.
pub(crate) fn has_inventory(object: &Object) -> bool {
    entries(object).iter().any(|(_, clarity)| *clarity == Clarity::Explicit)
}

/// The existing objects in those lists of an object that are known to be an inventory. Listed objects that cannot
/// be read are noted and left out.
pub(crate) fn listed_objects<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let known = inventory_edges(seen, facts.discovery()).into_iter().filter(|edge| edge.clarity == Clarity::Explicit);
    flat_each(known, |edge| Ok(edge.read(Form::Metadata, facts).or_note(facts)?.flatten()))
}

/// The objects that are being deleted and that belong to a held object: those in its inventory, the node that it
/// represents, and those that its spec names and that it owns.
pub(crate) fn listed_and_going<'s>(held: &HeldObjects<'s>, facts: &Facts<'s>, gaps: &Gaps) -> Known<Vec<InTheWay<'s>>> {
    let mut found: Vec<InTheWay<'_>> = Vec::new();
    for_each(held.read().filter(|seen| is_custom(&seen.resource.id.group)), |waiting| {
        let discovery = facts.discovery();
        let named = inventory_edges(waiting, discovery).into_iter().chain(spec_edges(waiting, discovery));
        for_each(named.chain(node_edge(waiting, discovery)), |edge| {
            let Some(blocker) = gaps.pass(edge.read(Form::Metadata, facts))?.flatten() else { return Ok(()) };
            let owned = blocker.object.is_owned_by(waiting.object);
            let known = found.iter().any(|found| found.blocker.object.uid() == blocker.object.uid());
            let counts = blocker.object.is_deleting() && (owned || edge.how == How::Inventory);
            if counts && blocker.object.uid() != waiting.object.uid() && !known {
                found.push(InTheWay { waiting, blocker, sure: owned || edge.clarity == Clarity::Explicit });
            }
            Ok(())
        })
    })?;
    Ok(found)
}

/// The node that an object represents.
fn node_edge<'s>(seen: Seen<'s>, discovery: &'s Discovery) -> Option<Edge<'s>> {
    let name = NODES.iter().find_map(|pointer| seen.object.text(pointer)).filter(|name| is_name(name))?;
    let nodes = discovery.resources.iter().find(|kind| kind.id.is("", "nodes"))?;
    Some(Edge { how: How::Inventory, field: "status".into(), ..Edge::to(seen, nodes, None, name)? })
}

/// The kind of an entry; `None` if several kinds have the name.
fn kind_listed<'s>(entry: &Entry<'_>, discovery: &'s Discovery) -> Option<&'s Resource> {
    let mut called = discovery.resources.iter().filter(|resource| resource.kind == entry.kind);
    match entry.group {
        Some(group) => called.find(|resource| resource.id.group == group),
        None => only(called, |resource| &resource.id.group),
    }
}

/// The entries of an object's inventory: of every list in its status whose entries have a kind and a
/// name, such as Argo CD's `status.resources`
/// (argoproj/argo-cd: `pkg/apis/application/v1alpha1/types.go`, `ResourceStatus`), and
/// Flux's `status.inventory`, `namespace_name_group_kind`
/// (<https://fluxcd.io/flux/components/kustomize/kustomizations/#inventory>).
fn entries(object: &Object) -> Vec<(Entry<'_>, Clarity)> {
    let mut found = Vec::new();
    if let Some(status) = object.at("/status") {
        lists(status, "", 0, &mut found);
    }
    let by_id = object.array("/status/inventory/entries").iter().filter_map(Entry::by_id);
    found.extend(by_id.map(|entry| (entry, Clarity::Explicit)));
    for field in ["/spec", "/status"] {
        object.at(field).into_iter().for_each(|value| manifests(value, 0, &mut found));
    }
    found
}

/// The manifests that are embedded in a spec or a status, as in Open Cluster Management's
/// `ManifestWork` and Crossplane's `Object`.
fn manifests<'v>(value: &'v Value, depth: usize, found: &mut Vec<(Entry<'v>, Clarity)>) {
    match value {
        Value::Object(fields) if depth < MAX_MANIFEST_DEPTH => match Entry::of_manifest(value) {
            Some(entry) => found.push((entry, Clarity::Explicit)),
            None => fields.values().for_each(|value| manifests(value, depth + 1, found)),
        },
        Value::Array(items) if depth < MAX_MANIFEST_DEPTH => {
            items.iter().take(MAX_ENTRIES).for_each(|item| manifests(item, depth + 1, found));
        }
        _ => {}
    }
}

fn lists<'v>(value: &'v Value, key: &str, depth: usize, found: &mut Vec<(Entry<'v>, Clarity)>) {
    let clarity = if key == "resources" { Clarity::Explicit } else { Clarity::Bare };
    match value {
        Value::Object(fields) if depth < MAX_DEPTH => {
            fields.iter().for_each(|(key, value)| lists(value, key, depth + 1, found));
        }
        Value::Array(items) => found.extend(items.iter().filter_map(Entry::of_fields).map(|entry| (entry, clarity))),
        _ => {}
    }
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
        let database =
            Entry { group: Some("acme.io"), kind: "Database", namespace: Some("shop"), name: "orders".into() };
        let namespace = Entry { group: Some(""), kind: "Namespace", namespace: None, name: "shop".into() };
        assert_eq!(entries(&argo), [(database, Clarity::Explicit), (namespace, Clarity::Explicit)]);
        let flux = object(json!({"inventory": {"entries": [
            {"id": "shop_orders_acme.io_Database", "v": "v1"}, {"id": "_shop__Namespace", "v": "v1"}, {"id": "x"}]}}));
        assert_eq!(entries(&flux), entries(&argo));
        let other = object(json!({"applied": {"objects": [
            {"apiVersion": "acme.io/v1", "kind": "Database", "namespace": "shop", "name": "orders"},
            {"kind": "Database", "name": "orders"}]}, "conditions": [{"type": "Ready", "status": "False"}]}));
        let bare = Entry { group: None, kind: "Database", namespace: None, name: "orders".into() };
        let whole = Entry { group: Some("acme.io"), kind: "Database", namespace: Some("shop"), name: "orders".into() };
        assert_eq!(entries(&other), [(whole, Clarity::Bare), (bare, Clarity::Bare)]);
        let manifest = json!({"apiVersion": "acme.io/v1", "kind": "Database",
            "metadata": {"name": "orders", "namespace": "shop"}, "spec": {"x": 1}});
        let work: Object = serde_json::from_value(json!({"metadata": {"name": "a"},
            "spec": {"workload": {"manifests": [manifest]}, "template": {"metadata": {"name": "t"}}}}))
        .unwrap();
        let written =
            Entry { group: Some("acme.io"), kind: "Database", namespace: Some("shop"), name: "orders".into() };
        assert_eq!(entries(&work), [(written, Clarity::Explicit)]);
    }

    #[test]
    fn an_inventory_is_read_in_the_forms_that_it_has() {
        let words =
            |status: Value| in_words(&Object::single(json!({"metadata": {"name": "a"}, "status": status})).unwrap());
        let entry = |name: &str| json!({"group": "apps", "kind": "Deployment", "namespace": "shop", "name": name});
        assert_eq!(words(json!({"resources": [entry("web")]})), " (Deployment shop/web)");
        let many: Vec<Value> = ["a", "b", "c", "d", "e"].map(entry).to_vec();
        assert!(words(json!({"resources": many})).ends_with("Deployment shop/c and 2 more)"));
        let ids =
            json!({"inventory": {"entries": [{"id": "shop_web_apps_Deployment", "v": "v1"}, {"id": "_x__Namespace"}]}});
        assert_eq!(words(ids), " (Deployment shop/web, Namespace x)");
        assert_eq!(words(json!({"providerID": "cloud:///i-1"})), " (machine cloud:///i-1)");
        assert_eq!(words(json!({"resources": ["text"]})), "");
    }
}
