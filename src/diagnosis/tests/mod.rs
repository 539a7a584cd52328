//! Small clusters in memory: the results of the engine and the rules.

mod admission;
mod controllers;
mod false_alarms;
mod forecasts;
mod foreseen;
mod growth;
mod losses;
mod memberships;
mod one_risk;
mod scans;
mod stale_words;
mod worlds;

use crate::diagnosis::answer::Diagnosis;
use crate::report::Report;
use crate::survey::{InMemory, Survey, answered};
use serde_json::{Value, json};

/// The time of the surveys.
const NOW: &str = "2026-01-01T01:00:00Z";

/// Surveys a small cluster until nothing more is wanted.
fn report(cluster: &InMemory, diagnose: impl Fn(&Survey) -> Diagnosis) -> Report {
    report_for(cluster.survey(), cluster, diagnose)
}

/// The same, for the purpose of `survey`.
fn report_for(mut survey: Survey, cluster: &InMemory, diagnose: impl Fn(&Survey) -> Diagnosis) -> Report {
    let asked = |survey: &Survey| {
        let diagnosis = diagnose(survey);
        (diagnosis.report, diagnosis.wants)
    };
    answered(&mut survey, |want| cluster.answer(want), asked).expect("it comes to an end")
}

/// An `APIService` that names no Service: the API server itself answers for it.
fn served_by_the_server(name: &str) -> (&'static str, Value) {
    ("apiservices", json!({"metadata": {"name": name, "uid": name}}))
}
