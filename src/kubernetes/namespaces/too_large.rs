//! An object that is too large for its own deletion. To delete one with finalizers is to write it
//! once more, with a time: at the store's limit, that does not fit. A DELETE of all objects of a
//! kind goes by their names and stops at the first that fails, so that others remain which nothing
//! is wrong with (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go`, `DeleteCollection`;
//! etcd-io/etcd: `api/v3rpc/rpctypes/error.go`).

use crate::survey::Seen;
use std::collections::BTreeMap;

/// The store's words.
const TOO_LARGE: [&str; 3] = ["request is too large", "larger than max", "entity too large"];

/// Whether words say that something was too large to be written.
pub(crate) fn says_too_large(message: &str) -> bool {
    let message = message.to_lowercase();
    TOO_LARGE.iter().any(|words| message.contains(words))
}

/// The object of each kind that stopped the deletion, among what is left and was not asked to go: the
/// first by its name that has finalizers. An object without any is deleted without being written.
pub(crate) fn culprits<'s>(left: impl Iterator<Item = Seen<'s>>) -> Vec<Seen<'s>> {
    let mut first: BTreeMap<String, Seen<'s>> = BTreeMap::new();
    for seen in left.filter(|seen| !seen.object.is_deleting() && !seen.object.metadata.finalizers.is_empty()) {
        let known = first.entry(seen.resource.id.short()).or_insert(seen);
        if seen.object.name() < known.object.name() {
            *known = seen;
        }
    }
    first.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::{Object, Resource, ResourceId};
    use serde_json::json;

    #[test]
    fn the_first_with_a_finalizer_stops_the_others() {
        let resource = Resource {
            id: ResourceId::new("tank.example", "v1", "barrels"),
            kind: "Barrel".into(),
            namespaced: true,
            singular: String::new(),
            short_names: Vec::new(),
            verbs: Vec::new(),
        };
        let object = |name: &str, finalizers: &[&str]| -> Object {
            serde_json::from_value(json!({"metadata": {"name": name, "finalizers": finalizers}})).unwrap()
        };
        let objects = [object("c", &["x.io/y"]), object("b", &["x.io/y"]), object("a", &[])];
        let found = culprits(objects.iter().map(|object| Seen { resource: &resource, object }));
        assert_eq!(found.iter().map(|seen| seen.object.name()).collect::<Vec<_>>(), ["b"]);
        assert!(says_too_large("Failed to delete all resource types, 1 remaining: etcdserver: request is too large"));
        assert!(!says_too_large("etcdserver: request timed out"));
    }
}
