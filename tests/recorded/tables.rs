//! `docs/diagnoses.md`: the facts that each rule reads, what it proves and the scenarios that show
//! it, and the reasons why a controller has not acted, generated from the rules and the scenarios.

use crate::scenario::Scenario;
use crate::{diagnosed, diet, distributions, preflights};
use kubectl_unstick::diagnosis::close;
use kubectl_unstick::facts::{Facts, Target};
use kubectl_unstick::needs::{Explains, Findings, Rule};
use kubectl_unstick::reasons::REASONS;
use kubectl_unstick::report::{Report, Why};
use kubectl_unstick::rules::RULES;
use kubectl_unstick::survey::{Fact, Form, ResourceId, Seen, Survey, TargetName, Want};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/diagnoses.md");
/// From this many kinds on, lists in a namespace are shown as "everything in the namespace".
const SWEEP: usize = 20;

/// The names and one-line descriptions in `situations.yaml`.
fn situations() -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios/situations.yaml");
    let text = std::fs::read_to_string(path).expect("tests/scenarios/situations.yaml");
    serde_saphyr::from_str(&text).expect("situations.yaml is a map of names to lines")
}

#[test]
fn every_situation_is_brought_about_by_a_scenario() {
    let known = situations();
    let shown: BTreeSet<String> = Scenario::recorded().iter().flat_map(|scenario| scenario.shows().to_vec()).collect();
    let missing: Vec<&String> = known.keys().filter(|name| !shown.contains(*name)).collect();
    let unknown: Vec<&String> = shown.iter().filter(|name| !known.contains_key(*name)).collect();
    assert!(missing.is_empty(), "no scenario shows {missing:?}");
    assert!(unknown.is_empty(), "not in situations.yaml: {unknown:?}");
}

#[test]
fn enough_scenarios_have_layers_and_decoys() {
    let scenarios = Scenario::recorded();
    let layered = scenarios.iter().filter(|scenario| scenario.layers() > 1).count();
    let deceptive = scenarios.iter().filter(|scenario| !scenario.decoys().is_empty()).count();
    assert!(layered >= 15, "{layered} scenarios have several causes");
    assert!(deceptive >= 15, "{deceptive} scenarios have something that looks guilty and is not");
}

/// With `UNSTICK_RECORD=1`, the table is rewritten.
#[test]
fn the_table_of_diagnoses_is_up_to_date() {
    let table = table();
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        std::fs::write(PATH, &table).expect("docs/diagnoses.md is written");
    }
    let committed = std::fs::read_to_string(PATH).unwrap_or_default();
    assert!(committed == table, "record it: UNSTICK_RECORD=1 cargo test --test recorded table");
}

fn table() -> String {
    let scenarios = Scenario::recorded();
    let mut text = String::from(
        "# Diagnoses\n\nMade from the rules and the recorded scenarios; `CONTRIBUTING.md` says how.\n\n\
         ## Rules\n\nIn the order of repair. *Reads* is what the rule asks for in its scenarios, beside the\n\
         object itself; lists are of metadata unless marked *whole*. *Says* is how certain it is of the\n\
         root causes in its scenarios. `kubectl unstick explain RULE` tells the rest.\n\n\
         | rule | finds | reads | says | scenarios |\n|---|---|---|---|---|\n",
    );
    for rule in RULES {
        let own: Vec<&Scenario> = scenarios.iter().filter(|scenario| is_about(&scenario.name, rule.name)).collect();
        let finds = rule.explanation.lines().next().unwrap_or_default();
        let names: Vec<&str> = own.iter().map(|scenario| variant(&scenario.name, rule.name)).collect();
        let names = if rule.name == BY_REASON { "[by reason](#reasons)".to_owned() } else { names.join(", ") };
        writeln!(text, "| {} | {finds} | {} | {} | {names} |", rule.name, reads(rule, &own), says(rule, &scenarios))
            .expect("a string takes it");
    }
    text.push_str(
        "\n## Reasons\n\nWhy a controller has not released its objects, in the order in which that is asked; the field\n\
         `reason` of a finding has the name. *Says* is how certain the reason is in its scenarios.\n\
         `kubectl unstick explain REASON` tells the rest.\n\n\
         | reason | finds | says | scenarios |\n|---|---|---|---|\n",
    );
    let shown = reasons_shown(&scenarios);
    for reason in REASONS {
        let finds = reason.page.lines().next().unwrap_or_default();
        let Shown { certainties, scenarios } = &shown[reason.name];
        let says: Vec<String> = certainties.iter().map(|why| format!("{why:?}").to_lowercase()).collect();
        let names: Vec<&str> = scenarios.iter().map(|name| variant(name, reason.name)).collect();
        writeln!(text, "| {} | {finds} | {} | {} |", reason.name, says.join(", "), names.join(", "))
            .expect("a string takes it");
    }
    text.push_str("\n## Situations\n\n| situation | | scenarios |\n|---|---|---|\n");
    for (name, line) in situations() {
        let shown = scenarios.iter().filter(|scenario| scenario.shows().contains(&name));
        let names: Vec<&str> = shown.map(|scenario| scenario.name.as_str()).collect();
        writeln!(text, "| {name} | {line} | {} |", names.join(", ")).expect("a string takes it");
    }
    text.push_str("\n## Several causes\n\n| scenario | | causes |\n|---|---|---|\n");
    for scenario in scenarios.iter().filter(|scenario| scenario.layers() > 1) {
        writeln!(text, "| {} | {} | {} |", scenario.name, scenario.about(), scenario.layers())
            .expect("a string takes it");
    }
    text.push_str("\n## What looks guilty and is not\n\n| scenario | not accused |\n|---|---|\n");
    for scenario in scenarios.iter().filter(|scenario| !scenario.decoys().is_empty()) {
        writeln!(text, "| {} | {} |", scenario.name, scenario.decoys().join("; ")).expect("a string takes it");
    }
    text
}

/// The rule whose scenarios are named after their reasons.
const BY_REASON: &str = "held-by-finalizer";

/// The scenarios that show a reason.
#[derive(Default)]
struct Shown {
    certainties: BTreeSet<Why>,
    scenarios: BTreeSet<String>,
}

/// Each reason with the scenarios in which a root cause has it, or any other finding if no root cause has, or else
/// the recorded forecasts.
fn reasons_shown(scenarios: &[Scenario]) -> BTreeMap<&'static str, Shown> {
    let mut shown: BTreeMap<&str, [Shown; 3]> =
        REASONS.iter().map(|reason| (reason.name, Default::default())).collect();
    let mut add = |name: &str, report: &Report, of_roots: usize, of_others: usize| {
        for finding in &report.findings {
            let Some(places) = finding.reason.and_then(|reason| shown.get_mut(reason)) else { continue };
            let place = &mut places[if finding.is_root_cause() { of_roots } else { of_others }];
            place.certainties.insert(finding.why);
            place.scenarios.insert(name.to_owned());
        }
    };
    for scenario in scenarios {
        add(&scenario.name, &diagnosed(scenario), 0, 1);
    }
    for path in preflights::recorded() {
        let survey = diet::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.file_stem().expect("a name").to_string_lossy();
        add(&format!("preflight {name}"), &distributions::report(survey), 2, 2);
    }
    let first = |places: [Shown; 3]| places.into_iter().find(|place| !place.scenarios.is_empty()).unwrap_or_default();
    shown.into_iter().map(|(name, places)| (name, first(places))).collect()
}

#[test]
fn every_reason_is_shown_by_a_scenario() {
    let shown = reasons_shown(&Scenario::recorded());
    let unseen: Vec<&str> =
        shown.iter().filter(|(_, shown)| shown.scenarios.is_empty()).map(|(name, _)| *name).collect();
    assert!(unseen.is_empty(), "no recorded scenario shows {unseen:?}");
}

/// Whether a scenario is named after `rule`, or after a reason of it.
pub fn is_about(scenario: &str, rule: &str) -> bool {
    let is_after =
        |name: &str| scenario.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("--"));
    is_after(rule) || rule == BY_REASON && REASONS.iter().any(|reason| is_after(reason.name))
}

/// The part of a scenario's name after `name`, or all of it if it is named after another rule or reason.
fn variant<'a>(scenario: &'a str, name: &str) -> &'a str {
    match scenario.strip_prefix(name) {
        Some("") => "the plain one",
        Some(rest) => rest.strip_prefix("--").unwrap_or(scenario),
        None => scenario,
    }
}

/// The certainties of the rule's root causes.
fn says(rule: &Rule, scenarios: &[Scenario]) -> String {
    let all = scenarios.iter().flat_map(Scenario::roots).filter(|(name, _)| *name == rule.name);
    let certainties: BTreeSet<String> = all.map(|(_, certainty)| certainty.to_lowercase()).collect();
    let certainties: Vec<String> = certainties.into_iter().collect();
    if certainties.is_empty() { "never a root cause".into() } else { certainties.join(", ") }
}

/// The facts that the rule reads in these scenarios. It runs alone, on a survey that contains only
/// the facts that it has asked for.
fn reads(rule: &Rule, scenarios: &[&Scenario]) -> String {
    let mut wants = BTreeSet::new();
    for scenario in scenarios {
        let full = scenario.survey();
        for target in &full.targets {
            wants.extend(wants_of(rule, target, &full));
        }
    }
    in_words(&wants)
}

fn wants_of(rule: &Rule, target: &TargetName, full: &Survey) -> BTreeSet<Want> {
    let mut known = Survey::new(full.taken_at, full.discovery.clone());
    (known.logs, known.targets) = (full.logs, full.targets.clone());
    let mut asked = BTreeSet::new();
    let resource = full.discovery.resources.iter().find(|resource| resource.id == target.resource);
    let (Some(resource), Some(Fact::Found(object))) = (resource, full.fact(&target.want())) else { return asked };
    loop {
        let facts = Facts::new(&known);
        // As always, the rule makes no claim about facts that it cannot read.
        let target = Target { seen: Seen { resource, object } };
        if let Some(explain) = rule.of_target() {
            let _ = explain(&target, &facts, &mut Findings::default());
        }
        for explains in rule.explains {
            if let Explains::Order(order) = explains {
                let _ = order(&target, &facts, true);
            }
        }
        let (wants, _) = facts.into_wants();
        if wants.is_empty() {
            return asked;
        }
        for want in wants {
            if let Some(fact) = full.fact(&want) {
                known.record(want.clone(), fact.clone());
                asked.insert(want);
            } else {
                close(&mut known, [want].into());
            }
        }
    }
}

/// `everything in the namespace, apiservices (whole), one of services`.
fn in_words(wants: &BTreeSet<Want>) -> String {
    let is_sweep = |want: &Want, namespaced| {
        want.name.is_none() && want.form != Form::Whole && want.namespace.is_some() == namespaced
    };
    let mut words: BTreeSet<String> = BTreeSet::new();
    let mut rest: Vec<&Want> = wants.iter().collect();
    for (namespaced, all) in [(true, "everything in the namespace"), (false, "everything in the cluster")] {
        let swept: BTreeSet<&ResourceId> =
            wants.iter().filter(|want| is_sweep(want, namespaced)).map(|want| &want.resource).collect();
        if swept.len() > SWEEP {
            words.insert(all.into());
            rest.retain(|want| !is_sweep(want, namespaced));
        }
    }
    words.extend(rest.into_iter().map(kind_in_words));
    if words.is_empty() { "nothing".into() } else { words.into_iter().collect::<Vec<_>>().join(", ") }
}

fn kind_in_words(want: &Want) -> String {
    let built_in = !want.resource.group.contains('.') || want.resource.group.ends_with(".k8s.io");
    let kind = if built_in { want.resource.plural.as_str() } else { "custom resources" };
    if want.node.is_some() {
        return format!("{kind} of one node (whole)");
    }
    match (&want.name, want.form) {
        (Some(_), _) => format!("one of {kind}"),
        (None, Form::Whole) => format!("{kind} (whole)"),
        (None, _) => kind.to_owned(),
    }
}
