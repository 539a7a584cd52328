//! Every scenario, live: brought about on its own control plane, diagnosed by the real program,
//! released if possible, and checked from outside.
//!
//! The tests are the folders of `tests/scenarios`: `controller-down--products` is the test
//! `live::held_by_finalizer_products`. With `UNSTICK_RECORD=1` the surveys of the recorded tests
//! are taken again. With `UNSTICK_LIVE_MINUTES=N` no scenario is begun after this many minutes: the
//! remaining ones count as ignored, a last line states their number, and each run begins with
//! another scenario.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests run programs and read files")]

#[path = "../support/compact.rs"]
mod compact;
#[path = "../support/diet.rs"]
mod diet;
mod reader;
mod release;
#[path = "../support/scenario.rs"]
#[expect(dead_code, reason = "the recorded tests use more of it")]
mod scenario;
#[path = "../support"]
mod support {
    pub mod baseline;
    #[expect(dead_code, reason = "the end-to-end tests use more of it")]
    pub mod control_plane;
    pub mod digests;
    #[expect(dead_code, reason = "the packaging tests use more of it")]
    pub mod go;
    pub mod program;
    pub mod wait;
}

use kubectl_unstick::survey::file;
use libtest_mimic::{Arguments, Completion, Trial};
use release::{release, stop};
use scenario::Scenario;
use serde_json::Value;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};
use support::baseline;
use support::control_plane::ControlPlane;
use support::go::{kubernetes, tell};
use support::program::{make, stderr, stdout, unstick};

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Rust's own harness reads this variable itself.
    let threads = std::env::var("RUST_TEST_THREADS").ok().and_then(|threads| threads.parse().ok());
    arguments.test_threads = arguments.test_threads.or(threads);
    let mut scenarios = Scenario::all();
    let until = minutes().map(|minutes| Instant::now() + minutes);
    if until.is_some() {
        let first = std::process::id() as usize % scenarios.len().max(1);
        scenarios.rotate_left(first);
    }
    let trials = scenarios.into_iter().map(|scenario| trial(scenario, until)).collect();
    let conclusion = libtest_mimic::run(&arguments, trials);
    if until.is_some() && conclusion.num_ignored > 0 {
        tell(&format!("NOT RUN: live: {} scenarios: {MINUTES} were over", conclusion.num_ignored));
    }
    conclusion.exit_code()
}

/// The variable with the number of minutes in which new scenarios are begun.
const MINUTES: &str = "UNSTICK_LIVE_MINUTES";

fn minutes() -> Option<Duration> {
    let said = std::env::var(MINUTES).ok().filter(|said| !said.is_empty())?;
    Some(Duration::from_mins(said.parse().unwrap_or_else(|error| panic!("{MINUTES}={said}: {error}"))))
}

fn trial(scenario: Scenario, until: Option<Instant>) -> Trial {
    let name = scenario.name.replace("--", "_").replace('-', "_");
    Trial::ignorable_test(format!("live::{name}"), move || {
        if until.is_some_and(|until| Instant::now() >= until) {
            return Ok(Completion::ignored_with("the time is over"));
        }
        prove(&scenario);
        Ok(Completion::Completed)
    })
}

/// The whole life of a scenario.
fn prove(scenario: &Scenario) {
    let name = &scenario.name;
    let minor = kubernetes().split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok());
    if minor < Some(scenario.since()) {
        tell(&format!("{name}: not on Kubernetes {}, whose servers behave otherwise", kubernetes()));
        return;
    }
    let plane = if scenario.alone() { ControlPlane::alone() } else { ControlPlane::start() };
    let is_recorded = std::env::var_os("UNSTICK_RECORD").is_some();
    // A scenario about the rights of a user names the user itself.
    let reader = !is_recorded && !scenario.ask().iter().any(|word| word.starts_with("--as"));
    if reader {
        reader::install(scenario, &plane);
    }
    let _background = make(scenario, &plane);
    if is_recorded {
        record(scenario, &plane);
    }
    let report = diagnose(scenario, &plane);
    if reader {
        reader::look(scenario, &plane);
    }
    match scenario.approve() {
        Some(risk) => release(scenario, &plane, risk, &report),
        None => stop(scenario, &plane, &report),
    }
}

/// How long the controllers of a busy machine may take to bring a state about after `make.sh`.
const SETTLES_WITHIN: Duration = Duration::from_secs(30);

/// The report, once the controllers have brought the state about: they are not finished when
/// `make.sh` is.
fn diagnose(scenario: &Scenario, plane: &ControlPlane) -> Value {
    let started = Instant::now();
    loop {
        let output = unstick(plane).args(scenario.ask()).args(["-o", "json"]).output().expect("the program runs");
        let (name, said) = (&scenario.name, stderr(&output));
        let report: Value =
            serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{name}: {error}: {said}"));
        let is_right = output.status.code() == Some(scenario.exit()) && scenario.differences(&report).is_empty();
        if is_right || started.elapsed() > SETTLES_WITHIN {
            scenario.check(&report);
            assert_eq!(output.status.code(), Some(scenario.exit()), "{name}: {said}");
            return report;
        }
        thread::sleep(Duration::from_secs(3));
    }
}

fn record(scenario: &Scenario, plane: &ControlPlane) {
    let output = unstick(plane).arg("survey").args(scenario.ask()).output().expect("the program runs");
    assert!(output.status.success(), "{}: {}", scenario.name, stderr(&output));
    let whole = file::read(&stdout(&output)).expect("a survey");
    let text = if scenario.stands_alone() {
        diet::alone(&whole)
    } else {
        baseline::ensure(whole.server.as_deref().expect("a version"));
        diet::thinned(&whole)
    };
    std::fs::write(scenario.survey_file(), text).expect("the survey is written");
}
