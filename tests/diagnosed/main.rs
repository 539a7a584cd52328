//! Every recorded state, diagnosed without a server: each is a test of its own, called
//! `scenarios::NAME` or `reported::NAME`.
//!
//! `scenario.yaml` states in plain words what must be found. A scenario's snapshots, beside it, contain the
//! whole report and its screen. The answer to a state of `tests/reported` may still be wrong in the parts
//! that `knownWrong` lists: when one of these becomes right, or another one wrong, its test fails.

#![expect(clippy::disallowed_methods, reason = "the tests read files")]

#[path = "../support/compact.rs"]
mod compact;
#[path = "../support/diet.rs"]
#[expect(dead_code, reason = "the recorder uses more of it")]
mod diet;
#[path = "../support/distributions.rs"]
#[expect(dead_code, reason = "the recorded tests use more of it")]
mod distributions;
#[path = "../recorded/report_yaml.rs"]
mod report_yaml;
#[path = "../support/scenario.rs"]
#[expect(dead_code, reason = "the end-to-end tests use more of it")]
mod scenario;

use kubectl_unstick::export::json;
use kubectl_unstick::report::Report;
use kubectl_unstick::screen::{Look, screen};
use libtest_mimic::{Arguments, Failed, Trial};
use scenario::Scenario;
use serde_json::Value;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // These tests only compute. `RUST_TEST_THREADS` is set for tests that wait for controllers.
    arguments.test_threads = arguments.test_threads.or(std::thread::available_parallelism().ok().map(usize::from));
    let scenarios = Scenario::recorded().into_iter().map(|it| trial("scenarios", it, check));
    let reported = Scenario::below(scenario::REPORTED).into_iter().filter(|it| it.survey_file().is_file());
    let trials = scenarios.chain(reported.map(|it| trial("reported", it, check_reported)));
    let trials: Vec<Trial> = trials.collect();
    assert!(trials.len() >= 2, "the states are gone");
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(suite: &str, scenario: Scenario, check: fn(&Scenario) -> Result<(), Failed>) -> Trial {
    Trial::test(format!("{suite}::{}", scenario.name), move || check(&scenario))
}

/// The report on a recorded survey. The version of Kubernetes is not part of the findings.
fn report(scenario: &Scenario) -> (Report, Value) {
    let mut report = distributions::report(scenario.survey());
    report.server = None;
    let value = serde_json::from_str(&json(&report)).expect("the report is JSON");
    (report, value)
}

#[expect(clippy::unnecessary_wraps, reason = "a trial returns a result")]
fn check(scenario: &Scenario) -> Result<(), Failed> {
    let (report, value) = report(scenario);
    scenario.check(&value);
    let shown = |width| screen(&report, Look { width, colour: false, all: false });
    insta::with_settings!({snapshot_path => &scenario.dir, prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("report", report_yaml::text(&report));
        insta::assert_snapshot!("screen-80", shown(80));
        if scenario::WIDE.contains(&scenario.name.as_str()) {
            insta::assert_snapshot!("screen-200", shown(200));
        }
    });
    Ok(())
}

/// The page that says of each such state why its answer is still wrong.
const TRACK_RECORD: &str = include_str!("../../docs/track-record.md");

fn check_reported(scenario: &Scenario) -> Result<(), Failed> {
    let differences = scenario.differences(&report(scenario).1);
    let wrong: Vec<&str> = differences.iter().filter_map(|text| Some(text.split_once(':')?.0)).collect();
    if wrong == scenario.known_wrong() {
        return match scenario.wrong_because() {
            Some(_) if wrong.is_empty() => Err("nothing is wrong: wrongBecause can go".into()),
            None if !wrong.is_empty() => Err("a state with knownWrong says why in wrongBecause".into()),
            Some(why) if !TRACK_RECORD.contains(why) => Err(format!("docs/track-record.md lacks \"{why}\"").into()),
            _ => Ok(()),
        };
    }
    let known = scenario.known_wrong();
    Err(format!("wrong in {wrong:?}, and knownWrong of its scenario.yaml is {known:?}\n{differences:#?}").into())
}
