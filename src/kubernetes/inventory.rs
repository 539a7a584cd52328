//! An object's own list of what its controller has created, which is deleted with it.

use crate::kubernetes::external;
use crate::report::some_of;
use crate::survey::Object;
use serde_json::Value;

/// Lists of objects, each with a kind and a name, or with an id that holds both.
const LISTS: [&str; 6] = [
    "/status/resources",
    "/status/inventory/entries",
    "/status/inventory",
    "/status/resourceRefs",
    "/spec/resourceRefs",
    "/spec/crossplane/resourceRefs",
];
/// How many are named.
const MAX_NAMED: usize = 3;

/// ` (Deployment shop/web, Service shop/web and 3 more)`: the objects that are deleted with an
/// object, by its own inventory; else its external resources; else nothing.
pub(crate) fn in_words(object: &Object) -> String {
    let listed: Vec<String> = LISTS.iter().flat_map(|pointer| object.array(pointer)).filter_map(named).collect();
    let all = if listed.is_empty() { external::in_words(object) } else { listed };
    if all.is_empty() {
        return String::new();
    }
    format!(" ({})", some_of(&all, MAX_NAMED))
}

fn named(entry: &Value) -> Option<String> {
    let text = |field: &str| entry.get(field).and_then(Value::as_str).filter(|text| !text.is_empty());
    if let (Some(kind), Some(name)) = (text("kind"), text("name")) {
        let place = text("namespace").map(|namespace| format!("{namespace}/")).unwrap_or_default();
        return Some(format!("{kind} {place}{name}"));
    }
    // `namespace_name_group_kind` (kubernetes-sigs/cli-utils: `pkg/object/objmetadata.go`).
    let parts: Vec<&str> = text("id")?.split('_').collect();
    let [namespace, name, _, kind] = parts[..] else { return None };
    let place = if namespace.is_empty() { String::new() } else { format!("{namespace}/") };
    Some(format!("{kind} {place}{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_inventory_is_read_in_the_forms_that_it_has() {
        let words =
            |status: Value| in_words(&Object::single(json!({"metadata": {"name": "a"}, "status": status})).unwrap());
        let entry = |name: &str| json!({"group": "apps", "kind": "Deployment", "namespace": "shop", "name": name});
        assert_eq!(words(json!({"resources": [entry("web")]})), " (Deployment shop/web)");
        let many: Vec<Value> = ["a", "b", "c", "d"].map(entry).to_vec();
        assert!(words(json!({"resources": many})).ends_with("Deployment shop/c and 1 more)"));
        let ids =
            json!({"inventory": {"entries": [{"id": "shop_web_apps_Deployment", "v": "v1"}, {"id": "_x__Namespace"}]}});
        assert_eq!(words(ids), " (Deployment shop/web, Namespace x)");
        assert_eq!(words(json!({"providerID": "cloud:///i-1"})), " (machine cloud:///i-1)");
        assert_eq!(words(json!({"resources": ["text"]})), "");
    }
}
