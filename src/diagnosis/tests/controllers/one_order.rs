//! A step has one risk and one place in the order, whichever command shows it: over generated states,
//! five commands are run for the same cluster, and each answer is also read as agents get it.

use super::{DELETED, DatabaseCluster};
use crate::commands::as_an_agent_reads;
use crate::diagnosis::{preflight, scan, targets};
use crate::export;
use crate::random::Random;
use crate::report::{Finding, Remedy, Report, Risk, StepKind};
use crate::survey::{Cascade, ResourceId, Scan, TargetName};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// How many states are generated.
const STATES: u64 = 40;
const PLACES: [&str; 5] = ["one", "two", "three", "four", "five"];
const KINDS: [(&str, &str); 2] = [("databases", "acme.io/backup"), ("buckets", "acme.io/drain")];

/// One to five namespaces that are being deleted, with objects of one or two kinds that wait for
/// an operator at 0 replicas, and a live namespace with such an object. Perhaps one kind cannot be
/// listed.
fn state(seed: u64) -> (DatabaseCluster, Vec<&'static str>) {
    let mut random = Random::new(seed);
    let mut cluster = DatabaseCluster::new();
    cluster.objects.retain(|(plural, _)| *plural != "databases");
    cluster.account("ops", "acme");
    cluster.deployment("ops", "acme-operator", "acme", 0);
    let places = &PLACES[..=random.below(PLACES.len())];
    let several = random.below(2) == 1;
    for place in places {
        namespace(&mut cluster, place, true);
        for number in 0..=random.below(2) {
            held(&mut cluster, place, number, if several { random.below(2) } else { 0 }, true, random.below(3) == 0);
        }
    }
    namespace(&mut cluster, "later", false);
    held(&mut cluster, "later", 0, 0, false, false);
    if random.below(4) == 0 {
        cluster.forbidden = vec!["buckets"];
    }
    (cluster, places.to_vec())
}

fn namespace(cluster: &mut DatabaseCluster, name: &str, deleted: bool) {
    let mut namespace = json!({"metadata": {"name": name, "uid": name}, "spec": {"finalizers": ["kubernetes"]}});
    if deleted {
        namespace["metadata"]["deletionTimestamp"] = DELETED.into();
        namespace["status"] = json!({"phase": "Terminating"});
    }
    cluster.add("namespaces", namespace);
}

/// An object with its finalizer, or with two finalizers of the same operator.
fn held(cluster: &mut DatabaseCluster, place: &str, number: usize, kind: usize, deleted: bool, twice: bool) {
    let (plural, finalizer) = KINDS[kind];
    let name = format!("{plural}-{number}");
    let mut finalizers = vec![finalizer];
    finalizers.extend(twice.then_some("acme.io/archive"));
    let fields: serde_json::Map<String, Value> =
        finalizers.iter().map(|key| (format!("v:\"{key}\""), json!({}))).collect();
    let mut object = json!({"metadata": {"name": name, "namespace": place, "uid": format!("{place}-{name}"),
        "finalizers": finalizers, "managedFields": [{"manager": "acme-operator", "operation": "Update",
            "apiVersion": "acme.io/v1", "fieldsV1": {"f:metadata": {"f:finalizers": fields}}}]}});
    if deleted {
        object["metadata"]["deletionTimestamp"] = DELETED.into();
        object["metadata"]["deletionGracePeriodSeconds"] = 0.into();
    }
    cluster.add(plural, object);
}

fn target(name: &str) -> TargetName {
    TargetName { resource: ResourceId::new("", "v1", "namespaces"), namespace: None, name: name.into() }
}

/// The shown facts about the start: its risk, the level to confirm, and how many deletions it finishes.
type ToldOfStart = (Risk, Risk, Option<usize>);

fn held_by_a_finalizer(report: &Report) -> impl Iterator<Item = &Finding> {
    report.findings.iter().filter(|finding| finding.is_root_cause() && finding.finalizer.is_some())
}

/// These facts for each finding, and the order of the remedies.
fn told(report: &Report) -> BTreeSet<(Vec<ToldOfStart>, Vec<String>)> {
    held_by_a_finalizer(report)
        .map(|finding| {
            let all: Vec<_> = report.remedies_of(finding).filter(|remedy| !remedy.steps.is_empty()).collect();
            let starts = all.iter().filter(|remedy| remedy.steps[0].kind() == StepKind::ScaleWorkload);
            let start = |remedy: &&&Remedy| {
                (remedy.risk, remedy.level(), remedy.confirms.as_ref().map(|confirms| confirms.deletions))
            };
            (
                starts.map(|remedy| start(&remedy)).collect(),
                all.iter().map(|remedy| format!("{:?}", remedy.steps[0].kind())).collect(),
            )
        })
        .collect()
}

/// The risks as a program reads them.
fn read(report: &Report) -> BTreeSet<(String, String)> {
    let json: Value = serde_json::from_str(&String::from(export::json(report))).expect("JSON");
    let remedies = json["remedies"].as_array().cloned().unwrap_or_default();
    let starts = remedies.iter().filter(|remedy| remedy["steps"][0]["kind"] == "ScaleWorkload");
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    starts.map(|remedy| (word(&remedy["risk"]), word(&remedy["confirms"]["level"]))).collect()
}

/// An agent reads the same risks in the same order.
fn is_told_to_agents(report: &Report, seed: u64) {
    let brief = as_an_agent_reads(report);
    let roots: Vec<&Finding> = report.findings.iter().filter(|finding| finding.is_root_cause()).collect();
    let causes = brief["causes"].as_array().expect("causes");
    assert!(roots.is_empty() || causes.len() == roots.len(), "{seed}: {brief}");
    for (finding, cause) in roots.iter().zip(causes) {
        let said = cause["remedies"].as_array().expect("remedies").iter();
        let said: Vec<[String; 2]> = said.map(|it| ["title", "risk"].map(|field| it[field].to_string())).collect();
        let meant = report.remedies_of(finding).take(said.len());
        let meant: Vec<[String; 2]> = meant
            .map(|it| [it.title.to_string(), it.risk.to_string()].map(|text| Value::from(text).to_string()))
            .collect();
        assert_eq!(said, meant, "{seed}");
    }
}

#[test]
fn five_commands_agree_on_risk_and_order() {
    let mut levels = BTreeSet::new();
    for seed in 1..=STATES {
        let (cluster, places) = state(seed);
        let all: Vec<TargetName> = places.iter().map(|name| target(name)).collect();
        let everything = cluster.asked(|survey| targets::diagnose(survey, &all));
        let scanned = cluster.asked(|survey| scan::diagnose(survey, &Scan::default()));
        let later = [target("later")];
        let foreseen = cluster.asked(|survey| preflight::diagnose(survey, &later, Cascade::Background));
        for report in [&everything, &scanned, &foreseen] {
            is_told_to_agents(report, seed);
        }
        let one = told(&everything);
        let Some((risks, order)) = one.first().cloned() else {
            assert!(!cluster.forbidden.is_empty(), "{seed}: nothing is told");
            continue;
        };
        assert_eq!(one.len(), 1, "{seed}: {one:?}");
        assert_eq!(held_by_a_finalizer(&everything).count(), 1, "{seed}: one broken end");
        assert_eq!(order, ["ScaleWorkload", "RemoveFinalizer"], "{seed}");
        assert_eq!(risks[0].0, Risk::Disruptive, "{seed}");
        levels.insert(risks[0].1);
        assert_eq!(told(&scanned), one, "{seed}: scan");
        assert_eq!(read(&scanned), read(&everything), "{seed}: -o json");
        for name in &places {
            let alone = cluster.asked(|survey| targets::diagnose(survey, &[target(name)]));
            is_told_to_agents(&alone, seed);
            let alone_told = told(&alone);
            // For kinds that cannot be listed in the namespace, nothing is known to be held there.
            assert!(alone_told.is_empty() || alone_told == one, "{seed}: ns {name}: {alone_told:?} {one:?}");
        }
        let before: Vec<ToldOfStart> = told(&foreseen).into_iter().flat_map(|(risks, _)| risks).collect();
        let alike = |told: &ToldOfStart| (told.0, told.1) == (risks[0].0, risks[0].1);
        assert!(!before.is_empty() && before.iter().all(alike), "{seed}: preflight: {before:?} {risks:?}");
    }
    assert_eq!(levels, BTreeSet::from([Risk::Disruptive, Risk::LosesData]));
}
