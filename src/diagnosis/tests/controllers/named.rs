//! Reasons that no recorded scenario shows.

use super::{DatabaseCluster, database, running, written};
use crate::report::Why;
use serde_json::json;

/// The reason, and how well it is known.
fn reason(cluster: &DatabaseCluster) -> (Option<&'static str>, Why) {
    let (finding, _) = cluster.finding();
    (finding.reason, finding.why)
}

#[test]
fn a_deletion_that_the_status_wants_confirmed_awaits_that() {
    let mut cluster = running(&json!({"type": "Synced", "status": "True"}));
    cluster.database(&json!({"requiresDeletionConfirmation": true}));
    assert_eq!(reason(&cluster), (Some("awaits-confirmation"), Why::Likely));
    cluster.database(&json!({"requiresDeletionConfirmation": false}));
    assert_eq!(reason(&cluster).0, Some("gives-no-reason"));
}

#[test]
fn a_finalizer_of_a_person_perhaps_has_no_controller() {
    let mut cluster = DatabaseCluster::new();
    let at = "2025-12-31T00:00:00Z";
    database(&mut cluster).metadata.managed_fields = written("kubectl-edit", &["acme.io/backup"], "kubectl", at);
    assert_eq!(reason(&cluster), (Some("set-by-hand"), Why::Likely));
}

#[test]
fn a_controller_with_roles_in_its_own_namespace_alone_is_confined_to_that() {
    let mut cluster = DatabaseCluster::new();
    cluster.deployment("ops", "acme", "acme", 1);
    cluster.pod("ops", "acme-1a2b-x", "acme", Some("acme"));
    let rules = json!([{"apiGroups": ["acme.io"], "resources": ["databases"], "verbs": ["list", "watch", "update"]}]);
    cluster.add("roles", json!({"metadata": {"name": "acme", "namespace": "ops", "uid": "local"}, "rules": rules}));
    cluster.add(
        "rolebindings",
        json!({"metadata": {"name": "acme", "namespace": "ops", "uid": "bound"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "acme"},
            "subjects": [{"kind": "ServiceAccount", "namespace": "ops", "name": "acme"}]}),
    );
    let at = "2025-12-31T00:00:00Z";
    database(&mut cluster).metadata.managed_fields = written("acme", &["acme.io/backup"], "acme", at);
    assert_eq!(reason(&cluster), (Some("confined-to-namespace"), Why::Likely));
}
