//! What an object lists as its own, and what of that is on its way out still: its
//! controller waits for it, whether it says so or not.

use crate::facts::{Facts, Known};
use crate::kubernetes::controllers::found::InTheWay;
use crate::kubernetes::controllers::gaps::Gaps;
use crate::kubernetes::controllers::groups::is_custom;
use crate::kubernetes::controllers::held::Held;
use crate::kubernetes::controllers::references::made_for;
use crate::survey::{Discovery, Object, Resource, Seen};
use serde_json::Value;

/// So many entries of an inventory are looked up.
const ENTRIES: usize = 30;

/// An entry of an inventory.
#[derive(Debug, PartialEq, Eq)]
struct Entry<'v> {
    group: &'v str,
    kind: &'v str,
    namespace: Option<&'v str>,
    name: &'v str,
}

/// The objects that are being deleted and that one of the held objects lists as its own:
/// in `status.resources` or `status.inventory`, or by a reference to what it owns.
pub(crate) fn listed<'s>(held: &Held<'s>, facts: &Facts<'s>, gaps: &mut Gaps) -> Known<Vec<InTheWay<'s>>> {
    let mut reads = Vec::new();
    for waiting in held.read().filter(|seen| is_custom(&seen.resource.id.group)) {
        for entry in entries(waiting.object).into_iter().take(ENTRIES) {
            let Some(resource) = resource(&entry, facts.discovery()) else { continue };
            let namespace = entry.namespace.filter(|_| resource.namespaced);
            if resource.namespaced == namespace.is_some() {
                reads.push((waiting, resource, facts.metadata(&resource.id, namespace, entry.name), false));
            }
        }
        for (resource, read) in made_for(waiting, facts) {
            reads.push((waiting, resource, read, true));
        }
    }
    let mut edges: Vec<InTheWay<'_>> = Vec::new();
    for (waiting, resource, read, by_reference) in reads {
        let Some(object) = gaps.pass(read)?.flatten() else { continue };
        let owned = object.metadata.owner_references.iter().any(|owner| owner.uid == waiting.object.uid());
        let known = edges.iter().any(|edge| edge.blocker.object.uid() == object.uid());
        if object.is_deleting() && object.uid() != waiting.object.uid() && (owned || !by_reference) && !known {
            edges.push(InTheWay { waiting, blocker: Seen { resource, object }, sure: true });
        }
    }
    Ok(edges)
}

fn resource<'s>(entry: &Entry<'_>, discovery: &'s Discovery) -> Option<&'s Resource> {
    discovery.resources.iter().find(|resource| resource.id.group == entry.group && resource.kind == entry.kind)
}

/// The entries of an object's inventory, as Argo CD writes it
/// (argoproj/argo-cd: `pkg/apis/application/v1alpha1/types.go`, `ResourceStatus`), and as
/// Flux does, `namespace_name_group_kind`
/// (<https://fluxcd.io/flux/components/kustomize/kustomizations/#inventory>).
fn entries(object: &Object) -> Vec<Entry<'_>> {
    let mut found = Vec::new();
    for entry in object.array("/status/resources") {
        let text = |field: &str| entry.get(field).and_then(Value::as_str).filter(|text| !text.is_empty());
        let (Some(kind), Some(name)) = (text("kind"), text("name")) else { continue };
        let (group, namespace) = (text("group").unwrap_or_default(), text("namespace"));
        found.push(Entry { group, kind, namespace, name });
    }
    for entry in object.array("/status/inventory/entries") {
        let id = entry.get("id").and_then(Value::as_str).unwrap_or_default();
        let mut parts = id.splitn(2, '_');
        let (namespace, rest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let mut ends = rest.rsplitn(3, '_');
        if let (Some(kind), Some(group), Some(name)) = (ends.next(), ends.next(), ends.next()) {
            found.push(Entry { group, kind, namespace: Some(namespace).filter(|name| !name.is_empty()), name });
        }
    }
    found
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
        let database = Entry { group: "acme.io", kind: "Database", namespace: Some("shop"), name: "orders" };
        let namespace = Entry { group: "", kind: "Namespace", namespace: None, name: "shop" };
        assert_eq!(entries(&argo), [database, namespace]);
        let flux = object(json!({"inventory": {"entries": [
            {"id": "shop_orders_acme.io_Database", "v": "v1"}, {"id": "_shop__Namespace", "v": "v1"}, {"id": "x"}]}}));
        assert_eq!(entries(&flux), entries(&argo));
    }
}
