//! Small clusters in memory: the results of the engine and the rules.

mod admission;
mod controllers;
mod forecasts;
mod foreseen;
mod growth;
mod scans;
mod stale_words;
mod worlds;

use crate::diagnosis::answer::Diagnosis;
use crate::report::Report;
use crate::survey::{Discovery, Fact, InMemory, Object, Resource, ResourceId, Survey, Want, answered};
use serde_json::{Value, json};

/// The time of the surveys.
const NOW: &str = "2026-01-01T01:00:00Z";

/// A kind that a small cluster serves.
fn resource(group: &str, plural: &str, kind: &str, namespaced: bool) -> Resource {
    Resource {
        id: ResourceId::new(group, "v1", plural),
        kind: kind.into(),
        namespaced,
        singular: String::new(),
        short_names: Vec::new(),
        verbs: ["get", "list", "watch", "delete", "patch"].map(Into::into).to_vec(),
    }
}

/// A small cluster with these objects, by the plural names of their kinds.
fn holding(discovery: Discovery, objects: &[(&'static str, Value)]) -> InMemory {
    let object = |(plural, value): &(&'static str, Value)| (*plural, Object::single(value.clone()).expect("an object"));
    InMemory::holding(discovery, objects.iter().map(object))
}

/// A survey that has read nothing yet.
fn survey(discovery: Discovery) -> Survey {
    Survey::new(NOW.parse().expect("a time"), discovery)
}

/// Surveys a small cluster until nothing more is wanted.
fn report(survey: Survey, answer: impl FnMut(&Want) -> Fact, diagnose: impl Fn(&Survey) -> Diagnosis) -> Report {
    let asked = |survey: &Survey| {
        let diagnosis = diagnose(survey);
        (diagnosis.report, diagnosis.wants)
    };
    answered(survey, answer, asked).expect("it comes to an end")
}

/// `APIService`s that name no Service: the API server itself answers for them.
fn served_by_the_server(names: &[&str]) -> Fact {
    let api = |name: &&str| Object::single(json!({"metadata": {"name": name, "uid": name}})).unwrap();
    Fact::Listed(names.iter().map(api).collect())
}
