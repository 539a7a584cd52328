//! What is tried out for a user who may not know which APIs are aggregated.

use crate::live::{stderr, stdout, unstick};
use crate::support::control_plane::ControlPlane;

/// An aggregated API may stand for the group of a definition, too: who may not read the
/// APIServices cannot know.
#[test]
fn what_may_be_aggregated_is_not_tried_out() {
    let plane = ControlPlane::start();
    plane.apply(
        "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: databases.acme.io}
spec:
  group: acme.io
  names: {plural: databases, singular: database, kind: Database}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: dev}
rules:
- {apiGroups: [acme.io], resources: [databases], verbs: ['*']}
- {apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [get, list]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: dev}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: dev}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: dev}]",
    );
    plane.kubectl_ok(&["wait", "--for=condition=established", "crd/databases.acme.io"]);
    plane.apply("{apiVersion: acme.io/v1, kind: Database, metadata: {name: orders, finalizers: [acme.io/hold]}}");
    plane.kubectl_ok(&["delete", "database", "orders", "--wait=false"]);
    // Before that it is merely on its way.
    std::thread::sleep(std::time::Duration::from_secs(6));
    let tried = || {
        let events = plane.audit_requests().into_iter();
        events.filter(|event| event.uri.contains("dryRun") && event.uri.contains("databases")).count()
    };
    let run = |arguments: &[&str]| {
        let output = unstick(&plane)
            .args(["database", "orders", "--dry-run=server"])
            .args(arguments)
            .output()
            .expect("the program runs");
        format!("{}{}", stdout(&output), stderr(&output)).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let said = run(&["--as", "dev"]);
    assert!(said.contains("not tried: a server behind the API server answers for it, or may do so"), "{said}");
    assert_eq!(tried(), 0, "{said}");
    let said = run(&[]);
    assert!(said.contains("the server would accept it") && tried() > 0, "{said}");
}
