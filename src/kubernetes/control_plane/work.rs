//! Objects and fields that only kube-controller-manager creates or writes: they show that it runs,
//! whatever its Lease says.

use crate::kubernetes::namespaces::is_default_content;
use crate::survey::{Object, Seen};
use jiff::Timestamp;

/// The name of kube-controller-manager as a field manager.
const MANAGER: &str = "kube-controller-manager";
/// The kinds of owners for which its controllers create objects (kubernetes/kubernetes:
/// `pkg/controller/deployment`, `replicaset`, `statefulset`, `daemon`, `job`, `cronjob`).
const MAKERS: [&str; 6] = ["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "CronJob"];

/// Whether kube-controller-manager has written to the target or its content, or created part of
/// that content, after `then`.
pub(crate) fn worked_since(then: Timestamp, target: &Object, content: &[Seen<'_>]) -> bool {
    let wrote = |object: &Object| {
        object.managers().any(|manager| manager.name == MANAGER && manager.time.is_some_and(|at| at > then))
    };
    let made = |seen: &Seen<'_>| {
        let young = seen.object.metadata.creation_timestamp.is_some_and(|at| at > then);
        young && is_made_by_it(seen)
    };
    wrote(target) || content.iter().any(|seen| wrote(seen.object) || made(seen))
}

fn is_made_by_it(seen: &Seen<'_>) -> bool {
    let mut owners = seen.object.metadata.owner_references.iter();
    let is_event = seen.resource.id.plural == "events";
    !is_event && is_default_content(seen)
        || owners.any(|owner| {
            let built_in = owner.api_version.starts_with("apps/") || owner.api_version.starts_with("batch/");
            owner.controller == Some(true) && built_in && MAKERS.contains(&owner.kind.as_str())
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::Resource;
    use serde_json::json;

    #[test]
    fn newer_objects_prove_that_the_controller_manager_works() {
        let resource = |group: &str, plural: &str| Resource::tested(group, plural, "", true);
        let then: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let target = Object::single(json!({"metadata": {"name": "shop"}})).unwrap();
        let works = |kind: &Resource, metadata: serde_json::Value| {
            let object = Object::single(json!({"metadata": metadata})).unwrap();
            worked_since(then, &target, &[Seen { resource: kind, object: &object }])
        };
        let (accounts, sets) = (resource("", "serviceaccounts"), resource("apps", "replicasets"));
        let made = |at: &str| json!({"name": "default", "creationTimestamp": at});
        assert!(works(&accounts, made("2026-01-02T00:00:00Z")) && !works(&accounts, made("2025-12-31T00:00:00Z")));
        let owned = |kind: &str| {
            json!({"name": "web-1", "creationTimestamp": "2026-01-02T00:00:00Z", "ownerReferences": [
                {"apiVersion": "apps/v1", "kind": kind, "name": "web", "uid": "w", "controller": true}]})
        };
        assert!(works(&sets, owned("Deployment")) && !works(&sets, owned("Widget")));
    }
}
