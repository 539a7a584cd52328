//! Removals in batches: Ctrl-C in the middle of one, and refusals. `faults` tests the effect of
//! faults.

use crate::faults::records_in;
use crate::support::control_plane::{AuditEvent, ControlPlane};
use crate::support::program::{stderr, stdout, unstick};
use crate::support::wait::wait_until;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Creates held objects with these labels and counts.
fn hold<'a>(plane: &ControlPlane, labels: impl Iterator<Item = &'a str>, count: usize) {
    let object = |label: &str, number: usize| {
        format!(
            "---\n{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {label}-{number}, labels: {{batch: {label}, held: b}}, finalizers: [acme.io/hold]}}}}\n"
        )
    };
    let all: Vec<String> = labels.flat_map(|label| (0..count).map(move |number| object(label, number))).collect();
    plane.apply(&all.concat());
    plane.kubectl_ok(&["delete", "configmap", "-l", "held=b", "--wait=false"]);
    thread::sleep(Duration::from_secs(6));
}

/// The paths of the remaining objects.
fn left(plane: &ControlPlane, label: &str) -> BTreeSet<String> {
    let names = plane.kubectl_ok(&[
        "get",
        "configmap",
        "-l",
        &format!("batch={label}"),
        "-o",
        "jsonpath={.items[*].metadata.name}",
    ]);
    names.split_whitespace().map(path).collect()
}

fn path(name: &str) -> String {
    format!("/api/v1/namespaces/default/configmaps/{name}")
}

/// The paths of the recorded writes, and of those recorded as done.
fn on_record(records: &[Value]) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut intended, mut done, mut of_run) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for record in records {
        match record["record"].as_str() {
            Some("run") => of_run.clear(),
            Some("intend") => {
                let path = record["request"]["path"].as_str().expect("a path").to_owned();
                intended.insert(path.clone());
                of_run.push((record["step"].clone(), path));
            }
            Some("outcome") if record["outcome"] == "done" => {
                let of = of_run.iter().find(|(step, _)| *step == record["step"]);
                done.insert(of.expect("on record before").1.clone());
            }
            _ => {}
        }
    }
    (intended, done)
}

const MANY: usize = 300;

#[test]
fn an_interrupted_batch_is_reported_exactly() {
    let plane = ControlPlane::start();
    hold(&plane, ["many"].into_iter(), MANY);
    let state = plane.dir().join("interrupted");
    let child = unstick(&plane)
        .env("XDG_STATE_HOME", &state)
        .args(["configmap", "-l", "batch=many", "--approve", "leaks"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    wait_until("some are done", Duration::from_secs(30), || on_record(&records_in(&state)).1.len() >= 20);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let left = left(&plane, "many").len();
    let told = format!("interrupted: {} of {MANY} steps done, {left} not tried", MANY - left);
    assert!(left > 0 && stderr(&output).contains(&told), "{told}: {}", stderr(&output));
    let records = records_in(&state);
    assert_eq!(on_record(&records).1.len(), MANY - left);
    assert_eq!(records.last().expect("an end")["how"], "interrupted");

    let before = plane.audit_requests().len();
    let rest = unstick(&plane)
        .env("XDG_STATE_HOME", &state)
        .args(["configmap", "-l", "batch=many", "--approve", "leaks"])
        .output()
        .expect("the program runs");
    assert_eq!(rest.status.code(), Some(0), "{}", stderr(&rest));
    assert!(
        stderr(&rest).contains(&format!("done: {left} of {left}: remove finalizer acme.io/hold")),
        "{}",
        stderr(&rest)
    );
    assert!(tried_while_others_were_written(&plane.audit_requests()[before..]), "one batch waits for the other");
    // The records of several writes come before all of their outcomes.
    let kinds: Vec<&str> = records.iter().filter_map(|record| record["record"].as_str()).collect();
    assert!(kinds.windows(16).any(|some| some.iter().all(|kind| *kind == "intend")), "they went out together");
    let undo = unstick(&plane).env("XDG_STATE_HOME", &state).args(["undo", "last", "--yes"]).output().expect("it runs");
    assert_eq!(stdout(&undo).matches("accepts no new finalizer").count(), left, "{}", stderr(&undo));
}

/// Whether a dry run came after a write and before that write was read back.
fn tried_while_others_were_written(requests: &[AuditEvent]) -> bool {
    let mut open: BTreeSet<&str> = BTreeSet::new();
    let mut tried: BTreeSet<&str> = BTreeSet::new();
    requests.iter().filter(|event| event.uri.contains("/configmaps/")).any(|event| {
        let (path, query) = event.uri.split_once('?').unwrap_or((&event.uri, ""));
        match event.verb.as_str() {
            "patch" if query.contains("dryRun") => tried.extend(&open),
            "patch" => open.extend([path]),
            _ => {}
        }
        event.verb == "get" && open.remove(path) && tried.contains(path)
    })
}

/// The numbers of the objects that a user may write to; the rest of a class is refused.
const ALLOWED: std::ops::Range<usize> = 0..20;
const FORBIDDEN: std::ops::Range<usize> = 20..30;
const IN_ALL: usize = 40;

#[test]
fn refusals_end_a_class_in_a_batch_as_one_by_one() {
    let plane = ControlPlane::start();
    let name = |number: usize| format!("c{number:02}");
    let object = |number: usize| {
        let name = name(number);
        format!(
            "---\n{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, labels: {{batch: half}}, finalizers: [acme.io/hold]}}}}\n"
        )
    };
    plane.apply(&(0..IN_ALL).map(object).collect::<String>());
    plane.kubectl_ok(&["delete", "configmap", "-l", "batch=half", "--wait=false"]);
    thread::sleep(Duration::from_secs(6));
    let allowed = (0..IN_ALL).filter(|number| !FORBIDDEN.contains(number));
    let names: Vec<String> = allowed.map(|number| format!("--resource-name={}", name(number))).collect();
    let role = ["create", "role", "half", "--verb=patch", "--resource=configmaps"].into_iter();
    plane.kubectl_ok(&role.chain(names.iter().map(String::as_str)).collect::<Vec<_>>());
    plane.kubectl_ok(&["create", "rolebinding", "half", "--role=half", "--user=half"]);
    plane.kubectl_ok(&["create", "clusterrole", "half", "--verb=get,list", "--resource=*.*"]);
    plane.kubectl_ok(&["create", "clusterrolebinding", "half", "--clusterrole=half", "--user=half"]);
    let output = unstick(&plane)
        .args(["configmap", "-l", "batch=half", "--approve", "leaks", "--as", "half", "--timeout", "1s"])
        .output()
        .expect("the program runs");
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    let (done, untried) = (ALLOWED.len(), IN_ALL - ALLOWED.len() - 5);
    assert!(said.contains(&format!("{untried} more not tried after 5 refusals")), "{said}");
    assert!(said.contains(&format!("done: {done} of {IN_ALL}: remove finalizer acme.io/hold")), "{said}");
    assert_eq!(said.matches("not done: remove finalizer").count(), 5, "{said}");
    let there: BTreeSet<String> = (ALLOWED.end..IN_ALL).map(|number| path(&name(number))).collect();
    assert_eq!(left(&plane, "half"), there, "none of the rest was written");
}
