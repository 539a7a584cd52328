//! A mild way out that does not finish is no consent to a harsh one: a controller that is started and never
//! becomes Ready, one that becomes Ready late and then does its work, and one that is Ready and does nothing.

use crate::controllers::{database, deleted, shop};
use crate::prompts::session;
use crate::support::control_plane::ControlPlane;
use crate::support::digests::digests_offered;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::terminal::{exit_code, press, says};
use crate::support::wait::wait_until;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::process::Output;
use std::thread;
use std::time::Duration;

const FINALIZER: &str = "acme.io/backup";
const TARGET: [&str; 3] = ["databases.acme.io/orders", "-n", "shop"];

fn run(plane: &ControlPlane, arguments: &[&str]) -> Output {
    unstick(plane).args(TARGET).args(arguments).output().expect("the program runs")
}

fn said(output: &Output) -> String {
    format!("{}{}", stdout(output), stderr(output))
}

/// The finalizers of the object, or nothing if it is gone.
fn finalizers(plane: &ControlPlane) -> String {
    let of = ["-n", "shop", "--ignore-not-found", "-o", "jsonpath={.metadata.finalizers}"];
    plane.kubectl_ok(&[&["get", "databases.acme.io", "orders"], &of[..]].concat())
}

fn replicas(plane: &ControlPlane) -> String {
    plane.kubectl_ok(&["get", "deployment", "acme-operator", "-n", "ops", "-o", "jsonpath={.spec.replicas}"])
}

/// The operator is at 0 again, without pods.
fn stopped(plane: &ControlPlane) {
    plane.kubectl_ok(&["scale", "deployment", "acme-operator", "-n", "ops", "--replicas=0"]);
    plane.kubectl_ok(&["delete", "pods", "--all", "-n", "ops", "--force", "--grace-period=0"]);
}

fn started(plane: &ControlPlane) {
    wait_until("the operator is started", Duration::from_mins(1), || replicas(plane) == "1");
}

/// The kubelet begins to start the operator's pod.
fn begun(plane: &ControlPlane) {
    started(plane);
    of_the_pod(plane, &json!({"waiting": {"reason": "ContainerCreating"}}), false);
}

/// The kubelet's word that the operator's pod is Ready.
fn made_ready(plane: &ControlPlane) {
    of_the_pod(plane, &json!({"running": {"startedAt": format!("{:.0}", Timestamp::now())}}), true);
}

/// The kubelet's word on the container of the operator's pod.
fn of_the_pod(plane: &ControlPlane, state: &Value, is_ready: bool) {
    let pods = || plane.kubectl_ok(&["get", "pods", "-n", "ops", "-o", "name"]);
    wait_until("the operator's only pod", Duration::from_mins(1), || pods().lines().count() == 1);
    let pod = pods();
    let container = json!({"name": "manager", "image": "i", "imageID": "i", "ready": is_ready, "restartCount": 0,
        "started": is_ready, "state": state});
    let ready = json!({"type": "Ready", "status": if is_ready { "True" } else { "False" },
        "lastTransitionTime": format!("{:.0}", Timestamp::now())});
    let phase = if is_ready { "Running" } else { "Pending" };
    let status = json!({"status": {"phase": phase, "conditions": [ready], "containerStatuses": [container]}});
    let patch = ["--subresource=status", "--type=merge", "-p", &status.to_string()];
    plane.kubectl_ok(&[&["patch", pod.trim(), "-n", "ops"], &patch[..]].concat());
}

#[test]
fn a_mild_step_that_does_not_finish_is_no_consent_to_a_harsh_one() {
    let plane = shop();
    plane.kubectl_ok(&["create", "serviceaccount", "acme-operator", "-n", "ops"]);
    deleted(&plane, &database(&[FINALIZER.into()]));

    // It never becomes Ready.
    let never = thread::scope(|scope| {
        scope.spawn(|| begun(&plane));
        run(&plane, &["--approve", "leaks", "--timeout", "12s"])
    });
    let text = said(&never);
    assert_eq!((never.status.code(), replicas(&plane).as_str()), (Some(1), "1"), "{text}");
    assert!(finalizers(&plane).contains(FINALIZER), "{text}");
    for words in ["done, and not finished: scale ", "Deployment ops/acme-operator is starting, and is not Ready yet"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // Another run finds a controller that is starting.
    let again = run(&plane, &["--approve", "leaks", "--timeout", "2s"]);
    assert!(finalizers(&plane).contains(FINALIZER), "{}", said(&again));

    // The person at a terminal is asked how to go on, and Enter stops.
    stopped(&plane);
    let mut asked = session(&plane, &[&TARGET[..], &["--timeout", "12s"]].concat());
    asked.exp_string("> details").expect("a choice");
    asked.exp_string("   quit").expect("the end of the choice");
    press(&mut asked, "1\r");
    begun(&plane);
    says(&mut asked, "done, and not finished: scale");
    asked.exp_string("> stop here").expect("nothing else is preselected");
    asked.exp_string("  wait longer").expect("the other choice");
    press(&mut asked, "\r");
    assert_eq!(exit_code(&mut asked), 1);
    assert!(finalizers(&plane).contains(FINALIZER), "nothing harsher was done");

    // It is Ready and does nothing.
    made_ready(&plane);
    let idle = run(&plane, &["--approve", "leaks", "--timeout", "4s"]);
    assert!(finalizers(&plane).contains(FINALIZER), "it has just started: {}", said(&idle));

    // It becomes Ready late and then does its work.
    stopped(&plane);
    let late = thread::scope(|scope| {
        scope.spawn(|| {
            started(&plane);
            thread::sleep(Duration::from_secs(5));
            made_ready(&plane);
            thread::sleep(Duration::from_secs(2));
            let none = r#"{"metadata": {"finalizers": null}}"#;
            plane.kubectl_ok(&["patch", "databases.acme.io", "orders", "-n", "shop", "--type=merge", "-p", none]);
        });
        run(&plane, &["--approve", "leaks", "--timeout", "60s"])
    });
    let text = said(&late);
    assert_eq!(late.status.code(), Some(0), "{text}");
    assert!(text.contains("verified: ") && !text.contains("finalizer acme.io/backup is removed"), "{text}");
}

#[test]
fn the_alternative_to_a_failed_start_needs_its_own_consent() {
    let plane = shop();
    plane.kubectl_ok(&["create", "serviceaccount", "acme-operator", "-n", "ops"]);
    deleted(&plane, &database(&[FINALIZER.into()]));
    let failed = thread::scope(|scope| {
        scope.spawn(|| {
            started(&plane);
            of_the_pod(&plane, &json!({"waiting": {"reason": "ImagePullBackOff", "message": "no such image"}}), false);
        });
        run(&plane, &["--approve", "leaks", "--timeout", "16s"])
    });
    let text = said(&failed);
    assert_eq!(failed.status.code(), Some(1), "{text}");
    assert!(finalizers(&plane).contains(FINALIZER), "{text}");
    for words in ["done, and not finished: scale ", "ImagePullBackOff", "not done, because another way out was taken"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let digests = digests_offered(&stderr(&failed), "leaks");
    assert_eq!(digests.len(), 1, "{text}");
}

#[test]
fn the_digest_of_a_step_approves_it_and_nothing_else() {
    let plane = shop();
    deleted(&plane, &database(&[FINALIZER.into()]));
    let careful = run(&plane, &["--yes", "--timeout", "2s"]);
    let text = said(&careful);
    assert_eq!(careful.status.code(), Some(1), "{text}");
    assert!(text.contains("skipped: scale "), "a step that the approval does not cover is named: {text}");
    let digests = digests_offered(&stderr(&careful), "loses-data");
    let start = digests.first().unwrap_or_else(|| panic!("{text}"));
    let started = thread::scope(|scope| {
        scope.spawn(|| begun(&plane));
        run(&plane, &["--approve-plan", start, "--timeout", "12s"])
    });
    assert_eq!((started.status.code(), replicas(&plane).as_str()), (Some(1), "1"), "{}", said(&started));
    let removed = run(&plane, &["--approve", "leaks", "--dry-run=server"]);
    assert!(finalizers(&plane).contains(FINALIZER), "a rehearsal writes nothing: {}", said(&removed));
}
