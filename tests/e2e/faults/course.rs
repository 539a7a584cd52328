//! Control planes that run the cases of all plans, several at a time.

use super::fault_case::{Case, Told, tells_the_truth};
use super::front::{At, FAULTS};
use super::plans::Plan;
use super::requests::{Class, KINDS, Kind, Seen};
use super::stage::Stage;
use super::{Settings, stored_results};
use crate::random::Random;
use crate::support::go::tell;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Another control plane is started for a plan if each of them has this many cases left.
const WORTH_IT: usize = 12;

/// The results of a plan's cases.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Proven {
    /// How many requests of each kind a run without a fault sends.
    pub requests: [usize; 4],
    /// The number of classes of its reads.
    pub classes: usize,
    /// The number of cases, including those that are not run.
    pub cases: usize,
    /// The results of the cases, stored line by line as they come.
    #[serde(skip)]
    pub told: Vec<Told>,
    #[serde(skip)]
    pub failed: Vec<String>,
}

/// A plan whose cases are run.
struct Course {
    plan: &'static Plan,
    /// Whether a control plane has begun the plan, and whether its requests are counted.
    begun: bool,
    counted: bool,
    workers: usize,
    /// The remaining cases; the last one is next.
    queue: Vec<Case>,
    proven: Proven,
}

struct Courses {
    all: Mutex<Vec<Course>>,
    settings: Settings,
}

/// Runs the cases of each plan.
pub fn prove(plans: impl Iterator<Item = &'static Plan>, settings: Settings) -> Vec<(&'static Plan, Proven)> {
    let new =
        |plan| Course { plan, begun: false, counted: false, workers: 0, queue: Vec::new(), proven: Proven::default() };
    let courses = Courses { all: Mutex::new(plans.map(new).collect()), settings };
    thread::scope(|scope| {
        for _ in 0..settings.stages {
            scope.spawn(|| {
                while let Some((number, is_first)) = courses.next() {
                    courses.work(number, is_first);
                }
            });
        }
    });
    let all = courses.all.into_inner().unwrap_or_else(PoisonError::into_inner);
    all.into_iter().map(|course| (course.plan, course.proven)).collect()
}

impl Course {
    /// Takes over the results of the last recorded run, and skips those cases.
    fn go_on(&mut self) {
        let mut known = stored_results::recall(self.plan).map_or_else(Vec::new, |proven| proven.told);
        let asked: BTreeSet<String> = self.queue.iter().map(Case::word).collect();
        known.retain(|told| asked.contains(&told.case));
        let done: BTreeSet<&str> = known.iter().map(|told| told.case.as_str()).collect();
        self.queue.retain(|case| !done.contains(case.word().as_str()));
        self.proven.told = known;
    }
}

impl Courses {
    fn all(&self) -> MutexGuard<'_, Vec<Course>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.settings.until.is_some_and(|until| Instant::now() >= until)
    }

    /// The next plan that needs a control plane, and whether this would be the plan's first.
    fn next(&self) -> Option<(usize, bool)> {
        while !self.is_over() {
            let mut all = self.all();
            if let Some(number) = all.iter().position(|course| !course.begun) {
                (all[number].begun, all[number].workers) = (true, 1);
                return Some((number, true));
            }
            let numbers = (0..all.len()).filter(|number| all[*number].queue.len() > WORTH_IT * all[*number].workers);
            if let Some(number) = numbers.max_by_key(|number| all[*number].queue.len() / (all[*number].workers + 1)) {
                all[number].workers += 1;
                return Some((number, false));
            }
            if all.iter().all(|course| course.counted) {
                return None;
            }
            drop(all);
            thread::sleep(Duration::from_millis(200));
        }
        None
    }

    /// Brings the state of a plan about, and runs its cases until none are left.
    fn work(&self, number: usize, is_first: bool) {
        let plan = self.all()[number].plan;
        let worked = catch_unwind(AssertUnwindSafe(|| {
            let mut stage = Stage::make(plan);
            if is_first {
                let seen = clean(&stage);
                stage = stage.into_new();
                self.count(number, &stage, &seen);
            }
            while !self.is_over()
                && let Some(case) = { self.all()[number].queue.pop() }
            {
                let told = catch_unwind(AssertUnwindSafe(|| case.prove(&stage)));
                self.keep(number, &case, told.ok());
                stage = stage.into_new();
            }
        }));
        let mut all = self.all();
        let course = &mut all[number];
        (course.counted, course.workers) = (true, course.workers - 1);
        if worked.is_err() {
            course.proven.failed.push(plan.name.into());
        }
    }

    /// Counts the requests of a run without a fault, and derives the cases.
    fn count(&self, number: usize, stage: &Stage, seen: &Seen) {
        let classes = seen.classes(&stage.began, |path| stage.get(path).1);
        let (all, chosen) = cases(stage.plan, seen, &classes, self.settings);
        let mut courses = self.all();
        let course = &mut courses[number];
        course.proven.requests = KINDS.map(|kind| seen.count(kind));
        course.proven.classes = classes.len();
        (course.proven.cases, course.queue, course.counted) = (all, chosen, true);
        if self.settings.goes_on {
            course.go_on();
        }
        if self.settings.records {
            stored_results::keep(course.plan, &course.proven);
        }
    }

    fn keep(&self, number: usize, case: &Case, told: Option<Told>) {
        let mut all = self.all();
        let Course { plan, proven, queue, .. } = &mut all[number];
        let Some(told) = told else { return proven.failed.push(format!("{} {case:?}", plan.name)) };
        tell(&format!("{}, {} left: {told:?}", plan.name, queue.len()));
        if self.settings.records {
            stored_results::add(plan, &told);
        }
        proven.told.push(told);
    }
}

/// Runs a plan without a fault. Returns its requests.
fn clean(stage: &Stage) -> Seen {
    let ran = stage.run(&stage.state("clean"), None, stage.plan.timeout.max(15));
    let said = format!("{}: exit code {:?}: {}", stage.plan.name, ran.code, ran.said);
    let open = stage.missing();
    tells_the_truth(stage, &ran, &open, &said);
    // An object stays if its controller was started and has not finished: the alternatives need a consent of their own.
    let is_left = ["progressing", "done, and not finished"].iter().any(|words| ran.said.contains(words));
    assert!(open.is_empty() || is_left, "{open:?}: {said}");
    let steps = ran.records.iter().filter(|record| record["record"] == "intend");
    let kinds: BTreeSet<&str> = steps.map(|step| step["what"]["kind"].as_str().expect("a kind")).collect();
    assert!(stage.plan.kinds.iter().all(|kind| kinds.contains(kind)), "{kinds:?}: {said}");
    ran.seen
}

/// The number of cases, and those to run, the most important last.
fn cases(plan: &Plan, clean: &Seen, classes: &[(Arc<Class>, usize)], settings: Settings) -> (usize, Vec<Case>) {
    let name = plan.name.bytes().fold(settings.seed, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    let mut random = Random::new(name);
    let (mut all, mut chosen) = (0, Vec::new());
    let is_asked = |at: &At| {
        let [fault, kind] = ["UNSTICK_FAULT", "UNSTICK_AT"].map(|name| std::env::var(name).ok());
        fault.is_none_or(|words| at.fault.word().contains(&words)) && kind.is_none_or(|word| word == at.kind.word())
    };
    for kind in [Kind::Read, Kind::ReadBack, Kind::DryRun, Kind::Write] {
        let counts = if kind == Kind::Read {
            let of_class = |(class, count): &(Arc<Class>, usize)| {
                (Some(Arc::clone(class)), if settings.every { *count } else { 1 })
            };
            classes.iter().map(of_class).collect()
        } else {
            vec![(None, clean.count(kind))]
        };
        let places = counts.iter().flat_map(|(class, count)| (1..=*count).map(move |place| (class, place)));
        let cases =
            places.flat_map(|(class, place)| FAULTS.map(|fault| At { fault, kind, class: class.clone(), place }));
        let mut cases: Vec<At> = cases.collect();
        all += cases.len();
        cases.retain(is_asked);
        random.shuffle(&mut cases);
        cases.truncate(settings.most.map_or(usize::MAX, |most| most.div_ceil(KINDS.len())));
        chosen.extend(cases);
    }
    (all, chosen.into_iter().enumerate().map(|(number, at)| Case { number, at }).collect())
}
