//! The fast tests: every scenario's recorded survey, diagnosed without a server.
//!
//! `scenario.yaml` states in plain words what must be found; the snapshots beside it contain the
//! whole report and its screen.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests run programs and read files")]

mod agents;
mod ages;
mod alerts;
mod argocd;
mod as_installed;
#[cfg(unix)]
mod called;
mod catalogue;
mod chart;
#[path = "../support/compact.rs"]
mod compact;
mod crowd;
mod deploy;
#[path = "../support/diet.rs"]
mod diet;
mod diets;
#[path = "../support/distributions.rs"]
mod distributions;
mod documented;
mod elsewhere;
mod formats;
mod grants;
mod hidden;
#[cfg(debug_assertions)]
mod invented_names;
mod jq;
mod man;
mod moving_pictures;
mod new_rule;
#[path = "../support/pages.rs"]
mod pages;
#[cfg(unix)]
mod pasted;
mod picture;
mod preflights;
mod products;
mod promises;
#[cfg(debug_assertions)]
mod renamed;
mod repeats;
mod report_yaml;
mod rounds;
#[path = "../support/scenario.rs"]
#[expect(dead_code, reason = "the end-to-end tests use more of it")]
mod scenario;
mod schema;
mod screens;
mod tables;
mod tenant_data;
mod terminal_size;
mod terminal_svg;
mod words;
mod workflow;

use kubectl_unstick::diagnosis::owners::trees;
use kubectl_unstick::diagnosis::{close, diagnose_survey};
use kubectl_unstick::export::json;
use kubectl_unstick::report::{Finding, NeedKind, NeedState, OwnershipReport, Report, Requirement, State};
use kubectl_unstick::screen::{Look, owners_table, owners_tree};
use kubectl_unstick::survey::{Purpose, Survey, file};
use scenario::Scenario;
use std::collections::BTreeSet;

#[test]
fn no_snapshot_of_a_second_width_is_left_over() {
    let has_one = |scenario: &Scenario| scenario.dir.join("screen-200.snap").is_file();
    let wide: Vec<String> = Scenario::recorded().into_iter().filter(has_one).map(|scenario| scenario.name).collect();
    assert_eq!(wide.iter().map(String::as_str).collect::<BTreeSet<_>>(), scenario::WIDE.into());
}

#[test]
fn the_order_of_the_targets_changes_nothing() {
    let told = |report: &Report| {
        let words = |finding: &Finding| format!("{:?} {:?} {}", finding.rule, finding.root, finding.summary);
        let needs = |state| report.needs.iter().filter(|need| need.state == state).count();
        let mut findings: Vec<String> = report.findings.iter().map(words).collect();
        findings.sort();
        (findings, needs(NeedState::Broken), needs(NeedState::Unknown), report.needs.len())
    };
    let mut compared = 0;
    for scenario in Scenario::recorded() {
        let mut survey = scenario.survey();
        if survey.targets.len() < 2 || matches!(survey.purpose, Purpose::Orphans(_)) {
            continue;
        }
        let before = diagnose_survey(&survey).report;
        survey.targets.reverse();
        let after = diagnose_survey(&survey).report;
        assert_eq!(told(&before), told(&after), "{}", scenario.name);
        compared += 1;
    }
    assert!(compared >= 3, "{compared} scenarios have several targets");
}

#[test]
fn stuck_targets_rest_on_a_broken_need_with_a_root_cause() {
    for scenario in Scenario::recorded() {
        let report = diagnosed(&scenario);
        for target in report.targets.iter().filter(|target| target.state == State::Stuck) {
            let is_top =
                |need: &&Requirement| need.need == NeedKind::Deleted && need.object.as_ref() == Some(&target.object);
            let top =
                report.needs.iter().find(is_top).unwrap_or_else(|| panic!("{}: {}", scenario.name, target.object));
            let (mut next, mut told) = (vec![&top.id], BTreeSet::new());
            let mut known = BTreeSet::new();
            while let Some(id) = next.pop() {
                let need = report.needs.iter().find(|need| need.id == *id).expect("each id is listed");
                if known.insert(id) {
                    next.extend(&need.rests_on);
                    told.extend(need.findings.iter().filter(|_| need.state == NeedState::Broken));
                }
            }
            let mut roots =
                report.findings.iter().filter(|finding| finding.root && finding.blocks.contains(&target.object));
            assert!(roots.any(|root| told.contains(&root.id)), "{}: {}", scenario.name, target.object);
        }
    }
}

/// The report on a scenario's recorded survey.
fn diagnosed(scenario: &Scenario) -> Report {
    distributions::report(scenario.survey())
}

/// The owners and dependents of a scenario's targets.
fn owners_of(scenario: &Scenario) -> OwnershipReport {
    let mut survey = scenario.survey();
    let targets = survey.targets.clone();
    loop {
        let (report, wants) = trees(&survey, &targets, false);
        if wants.is_empty() {
            return report;
        }
        close(&mut survey, wants);
    }
}

/// The scenarios about owners, as `owners` shows them.
#[test]
fn the_owners_of_the_scenarios_about_them_are_shown() {
    let about = ["foreground-deletion", "garbage-collector", "orphan-", "owner-", "ownership-"];
    for scenario in Scenario::recorded().into_iter().filter(|it| about.iter().any(|word| it.name.starts_with(word))) {
        let report = owners_of(&scenario);
        let (narrow, wide) =
            (Look { width: 80, colour: false, all: false }, Look { width: 120, colour: false, all: false });
        let both = format!("{}\n{}", owners_table(&report, narrow), owners_tree(&report, wide));
        insta::with_settings!({snapshot_path => &scenario.dir, prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!("owners", both);
        });
    }
}

#[test]
fn every_rule_has_a_scenario_named_after_it() {
    let scenarios: Vec<String> = Scenario::recorded().into_iter().map(|scenario| scenario.name).collect();
    let shown = |rule: &str| scenarios.iter().any(|name| tables::is_about(name, rule));
    let without: Vec<&str> =
        kubectl_unstick::rules::RULES.iter().map(|rule| rule.name).filter(|rule| !shown(rule)).collect();
    assert!(without.is_empty(), "no scenario shows {without:?}");
}

/// Checks that no rule reads a field that a survey file omits: a file written from a recorded
/// survey leads to the same report as that survey.
#[test]
fn a_survey_file_leaves_out_nothing_that_a_rule_reads() {
    let mut left_out = 0;
    let differs = |scenario: &Scenario| {
        let survey = scenario.survey();
        let (text, less) = file::write_telling(&survey).expect("a survey can be written");
        left_out += less.fields + less.annotations;
        let kept = file::read(&text).expect("what is written is read");
        let says = |survey: Survey| json(&distributions::report(survey));
        (says(survey) != says(kept)).then(|| scenario.name.clone())
    };
    let differ: Vec<String> = Scenario::recorded().iter().filter_map(differs).collect();
    assert!(differ.is_empty(), "{} say something else: {differ:#?}", differ.len());
    assert!(left_out > 0, "nothing was left out");
}
