//! Only shown steps are carried out: an object that matches an approval only after the first report
//! is reported and never written to, and an object that replaces an approved one is left alone.

use crate::orphans::force_finalize;
use crate::prompts::session;
use crate::races::request;
use crate::support::control_plane::ControlPlane;
use crate::support::program::{journalled_writes, stderr, stdout, unstick};
use crate::support::proxy::{Behind, in_front};
use crate::support::terminal::{agree, exit_code, says};
use crate::support::wait::wait_until;
use serde_json::Value;
use std::net::SocketAddr;
use std::process::{Output, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

fn run(plane: &ControlPlane, arguments: &[&str]) -> Output {
    unstick(plane).args(arguments).output().expect("the program runs")
}

fn report(plane: &ControlPlane, arguments: &[&str]) -> Value {
    let output = run(plane, &[arguments, &["-o", "json"]].concat());
    serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)))
}

/// A namespace that is being deleted, with a `ConfigMap` held by a finalizer that has no
/// controller.
fn held_namespace(plane: &ControlPlane, name: &str) {
    plane.kubectl_ok(&["create", "namespace", name]);
    hold(plane, name, "kept", "acme.io/hold");
    plane.kubectl_ok(&["delete", "namespace", name, "--wait=false"]);
}

/// A `ConfigMap` that is being deleted and held by these finalizers.
fn hold(plane: &ControlPlane, namespace: &str, name: &str, finalizers: &str) {
    plane.apply(&format!(
        "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, namespace: {namespace}, finalizers: [{finalizers}]}}}}"
    ));
    plane.kubectl_ok(&["delete", "configmap", name, "-n", namespace, "--wait=false"]);
}

fn finalizers(plane: &ControlPlane, namespace: &str, name: &str) -> String {
    let path = "jsonpath={.metadata.finalizers}";
    plane.kubectl_ok(&["get", "configmap", name, "-n", namespace, "--ignore-not-found", "-o", path])
}

/// Removes all finalizers, as the controller that set them would.
fn release(plane: &ControlPlane, namespace: &str, name: &str) {
    let patch = r#"{"metadata":{"finalizers":null}}"#;
    plane.kubectl_ok(&["patch", "configmap", name, "-n", namespace, "--type=merge", "-p", patch]);
}

const CONFIG_MAPS: &str = "/api/v1/namespaces/default/configmaps";

/// An address in front of the server. It runs `happens` between the first write to this `ConfigMap`
/// and the read that follows.
fn after_the_write(behind: &Behind, name: &str, happens: impl Fn(SocketAddr) + Send + Sync + 'static) -> String {
    let (server, path) = (behind.address.parse().expect("an address"), format!("{CONFIG_MAPS}/{name} "));
    let (is_written, has_happened) = (AtomicBool::new(false), AtomicBool::new(false));
    in_front(behind, move |_, line, _| {
        let is_about = |verb: &str| line.strip_prefix(verb).is_some_and(|rest| rest.starts_with(&path));
        if is_about("GET ") && is_written.load(SeqCst) && !has_happened.swap(true, SeqCst) {
            happens(server);
        }
        is_written.fetch_or(is_about("PATCH ") || is_about("DELETE "), SeqCst);
        false
    })
}

/// Waits until the deletion is too old to be within its usual time.
fn until_late() {
    std::thread::sleep(Duration::from_secs(6));
}

#[test]
fn later_deletions_are_reported_and_not_written() {
    let plane = ControlPlane::start();
    held_namespace(&plane, "x1");
    let looked = |name: &str| {
        let path = "jsonpath={.status.conditions[?(@.type==\"NamespaceFinalizersRemaining\")].status}";
        plane.kubectl_ok(&["get", "namespace", name, "-o", path]) == "True"
    };
    wait_until("its controller has looked", Duration::from_secs(40), || looked("x1"));
    until_late();
    let child = unstick(&plane)
        .args(["--approve", "loses-data", "--confirm", "x1", "--timeout", "30s"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    wait_until("x1 is released", Duration::from_secs(40), || finalizers(&plane, "x1", "kept").is_empty());
    held_namespace(&plane, "y2");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(finalizers(&plane, "y2", "kept"), r#"["acme.io/hold"]"#, "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
    assert!(
        stderr(&output).contains("also terminating now: namespace y2; run this again to see it"),
        "{}",
        stderr(&output)
    );
    assert!(journalled_writes(&plane).iter().all(|write| !write.contains("/y2")), "{:?}", journalled_writes(&plane));
}

#[test]
fn objects_that_a_type_matches_later_are_not_written() {
    let plane = ControlPlane::start();
    hold(&plane, "default", "one", "acme.io/hold");
    until_late();
    let behind = Behind::start(&plane);
    let address = after_the_write(&behind, "one", |server| {
        let later = r#"{"metadata":{"name":"later","finalizers":["acme.io/hold"]}}"#;
        request(server, "POST", CONFIG_MAPS, later);
        request(server, "DELETE", &format!("{CONFIG_MAPS}/later"), "");
    });
    let output = run(&plane, &["configmaps", "--approve", "leaks", "--timeout", "5s", "--server", &address]);
    assert_eq!(finalizers(&plane, "default", "later"), r#"["acme.io/hold"]"#, "{}", stderr(&output));
    assert!(stderr(&output).contains("also terminating now: configmaps/later -n default"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn a_deletion_by_a_rule_spares_objects_that_came_later() {
    let plane = ControlPlane::start();
    for name in ["one", "two"] {
        plane.apply(&format!("{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}}}}}"));
    }
    let behind = Behind::start(&plane);
    let address = after_the_write(&behind, "one", |server| {
        request(server, "DELETE", &format!("{CONFIG_MAPS}/two"), "");
        request(server, "POST", CONFIG_MAPS, r#"{"metadata":{"name":"two","labels":{"is":"precious"}}}"#);
    });
    let all = ["configmap", "one", "two", "--delete", "--approve", "disruptive", "--server", &address];
    let output = run(&plane, &all);
    let two = plane.kubectl_ok(&["get", "configmap", "two", "-o", "jsonpath={.metadata.labels.is}"]);
    assert_eq!(two, "precious", "{}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(3), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn a_digest_approves_no_namesake() {
    let plane = ControlPlane::start();
    hold(&plane, "default", "one", "acme.io/a, acme.io/b");
    until_late();
    let shown = report(&plane, &["configmap", "one"]);
    let digests: Vec<&str> =
        shown["remedies"].as_array().expect("remedies").iter().filter_map(|remedy| remedy["digest"].as_str()).collect();
    assert_eq!(digests.len(), 2, "{shown:#}");
    let behind = Behind::start(&plane);
    let address = after_the_write(&behind, "one", |server| {
        let namesake = r#"{"metadata":{"name":"one","finalizers":["acme.io/a","acme.io/b"]}}"#;
        request(server, "PATCH", &format!("{CONFIG_MAPS}/one"), r#"{"metadata":{"finalizers":null}}"#);
        request(server, "POST", CONFIG_MAPS, namesake);
        request(server, "DELETE", &format!("{CONFIG_MAPS}/one"), "");
    });
    let mut arguments = vec!["configmap", "one", "--timeout", "5s", "--server", &address];
    for digest in &digests {
        arguments.extend(["--approve-plan", digest]);
    }
    let output = run(&plane, &arguments);
    assert_eq!(finalizers(&plane, "default", "one"), r#"["acme.io/a","acme.io/b"]"#, "{}", stderr(&output));
    // A step is refused once the namesake is late; until then none is offered for it.
    let (code, said) = (output.status.code(), stderr(&output));
    assert!(matches!(code, Some(1 | 3)), "{code:?} {}{said}", stdout(&output));
    assert_eq!(code == Some(3), said.contains("it differs from what was approved"), "{said}");
    assert!(said.contains("ConfigMap default/one exists now, but it is another object of that name"), "{said}");
    // The digests belong to no remedy for the new object with the same name.
    let again = run(&plane, &arguments);
    assert_eq!(again.status.code(), Some(2), "{}", stderr(&again));
    assert_eq!(finalizers(&plane, "default", "one"), r#"["acme.io/a","acme.io/b"]"#);
}

#[test]
fn a_name_that_fits_several_targets_confirms_none_of_them() {
    let plane = ControlPlane::start();
    for namespace in ["a1", "b1"] {
        plane.kubectl_ok(&["create", "namespace", namespace]);
        hold(&plane, namespace, "web", "acme.io/hold");
    }
    until_late();
    let both = ["configmaps", "-A", "--approve", "loses-data", "--confirm"];
    let output = run(&plane, &[&both[..], &["web"]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("a1/web,b1/web"), "{}", stderr(&output));
    for namespace in ["a1", "b1"] {
        assert_eq!(finalizers(&plane, namespace, "web"), r#"["acme.io/hold"]"#);
    }
    let output = run(&plane, &[&both[..], &["a1/web,b1/web"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn a_person_is_not_asked_about_a_namesake() {
    let plane = ControlPlane::start();
    hold(&plane, "default", "one", "acme.io/a, acme.io/b");
    until_late();
    let mut session = session(&plane, &["configmap", "one", "--timeout", "5s"]);
    says(&mut session, "remove finalizer acme.io/a from configmaps/one -n default?");
    release(&plane, "default", "one");
    hold(&plane, "default", "one", "acme.io/a, acme.io/b");
    agree(&mut session, "one");
    says(&mut session, "another object now");
    let code = exit_code(&mut session);
    assert_eq!(finalizers(&plane, "default", "one"), r#"["acme.io/a","acme.io/b"]"#);
    assert_eq!(code, 3);
}

#[test]
fn undo_gives_nothing_back_into_another_namespace() {
    let plane = ControlPlane::alone();
    plane.kubectl_ok(&["create", "namespace", "gone"]);
    plane.kubectl_ok(&["create", "rolebinding", "readers", "--clusterrole=view", "--user=mallory", "-n", "gone"]);
    force_finalize(&plane, "gone");
    until_late();
    let output = run(&plane, &["orphans", "--approve", "leaks", "--timeout", "5s"]);
    let bindings = || plane.kubectl_ok(&["get", "rolebindings", "-n", "gone", "-o", "name"]);
    assert_eq!(bindings(), "", "{}{}", stdout(&output), stderr(&output));
    plane.kubectl_ok(&["create", "namespace", "gone"]);
    for arguments in [&["undo", "--yes"][..], &["undo", "--approve", "leaks"]] {
        let undone = run(&plane, arguments);
        assert_eq!(bindings(), "", "{}{}", stdout(&undone), stderr(&undone));
    }
    let run_id = journalled_runs(&plane).into_iter().next().expect("a run");
    let undone = run(&plane, &["undo", &run_id, "--approve", "leaks"]);
    assert_eq!(bindings(), "", "{}{}", stdout(&undone), stderr(&undone));
    assert_eq!(undone.status.code(), Some(1), "{}{}", stdout(&undone), stderr(&undone));
    assert!(
        stdout(&undone)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains("nothing is restored into a new namespace"),
        "{}",
        stdout(&undone)
    );
}

/// The names of the recorded runs, the newest first.
fn journalled_runs(plane: &ControlPlane) -> Vec<String> {
    stdout(&run(plane, &["journal", "-o", "name"])).lines().map(str::to_owned).collect()
}
