//! The answers about some forty recorded states promise nothing that is not so, whichever command is asked and
//! in whichever format.

use crate::scenario::Scenario;
use crate::{diet, preflights};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

/// Every ninth recorded state is asked.
const EACH: usize = 9;
/// The formats that tell the risk of each remedy.
const WITH_RISKS: [&str; 3] = ["wide", "markdown", "html"];
/// Commands that are asked about every state, besides the command with which it was recorded.
const COMMANDS: [&[&str]; 5] = [&["scan"], &["apis"], &["orphans"], &["products"], &[]];

/// The words with which a state was recorded. A file has the logs already.
fn asked_words(scenario: &Scenario) -> Vec<&str> {
    scenario.ask().iter().map(String::as_str).filter(|word| *word != "--logs").collect()
}

fn asked(scenario: &Scenario, format: &[&str]) -> Output {
    called(scenario, &asked_words(scenario), format)
}

/// The answer of a command about a recorded state.
fn called(scenario: &Scenario, words: &[&str], format: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-unstick"));
    command.args(words).arg("--from").arg(scenario.survey_file()).args(format);
    command.output().expect("the program runs")
}

/// What other commands than the recorded one break about a state.
fn broken_by_others(scenario: &Scenario) -> Vec<String> {
    let preflight: Vec<&str> = ["preflight"].into_iter().chain(asked_words(scenario)).collect();
    let asked = |words: &[&str]| {
        let output = called(scenario, words, &["-o", "json"]);
        let report = serde_json::from_slice(&output.stdout).unwrap_or_default();
        contradictions(words, &output, &report)
    };
    COMMANDS.into_iter().chain([&preflight[..]]).flat_map(asked).collect()
}

/// Whether an answer ends well although something is stuck or unread, or its hint names a flag that the command
/// does not have.
fn contradictions(words: &[&str], output: &Output, report: &Value) -> Vec<String> {
    let list = |field: &str| report[field].as_array().map_or(&[][..], Vec::as_slice);
    let bad = |target: &Value| ["Stuck", "Unknown", "WouldHang"].iter().any(|it| target["state"] == *it);
    let mut broken = Vec::new();
    if output.status.success() && list("targets").iter().any(bad) {
        broken.push(format!("{words:?}: exit code 0, and something is stuck or undecided"));
    }
    if output.status.success() && !list("unread").is_empty() && list("targets").is_empty() {
        broken.push(format!("{words:?}: exit code 0, and not everything could be read"));
    }
    let told = String::from_utf8_lossy(&output.stderr);
    let flags = told.split(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '-'));
    let flags: Vec<&str> = flags.filter(|word| word.len() > 2 && word.starts_with("--")).collect();
    if !flags.is_empty() {
        let help = Command::new(env!("CARGO_BIN_EXE_kubectl-unstick")).args(words).arg("--help").output();
        let help = String::from_utf8_lossy(&help.expect("the program runs").stdout).into_owned();
        let unknown = flags.into_iter().filter(|flag| !help.contains(flag));
        broken.extend(unknown.map(|flag| format!("{words:?}: the hint names {flag}, which it does not have: {told}")));
    }
    broken
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What one state breaks.
fn broken(scenario: &Scenario) -> Vec<String> {
    let output = asked(scenario, &["-o", "json"]);
    let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else {
        let told = String::from_utf8_lossy(&output.stderr);
        return vec![format!("{}: no report: {told}", scenario.name)];
    };
    let mut broken = contradictions(&asked_words(scenario), &output, &report);
    broken.extend(broken_by_others(scenario));
    let formats = WITH_RISKS.map(|format| (format, text(&asked(scenario, &["-o", format])).to_lowercase()));
    let list = |field: &str| report[field].as_array().cloned().unwrap_or_default();
    let mut risks: BTreeMap<String, String> = BTreeMap::new();
    for remedy in list("remedies") {
        let (title, risk) = (remedy["title"].to_string(), remedy["risk"].to_string());
        let act = remedy["steps"].to_string();
        if act != "[]" && risks.insert(act, risk.clone()).is_some_and(|known| known != risk) {
            broken.push(format!("one act has two risks: {title}"));
        }
        // The screen has the level that must be approved.
        let level = remedy["confirms"]["level"].as_str().map_or(risk, str::to_owned);
        let words = level.trim_matches('"').to_lowercase().replace("losesdata", "loses-data");
        for (format, _) in formats.iter().filter(|(_, told)| !told.contains(&words)) {
            broken.push(format!("{words} of {title} is not told with -o {format}"));
        }
        let has_an_end = title.chars().any(|sign| sign.is_ascii_digit());
        if title.starts_with("\"wait") && !has_an_end && !report.to_string().contains("give it time") {
            broken.push(format!("no end and no proof of progress: {title}"));
        }
    }
    let is_lost = report.to_string().contains("when the claim is gone, its data is deleted");
    if is_lost && !list("remedies").is_empty() && !text(&asked(scenario, &[])).contains("deleted with the claim") {
        broken.push("the data is deleted with the claim, which the screen does not say".to_owned());
    }
    broken.into_iter().map(|what| format!("{}: {what}", scenario.name)).collect()
}

/// What a recorded forecast breaks.
fn broken_forecast(path: &Path) -> Vec<String> {
    let ask = |format: &str| {
        let survey = diet::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-unstick"));
        let targets = survey.targets.iter().flat_map(|target| {
            let place = target.namespace.iter().flat_map(|namespace| ["-n".to_owned(), namespace.clone()]);
            [format!("{}/{}", target.resource.short(), target.name)].into_iter().chain(place)
        });
        command.arg("preflight").args(targets).arg("--from").arg(path).args(["-o", format]);
        command.output().expect("the program runs")
    };
    let (json, table) = (ask("json"), ask("table"));
    let report: Value = serde_json::from_slice(&json.stdout).unwrap_or_default();
    let targets = report["targets"].as_array().cloned().unwrap_or_default();
    let goes =
        !targets.is_empty() && targets.iter().all(|target| target["state"] == "WouldGo" || target["state"] == "Gone");
    let mut broken = Vec::new();
    if json.status.code() != table.status.code() {
        broken.push(format!("exit code {:?} in JSON, {:?} on the screen", json.status.code(), table.status.code()));
    }
    if json.status.success() != goes {
        broken.push(format!("exit code {:?}: {}", json.status.code(), report["targets"]));
    }
    let unread = report["unread"].as_array().is_none_or(|unread| !unread.is_empty());
    if goes && unread {
        broken.push("it would go, and not everything could be read".to_owned());
    }
    broken.into_iter().map(|what| format!("{}: {what}", path.display())).collect()
}

#[test]
fn no_forecast_promises_what_is_not_so() {
    let all = preflights::recorded();
    let broken: Vec<String> = all.iter().flat_map(|path| broken_forecast(path)).collect();
    assert!(all.len() > 20 && broken.is_empty(), "{broken:#?}");
}

#[test]
fn forty_states_promise_nothing_that_is_not_so() {
    let all = Scenario::recorded();
    let of_claims = all.iter().filter(|scenario| scenario.name.starts_with("claim-in-use"));
    let chosen: Vec<&Scenario> = all.iter().step_by(EACH).chain(of_claims).collect();
    assert!(chosen.len() >= 40, "{} states", chosen.len());
    let broken: Vec<String> = std::thread::scope(|scope| {
        let parts: Vec<_> = chosen.chunks(chosen.len().div_ceil(2)).collect();
        let parts =
            parts.into_iter().map(|part| scope.spawn(move || part.iter().flat_map(|one| broken(one)).collect()));
        let parts: Vec<_> = parts.collect();
        parts.into_iter().flat_map(|part| -> Vec<String> { part.join().expect("no panic") }).collect()
    });
    assert!(broken.is_empty(), "{broken:#?}");
}
