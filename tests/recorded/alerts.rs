//! The alerts, tested by promtool: their syntax, when they fire, and their texts.
//!
//! `PROMTOOL=PROGRAM` names it; otherwise it is looked for on `PATH`.

use crate::distributions::report;
use crate::hidden::hidden;
use crate::scenario::Scenario;
use kubectl_unstick::export::prometheus;
use serde_json::Value;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Each file of rules in `deploy`, and its tests.
const RULES: [(&str, &str); 2] =
    [("prometheusrule.yaml", "unstick.yaml"), ("prometheusrule-kube-state-metrics.yaml", "kube-state-metrics.yaml")];

fn read(folder: &str, name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rule(name: &str) -> Value {
    serde_saphyr::from_str(&read("deploy", name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Runs promtool with a text as its input; `None` if it is not installed.
fn promtool(arguments: &[&str], folder: &Path, input: &str) -> Option<Output> {
    let program = std::env::var_os("PROMTOOL").unwrap_or_else(|| OsString::from("promtool"));
    let mut command = Command::new(&program);
    command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            // Bypasses the harness, which suppresses the output of successful tests.
            writeln!(std::io::stderr(), "\nNOT RUN: promtool {}: it is not installed", arguments.join(" ")).ok();
            return None;
        }
        Err(error) => panic!("{}: {error}", program.display()),
    };
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("promtool reads");
    Some(child.wait_with_output().expect("promtool ends"))
}

fn succeeds(arguments: &[&str], folder: &Path, input: &str) {
    let Some(output) = promtool(arguments, folder, input) else { return };
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "promtool {arguments:?}: {said}");
}

/// A folder with a rule file in Prometheus' form, and its tests.
fn folder(rules: &str, tests: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("alerts").join(tests);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("rules.yaml"), rule(rules)["spec"].to_string()).expect("written");
    std::fs::write(folder.join("tests.yaml"), read("tests/alerts", tests)).expect("written");
    folder
}

#[test]
fn promtool_takes_the_rules_and_they_fire_when_they_should() {
    for (rules, tests) in RULES {
        let folder = folder(rules, tests);
        succeeds(&["check", "rules", "--lint=all", "--lint-fatal", "rules.yaml"], &folder, "");
        succeeds(&["test", "rules", "tests.yaml"], &folder, "");
    }
}

#[test]
fn each_alert_has_a_test() {
    for (rules, tests) in RULES {
        let tests = read("tests/alerts", tests);
        let groups = rule(rules)["spec"]["groups"].as_array().expect("groups").clone();
        let alerts: Vec<Value> =
            groups.iter().flat_map(|group| group["rules"].as_array().expect("rules").clone()).collect();
        assert!(alerts.len() >= 2, "{rules}");
        for alert in alerts {
            let name = alert["alert"].as_str().expect("a name");
            let line = format!("alertname: {name}\n");
            let tested = tests.split(&line).skip(1);
            assert!(tested.map(str::trim_start).any(|test| test.starts_with("exp_alerts:\n")), "{rules}: {name}");
        }
    }
}

#[test]
fn each_alert_has_a_section_in_the_runbook() {
    let runbook = read("docs", "runbook.md");
    for (rules, _) in RULES {
        let groups = rule(rules)["spec"]["groups"].as_array().expect("groups").clone();
        let alerts = groups.iter().flat_map(|group| group["rules"].as_array().expect("rules"));
        for name in alerts.map(|alert| alert["alert"].as_str().expect("a name")) {
            assert!(runbook.contains(&format!("\n## {name}\n")), "docs/runbook.md has no section {name}");
        }
    }
}

#[test]
fn promtool_takes_the_metrics() {
    let survey = Scenario::named("demo").survey();
    let text = prometheus(&[report(survey)], true).to_string();
    assert!(text.contains("unstick_stuck_info{"), "{text}");
    succeeds(&["check", "metrics"], Path::new(env!("CARGO_TARGET_TMPDIR")), &text);
}

/// The main case of the deployed account: no role lets it list the custom resources.
#[test]
fn a_namespace_whose_custom_resources_are_hidden_is_stuck_and_named() {
    let scenario = Scenario::named("scaled-to-zero--operator-at-zero");
    let at = |seconds: i64| {
        let mut survey = scenario.survey();
        survey.taken_at += jiff::SignedDuration::from_secs(seconds);
        prometheus(&[report(hidden(survey, |want| want.resource.plural == "databases"))], false).to_string()
    };
    let (early, late) = (at(0), at(120));
    assert!(early.contains("unstick_objects{state=\"unknown\"} 1\n"), "{early}");
    for line in [
        "unstick_objects{state=\"stuck\"} 1\n",
        "unstick_stuck_info{kind=\"namespace\",namespace=\"shop\",name=\"shop\",rule=\"content-hidden\"} 1\n",
        "unstick_waiting_objects{rule=\"content-hidden\",cause=\"finalizer\"} 1\n",
    ] {
        assert!(late.contains(line), "{line}{late}");
    }
}
