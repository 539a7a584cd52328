//! The whole life of a state: forecast, deletion, answer, repair, and a check from outside.

use crate::answer::Answer;
use crate::node::Node;
use crate::product::Product;
use crate::state::{Outcome, Repair, State};
use crate::support::control_plane::ControlPlane;
use crate::support::go::control_plane;
use crate::table;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// The program to test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_kubectl-unstick");

/// How long the answer may take to match the settled state.
const SETTLES_WITHIN: Duration = Duration::from_mins(1);

/// How long a repaired object may take to disappear: operators retry after a back-off.
const GOES_WITHIN: Duration = Duration::from_secs(150);

/// How long to check that an object stays.
const STAYS_FOR: Duration = Duration::from_secs(15);

/// Brings a state about, and compares the program's answers and actions with its truth.
pub fn prove(state: &State, products: &[Arc<Product>]) -> Result<(), String> {
    let plane = ControlPlane::start();
    let node = Node::start(&plane, products);
    let scene = Stage { plane: &plane, products, together: &state.together };
    let install: Vec<String> =
        products.iter().map(|product| format!("install_{}", product.name.replace('-', "_"))).collect();
    scene.script(&format!("{}\n{}", install.join("\n"), state.make))?;
    let forecast = scene.ask(&["preflight"], state)?;
    scene.script(&state.delete)?;
    let (answer, wrong) = scene.settled_answer(state)?;
    let then = scene.repair(state)?;
    drop(node);
    let mut wrong = wrong;
    let foreseen = state.known.forecast.as_ref().unwrap_or(&state.truth.forecast);
    if forecast.state != *foreseen {
        wrong.insert(0, format!("forecast {}, not {foreseen}", forecast.line()));
    }
    let expected = state.known.then.unwrap_or(state.then);
    if then != expected {
        wrong.push(format!("after the repair it is {then:?}, not {expected:?}"));
    }
    table::note(products[0].as_ref(), state, &forecast, &answer, wrong.is_empty());
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}: {}", state.about, wrong.join("; "))) }
}

/// A control plane on which a state is brought about.
struct Stage<'a> {
    plane: &'a ControlPlane,
    products: &'a [Arc<Product>],
    together: &'a str,
}

impl Stage<'_> {
    /// Runs shell lines with the functions of `tests/scenarios/lib.sh`, of `lib.sh`, and of the
    /// products.
    fn script(&self, lines: &str) -> Result<(), String> {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        let mut script = format!(
            "set -euo pipefail\nexec 3</dev/null </dev/null\n. '{}'\n. '{}'\n. '{}'\n",
            self.plane.dir().join("env").display(),
            tests.join("scenarios/lib.sh").display(),
            tests.join("operators/lib.sh").display(),
        );
        for product in self.products {
            script.extend([". '", &product.dir.join("install.sh").to_string_lossy(), "'\n"]);
        }
        let mut bash = self.plane.command("bash");
        for product in self.products {
            bash.envs(product.folders()?);
        }
        let output = bash
            .args(["-c", &(script + lines)])
            .env("PLANE", self.plane.dir())
            .env("CONTROL_PLANE", control_plane())
            .env("ALONE", "")
            .env("TOGETHER", self.together)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("bash: {error}"))?;
        if output.status.success() { Ok(()) } else { Err(format!("it cannot be made: {}", end_of(&stderr(&output)))) }
    }

    fn program(&self) -> Command {
        let program = std::env::var("PROGRAM").unwrap_or_else(|_| PROGRAM.into());
        let mut command = self.plane.command(program);
        command.env("XDG_STATE_HOME", self.plane.dir().join("state")).stdin(Stdio::null());
        command
    }

    fn ask(&self, before: &[&str], state: &State) -> Result<Answer, String> {
        let (report, exit) = self.report(before, state)?;
        Ok(Answer::of(&report, exit))
    }

    fn report(&self, before: &[&str], state: &State) -> Result<(Value, i32), String> {
        let mut command = self.program();
        let output = command.args(before).args(&state.ask).args(["-o", "json"]).output().expect("the program runs");
        let report = serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {}", stderr(&output)))?;
        Ok((report, output.status.code().unwrap_or(-1)))
    }

    /// The answer once it is right, or wrong in the known way; otherwise the last answer, and its
    /// errors.
    fn settled_answer(&self, state: &State) -> Result<(Answer, Vec<String>), String> {
        let started = Instant::now();
        loop {
            let answer = self.ask(&[], state)?;
            let wrong = answer.differences(&state.truth, &state.known);
            if wrong.is_empty() || started.elapsed() > SETTLES_WITHIN {
                return Ok((answer, wrong));
            }
            thread::sleep(Duration::from_secs(2));
        }
    }

    /// The names of the targets, if a person would have to type them.
    fn confirmed(&self, risk: &str, state: &State) -> Result<Vec<String>, String> {
        if risk != "loses-data" {
            return Ok(Vec::new());
        }
        let (report, _) = self.report(&[], state)?;
        let targets = report["targets"].as_array().cloned().unwrap_or_default();
        Ok(targets.iter().map(|target| format!("--confirm={}", qualified(&target["object"]))).collect())
    }

    /// Carries out the repair, and checks what happened to the target.
    fn repair(&self, state: &State) -> Result<Outcome, String> {
        match &state.repair {
            Some(Repair::Approve(risk)) => {
                let mut command = self.program();
                command
                    .args(&state.ask)
                    .args(["--approve", risk, "--timeout", "120s"])
                    .args(&self.confirmed(risk, state)?);
                let output = command.output().expect("the program runs");
                if !matches!(output.status.code(), Some(0 | 3)) {
                    return Err(format!("the repair fails: {}", end_of(&stderr(&output))));
                }
            }
            Some(Repair::ByHand(lines)) => self.script(lines)?,
            None => {}
        }
        let expected = state.known.then.unwrap_or(state.then);
        let patience = if expected == Outcome::Gone { GOES_WITHIN } else { STAYS_FOR };
        let started = Instant::now();
        while started.elapsed() < patience {
            if self.is_gone(state) {
                return Ok(Outcome::Gone);
            }
            thread::sleep(Duration::from_secs(1));
        }
        Ok(Outcome::Stays)
    }

    /// Whether the targets are gone, according to kubectl.
    fn is_gone(&self, state: &State) -> bool {
        let words: Vec<&str> = state.ask.iter().map(String::as_str).collect();
        let output = self.plane.kubectl(&[&["get", "--ignore-not-found", "-o", "name"], &words[..]].concat());
        // If its definition is gone, the type is unknown.
        let unknown = stderr(&output).contains("the server doesn't have a resource type");
        (output.status.success() && output.stdout.is_empty()) || unknown
    }
}

/// A target as a person confirms it: with its type if several types have this name.
fn qualified(object: &Value) -> String {
    let text = |field: &str| object[field].as_str().unwrap_or_default();
    match text("apiVersion").split_once('/') {
        Some((group, _)) => format!("{}.{group}/{}", text("resource"), text("name")),
        None => text("name").to_owned(),
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The last lines, which contain the reason.
fn end_of(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(5)..].join("\n")
}
