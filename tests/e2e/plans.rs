//! Plans approved by their digest: exactly the shown steps are carried out, or none.

use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use serde_json::{Value, json};
use std::process::Output;
use std::thread;
use std::time::Duration;

fn run(plane: &ControlPlane, arguments: &[&str]) -> Output {
    unstick(plane).args(arguments).output().expect("the program runs")
}

/// The digest of the only removal of `finalizer` that a report offers.
fn digest(plane: &ControlPlane, name: &str, finalizer: &str) -> String {
    let output = run(plane, &["configmap", name, "-o", "json"]);
    let report: Value = serde_json::from_str(&stdout(&output)).expect("a report");
    let remedies = report["remedies"].as_array().expect("remedies").iter();
    let removals: Vec<&Value> = remedies
        .filter(|remedy| {
            remedy["steps"][0]["kind"] == "RemoveFinalizer" && remedy["steps"][0]["finalizer"] == finalizer
        })
        .collect();
    assert_eq!(removals.len(), 1, "{report:#}");
    removals[0]["digest"].as_str().expect("a digest").to_owned()
}

fn finalizers(plane: &ControlPlane, name: &str) -> Value {
    let text = plane.kubectl_ok(&["get", "configmap", name, "-o", "jsonpath={.metadata.finalizers}"]);
    serde_json::from_str(&text).unwrap_or_default()
}

#[test]
fn only_what_was_shown_is_done() {
    let plane = ControlPlane::start();
    for (name, keys) in [("one", "[acme.io/a, acme.io/b]"), ("two", "[acme.io/a]"), ("three", "[acme.io/a]")] {
        plane.apply(&format!("{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, finalizers: {keys}}}}}\n"));
    }
    plane.kubectl_ok(&["delete", "configmap", "one", "two", "three", "--wait=false"]);
    thread::sleep(Duration::from_secs(6));

    let (a, b) = (digest(&plane, "one", "acme.io/a"), digest(&plane, "one", "acme.io/b"));
    let stays = run(&plane, &["configmap", "one", "two", "--approve-plan", &a]);
    assert_eq!(stays.status.code(), Some(2), "it was shown for one of them: {}", stderr(&stays));
    assert!(stderr(&stays).contains("nothing was done"), "{}", stderr(&stays));
    let done = run(&plane, &["configmap", "one", "--approve-plan", &a, "-o", "json"]);
    assert_eq!(done.status.code(), Some(1), "{}", stderr(&done));
    let report: Value = serde_json::from_str(&stdout(&done)).expect("a report");
    assert_eq!(report["targets"][0]["state"], "Stuck");
    assert_eq!(finalizers(&plane, "one"), json!(["acme.io/b"]));
    assert_eq!(finalizers(&plane, "two"), json!(["acme.io/a"]));

    // The remaining remedy was shown beside the other one. It is the first now, which does not matter.
    let last = digest(&plane, "one", "acme.io/b");
    assert_eq!(last, b);
    let gone = run(&plane, &["configmap", "one", "--approve-plan", &last]);
    assert_eq!(gone.status.code(), Some(0), "{}{}", stdout(&gone), stderr(&gone));
    assert!(stderr(&gone).contains("removing finalizer acme.io/b from ConfigMap default/one"), "{}", stderr(&gone));
    let nothing = run(&plane, &["configmap", "three", "--approve-plan", &last]);
    assert_eq!(nothing.status.code(), Some(2), "{}", stderr(&nothing));
    assert_eq!(finalizers(&plane, "three"), json!(["acme.io/a"]));

    for (arguments, reason) in [
        (["--watch", "--approve-plan", "sha256:0"], "--watch"),
        (["--delete", "--approve-plan", "sha256:0"], "remedies of a diagnosis"),
        (["--yes", "--approve-plan", "sha256:0"], "exact steps"),
    ] {
        let refused = run(&plane, &[&["configmap", "three"], &arguments[..]].concat());
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(reason), "{reason}: {}", stderr(&refused));
    }
}
