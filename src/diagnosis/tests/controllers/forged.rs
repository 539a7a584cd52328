//! Evidence that a tenant can copy, and evidence that takes permissions in the whole cluster: only
//! the latter makes the program suggest a command that grants permissions.

use super::*;

/// A workload with the operator's name, as `acme` in `namespace`, without permissions.
fn runs_without_rights(namespace: &str) -> DatabaseCluster {
    let mut cluster = DatabaseCluster::new();
    for (plural, object) in &mut cluster.objects {
        if *plural == "namespaces" {
            object.metadata.creation_timestamp = "2025-06-01T00:00:00Z".parse().ok();
        }
    }
    cluster.add("serviceaccounts", json!({"metadata": {"name": "acme", "namespace": namespace, "uid": "sa"}}));
    cluster.deployment(namespace, "acme-operator", "acme", 1);
    cluster.pod(namespace, "acme-operator-1a2b-x", "acme", Some("acme-operator"));
    database(&mut cluster).metadata.managed_fields =
        written("acme-operator", &["acme.io/backup"], "acme-operator", "2025-12-31T00:00:00Z");
    cluster
}

/// A `ClusterRoleBinding` that names the account, with a role of these rules, created at this time.
fn also_bound(cluster: &mut DatabaseCluster, rules: &Value, at: &str) {
    cluster.add("clusterroles", json!({"metadata": {"name": "part", "uid": "part"}, "rules": rules}));
    cluster.add(
        "clusterrolebindings",
        json!({"metadata": {"name": "part", "uid": "part-binding", "creationTimestamp": at},
            "roleRef": {"kind": "ClusterRole", "name": "part"},
            "subjects": [{"kind": "ServiceAccount", "namespace": "ops", "name": "acme"}]}),
    );
}

fn status() -> Value {
    json!([{"apiGroups": ["acme.io"], "resources": ["databases/status"], "verbs": ["update"]}])
}

const LATER: &str = "2025-07-01T00:00:00Z";

/// The remedy that is not the removal of the finalizer.
#[track_caller]
fn grant(cluster: &DatabaseCluster) -> (Why, Remedy) {
    let (finding, remedies) = cluster.finding();
    assert_eq!(finding.cause, Cause::Permissions, "{}", finding.summary);
    (finding.why, remedies.into_iter().next().expect("a way out"))
}

fn is_command(remedy: &Remedy) -> bool {
    remedy.title.contains("kubectl create")
}

#[test]
fn no_command_grants_rights_to_a_look_alike() {
    let (certainty, remedy) = grant(&runs_without_rights("ops"));
    assert_eq!(certainty, Why::Likely);
    assert!(!is_command(&remedy) && !remedy.title.contains("kubectl"), "{}", remedy.title);
    assert_eq!(
        remedy.title,
        "nothing proves that ServiceAccount ops/acme belongs to the product: make sure that Deployment \
            ops/acme-operator does, and only then apply the product's own RBAC again, from its chart or manifests: it binds ClusterRole \
         acme, which has no binding, to ServiceAccount ops/acme"
    );
    let who = "ServiceAccount ops/acme may then update databases.acme.io in namespace shop";
    assert!(remedy.consequence.starts_with(who), "{}", remedy.consequence);
    assert!(remedy.consequence.contains("anybody with write access to its namespace"), "{}", remedy.consequence);
}

#[test]
fn a_command_grants_rights_to_an_account_with_a_cluster_role_binding() {
    let mut cluster = runs_without_rights("ops");
    also_bound(&mut cluster, &status(), LATER);
    let (_, remedy) = grant(&cluster);
    assert!(is_command(&remedy) && remedy.title.contains("--serviceaccount=ops:acme"), "{}", remedy.title);
    let who = "ServiceAccount ops/acme, which ClusterRoleBinding part names, may then do everything that ClusterRole acme \
               allows, in all namespaces";
    assert!(remedy.consequence.starts_with(who), "{}", remedy.consequence);
}

#[test]
fn without_an_unbound_role_the_right_on_the_kind_is_granted() {
    let mut cluster = runs_without_rights("ops");
    also_bound(&mut cluster, &status(), LATER);
    cluster.objects.retain(|(_, object)| object.uid() != "role");
    let (_, remedy) = grant(&cluster);
    let resources = "--resource=databases.acme.io,databases.acme.io/status,databases.acme.io/finalizers";
    assert!(is_command(&remedy) && remedy.title.contains(resources), "{}", remedy.title);
    let who = "ServiceAccount ops/acme, which ClusterRoleBinding part names, may then get, list, watch, update, patch \
               databases.acme.io in namespace shop";
    assert!(remedy.consequence.starts_with(who), "{}", remedy.consequence);
}

#[test]
fn a_lost_rule_is_restored_in_its_role() {
    let mut cluster = runs_without_rights("ops");
    cluster.objects.retain(|(_, object)| object.uid() != "role");
    let reads = json!({"apiGroups": ["acme.io"], "resources": ["databases"], "verbs": ["list"]});
    also_bound(&mut cluster, &json!([reads, status()[0]]), LATER);
    let (_, remedy) = grant(&cluster);
    let title = remedy.title.to_string();
    assert!(
        title.contains("kubectl patch clusterrole part --type=json") && title.contains(r#""verbs":["update","patch"]"#),
        "{title}"
    );
}

#[test]
fn more_than_the_right_to_write_may_be_lost() {
    let says = |rules: Value, status: Value| {
        let mut cluster = runs_without_rights("ops");
        also_bound(&mut cluster, &rules, LATER);
        let seen = database(&mut cluster);
        let entries = seen.metadata.managed_fields.as_array_mut().expect("entries");
        let wrote = json!({"manager": "acme-operator", "operation": "Update", "subresource": "status",
            "time": "2025-12-31T00:00:00Z", "fieldsV1": {"f:status": {}}});
        entries.push(wrote);
        seen.body.insert("status".into(), status);
        cluster.finding().0.summary.to_string()
    };
    let rule =
        |resource: &str, verbs: &[&str]| json!({"apiGroups": ["acme.io"], "resources": [resource], "verbs": verbs});
    let all = || rule("databases", &["list", "watch", "update"]);
    let none = || json!({});
    assert!(says(json!([all()]), none()).contains("has no permission to update or patch databases.acme.io/status"));
    assert!(
        says(json!([rule("databases", &["update"])]), none()).contains("has no permission to list databases.acme.io")
    );
    let whole = || json!([all(), rule("databases/status", &["update"])]);
    assert!(!says(whole(), none()).contains("permission"));
    // A quoted refusal counts if the roles agree.
    let told = |resource: &str| {
        let message = format!(
            "User \"system:serviceaccount:ops:acme\" cannot list resource \"{resource}\" in API group \"acme.io\" at the \
             cluster scope"
        );
        json!({"conditions": [{"type": "Ready", "status": "False", "reason": "Error", "message": message,
            "lastTransitionTime": "2026-01-01T00:30:00Z"}]})
    };
    let lists_buckets = says(whole(), told("buckets"));
    assert!(lists_buckets.contains("has no permission to list buckets.acme.io"), "{lists_buckets}");
    let lists_databases = says(whole(), told("databases"));
    assert!(!lists_databases.contains("has no permission to list"), "{lists_databases}");
}

#[test]
fn read_only_and_foreign_bindings_identify_nobody() {
    let with = |rules: Value| {
        let mut cluster = runs_without_rights("ops");
        also_bound(&mut cluster, &rules, LATER);
        is_command(&grant(&cluster).1)
    };
    assert!(!with(json!([{"apiGroups": ["acme.io"], "resources": ["databases"], "verbs": ["get", "list", "watch"]}])));
    assert!(!with(json!([{"apiGroups": ["other.io"], "resources": ["*"], "verbs": ["*"]}])));
    assert!(!with(json!([{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["update"]}])));
    assert!(with(json!([{"apiGroups": ["acme.io"], "resources": ["buckets"], "verbs": ["create"]}])));
}

#[test]
fn an_account_in_a_younger_namespace_is_not_trusted() {
    let mut cluster = runs_without_rights("ops");
    also_bound(&mut cluster, &status(), "2025-05-01T00:00:00Z");
    assert!(!is_command(&grant(&cluster).1));
}

#[test]
fn a_namespaced_role_binding_identifies_nobody() {
    let mut cluster = runs_without_rights("ops");
    also_bound(&mut cluster, &status(), LATER);
    let binding = cluster.objects.iter_mut().find(|(_, object)| object.uid() == "part-binding").expect("a binding");
    binding.0 = "rolebindings";
    binding.1.metadata.namespace = Some("shop".into());
    assert!(!is_command(&grant(&cluster).1));
}

#[test]
fn a_powerful_role_is_not_restored_by_a_command() {
    let mut cluster = runs_without_rights("ops");
    also_bound(&mut cluster, &status(), LATER);
    let role = cluster.objects.iter_mut().find(|(_, object)| object.uid() == "role").expect("a role");
    let rules = role.1.body["rules"].as_array_mut().expect("rules");
    rules.push(json!({"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]}));
    let (_, remedy) = grant(&cluster);
    assert_eq!(
        remedy.title,
        "apply the product's own RBAC again, from its chart or manifests: it binds ClusterRole acme, which has no \
         binding, to ServiceAccount ops/acme"
    );
    assert!(remedy.consequence.contains("that includes Secrets"), "{}", remedy.consequence);
}

#[test]
fn an_api_served_by_the_workload_identifies_its_account() {
    let served = |group: &str, labels: &Value| {
        let mut cluster = runs_without_rights("ops");
        cluster.add(
            "apiservices",
            json!({"metadata": {"name": "v1.acme.io", "uid": "api", "creationTimestamp": LATER},
                "spec": {"group": group, "version": "v2", "service": {"namespace": "ops", "name": "acme"}},
                "status": {"conditions": [{"type": "Available", "status": "True"}]}}),
        );
        cluster.add(
            "services",
            json!({"metadata": {"name": "acme", "namespace": "ops", "uid": "svc"}, "spec": {"selector": {"app": "x"}}}),
        );
        let (_, deployment) = cluster.objects.iter_mut().find(|(plural, _)| *plural == "deployments").expect("one");
        deployment.body["spec"]["template"]["metadata"] = json!({"labels": labels});
        is_command(&grant(&cluster).1)
    };
    assert!(served("acme.io", &json!({"app": "x"})));
    assert!(!served("acme.io", &json!({"app": "y"})), "the Service finds other pods");
    assert!(!served("other.io", &json!({"app": "x"})), "another product's");
}

#[test]
fn a_workload_found_by_name_and_marks_alone_is_disruptive_to_start() {
    // For a finalizer that the catalogue knows.
    let parked = |bound: bool| {
        let mut cluster = DatabaseCluster::new();
        if bound {
            cluster.account("ops", "acme");
        } else {
            cluster.add("serviceaccounts", json!({"metadata": {"name": "acme", "namespace": "ops", "uid": "sa"}}));
            cluster.add(
                "rolebindings",
                json!({"metadata": {"name": "acme", "namespace": "shop", "uid": "rb"},
                    "roleRef": {"kind": "ClusterRole", "name": "acme"},
                    "subjects": [{"kind": "ServiceAccount", "namespace": "ops", "name": "acme"}]}),
            );
        }
        cluster.deployment("ops", "rancher", "acme", 0);
        installed_with_the_kind(&mut cluster, "rancher");
        let database = database(&mut cluster);
        database.metadata.finalizers = vec!["clusterscoped.controller.cattle.io/local".into()];
        database.metadata.managed_fields =
            written("rancher", &["clusterscoped.controller.cattle.io/local"], "rancher", "2025-12-31T00:00:00Z");
        scale_up(&cluster).risk
    };
    assert_eq!(parked(true), Risk::Harmless);
    assert_eq!(parked(false), Risk::Disruptive);
}
