//! States that look stuck but are not: no cause is named, nothing is offered, and the exit code is
//! that of a healthy cluster.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{run_script, stderr, stdout, unstick};
use serde_json::Value;
use std::path::Path;

/// A description of the state, and the arguments of `kubectl unstick`.
const LOOK_ALIKES: &[(&str, &str)] = &[
    ("a namespace full of guarded things that nobody deletes", "ns calm"),
    ("a Namespace with a finalizer of its own", "ns guarded"),
    ("an object with a finalizer whose operator is at zero", "databases.acme.io/guarded -n calm"),
    ("an owner with dependents", "configmap parent -n calm"),
    ("a dependent that blocks its owner", "configmap child -n calm"),
    ("a load balancer with the cloud's finalizer", "service web -n calm"),
    ("a claim in use", "pvc data -n calm"),
    ("a claim that was never bound", "pvc pending -n calm"),
    ("a bound volume that goes with its claim", "pv disk"),
    ("an attached volume", "volumeattachment csi-disk"),
    ("a pod whose eviction a budget refuses", "pod writer -n calm"),
    ("a pod on a silent node", "pod on-silent-node -n calm"),
    ("a silent node", "node silent"),
    ("a finished pod that a Job has not counted", "pod done -n calm"),
    ("a pod of a manifest", "pod static-worker -n calm"),
    ("a definition whose conversion webhook is dead and never asked", "crd gadgets.acme.io"),
    ("a definition with webhooks that are dead and not in the way", "crd databases.acme.io"),
    ("an aggregated API that cannot delete many at once", "apiservice v1.agg.example.com"),
    ("a namespace made again", "ns again"),
    ("an object made again", "databases.acme.io/again -n calm"),
    ("a namespace that waits for a pod within its grace period", "ns leaving"),
    ("a pod within its grace period", "pod slow -n calm"),
    ("an owner that waits for a pod within its grace period", "configmap owner -n calm"),
    ("a namespace that cannot be deleted at all", "ns kube-system"),
];

#[test]
fn a_healthy_cluster_accuses_nobody() {
    let plane = ControlPlane::start();
    accuses_nobody(&plane, "an empty cluster", "");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/healthy/make.sh");
    let _background = run_script(&script, &plane);
    // Collects all accusations, not only the first.
    let accused: Vec<String> =
        LOOK_ALIKES.iter().filter_map(|(state, words)| accusation(&plane, state, words)).collect();
    assert!(accused.is_empty(), "{} are accused:\n{}", accused.len(), accused.join("\n"));
    let gone = unstick(&plane).args(["ns", "brief", "--ignore-not-found"]).output().expect("the program runs");
    assert_eq!(gone.status.code(), Some(0), "{}{}", stdout(&gone), stderr(&gone));
    accuses_nobody(&plane, "all of it", "");
}

fn accuses_nobody(plane: &ControlPlane, state: &str, words: &str) {
    let accusation = accusation(plane, state, words);
    assert!(accusation.is_none(), "{}", accusation.unwrap_or_default());
}

/// Runs the program on one state. Returns its output unless that is "nothing is stuck".
fn accusation(plane: &ControlPlane, state: &str, words: &str) -> Option<String> {
    let output = unstick(plane).args(words.split_whitespace()).args(["-o", "json"]).output().expect("the program runs");
    let said = format!("{state}: {}{}", stdout(&output), stderr(&output));
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{said}"));
    let items = |field: &str| report[field].as_array().expect("a list").clone();
    let calm = ["progressing", "not-deleting"];
    let quiet = items("findings")
        .iter()
        .all(|finding| finding["root"] == false || calm.contains(&finding["cause"].as_str().unwrap_or_default()));
    let offers = items("remedies").iter().any(|remedy| remedy["steps"] != serde_json::json!([]));
    let fine = output.status.code() == Some(0) && quiet && !offers && items("unread").is_empty();
    (!fine).then_some(said)
}
