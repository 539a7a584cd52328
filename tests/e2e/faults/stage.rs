//! A control plane that is put into the state of a plan again and again.

use super::front::{At, Fault, Front};
use super::plans::{Goal, Plan};
use super::requests::Seen;
use super::store::Mark;
use crate::support::control_plane::ControlPlane;
use crate::support::program::{run_script, stderr, stdout, unstick};
use crate::support::proxy::{Behind, pass_on};
use serde_json::Value;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Stdio};

/// A control plane for one plan.
pub struct Stage {
    pub plan: &'static Plan,
    plane: ControlPlane,
    behind: Behind,
    approvals: Vec<String>,
    mark: Option<Mark>,
    /// The time at which the state was begun.
    pub began: String,
    _background: ChildStdin,
}

/// A run that has ended.
pub struct Ran {
    /// The exit code; none after a kill.
    pub code: Option<i32>,
    pub killed: bool,
    pub errors: String,
    /// Everything that it printed.
    pub said: String,
    pub fired: bool,
    pub seen: Seen,
    pub records: Vec<Value>,
}

impl Stage {
    /// Brings the state about, which takes some ten seconds.
    pub fn make(plan: &'static Plan) -> Self {
        let plane = ControlPlane::alone();
        let began = jiff::Timestamp::now().strftime("%FT%TZ").to_string();
        let background = run_script(&plan.script(), &plane);
        let behind = Behind::start(&plane);
        let mut stage = Self { plan, plane, behind, approvals: Vec::new(), mark: None, began, _background: background };
        stage.approvals = stage.digests();
        if let Some(words) = plan.earlier {
            stage.run_earlier(words);
        }
        stage.mark = Some(Mark::set(&stage.plane, &stage.behind));
        stage
    }

    /// Runs the run that is undone later.
    fn run_earlier(&mut self, words: &str) {
        let mut earlier = unstick(&self.plane);
        earlier.args(words.split(' ')).args(self.approvals.drain(..)).args(["--timeout", "2s"]);
        let earlier = earlier.output().expect("the program runs");
        assert!(stderr(&earlier).contains("✓ done"), "{}{}", stdout(&earlier), stderr(&earlier));
    }

    /// The flags that approve remedies by their digests.
    fn digests(&self) -> Vec<String> {
        if self.plan.by_digest.is_empty() {
            return Vec::new();
        }
        let words = self.plan.earlier.unwrap_or(self.plan.ask);
        let output = unstick(&self.plane).args(words.split(' ')).args(["-o", "json"]).output();
        let report: Value = serde_json::from_slice(&output.expect("the program runs").stdout).expect("a report");
        let digest = |kind: &&str| {
            let remedies = report["remedies"].as_array().expect("remedies");
            let remedy = remedies.iter().find(|remedy| remedy["steps"][0]["kind"] == **kind);
            let remedy = remedy.unwrap_or_else(|| panic!("no {kind}: {report:#}"));
            format!("--approve-plan={}", remedy["digest"].as_str().expect("a digest"))
        };
        self.plan.by_digest.iter().map(digest).collect()
    }

    /// The state folder of a case, which begins with the journal of the earlier run.
    pub fn state(&self, case: &str) -> PathBuf {
        let state = self.plane.dir().join("faults").join(case);
        let earlier = self.plane.dir().join("state/kubectl-unstick");
        if self.plan.earlier.is_some() && !state.exists() {
            copy(&earlier, &state.join("kubectl-unstick"));
        }
        state
    }

    /// Runs the plan to its end, past the fault if there is one.
    pub fn run(&self, state: &Path, at: Option<&At>, timeout: u32) -> Ran {
        // A short limit only for a case that waits for it: the machine may be slow.
        let awaited = at.is_some_and(|at| at.fault == Fault::Silence);
        let front = Front::start(&self.behind, &state.join("kubectl-unstick"), at.cloned());
        let child = unstick(&self.plane)
            .env("XDG_STATE_HOME", state)
            .args(self.plan.ask.split(' '))
            .args(&self.approvals)
            .args(["--server", &front.address])
            .args((!self.plan.ask.starts_with("undo")).then(|| format!("--timeout={timeout}s")))
            .args(["--request-timeout", if awaited { "4s" } else { "1m" }])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        front.watches(child.id());
        let output = child.wait_with_output().expect("it ends");
        Ran {
            code: output.status.code(),
            killed: output.status.signal() == Some(9),
            errors: stderr(&output),
            said: format!("{}{}", stdout(&output), stderr(&output)),
            fired: front.has_fired(),
            seen: front.seen(),
            records: front.records(),
        }
    }

    /// The goals that were not reached.
    pub fn missing(&self) -> Vec<String> {
        let is_missing = |goal: &&Goal| match goal {
            Goal::Gone(path) => !self.is_gone(path),
            Goal::Is(path, pointer, value) => {
                let wanted: Value = serde_json::from_str(value).expect("a value");
                self.get(path).1.pointer(pointer) != Some(&wanted)
            }
            Goal::Lacks(path, pointer, text) => {
                let (status, object) = self.get(path);
                status != 200 || object.pointer(pointer).is_some_and(|value| value.to_string().contains(text))
            }
        };
        self.plan.goals.iter().filter(is_missing).map(|goal| format!("{goal:?}")).collect()
    }

    /// Whether no object has this path.
    pub fn is_gone(&self, path: &str) -> bool {
        self.get(path).0 == 404
    }

    /// Reads a path from the server directly, bypassing the program and the proxy before it.
    pub fn get(&self, path: &str) -> (u16, Value) {
        let request = format!("GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n");
        let answer = pass_on(&self.behind.address, request.as_bytes());
        let text = String::from_utf8_lossy(&answer);
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("an answer");
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status, serde_json::from_str(body).unwrap_or_default())
    }

    /// The stage in its original state: this control plane if possible, otherwise another one.
    pub fn into_new(self) -> Self {
        let mark = self.mark.as_ref().expect("a mark");
        if mark.go_back(&self.behind) { self } else { Self::make(self.plan) }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a journal") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
    }
    // The program refuses a folder that others may write.
    fs::set_permissions(to, fs::metadata(from).expect("a folder").permissions()).expect("they are set");
}
