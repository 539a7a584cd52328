//! Names that begin with a dash, as RBAC objects may have them: with the real kubectl, the printed
//! commands do what is meant, and nothing else.

use crate::completion::with_path;
use crate::support::control_plane::ControlPlane;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::wait::wait_until;
use serde_json::{Value, json};
use std::time::Duration;

/// The roles in the namespace, with the number of their finalizers.
fn roles(plane: &ControlPlane) -> Vec<(String, usize)> {
    let list = plane.kubectl_ok(&["get", "roles", "-n", "gone", "-o", "json"]);
    let list: Value = serde_json::from_str(&list).expect("JSON");
    let of = |role: &Value| {
        let finalizers = role["metadata"]["finalizers"].as_array().map_or(0, Vec::len);
        (role["metadata"]["name"].as_str().unwrap_or_default().to_owned(), finalizers)
    };
    list["items"].as_array().expect("items").iter().map(of).collect()
}

/// Runs a printed command in a shell, with the real kubectl.
fn carry_out(plane: &ControlPlane, command: &str) {
    let mut bash = plane.command("bash");
    with_path(&mut bash, plane, &plane.kubectl_bin_dir());
    let output = bash.args(["--norc", "-c", command]).output().expect("bash runs");
    assert!(output.status.success(), "{command}: {}{}", stdout(&output), stderr(&output));
}

#[test]
fn a_name_that_begins_with_a_dash_is_no_flag_to_the_real_kubectl() {
    let plane = ControlPlane::start();
    plane.kubectl_ok(&["create", "namespace", "gone"]);
    let role = |name: &str, finalizers: &[&str]| {
        let role = json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "rules": [],
            "metadata": {"name": name, "namespace": "gone", "finalizers": finalizers}});
        plane.apply(&role.to_string());
    };
    role("bystander", &[]);
    role("--all", &[]);
    let printed = |words: &[&str]| {
        let output = unstick(&plane).args(words).output().expect("the program runs");
        let report: Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        report
    };

    let report = printed(&["preflight", "role/--all", "-n", "gone", "-o", "json"]);
    let command = report["order"][0]["commands"][0].as_str().expect("a command").to_owned();
    carry_out(&plane, &command);
    assert_eq!(roles(&plane), [("bystander".to_owned(), 0)], "{command}");

    role("--all", &["acme.io/a", "acme.io/b"]);
    role("bystander", &["acme.io/a"]);
    plane.kubectl_ok(&["delete", "role/--all", "role/bystander", "-n", "gone", "--wait=false"]);
    let removal = || {
        let report = printed(&["role/--all", "-n", "gone", "-o", "json"]);
        let remedies = report["remedies"].as_array().expect("remedies");
        let mut steps = remedies.iter().flat_map(|remedy| remedy["steps"].as_array().into_iter().flatten());
        let step = steps.find(|step| step["kind"] == "RemoveFinalizer")?;
        step["command"].as_str().map(str::to_owned)
    };
    wait_until("it is late, and a removal is offered", Duration::from_secs(40), || removal().is_some());
    let command = removal().expect("a removal");
    carry_out(&plane, &command);
    assert_eq!(roles(&plane), [("--all".to_owned(), 1), ("bystander".to_owned(), 1)], "{command}");
    for name in ["role/--all", "role/bystander"] {
        plane.kubectl_ok(&["patch", name, "-n", "gone", "--type=merge", "-p", "{\"metadata\":{\"finalizers\":null}}"]);
    }
}
