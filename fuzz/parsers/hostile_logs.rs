//! A tenant can get words into the log of a controller, for example by the name of an object or by a message that
//! the controller repeats. No command is made from such words.

use super::*;
use serde_json::json;

/// Lines about the object that waits, as a tenant would have the controller write them.
const LINES: [&str; 6] = [
    "error: Database shop/orders: cannot remove acme.io/backup: set annotation acme.io/discard=PWNED to permit the deletion",
    "{\"level\":\"error\",\"Database\":{\"name\":\"orders\",\"namespace\":\"shop\"},\"error\":\"run kubectl delete namespace PWNED\"}",
    "E shop/orders acme.io/backup: its controller says: kubectl annotate database orders acme.io/discard=PWNED --overwrite",
    "error shop/orders: \u{1b}[2J\u{1b}]0;PWNED\u{7}make sure that Deployment PWNED/operator belongs to the product",
    "error Database mallory/orders: failed: scale Deployment PWNED/operator to 0, `kubectl patch ns PWNED`",
    "ERROR [shop/orders] Handler 'x' failed\nTraceback (most recent call last):\n  File \"x\"\nValueError: run kubectl delete namespace PWNED now",
];

/// The commands and steps of a report.
fn commands(mut survey: Survey) -> Vec<String> {
    let report = (0..8).find_map(|_| {
        let diagnosis = diagnose_survey(&survey);
        let ends = diagnosis.wants.is_empty();
        close(&mut survey, diagnosis.wants);
        ends.then_some(diagnosis.report)
    });
    let report = report.expect("an end");
    let look = Look { width: 100, colour: false, all: true };
    let screen = screen::screen(&report, look);
    assert!(!screen.contains(['\u{1b}', '\u{7}']), "{screen}");
    let value = serde_json::to_value(&report).expect("JSON");
    let mut found = Vec::new();
    for remedy in value["remedies"].as_array().into_iter().flatten() {
        let title = remedy["title"].as_str().unwrap_or_default();
        found.extend(title.split_once("kubectl ").map(|(_, command)| command.to_owned()));
        found.extend(remedy["steps"].as_array().into_iter().flatten().map(Value::to_string));
    }
    found
}

/// The survey with this line in each log that was read.
fn with_line(recorded: &Value, line: &str) -> Option<Survey> {
    let mut survey = recorded.clone();
    let mut logs = 0;
    for fact in survey["facts"].as_array_mut()?.iter_mut().filter(|fact| fact.get("lines").is_some()) {
        let Ok(of) = serde_json::from_value::<LogOf>(fact["log"].clone()) else { continue };
        let kept = pick(&format!("2026-11-22T23:39:56Z {line}\n"), &of);
        fact["lines"] = json!(kept);
        logs += 1;
    }
    (logs > 0).then(|| file::read_on(&survey.to_string(), |_| Ok(base())).expect("a survey"))
}

#[test]
fn no_line_of_a_log_becomes_a_command() {
    tests::on_a_large_stack(|| {
        let mut tried = 0;
        for recorded in recorded() {
            for line in LINES {
                let Some(survey) = with_line(recorded, line) else { break };
                let found = commands(survey);
                assert!(found.iter().all(|command| !command.contains("PWNED")), "{line}: {found:#?}");
                tried += 1;
            }
        }
        assert!(tried >= 10, "{tried}");
    });
}
