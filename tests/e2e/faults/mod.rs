//! Lost or wrong answers, and a program that is killed, at the requests of plans that together
//! write every kind of step, and undo everything that can be undone.
//!
//! A run without a fault shows which requests there are. Each dry run, each write and each
//! read-back meets each fault. Reads are grouped into classes, and the first read of each class
//! meets each fault. Reads are of one class if they come in the same phase of the run and
//!
//! - are the same request: method, path without generated parts of names, names of the parameters,
//!   whole objects or metadata alone; or
//! - list kinds of which the plan's state has no object: these are one class.
//!
//! The phases: before the first dry run or write; after a dry run, if that was sent last of dry
//! runs and writes; after a write that is not the plan's last one; after the plan's last write.
//!
//! | | |
//! |---|---|
//! | `UNSTICK_FAULTS=all` | all of these cases; `every`: also each further read of a class; a number: this many of each plan |
//! | `UNSTICK_SEED=N` | selects the cases of a sample |
//! | `UNSTICK_PLANS=a,b` | only these plans |
//! | `UNSTICK_FAULT=WORDS` | only the faults whose names in the tables contain these words |
//! | `UNSTICK_AT=KIND` | only faults at a `read`, `dry run`, `write` or `read-back` |
//! | `UNSTICK_STAGES=N` | the number of control planes at a time; each takes 0.6 GB |
//! | `UNSTICK_MINUTES=N` | begins no case after this many minutes; reads come last |
//! | `UNSTICK_RECORD=1` | writes the tables of `docs/reliability.md`; a plan that is not run keeps the results of its last recorded run |
//! | `UNSTICK_GO_ON=1` | skips the cases that the last recorded run has covered already |

mod course;
mod disk;
mod fault_case;
mod front;
mod plans;
mod records;
mod requests;
mod stage;
mod store;
mod stored_results;
mod table;

use crate::journal::{carry_out_by, read, reference, undo};
use crate::support::control_plane::ControlPlane;
use crate::support::go::tell;
use crate::support::program::{stderr, stdout, unstick};
use crate::support::proxy::Behind;
use front::{At, FAULTS, Fault, Front};
use kubectl_unstick::plan::steps;
use plans::{PLANS, Plan};
pub use records::records_in;
use requests::Kind;
use serde_json::Value;
use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

/// How many cases of each plan are run by default.
const SAMPLE: usize = 4;
/// How many control planes run at a time.
const AT_A_TIME: usize = 4;

/// The selection of cases.
#[derive(Debug, Clone, Copy)]
struct Settings {
    /// The number for each plan; `None` for all of them.
    most: Option<usize>,
    /// Whether each read is a case, not only the first of each class.
    every: bool,
    seed: u64,
    stages: usize,
    /// Whether the results are kept, and go into the tables.
    records: bool,
    /// Whether to keep the results of the last recorded run.
    goes_on: bool,
    until: Option<Instant>,
}

fn number(name: &str) -> Option<usize> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|error| panic!("{name}={text}: {error}")))
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some()
}

/// Whether all cases are requested, and whether every single one is.
fn all_or_every() -> (bool, bool) {
    let word = std::env::var("UNSTICK_FAULTS").unwrap_or_default();
    (word == "all" || word == "every", word == "every")
}

impl Settings {
    fn read() -> Self {
        let (all, every) = all_or_every();
        let most = if all { None } else { Some(number("UNSTICK_FAULTS").unwrap_or(SAMPLE)) };
        let seed = number("UNSTICK_SEED").unwrap_or(1) as u64;
        let stages = number("UNSTICK_STAGES").unwrap_or(AT_A_TIME);
        let until = number("UNSTICK_MINUTES").map(|minutes| Instant::now() + Duration::from_secs(60 * minutes as u64));
        let (records, goes_on) = (is_set("UNSTICK_RECORD"), is_set("UNSTICK_GO_ON"));
        Self { most, every, seed, stages, records, goes_on, until }
    }
}

#[test]
fn a_fault_at_every_request() {
    let settings = Settings::read();
    tell(&format!("UNSTICK_SEED={}", settings.seed));
    let only = std::env::var("UNSTICK_PLANS").ok();
    let is_asked = |plan: &&Plan| only.as_ref().is_none_or(|names| names.split(',').any(|name| name == plan.name));
    let mut proven = course::prove(PLANS.iter().filter(is_asked), settings);
    let failed: Vec<String> = proven.iter_mut().flat_map(|(_, proven)| std::mem::take(&mut proven.failed)).collect();
    if settings.records {
        proven = PLANS.iter().filter_map(|plan| Some((plan, stored_results::recall(plan)?))).collect();
    }
    proven.sort_by_key(|(plan, _)| plan.name);
    let faults = table::markdown(&proven.iter().flat_map(|(_, proven)| &proven.told).collect::<Vec<_>>());
    let text = format!("{}\n{faults}", table::plans(&proven));
    tell(&format!("\n{text}"));
    if settings.records {
        table::record("requests", &text);
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn the_plans_write_every_kind_of_step() {
    let schema = include_str!("../../../docs/report.schema.json");
    let schema: Value = serde_json::from_str(schema).expect("a schema");
    let all = schema["$defs"]["StepKind"]["oneOf"].as_array().expect("kinds").iter();
    let all: BTreeSet<&str> = all.map(|kind| kind["const"].as_str().expect("a kind")).chain(["Restore"]).collect();
    let written: BTreeSet<&str> = PLANS.iter().flat_map(|plan| plan.kinds).copied().collect();
    assert_eq!(written, all);
}

/// Objects that are being deleted, and are held by these finalizers.
fn held_by(plane: &ControlPlane, names: impl Iterator<Item = String>, finalizers: &[&str]) {
    let keys = finalizers.join(", ");
    let object = |name| {
        format!(
            "---\n{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, labels: {{held: a}}, finalizers: [{keys}]}}}}\n"
        )
    };
    plane.apply(&names.map(object).collect::<String>());
    plane.kubectl_ok(&["delete", "configmap", "-l", "held=a", "--wait=false"]);
}

#[test]
fn a_write_whose_answer_is_lost_is_judged_by_reading_back() {
    let plane = ControlPlane::start();
    held_by(&plane, ["one".to_owned(), "two".to_owned()].into_iter(), &["acme.io/hold"]);
    thread::sleep(Duration::from_secs(7));

    let behind = Behind::start(&plane);
    let state = plane.dir().join("state");
    let release = |fault: Fault, name: &str| {
        let at = At::of_kind(fault, Kind::Write, 1);
        let front = Front::start(&behind, &state.join("kubectl-unstick"), Some(at));
        let arguments = ["configmap", name, "--server", &front.address, "--approve", "leaks", "--timeout", "2s"];
        unstick(&plane).args(arguments).output().expect("the program runs")
    };
    let outcomes = || {
        let records = records_in(&state);
        let words = records.iter().filter_map(|record| record["outcome"].as_str().map(str::to_owned));
        words.collect::<Vec<_>>()
    };
    let lost = release(Fault::AnswerLost, "one");
    assert_eq!(lost.status.code(), Some(0), "it was done, and seen to be: {}", stderr(&lost));
    assert_eq!(plane.kubectl_ok(&["get", "configmap", "one", "--ignore-not-found", "-o", "name"]), "");
    assert_eq!(outcomes(), ["done"]);

    let unavailable = release(Fault::Status(503), "two");
    assert_eq!(unavailable.status.code(), Some(3), "{}", stderr(&unavailable));
    assert!(stderr(&unavailable).contains("not confirmed"), "{}", stderr(&unavailable));
    let left = plane.kubectl_ok(&["get", "configmap", "two", "-o", "jsonpath={.metadata.finalizers[*]}"]);
    assert_eq!(left, "acme.io/hold");
    assert_eq!(outcomes(), ["done", "unconfirmed"]);
}

/// Found in practice: the server had carried out a PATCH whose answer was broken gzip. The journal
/// said "refused", `undo` left it alone, and a webhook stayed at Ignore.
#[test]
fn a_write_with_an_unreadable_answer_is_undone() {
    let plane = ControlPlane::start();
    plane.apply(
        "
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- {name: a.acme.io, admissionReviewVersions: [v1], sideEffects: None, failurePolicy: Fail, clientConfig: {service: {namespace: ops, name: gone}}, rules: [{apiGroups: [acme.io], apiVersions: ['*'], operations: [UPDATE], resources: ['*']}]}",
    );
    let guard = reference(&plane, "validatingwebhookconfigurations", "guard");
    let policy = || read(&plane, "validatingwebhookconfigurations", "guard")["webhooks"][0]["failurePolicy"].clone();
    let behind = Behind::start(&plane);
    for fault in FAULTS.into_iter().filter(|fault| matches!(fault, Fault::Instead(_))) {
        let at = At::of_kind(fault, Kind::Write, 1);
        let front = Front::start(&behind, &plane.dir().join("state/kubectl-unstick"), Some(at));
        let step = steps::ignore_webhook::step(&guard, 0, "a.acme.io");
        let (_, outcomes) = carry_out_by(&plane, Some(&front.address), &[step], Some("done"));
        assert!(front.has_fired() && policy() == "Ignore", "{fault:?}");
        assert_eq!(outcomes[0].word(), "done", "{fault:?}: {outcomes:?}");
        let undone = undo(&plane, &["--approve", "disruptive"]);
        assert_eq!(policy(), "Fail", "{fault:?}: {}{}", stdout(&undone), stderr(&undone));
    }
}
