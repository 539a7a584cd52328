//! Objects that are too large for their own deletion. To delete an object with finalizers, the API
//! server writes it again with a deletionTimestamp, which may exceed the store's limit. The deletion
//! of all objects of a kind proceeds by their names and stops at the first failure, so objects
//! without any problem remain as well (kubernetes/kubernetes:
//! `staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go`, `DeleteCollection`;
//! etcd-io/etcd: `api/v3rpc/rpctypes/error.go`).

use crate::survey::Seen;
use std::collections::BTreeMap;

/// The store's errors.
const TOO_LARGE: [&str; 3] = ["request is too large", "larger than max", "entity too large"];

/// Whether a message says that something was too large to be written.
pub(crate) fn says_too_large(message: &str) -> bool {
    let message = message.to_lowercase();
    TOO_LARGE.iter().any(|words| message.contains(words))
}

/// The object of each kind that stopped the deletion, among those that are left and are not being
/// deleted: the first by name with finalizers. An object without finalizers is deleted without a
/// write.
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
    use crate::survey::{Object, Resource};
    use serde_json::json;

    #[test]
    fn the_first_object_with_a_finalizer_stops_the_others() {
        let resource = Resource::tested("tank.example", "barrels", "Barrel", true);
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
