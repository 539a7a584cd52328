//! Stuck states on a real node: a kubelet and containerd beside the control plane, with running pods.
//!
//! The tests are the folders of `tests/node-states`. Each state is brought about on its own node,
//! diagnosed by the real program, repaired as the program proposes, and checked from outside;
//! `life.rs` describes a folder. With `UNSTICK_RECORD=1` the survey of each is recorded beside it.
//! If no node can run, the suite prints `NOT RUN` and the reason.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests run programs and read files")]

#[path = "../support/compact.rs"]
mod compact;
#[path = "../support/diet.rs"]
#[expect(dead_code, reason = "the live suite records a survey that stands alone")]
mod diet;
mod kill;
mod life;
#[path = "../support/scenario.rs"]
#[expect(dead_code, reason = "the recorded tests use more of it")]
mod scenario;
#[path = "../support"]
mod support {
    pub mod baseline;
    #[expect(dead_code, reason = "the end-to-end tests use more of it")]
    pub mod control_plane;
    #[expect(dead_code, reason = "the packaging tests use more of it")]
    pub mod go;
    pub mod program;
    pub mod wait;
}

use libtest_mimic::{Arguments, Trial};
use scenario::{ON_NODES, Scenario};
use std::path::Path;
use std::process::{Command, ExitCode};
use support::go::{self, tell};

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    let threads = std::env::var("RUST_TEST_THREADS").ok().and_then(|threads| threads.parse().ok());
    // Each test has its own control plane and node.
    arguments.test_threads = Some(arguments.test_threads.or(threads).unwrap_or(MOST_NODES).min(MOST_NODES));
    let states = Scenario::below(ON_NODES).into_iter().map(trial);
    let killed = Trial::test("kill::a_killed_node_leaves_nothing_behind", || {
        kill::a_killed_node_leaves_nothing_behind();
        Ok(())
    });
    let trials = states.chain([killed]).collect();
    if arguments.list {
        return libtest_mimic::run(&arguments, trials).exit_code();
    }
    if let Err(why) = can_run() {
        tell(&format!("NOT RUN: node: {why}"));
        return ExitCode::SUCCESS;
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// How many nodes run at a time.
const MOST_NODES: usize = 3;

/// Checks that this machine can run a node, and that the node's programs are available.
fn can_run() -> Result<(), String> {
    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real-node/check.sh");
    let output = Command::new("sh").arg(check).output().map_err(|error| format!("sh cannot be run: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    go::node().map(drop)
}

fn trial(state: Scenario) -> Trial {
    let name = state.name.replace("--", "_").replace('-', "_");
    Trial::test(format!("node::{name}"), move || {
        life::live(&state);
        Ok(())
    })
}
