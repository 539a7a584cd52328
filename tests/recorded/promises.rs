//! What is said holds: some forty recorded states, each asked in several formats, promise nothing that is
//! not so.

use crate::scenario::Scenario;
use crate::{diet, preflights};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

/// One of so many recorded states is asked.
const EACH: usize = 9;

fn asked(scenario: &Scenario, format: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-unstick"));
    command.args(scenario.ask()).arg("--from").arg(scenario.survey_file()).args(format);
    command.output().expect("the program runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What one state breaks.
fn broken(scenario: &Scenario) -> Vec<String> {
    let output = asked(scenario, &["-o", "json"]);
    let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else {
        return vec!["it has no report".to_owned()];
    };
    let (mut broken, wide) = (Vec::new(), text(&asked(scenario, &["-o", "wide"])));
    let list = |field: &str| report[field].as_array().cloned().unwrap_or_default();
    let bad =
        list("targets").iter().any(|target| ["Stuck", "Unknown", "WouldHang"].iter().any(|it| target["state"] == *it));
    if output.status.success() && bad {
        broken.push("exit code 0, and something is stuck or undecided".to_owned());
    }
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
        if !wide.contains(&words) {
            broken.push(format!("{words} of {title} is not on the wide screen"));
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
