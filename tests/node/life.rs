//! The life of a state. Its folder contains
//!
//! - `make.sh` and `scenario.yaml`, as for the scenarios of `tests/scenarios`, with the functions of
//!   `tests/node-states/lib.sh`;
//! - `repair.sh`, if the offered remedy is manual: it carries that out;
//! - `outcome.sh`, which checks the result from outside;
//! - `life.yaml`, with the expected course.

use crate::diet;
use crate::scenario::Scenario;
use crate::support::baseline;
use crate::support::control_plane::ControlPlane;
use crate::support::go::{self, tell};
use crate::support::program::{audited_writes, journalled_writes, make, run_script, stderr, stdout, unstick};
use crate::support::wait::wait_until;
use jiff::Timestamp;
use kubectl_unstick::survey::file;
use serde::Deserialize;
use serde_json::Value;
use std::thread;
use std::time::{Duration, Instant};

/// The expected course.
#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
struct Life {
    /// The truth about the state, and how it is known.
    truth: String,
    /// Whether the targets disappear by themselves. Until then nothing is accused, and the stated
    /// remaining time is right.
    ends_by_itself: bool,
    /// Words of the report that offer the action of `repair.sh`.
    offered: Vec<String>,
    /// The program's answer instead of the right one.
    known_wrong: Option<String>,
    /// Why the run that carries out the plan has another exit code than 0 although the targets
    /// disappear.
    known_wrong_end: Option<String>,
}

/// How long a kubelet and the controllers may take to bring about a state, or to end it.
const SETTLES_WITHIN: Duration = Duration::from_mins(1);

/// The tolerance of the stated remaining time.
const COUNTDOWN_WITHIN: f64 = 2.0;

/// The whole life of a state.
pub fn live(state: &Scenario) {
    let text = std::fs::read_to_string(state.dir.join("life.yaml")).expect("life.yaml");
    let life: Life = serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}/life.yaml: {error}", state.name));
    assert!(!life.truth.is_empty(), "{}/life.yaml does not say the truth", state.name);
    let plane = ControlPlane::with_node(go::node().expect("it was built before"));
    let background = make(state, &plane);
    if life.ends_by_itself {
        watch(state, &plane);
    } else {
        repair(state, &life, &plane);
    }
    if state.dir.join("outcome.sh").is_file() {
        drop(run_script(&state.dir.join("outcome.sh"), &plane));
    }
    drop(background);
}

/// Records the survey of a state that is as expected, if the environment asks for it.
fn record(state: &Scenario, plane: &ControlPlane) {
    if std::env::var_os("UNSTICK_RECORD").is_none() {
        return;
    }
    let output = unstick(plane).arg("survey").args(state.ask()).output().expect("the program runs");
    assert!(output.status.success(), "{}: {}", state.name, stderr(&output));
    let whole = file::read(&stdout(&output)).expect("a survey");
    baseline::ensure(whole.server.as_deref().expect("a version"));
    std::fs::write(state.survey_file(), diet::thinned(&whole)).expect("the survey is written");
}

/// Watches the state until the targets are gone.
fn watch(state: &Scenario, plane: &ControlPlane) {
    let (mut looks, mut last) = (0, Value::Null);
    let started = Instant::now();
    loop {
        let output = unstick(plane).args(state.ask()).args(["-o", "json"]).output().expect("the program runs");
        if is_over(&stdout(&output)) || stderr(&output).contains("not found") {
            break;
        }
        let report = parsed(state, &stdout(&output), &stderr(&output));
        let accused: Vec<&Value> = items(&report, "targets").filter(|target| target["state"] == "Stuck").collect();
        assert!(accused.is_empty(), "{}: {report:#}", state.name);
        // Right after the deletion, and when the time is over, the report does not state a time.
        if state.differences(&report).is_empty() {
            if looks == 0 {
                record(state, plane);
            }
            count_down(state, plane, &report);
            looks += 1;
        }
        last = report;
        assert!(started.elapsed() < SETTLES_WITHIN * 3, "{}: it does not end", state.name);
        thread::sleep(Duration::from_secs(1));
    }
    let differs = state.differences(&last);
    assert!(looks > 2, "{}: it was never said what must be found: {differs:?}\n{last:#}", state.name);
}

fn is_over(report: &str) -> bool {
    serde_json::from_str::<Value>(report)
        .is_ok_and(|report| report["targets"].as_array().is_some_and(|targets| targets.iter().all(is_gone)))
}

fn is_gone(target: &Value) -> bool {
    target["state"] == "Gone"
}

/// Compares the stated remaining time with the clock.
fn count_down(state: &Scenario, plane: &ControlPlane, report: &Value) {
    let Some(finding) = items(report, "findings").find(|finding| finding["rule"] == "pod-grace-period") else { return };
    let subject = &finding["subject"];
    let (name, namespace) = (text(&subject["name"]), text(&subject["namespace"]));
    let ends = plane.kubectl(&["get", "pod", &name, "-n", &namespace, "-o", "jsonpath={.metadata.deletionTimestamp}"]);
    let Ok(ends) = stdout(&ends).parse::<Timestamp>() else { return };
    let said = text(&finding["summary"]);
    let left = said.split_once('(').and_then(|(_, rest)| rest.split_once(" left)")).map(|(left, _)| left);
    let left = left.unwrap_or_else(|| panic!("{}: nothing is said of the time that is left: {said}", state.name));
    let taken: Timestamp = text(&report["takenAt"]).parse().unwrap_or_else(|_| Timestamp::now());
    let is_left = ends.duration_since(taken).as_secs_f64();
    let off = seconds(left) - is_left;
    assert!(off.abs() <= COUNTDOWN_WITHIN, "{}: {said}, and {is_left:.1} s are left", state.name);
}

/// The seconds in `45s`: no state has two minutes left.
fn seconds(words: &str) -> f64 {
    words.strip_suffix('s').and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("`{words}` are seconds"))
}

/// Diagnoses, carries out the offered remedy, and waits until the targets are gone.
fn repair(state: &Scenario, life: &Life, plane: &ControlPlane) {
    let (report, code) = answer(state, life, plane);
    record(state, plane);
    if let Some(wrong) = &life.known_wrong {
        assert!(
            !state.differences(&report).is_empty() || code != Some(state.exit()),
            "{}: the answer is right now: take knownWrong out of life.yaml",
            state.name
        );
        tell(&format!("known wrong: {}: {wrong}", state.name));
    } else {
        state.check(&report);
        assert_eq!(code, Some(state.exit()), "{}: the exit code\n{report:#}", state.name);
    }
    let said = report.to_string();
    for words in &life.offered {
        assert!(said.contains(words.as_str()), "{}: nothing offers `{words}`\n{report:#}", state.name);
    }
    match state.approve() {
        Some(risk) => carry_out(state, life, plane, risk, &report),
        None if state.dir.join("repair.sh").is_file() => {
            drop(run_script(&state.dir.join("repair.sh"), plane));
            wait_until(&format!("{}: its targets are gone", state.name), SETTLES_WITHIN, || are_gone(plane, &report));
        }
        None => assert!(!are_gone(plane, &report), "{}: it goes by itself: say so", state.name),
    }
}

/// Lets the program carry out its plan.
fn carry_out(state: &Scenario, life: &Life, plane: &ControlPlane, risk: &str, report: &Value) {
    let confirmed = items(report, "targets").map(|target| format!("--confirm={}", text(&target["object"]["name"])));
    let confirmed = confirmed.filter(|_| risk == "loses-data");
    let mut command = unstick(plane);
    command.args(state.ask()).args(["--approve", risk, "--timeout", "2m"]).args(confirmed);
    let output = command.output().expect("the program runs");
    let said = format!("{}: {}{}", state.name, stdout(&output), stderr(&output));
    match &life.known_wrong_end {
        None => assert_eq!(output.status.code(), Some(0), "{said}"),
        Some(wrong) => {
            assert_ne!(output.status.code(), Some(0), "take knownWrongEnd out of life.yaml: {said}");
            tell(&format!("known wrong: {}: {wrong}", state.name));
        }
    }
    wait_until(&format!("{}: its targets are gone", state.name), SETTLES_WITHIN, || are_gone(plane, report));
    assert_eq!(journalled_writes(plane), audited_writes(plane), "{}: the journal and the server disagree", state.name);
}

/// The report, once the kubelet and the controllers have brought the state about.
fn answer(state: &Scenario, life: &Life, plane: &ControlPlane) -> (Value, Option<i32>) {
    let started = Instant::now();
    loop {
        let output = unstick(plane).args(state.ask()).args(["-o", "json"]).output().expect("the program runs");
        let (report, code) = (parsed(state, &stdout(&output), &stderr(&output)), output.status.code());
        let is_right = state.differences(&report).is_empty() && code == Some(state.exit());
        if is_right || life.known_wrong.is_some() || started.elapsed() > SETTLES_WITHIN {
            return (report, code);
        }
        thread::sleep(Duration::from_secs(3));
    }
}

fn parsed(state: &Scenario, report: &str, said: &str) -> Value {
    serde_json::from_str(report).unwrap_or_else(|error| panic!("{}: {error}: {said}", state.name))
}

fn items<'a>(report: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    report[field].as_array().into_iter().flatten()
}

fn are_gone(plane: &ControlPlane, report: &Value) -> bool {
    items(report, "targets").map(|target| &target["object"]).all(|object| {
        let (resource, name, namespace) =
            (text(&object["resource"]), text(&object["name"]), text(&object["namespace"]));
        let uid = ["--ignore-not-found", "-o", "jsonpath={.metadata.uid}"];
        let mut arguments = [&["get", resource.as_str(), name.as_str()], &uid[..]].concat();
        if !namespace.is_empty() {
            arguments.extend(["-n", &namespace]);
        }
        let output = plane.kubectl(&arguments);
        // Another object with the name may have been created.
        output.status.success() && stdout(&output) != text(&object["uid"])
    })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
