//! Many targets: one survey of what they share, one plan, one question for a common cause; and
//! targets that are not named one by one.

use crate::prompts::session;
use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::terminal::choose;
use crate::support::wait::wait_until;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

/// Three namespaces that are being deleted, held by one aggregated API whose Service is gone; and
/// two `ConfigMap`s that are held by a finalizer.
fn held_by_one_api() -> ControlPlane {
    let plane = ControlPlane::start();
    plane.apply(
        "
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.things.acme.io}
spec: {group: things.acme.io, version: v1, groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, service: {namespace: acme, name: things}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: one, labels: {tier: db}, finalizers: [acme.io/hold]}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: two, labels: {tier: web}, finalizers: [acme.io/hold]}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: healthy, labels: {tier: db}}}
",
    );
    plane.kubectl_ok(&["delete", "configmap", "one", "two", "--wait=false"]);
    for name in ["a", "b", "c"] {
        plane.kubectl_ok(&["create", "namespace", name]);
    }
    plane.kubectl_ok(&["delete", "namespace", "a", "b", "c", "--wait=false"]);
    wait_until("the namespace controller has looked", Duration::from_secs(40), || {
        ["a", "b", "c"].iter().all(|name| {
            let path = "jsonpath={.status.conditions[?(@.type==\"NamespaceDeletionDiscoveryFailure\")].status}";
            plane.kubectl_ok(&["get", "namespace", name, "-o", path]) == "True"
        })
    });
    plane
}

fn targets(plane: &ControlPlane, arguments: &[&str]) -> Vec<String> {
    let output = unstick(plane).args(arguments).args(["-o", "json"]).output().expect("the program runs");
    let report: Value =
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
    let targets = report["targets"].as_array().expect("targets").iter();
    targets.map(|target| target["object"]["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn a_cause_that_several_share_is_read_once_and_asked_about_once() {
    let plane = held_by_one_api();
    let before = plane.audit_requests().len();
    assert_eq!(targets(&plane, &["ns", "a", "b", "c"]), ["a", "b", "c"]);
    let mut lists: BTreeMap<String, usize> = BTreeMap::new();
    let requests = plane.audit_requests();
    let ours = requests[before..].iter().filter(|event| event.user_agent.starts_with("kubectl-unstick"));
    for event in ours.filter(|event| event.verb == "list" && !event.uri.contains("/namespaces/")) {
        *lists.entry(event.uri.clone()).or_default() += 1;
    }
    assert!(lists.keys().any(|uri| uri.contains("/apiservices")), "{lists:#?}");
    assert!(lists.values().all(|count| *count == 1), "each cluster-wide list is read once: {lists:#?}");

    chosen_by_other_means(&plane);

    let mut session = session(&plane, &["ns", "a", "b", "c", "--timeout", "3m"]);
    session.exp_string("v1.things.acme.io").expect("the cause");
    session.exp_string("Step 1 of 1").expect("one question");
    choose(&mut session, "do it");
    session.exp_string("done: APIService v1.things.acme.io is gone").expect("is done");
    // The namespace controller may take a minute until its next check; nothing else is approved.
    wait_until("all three go", Duration::from_mins(2), || {
        plane.kubectl_ok(&["get", "ns", "a", "b", "c", "--ignore-not-found", "-o", "name"]).is_empty()
    });
}

/// Selects by a TYPE alone, labels, all namespaces and manifests: only objects that are being deleted.
fn chosen_by_other_means(plane: &ControlPlane) {
    assert_eq!(targets(plane, &["ns"]), ["a", "b", "c"]);
    assert_eq!(targets(plane, &["cm"]), ["one", "two"]);
    assert_eq!(targets(plane, &["secrets,cm", "-A"]), ["one", "two"]);
    assert_eq!(targets(plane, &["cm", "-A", "-l", "tier in (db)"]), ["one"]);
    assert_eq!(targets(plane, &["cm,ns", "two", "--ignore-not-found"]), ["two", "two"]);
    let mut child = unstick(plane)
        .args(["-f", "-", "-o", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let manifests = b"{apiVersion: v1, kind: ConfigMap, metadata: {name: two}}\n---\n{apiVersion: v1, kind: Namespace, metadata: {name: b}}\n";
    child.stdin.take().expect("a pipe").write_all(manifests).expect("written");
    let output = child.wait_with_output().expect("it ends");
    let report: Value = serde_json::from_str(&stdout(&output)).expect("a report");
    let found = report["targets"].as_array().expect("targets").iter().map(|target| target["object"]["name"].clone());
    assert_eq!(found.collect::<Vec<_>>(), ["two", "b"]);

    named_by_manifests(plane);

    let none = unstick(plane).args(["pods", "-A"]).output().expect("the program runs");
    assert_eq!(
        (none.status.code(), stdout(&none).as_str()),
        (Some(0), "none of the pods in any namespace is being deleted\n")
    );
    let odd = unstick(plane).args(["cm", "-l", "tier==!"]).output().expect("the program runs");
    assert_eq!(odd.status.code(), Some(2));
    assert!(stderr(&odd).contains("unable to parse requirement"), "{}", stderr(&odd));
}

/// Folders, JSON, lists and kustomizations, as kubectl accepts them.
fn named_by_manifests(plane: &ControlPlane) {
    let folder = plane.dir().join("manifests");
    std::fs::create_dir_all(folder.join("deep")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    let config =
        |name: &str| format!(r#"{{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {{"name": "{name}"}}}}"#);
    write("1.json", &format!("{}\n{}\n", config("two"), config("one")));
    write("2.yaml", "kind: List\napiVersion: v1\nitems: [{apiVersion: v1, kind: Namespace, metadata: {name: b}}]\n");
    write("notes.txt", "no manifest");
    write("deep/3.yml", "{apiVersion: v1, kind: Namespace, metadata: {name: c}}");
    let path = folder.to_str().expect("a path");
    assert_eq!(targets(plane, &["-f", path]), ["two", "one", "b"]);
    assert_eq!(targets(plane, &["-R", "-f", path]), ["two", "one", "b", "c"]);
    let (first, third) = (format!("{path}/1.json"), format!("{path}/deep/3.yml"));
    assert_eq!(targets(plane, &["-f", &third, "-f", &first]), ["c", "two", "one"]);

    write("kustomization.yaml", "resources: [deep/3.yml]\n");
    assert_eq!(targets(plane, &["-k", path]), ["c"]);
    let refused = |arguments: &[&str], words: &str| {
        let output = unstick(plane).args(arguments).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(stderr(&output).contains(words), "{words:?} is not in: {}", stderr(&output));
        stderr(&output)
    };
    refused(&["-k", &format!("{path}/deep")], "unable to find one of 'kustomization.yaml'");
    let no_kubectl = unstick(plane).args(["-k", path]).env("PATH", "/nowhere").output().expect("the program runs");
    assert!(stderr(&no_kubectl).contains("put kubectl on PATH"), "{}", stderr(&no_kubectl));

    write("4.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: two, namespace: default}}");
    let file = format!("{path}/4.yaml");
    assert_eq!(targets(plane, &["-f", &file, "-n", "default"]), ["two"]);
    let ours = refused(&["-f", &file, "-n", "shop"], "You must pass '--namespace=default'");
    let theirs = plane.kubectl(&["get", "-f", &file, "-n", "shop"]);
    assert_eq!(ours, stderr(&theirs), "kubectl says it otherwise");
}
