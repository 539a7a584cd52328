//! Answers that are lost or wrong, and a program that is killed, at every request of plans
//! that together write every kind of step.
//!
//! | | |
//! |---|---|
//! | `UNSTICK_FAULTS=all` | every fault at every request; a number: so many of each plan |
//! | `UNSTICK_SEED=N` | which cases a sample has |
//! | `UNSTICK_PLANS=a,b` | these plans alone |
//! | `UNSTICK_STAGES=N` | so many control planes for each plan |
//! | `UNSTICK_MINUTES=N` | begins no case after so many minutes |
//! | `UNSTICK_RECORD=1` | writes the table of `docs/reliability.md` |

mod case;
mod disk;
mod front;
mod plans;
mod records;
mod stage;
mod store;
mod table;

use crate::live::{stderr, unstick};
use crate::random::Random;
use crate::support::control_plane::ControlPlane;
use crate::support::go::tell;
use crate::support::proxy::Behind;
use case::{Case, Told, tells_the_truth};
use front::{At, FAULTS, Fault, Front, KINDS, Kind, Seen};
use plans::{PLANS, Plan};
pub use records::records_in;
use serde_json::Value;
use stage::Stage;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// So many cases of each plan, unless more are asked for.
const SAMPLE: usize = 4;
/// So many plans at a time.
const AT_A_TIME: usize = 4;

/// Which cases there are to be.
#[derive(Debug, Clone, Copy)]
struct Settings {
    /// Of each plan; all of them if there is no number.
    most: Option<usize>,
    seed: u64,
    stages: usize,
    until: Option<Instant>,
}

fn number(name: &str) -> Option<usize> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|error| panic!("{name}={text}: {error}")))
}

impl Settings {
    fn read() -> Self {
        let is_all = std::env::var("UNSTICK_FAULTS").is_ok_and(|word| word == "all");
        let most = if is_all { None } else { Some(number("UNSTICK_FAULTS").unwrap_or(SAMPLE)) };
        let seed = number("UNSTICK_SEED").unwrap_or(1) as u64;
        let stages = number("UNSTICK_STAGES").unwrap_or(1);
        let until = number("UNSTICK_MINUTES").map(|minutes| Instant::now() + Duration::from_secs(60 * minutes as u64));
        Self { most, seed, stages, until }
    }
}

/// Every fault at every request that a clean run has sent, or some of them of each kind.
fn cases(plan: &Plan, clean: &Seen, settings: Settings) -> Vec<Case> {
    let name = plan.name.bytes().fold(settings.seed, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    let mut random = Random::new(name);
    let mut chosen = Vec::new();
    for kind in KINDS {
        let places = (1..=clean.count(kind)).flat_map(|place| FAULTS.map(|fault| At { fault, kind, place }));
        let mut all: Vec<At> = places.collect();
        random.shuffle(&mut all);
        all.truncate(settings.most.map_or(usize::MAX, |most| most.div_ceil(KINDS.len())));
        chosen.extend(all);
    }
    random.shuffle(&mut chosen);
    chosen.into_iter().enumerate().map(|(number, at)| Case { number, at }).collect()
}

/// What came of the cases of a plan.
#[derive(Debug, Default)]
struct Proven {
    clean: Seen,
    told: Vec<Told>,
    failed: Vec<String>,
}

/// A plan without a fault: what it comes to, and how many requests that takes.
fn clean(stage: &Stage) -> Seen {
    let ran = stage.run(&stage.state("clean"), None, stage.plan.timeout.max(15));
    let said = format!("{}: exit code {:?}: {}", stage.plan.name, ran.code, ran.said);
    let open = stage.missing();
    tells_the_truth(stage, &ran, &open, &said);
    assert!(open.is_empty() || ran.said.contains("progressing"), "{open:?}: {said}");
    let steps = ran.records.iter().filter(|record| record["record"] == "intend");
    let kinds: BTreeSet<&str> = steps.map(|step| step["what"]["kind"].as_str().expect("a kind")).collect();
    assert!(stage.plan.kinds.iter().all(|kind| kinds.contains(kind)), "{kinds:?}: {said}");
    ran.seen
}

fn prove(plan: &'static Plan, settings: Settings) -> Proven {
    let first = Stage::make(plan);
    let clean = clean(&first);
    let first = first.into_new();
    let cases = cases(plan, &clean, settings);
    let proven = Mutex::new(Proven { clean, ..Proven::default() });
    let queue = Mutex::new(cases);
    let work = |mut stage: Stage| {
        while settings.until.is_none_or(|until| Instant::now() < until)
            && let Some(case) = { queue.lock().expect("the queue").pop() }
        {
            let told = catch_unwind(AssertUnwindSafe(|| case.prove(&stage)));
            let mut proven = proven.lock().expect("the results");
            match told {
                Ok(told) => {
                    tell(&format!("{} {told:?}", plan.name));
                    proven.told.push(told);
                }
                Err(_) => proven.failed.push(format!("{} {case:?}", plan.name)),
            }
            drop(proven);
            stage = stage.into_new();
        }
    };
    thread::scope(|scope| {
        for _ in 1..settings.stages {
            scope.spawn(|| work(Stage::make(plan)));
        }
        work(first);
    });
    proven.into_inner().expect("the results")
}

#[test]
fn a_fault_at_every_request() {
    let settings = Settings::read();
    tell(&format!("UNSTICK_SEED={}", settings.seed));
    let only = std::env::var("UNSTICK_PLANS").ok();
    let is_asked = |plan: &&Plan| only.as_ref().is_none_or(|names| names.split(',').any(|name| name == plan.name));
    let plans: Vec<&Plan> = PLANS.iter().filter(is_asked).collect();
    let (next, proven) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(plan) = plans.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let of_plan = catch_unwind(AssertUnwindSafe(|| prove(plan, settings)));
                    let of_plan =
                        of_plan.unwrap_or_else(|_| Proven { failed: vec![plan.name.into()], ..Proven::default() });
                    proven.lock().expect("the results").push((*plan, of_plan));
                }
            });
        }
    });
    let mut proven: Vec<(&Plan, Proven)> = proven.into_inner().expect("the results");
    proven.sort_by_key(|(plan, _)| plan.name);
    let failed: Vec<&String> = proven.iter().flat_map(|(_, proven)| &proven.failed).collect();
    let plans = table::plans(
        proven
            .iter()
            .filter(|(_, proven)| !proven.told.is_empty())
            .map(|(plan, proven)| (*plan, &proven.clean, proven.told.len())),
    );
    let faults = table::markdown(&proven.iter().flat_map(|(_, proven)| &proven.told).collect::<Vec<_>>());
    let text = format!("{plans}\n{faults}");
    tell(&format!("\n{text}"));
    if std::env::var_os("UNSTICK_RECORD").is_some() {
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
        let front =
            Front::start(&behind, &state.join("kubectl-unstick"), Some(At { fault, kind: Kind::Write, place: 1 }));
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
