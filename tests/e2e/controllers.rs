//! The output about controllers when little can be read or an object is absurd, and the effect of
//! `--approve` on a controller at 0 replicas.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

/// Objects that have been terminating for this long are late.
const LATE: Duration = Duration::from_secs(6);

/// A kind, its operator at 0 replicas with the rights to it, and a namespace.
pub fn shop() -> ControlPlane {
    let plane = ControlPlane::start();
    plane.apply(
        "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: databases.acme.io}
spec:
  group: acme.io
  scope: Namespaced
  names: {plural: databases, singular: database, kind: Database}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
---
{apiVersion: v1, kind: Namespace, metadata: {name: shop}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: ops}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: acme-operator, namespace: ops}
spec:
  replicas: 0
  selector: {matchLabels: {app: acme}}
  template:
    metadata: {labels: {app: acme}}
    spec: {serviceAccountName: acme-operator, containers: [{name: manager, image: example.invalid/none}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: acme-operator}
rules: [{apiGroups: [acme.io], resources: [databases, databases/finalizers], verbs: [get, list, watch, update, patch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: acme-operator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: acme-operator}
subjects: [{kind: ServiceAccount, name: acme-operator, namespace: ops}]
",
    );
    crate::support::wait::wait_until("the kind is served", Duration::from_secs(30), || {
        plane.kubectl(&["get", "databases.acme.io", "-A"]).status.success()
    });
    plane
}

pub fn deleted(plane: &ControlPlane, object: &Value) {
    plane.apply(&object.to_string());
    let name = object["metadata"]["name"].as_str().expect("a name");
    plane.kubectl_ok(&["delete", "databases.acme.io", name, "-n", "shop", "--wait=false"]);
    thread::sleep(LATE);
}

pub fn database(finalizers: &[String]) -> Value {
    json!({"apiVersion": "acme.io/v1", "kind": "Database",
        "metadata": {"name": "orders", "namespace": "shop", "finalizers": finalizers}})
}

fn report(plane: &ControlPlane, more: &[&str]) -> Value {
    let arguments = ["databases.acme.io/orders", "-n", "shop", "-o", "json"];
    let output = unstick(plane).args(arguments).args(more).output().expect("the program runs");
    serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)))
}

#[test]
fn fifty_of_a_thousand_finalizers_are_traced_to_one_finding() {
    let plane = shop();
    let finalizers: Vec<String> = (0..1000).map(|number| format!("f{number}.acme.io/hold")).collect();
    deleted(&plane, &database(&finalizers));
    let report = report(&plane, &[]);
    let findings = report["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 951, "the controllers of fifty are looked for, and one is behind them all");
    assert!(findings.iter().all(|finding| finding["root"] == true));
    let more = findings.iter().filter_map(|finding| finding["moreFinalizers"].as_array());
    assert_eq!(more.map(Vec::len).collect::<Vec<_>>(), [49]);
    let scale: Vec<&Value> = report["remedies"]
        .as_array()
        .expect("remedies")
        .iter()
        .filter(|remedy| remedy["steps"][0]["kind"] == "ScaleWorkload")
        .collect();
    assert_eq!(scale.len(), 1, "what mends many is offered once: {scale:#?}");
}

#[test]
fn missing_rights_make_the_controller_unknown_and_are_named() {
    let plane = shop();
    plane.apply(
        "
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: [{apiGroups: [acme.io], resources: [databases], verbs: [get, list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects: [{kind: User, name: joe, apiGroup: rbac.authorization.k8s.io}]
",
    );
    deleted(&plane, &database(&["acme.io/backup".into()]));
    let report = report(&plane, &["--as", "joe"]);
    let finding = &report["findings"][0];
    assert_eq!(finding["finalizer"], "acme.io/backup", "the finding stays: {report:#}");
    assert_eq!(finding["controller"]["state"], "Unknown", "{report:#}");
    let evidence = finding["controller"]["evidence"].to_string();
    for unread in ["deployments.apps", "clusterroles", "permission to get and list them would help"] {
        assert!(evidence.contains(unread), "{unread}: {evidence}");
    }
}

#[test]
fn a_started_controller_gets_time_before_harsher_steps() {
    let plane = shop();
    deleted(&plane, &database(&["acme.io/backup".into()]));
    // Only the rights point to the operator, which is not enough to start it, even if that is harmless.
    let arguments = ["databases.acme.io/orders", "-n", "shop", "--timeout", "4s"];
    let careful = unstick(&plane).args(arguments).arg("--yes").output().expect("the program runs");
    assert_eq!(careful.status.code(), Some(1), "{}{}", stdout(&careful), stderr(&careful));
    assert!(!stderr(&careful).contains("is scaled to 1"), "{}", stderr(&careful));
    let mild = unstick(&plane).args(arguments).args(["--approve", "disruptive"]).output().expect("the program runs");
    // The controller was started, but has no kubelet, and nothing else was approved.
    assert_eq!(mild.status.code(), Some(1), "{}{}", stdout(&mild), stderr(&mild));
    assert!(stderr(&mild).contains("Deployment ops/acme-operator is scaled to 1"), "{}", stderr(&mild));
    let replicas = ["get", "deployment", "acme-operator", "-n", "ops", "-o", "jsonpath={.spec.replicas}"];
    assert_eq!(plane.kubectl_ok(&replicas), "1");
    let finalizers = ["get", "databases.acme.io", "orders", "-n", "shop", "-o", "jsonpath={.metadata.finalizers}"];
    assert!(plane.kubectl_ok(&finalizers).contains("acme.io/backup"), "nothing harsher was done");
}

#[test]
fn starting_a_destructive_controller_is_not_harmless() {
    let plane = shop();
    let mut pool = database(&["cephblockpool.ceph.rook.io".into()]);
    pool["metadata"]["name"] = "pool".into();
    pool["metadata"]["namespace"] = "ops".into();
    plane.apply(&pool.to_string());
    plane.kubectl_ok(&["delete", "databases.acme.io", "pool", "-n", "ops", "--wait=false"]);
    plane.apply(&database(&[]).to_string());
    // The name and the rights point to the operator, which is enough proof.
    let patch = r#"{"metadata": {"finalizers": ["acme.io/backup"]}}"#;
    let by_operator = ["--type=merge", "--field-manager=acme-operator", "-p", patch];
    plane.kubectl_ok(&[&["patch", "databases.acme.io", "orders", "-n", "shop"], &by_operator[..]].concat());
    plane.kubectl_ok(&["delete", "databases.acme.io", "orders", "-n", "shop", "--wait=false"]);
    thread::sleep(LATE);
    let arguments = ["databases.acme.io/orders", "-n", "shop", "--timeout", "4s", "--yes"];
    let careful = unstick(&plane).args(arguments).output().expect("the program runs");
    assert_eq!(careful.status.code(), Some(1), "{}{}", stdout(&careful), stderr(&careful));
    let replicas = ["get", "deployment", "acme-operator", "-n", "ops", "-o", "jsonpath={.spec.replicas}"];
    assert_eq!(plane.kubectl_ok(&replicas), "0", "{}{}", stdout(&careful), stderr(&careful));
    let report = report(&plane, &[]);
    let remedies = report["remedies"].as_array().expect("remedies");
    let scale = remedies.iter().find(|remedy| remedy["steps"][0]["kind"] == "ScaleWorkload").expect("a scale-up");
    assert_eq!((&scale["risk"], &scale["confirms"]["level"]), (&"Disruptive".into(), &"LosesData".into()), "{scale:#}");
    let consequence = scale["consequence"].as_str().expect("a consequence");
    assert!(consequence.contains("also finishes 1 deletion requested elsewhere: Database ops/pool"), "{consequence}");
    // Without it, no evidence contradicts the controller.
    plane.kubectl_ok(&[
        "patch",
        "databases.acme.io",
        "pool",
        "-n",
        "ops",
        "--type=merge",
        "-p",
        r#"{"metadata": {"finalizers": null}}"#,
    ]);
    let arguments = ["databases.acme.io/orders", "-n", "shop", "--timeout", "4s", "--approve", "disruptive"];
    let mild = unstick(&plane).args(arguments).output().expect("the program runs");
    assert_eq!(plane.kubectl_ok(&replicas), "1", "{}{}", stdout(&mild), stderr(&mild));
}
