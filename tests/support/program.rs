//! The program under test, run on a control plane, whose folder contains its journal.

use super::control_plane::ControlPlane;
use super::go::control_plane;
use crate::scenario::Scenario;
use serde_json::Value;
use std::path::Path;
use std::process::{ChildStdin, Command, Output, Stdio};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_kubectl-unstick");

/// Brings the scenario's state about. Dropping the returned pipe ends the background processes of
/// `make.sh`.
#[must_use]
pub fn make(scenario: &Scenario, plane: &ControlPlane) -> ChildStdin {
    run_script(&scenario.dir.join("make.sh"), plane)
}

/// Runs a script with the functions of `lib.sh`: the scenarios' own if there is one, otherwise
/// `tests/scenarios/lib.sh`. Dropping the returned pipe ends its background processes.
#[must_use]
pub fn run_script(path: &Path, plane: &ControlPlane) -> ChildStdin {
    let usual = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios/lib.sh");
    let own = path.ancestors().nth(2).map(|folder| folder.join("lib.sh"));
    let script = format!(
        "set -eu\nexec 3<&0 </dev/null\n. '{}'\n. '{}'\n. '{}'\n",
        plane.dir().join("env").display(),
        own.filter(|own| own.is_file()).unwrap_or(usual).display(),
        path.display()
    );
    let mut child = plane
        .command("bash")
        .arg("-c")
        .arg(script)
        .env("PLANE", plane.dir())
        .env("CONTROL_PLANE", control_plane())
        .env("ALONE", if plane.is_alone() { "yes" } else { "" })
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("bash runs");
    let stdin = child.stdin.take().expect("stdin is a pipe");
    let output = child.wait_with_output().expect("bash ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} failed: {said}", path.display());
    stdin
}

/// A run of the program whose journal is in the control plane's folder.
pub fn unstick(plane: &ControlPlane) -> Command {
    let mut command = plane.command(PROGRAM);
    command.env("XDG_STATE_HOME", plane.dir().join("state")).stdin(Stdio::null());
    command
}

/// The output of a run on stdout.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The output of a run on stderr.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The writes in the journal: method and path.
pub fn journalled_writes(plane: &ControlPlane) -> Vec<String> {
    let folder = plane.dir().join("state/kubectl-unstick");
    let mut writes = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a journal") {
        let file = std::fs::read_to_string(entry.expect("an entry").path()).expect("a journal file");
        let records = file.lines().map(|line| serde_json::from_str::<Value>(line).expect("a record"));
        writes.extend(
            records
                .filter(|record| record["record"] == "intend")
                .map(|record| format!("{} {}", text(&record["request"]["method"]), text(&record["request"]["path"]))),
        );
    }
    writes.sort();
    writes
}

/// The writes of this program according to the server, without dry runs.
pub fn audited_writes(plane: &ControlPlane) -> Vec<String> {
    let mut writes: Vec<String> = plane
        .audit_requests()
        .into_iter()
        .filter(|event| event.user_agent.starts_with("kubectl-unstick/") && !event.uri.contains("dryRun=All"))
        // This request only asks for the user, and changes nothing.
        .filter(|event| !event.uri.contains("/selfsubjectreviews"))
        .filter_map(|event| {
            let method = match event.verb.as_str() {
                "get" | "list" | "watch" => return None,
                "patch" => "PATCH",
                "create" => "POST",
                "delete" => "DELETE",
                _ => "PUT",
            };
            Some(format!("{method} {}", event.uri))
        })
        .collect();
    writes.sort();
    writes
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
