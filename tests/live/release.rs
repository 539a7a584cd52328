//! The result of carrying out a scenario's plan.

use crate::scenario::Scenario;
use crate::support::control_plane::ControlPlane;
use crate::support::digests::digests_offered;
use crate::support::program::{audited_writes, journalled_writes, stderr, stdout, unstick};
use crate::support::wait::wait_until;
use serde_json::Value;
use std::process::Command;
use std::time::Duration;

/// A run with everything approved.
fn approve(scenario: &Scenario, plane: &ControlPlane, risk: &str, before: &Value) -> Command {
    let mut command = unstick(plane);
    command.args(scenario.ask()).args(["--approve", risk]);
    if risk == "loses-data" {
        let targets = before["targets"].as_array().expect("targets").iter();
        // Includes the type, since objects of several types may share a name.
        let qualified = |object: &Value| match text(&object["apiVersion"]).split_once('/') {
            Some((group, _)) => format!("{}.{group}/{}", text(&object["resource"]), text(&object["name"])),
            None => text(&object["name"]),
        };
        command.args(targets.map(|target| format!("--confirm={}", qualified(&target["object"]))));
    }
    command
}

/// For a state that the API cannot repair: the whole plan still ends, reports what remains, and
/// makes no unrecorded write.
pub fn stop(scenario: &Scenario, plane: &ControlPlane, before: &Value) {
    let name = &scenario.name;
    let risk = if before["targets"].as_array().is_some_and(Vec::is_empty) { "leaks" } else { "loses-data" };
    let output = approve(scenario, plane, risk, before).args(["--timeout", "10s"]).output().expect("the program runs");
    let said = format!("{name}: {}{}", stdout(&output), stderr(&output));
    let targets = before["targets"].as_array().expect("targets");
    let held = targets.iter().any(|target| target["state"] == "Stuck");
    // A controller that waited behind another obstacle gets its time once that is gone: a slow
    // machine may see the target's end.
    let may_go = scenario.layers() > 1;
    assert!(
        may_go || !held || !targets.iter().all(|target| is_gone(plane, target)),
        "it can be released: say so with `approve`: {said}"
    );
    let folder = plane.dir().join("state/kubectl-unstick");
    let journalled = if folder.exists() { journalled_writes(plane) } else { Vec::new() };
    let code = output.status.code().expect("an exit code");
    // A repair gives a controller time, so the target is no longer stuck then.
    let is_mended = code == 0 && !journalled.is_empty();
    let is_told = code == 3 && scenario.exit() == 1;
    assert!(code == scenario.exit() || is_told || is_mended, "exit code {code}: {said}");
    assert_eq!(journalled, audited_writes(plane), "{name}: the journal and the server disagree");
}

fn is_gone(plane: &ControlPlane, target: &Value) -> bool {
    let object = &target["object"];
    let (resource, name, namespace) = (text(&object["resource"]), text(&object["name"]), text(&object["namespace"]));
    let mut arguments = vec!["get", &resource, &name, "--ignore-not-found", "-o", "name"];
    if !namespace.is_empty() {
        arguments.extend(["-n", &namespace]);
    }
    let output = plane.kubectl(&arguments);
    output.status.success() && output.stdout.is_empty()
}

/// Applies the plan and checks from outside: the targets are gone, nothing is stranded in the
/// store, and every write is recorded.
pub fn release(scenario: &Scenario, plane: &ControlPlane, risk: &str, before: &Value) {
    let name = &scenario.name;
    let run = || approve(scenario, plane, risk, before).args(["--timeout", "2m"]).output().expect("the program runs");
    let mut output = run();
    // Another run approves the steps that appeared after the first ones; and one by one those that cost more, and
    // those that are alternatives to what was tried.
    let mut one_by_one = false;
    for _ in 1..scenario.layers().max(4) {
        let mut digests = digests_offered(&stderr(&output), risk);
        if digests.is_empty() {
            digests = digests_offered(&stderr(&output), "loses-data");
        }
        one_by_one = !one_by_one && !digests.is_empty();
        if output.status.success() {
            break;
        } else if one_by_one {
            let approvals = digests.iter().flat_map(|digest| ["--approve-plan", digest.as_str()]);
            let mut command = unstick(plane);
            command.args(scenario.ask()).args(approvals).args(["--ignore-not-found", "--timeout", "2m"]);
            output = command.output().expect("the program runs");
        } else {
            output = run();
        }
    }
    assert_eq!(output.status.code(), Some(0), "{name}: {}{}", stdout(&output), stderr(&output));
    let targets = before["targets"].as_array().expect("targets").iter();
    for target in targets.filter(|target| target["state"] != "NotDeleting") {
        // It also ends well if a controller has not retried yet: the API server's controller for
        // definitions waits twice as long after each failure.
        wait_until(&format!("{name}: its target is gone"), Duration::from_mins(3), || is_gone(plane, target));
        let (resource, object_name) = (text(&target["object"]["resource"]), text(&target["object"]["name"]));
        if resource == "namespaces" {
            let stranded: Vec<String> = plane
                .etcd_keys("/registry/")
                .into_iter()
                .filter(|key| key.contains(&format!("/{object_name}/")))
                .collect();
            assert!(stranded.is_empty(), "{name}: stranded {stranded:?}");
        }
    }
    assert_eq!(journalled_writes(plane), audited_writes(plane), "{name}: the journal and the server disagree");
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
