//! `owners`: the tree up and down, with a real garbage collector.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::wait::wait_until;
use serde_json::Value;
use std::fmt::Write;
use std::thread;
use std::time::Duration;

/// Runs `owners` and returns its exit code, its JSON and its messages.
fn owners(plane: &ControlPlane, arguments: &[&str]) -> (i32, Value, String) {
    let output = unstick(plane).arg("owners").args(arguments).args(["-o", "json"]).output().expect("the program runs");
    let said = stderr(&output);
    assert!(!said.contains("panicked"), "{said}");
    let json = serde_json::from_str(&stdout(&output)).unwrap_or_default();
    (output.status.code().unwrap_or_default(), json, said)
}

fn shown(plane: &ControlPlane, arguments: &[&str]) -> String {
    stdout(&unstick(plane).arg("owners").args(arguments).output().expect("the program runs"))
}

fn uid(plane: &ControlPlane, kind: &str, name: &str, namespace: &str) -> String {
    plane.kubectl_ok(&["get", kind, name, "-n", namespace, "-o", "jsonpath={.metadata.uid}"])
}

/// A `ConfigMap` with these finalizers and ownerReferences.
fn config_map(plane: &ControlPlane, namespace: &str, name: &str, finalizers: &str, owners: &str) {
    plane.apply(&format!(
        "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, namespace: {namespace}, \
         finalizers: [{finalizers}], ownerReferences: [{owners}]}}}}"
    ));
}

fn owner(plane: &ControlPlane, name: &str, namespace: &str, blocks: bool) -> String {
    let uid = uid(plane, "cm", name, namespace);
    format!("{{apiVersion: v1, kind: ConfigMap, name: {name}, uid: {uid}, blockOwnerDeletion: {blocks}}}")
}

fn names(nodes: &Value) -> Vec<String> {
    let name = |node: &Value| node["object"]["name"].as_str().unwrap_or_default().to_owned();
    let mut names: Vec<String> = nodes.as_array().into_iter().flatten().map(name).collect();
    names.sort();
    names
}

#[test]
fn a_deployment_is_shown_down_to_its_pods_and_a_pod_up_to_its_deployment() {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    plane.kubectl_ok(&["create", "deployment", "web", "-n", "shop", "--image=example.invalid/none"]);
    let pod = || plane.kubectl_ok(&["get", "pods", "-n", "shop", "-o", "jsonpath={.items[*].metadata.name}"]);
    wait_until("its pod is there", Duration::from_secs(30), || !pod().is_empty());
    let (code, report, said) = owners(&plane, &["deploy/web", "-n", "shop"]);
    assert_eq!(code, 0, "{said}");
    let set = &report["targets"][0]["dependents"][0];
    assert_eq!(set["object"]["kind"], "ReplicaSet", "{report:#}");
    assert_eq!(set["reference"], serde_json::json!({"controller": true, "blockOwnerDeletion": true}));
    assert_eq!(names(&set["dependents"]), [pod()]);
    let (code, report, said) = owners(&plane, &["pod", &pod(), "-n", "shop"]);
    assert_eq!(code, 0, "{said}");
    let set = &report["targets"][0]["owners"][0];
    assert_eq!(set["object"]["kind"], "ReplicaSet", "{report:#}");
    assert_eq!(set["owners"][0]["object"]["name"], "web");
    let tree = shown(&plane, &["deploy", "web", "-n", "shop", "-o", "tree"]);
    assert!(tree.contains("└─ ReplicaSet shop/web-") && tree.contains("   └─ Pod shop/web-"), "{tree}");
    assert!(tree.contains("controller, may block"), "{tree}");
    let table = shown(&plane, &["deploy", "web", "-n", "shop"]);
    assert!(table.contains("may block"), "{table}");
}

#[test]
fn blocking_dependents_are_marked_and_followed_to_their_cause() {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    config_map(&plane, "shop", "store", "", "");
    let store = owner(&plane, "store", "shop", true);
    config_map(&plane, "shop", "database", "", &store);
    config_map(&plane, "shop", "backup", "acme.io/bucket", &owner(&plane, "database", "shop", true));
    config_map(&plane, "shop", "cache", "", &owner(&plane, "store", "shop", false));
    plane.apply(&format!(
        "{{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, rules: [], \
         metadata: {{name: reader, ownerReferences: [{store}]}}}}"
    ));
    let ghost = "{apiVersion: gone.io/v1, kind: Ghost, name: g, uid: 00000000-0000-0000-0000-000000000001}";
    config_map(&plane, "shop", "haunted", "", &format!("{store}, {ghost}"));
    thread::sleep(Duration::from_secs(3));
    plane.kubectl_ok(&["delete", "cm", "store", "-n", "shop", "--cascade=foreground", "--wait=false"]);
    thread::sleep(Duration::from_secs(7));

    let (code, report, said) = owners(&plane, &["cm", "store", "-n", "shop", "-A"]);
    assert_eq!(code, 1, "{said}");
    let target = &report["targets"][0];
    assert_eq!((&target["propagation"], &target["deletion"]), (&"Foreground".into(), &"Stuck".into()), "{report:#}");
    let blocking: Vec<&Value> =
        target["dependents"].as_array().expect("dependents").iter().filter(|node| node["blocks"] == true).collect();
    let blocking = names(&blocking.into_iter().cloned().collect());
    assert_eq!(blocking, ["database", "haunted", "reader"], "{report:#}");
    let summaries: Vec<&str> = report["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter(|finding| finding["root"] == true)
        .filter_map(|finding| finding["summary"].as_str())
        .collect();
    assert!(
        summaries.iter().any(|summary| summary.contains("backup waits for finalizer acme.io/bucket")),
        "{summaries:?}"
    );
    assert!(summaries.iter().any(|summary| summary.contains("owner of kind Ghost")), "{summaries:?}");
    assert!(report["unread"].as_array().is_some_and(Vec::is_empty), "{report:#}");
    let table = shown(&plane, &["cm", "store", "-n", "shop", "-A"]);
    for words in [
        "blocked by 3 of 3 dependents",
        "✗ blocks",
        "✗ kind not served",
        "ClusterRole reader: it is cluster-scoped",
        "acme.io/bucket",
    ] {
        assert!(table.contains(words), "{words:?} is not in\n{table}");
    }
    // From a dependent: up to the owner that waits for it.
    let (code, report, _) = owners(&plane, &["cm", "backup", "-n", "shop"]);
    assert_eq!(code, 1);
    assert_eq!(report["targets"][0]["owners"][0]["owners"][0]["object"]["name"], "store", "{report:#}");
}

#[test]
fn owners_and_dependents_are_found_across_namespaces() {
    let plane = ControlPlane::start();
    for namespace in ["shop", "copies"] {
        plane.kubectl_ok(&["create", "namespace", namespace]);
    }
    plane.kubectl_ok(&["create", "clusterrole", "root", "--verb=get", "--resource=pods"]);
    let uid = plane.kubectl_ok(&["get", "clusterrole", "root", "-o", "jsonpath={.metadata.uid}"]);
    let root = format!("{{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, name: root, uid: {uid}}}");
    config_map(&plane, "shop", "a", "", &root);
    config_map(&plane, "copies", "b", "", &root);
    let (code, report, said) = owners(&plane, &["clusterrole/root"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(names(&report["targets"][0]["dependents"]), ["a", "b"]);

    config_map(&plane, "shop", "store", "", "");
    config_map(&plane, "copies", "copy", "acme.io/hold", &owner(&plane, "store", "shop", true));
    thread::sleep(Duration::from_secs(8));
    let (_, report, _) = owners(&plane, &["cm", "copy", "-n", "copies"]);
    let above = &report["targets"][0]["owners"][0];
    assert_eq!(
        (&above["state"], &above["object"]["namespace"]),
        (&"OtherNamespace".into(), &"shop".into()),
        "{report:#}"
    );
    // The namespace has none; nothing is claimed about other namespaces.
    let (_, report, _) = owners(&plane, &["cm", "store", "-n", "shop"]);
    assert!(report["notLookedAt"].as_array().is_some_and(|places| !places.is_empty()), "{report:#}");
    let (_, report, _) = owners(&plane, &["cm", "store", "-n", "shop", "-A"]);
    assert_eq!(names(&report["targets"][0]["dependents"]), ["copy"], "{report:#}");
}

#[test]
fn forbidden_lists_are_unread_instead_of_empty() {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    config_map(&plane, "shop", "store", "", "");
    config_map(&plane, "shop", "database", "", &owner(&plane, "store", "shop", true));
    plane.kubectl_ok(&["create", "role", "reader", "-n", "shop", "--verb=get", "--resource=configmaps"]);
    plane.kubectl_ok(&["create", "rolebinding", "reader", "-n", "shop", "--role=reader", "--user=jane"]);
    let (code, report, said) = owners(&plane, &["cm", "store", "-n", "shop", "--as=jane"]);
    assert_eq!(code, 2, "{said}");
    let unread = report["unread"].as_array().expect("unread");
    assert!(unread.iter().any(|note| note["why"].as_str().is_some_and(|why| why.contains("forbidden"))), "{report:#}");
    let table = shown(&plane, &["cm", "store", "-n", "shop", "--as=jane"]);
    assert!(table.contains("not read: configmaps, which jane may not list"), "{table}");
    assert!(!table.contains("0 dependents"), "{table}");
    let (code, _, said) = owners(&plane, &["cm", "none", "-n", "shop"]);
    assert_eq!(code, 2, "{said}");
    let refused = unstick(&plane).args(["owners", "ns", "shop", "-o", "name"]).output().expect("the program runs");
    assert_eq!(refused.status.code(), Some(2), "{}", stdout(&refused));
    assert!(stderr(&refused).contains("table, tree"), "{}", stderr(&refused));
}

#[test]
fn absurd_numbers_of_references_fit_on_a_screen() {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "namespace", "shop"]);
    config_map(&plane, "shop", "store", "", "");
    let mut references = String::new();
    for number in 0..3000 {
        write!(references, "{{apiVersion: v1, kind: ConfigMap, name: o{number}, uid: u{number}}},").expect("a string");
    }
    config_map(&plane, "shop", "thousands", "acme.io/hold", &references);
    let store = owner(&plane, "store", "shop", true);
    let item = |number: usize| {
        format!(
            "- {{apiVersion: v1, kind: ConfigMap, metadata: {{name: d{number}, namespace: shop, ownerReferences: [{store}]}}}}\n"
        )
    };
    let items: String = (0..400).map(item).collect();
    plane.apply(&format!("apiVersion: v1\nkind: List\nitems:\n{items}"));
    let (_, report, said) = owners(&plane, &["cm", "thousands", "-n", "shop"]);
    let target = &report["targets"][0];
    assert_eq!(target["owners"].as_array().map_or(0, Vec::len), 100, "{said}");
    assert_eq!(target["more"], 2900);
    let (code, report, said) = owners(&plane, &["cm", "store", "-n", "shop"]);
    assert_eq!(code, 0, "{said}: {}", report["unread"]);
    assert_eq!(report["targets"][0]["dependents"].as_array().map_or(0, Vec::len), 400);
    let table = shown(&plane, &["cm", "store", "-n", "shop"]);
    assert!(table.contains("… and 388 more dependents"), "{table}");
    assert!(table.lines().count() < 30, "{table}");
}
