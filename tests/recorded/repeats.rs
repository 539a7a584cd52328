//! A screen never makes the same statement three times.

use crate::diagnosed;
use crate::scenario::Scenario;
use kubectl_unstick::report::Finding;
use kubectl_unstick::screen::{Look, screen};
use std::collections::BTreeMap;

/// The number of consecutive words in a statement.
const WORDS: usize = 6;
/// How often is too often: once in a cause, once in its remedy, and once more.
const TOO_OFTEN: usize = 3;

/// An exception: the missing object is named in the cause, at the end of the chain, and in the remedy.
const MAY: [&str; 1] = ["apiservice-unavailable--no-route"];

#[test]
fn a_screen_with_one_cause_says_nothing_three_times() {
    let mut wrong = Vec::new();
    for scenario in Scenario::recorded() {
        let report = diagnosed(&scenario);
        let one = report.findings.iter().filter(|finding: &&Finding| finding.is_root_cause()).count() == 1;
        let shown = screen(&report, Look { width: 80, colour: false, all: false });
        let said = if one { said_too_often(&shown) } else { Vec::new() };
        if said.is_empty() == MAY.contains(&scenario.name.as_str()) {
            wrong.push(format!("{}: {said:?}", scenario.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The statements that a text makes too often.
fn said_too_often(text: &str) -> Vec<String> {
    let words: Vec<&str> =
        text.split_whitespace().map(|word| word.trim_matches(['.', ',', ':', ';', '(', ')'])).collect();
    let mut counts = BTreeMap::new();
    for statement in words.windows(WORDS) {
        *counts.entry(statement.join(" ")).or_insert(0) += 1;
    }
    counts.into_iter().filter(|(_, count)| *count >= TOO_OFTEN).map(|(statement, _)| statement).collect()
}

#[test]
fn statements_made_three_times_are_found() {
    let twice = "the operator is scaled to 0 replicas\nthe operator is scaled to 0 replicas\n";
    assert_eq!(said_too_often(twice), Vec::<String>::new());
    let thrice = format!("{twice}  (the operator is scaled to 0 replicas)");
    assert_eq!(said_too_often(&thrice), ["operator is scaled to 0 replicas", "the operator is scaled to 0"]);
}
