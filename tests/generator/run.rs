//! One state from its creation to its end, on a control plane with the crowd.

use crate::api::Api;
use crate::blocks::Target;
use crate::crowd;
use crate::draft::{Actor, Phase, until};
use crate::object::Id;
use crate::recipe::{Plan, Recipe};
use crate::support::control_plane::ControlPlane;
use crate::support::digests::digests_offered;
use crate::support::go::control_plane;
use crate::touched;
use crate::truth::{Verdict, judge};
use jiff::SignedDuration;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_kubectl-unstick");

/// How often the plan is carried out at most, as a person would do.
const RUNS: usize = 3;

/// A control plane with the crowd in it.
pub struct Place {
    plane: ControlPlane,
    api: Api,
    /// The port of a repaired API, and the pipe that ends it.
    port: u16,
    backend: Child,
    actors: Theirs,
    /// Apart from the others, whose requests may be slow on a broken cluster.
    heartbeats: Theirs,
}

type Theirs = Arc<Mutex<Actors>>;

/// The actors: those of the crowd forever, the others while their state exists.
#[derive(Default)]
struct Actors {
    crowd: Vec<Actor>,
    state: Vec<Actor>,
    /// Whether they pause, while the store is restored.
    pause: bool,
    over: bool,
}

/// The result for a state.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The verdict on the report.
    pub verdict: Verdict,
    /// Whether `preflight` was right just before the deletion; `None` if it was not run.
    pub foretold: Option<bool>,
    /// Whether a repair through the API can release the target at that risk.
    pub releasable: bool,
    /// Whether the target is gone.
    pub released: bool,
    /// Touched objects that are not involved in the state.
    pub touched: Vec<String>,
    /// The reason why the state could not be created, which is not the program's fault.
    pub broken: Option<String>,
    /// The survey and all outputs of a state that was judged wrong.
    pub said: String,
    /// The survey for a bug report.
    pub survey: Option<String>,
    times: Vec<(&'static str, Instant)>,
}

impl Outcome {
    /// Whether everything was right.
    pub fn is_right(&self) -> bool {
        self.verdict.is_right() && self.touched.is_empty() && (self.released || !self.releasable)
    }

    /// The duration of each step.
    pub fn took(&self) -> String {
        let steps = self.times.windows(2).map(|two| format!("{} {:.1}", two[1].0, (two[1].1 - two[0].1).as_secs_f32()));
        steps.collect::<Vec<_>>().join(", ")
    }

    fn step(&mut self, what: &'static str) {
        self.times.push((what, Instant::now()));
    }

    /// All errors, one per line.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = self.verdict.lines();
        if self.releasable && !self.released {
            lines.push("not released".into());
        }
        lines.extend(self.touched.iter().map(|touched| format!("touched: {touched}")));
        lines
    }
}

impl Place {
    /// A new place with the crowd.
    pub fn new() -> Self {
        let plane = ControlPlane::alone();
        let api = Api::of(&plane);
        let mut crowd = crowd::draft();
        crowd.make(&api, Phase::Afterwards).expect("the crowd comes in");
        age(&api, &crowd.made, &[], SignedDuration::from_hours(24 * 40));
        plane.mark();
        let start = |crowd: Vec<Actor>| {
            let actors = Arc::new(Mutex::new(Actors { crowd, ..Actors::default() }));
            let (theirs, own) = (Arc::clone(&actors), api.clone());
            thread::spawn(move || perform(&theirs, &own));
            actors
        };
        let actors = start(std::mem::take(&mut crowd.actors));
        let heartbeats = start(std::mem::take(&mut crowd.heartbeats));
        let (port, backend) = backend(&plane);
        Self { plane, api, port, backend, actors, heartbeats }
    }

    /// Creates a state, judges the output and removes the state again.
    pub fn run(&self, recipe: &Recipe) -> Outcome {
        let mut outcome = Outcome::default();
        outcome.step("start");
        if let Err(why) = self.try_run(recipe, &mut outcome) {
            outcome.broken = Some(why);
        }
        self.to_all(|actors| {
            actors.state.clear();
            actors.pause = true;
        });
        let back = self.plane.go_back();
        self.to_all(|actors| actors.pause = false);
        if let Err(why) = back {
            outcome.broken.get_or_insert_with(|| format!("cannot go back: {why}"));
        }
        outcome.step("back");
        outcome
    }

    fn try_run(&self, recipe: &Recipe, outcome: &mut Outcome) -> Result<(), String> {
        let mut plan = recipe.build(self.port);
        plan.draft.make(&self.api, Phase::Breakage)?;
        let is_foreseeable = recipe.fronts.is_empty() && plan.draft.foreseeable;
        outcome.foretold = if is_foreseeable { Some(self.forecast(&plan)?) } else { None };
        self.delete(recipe, &plan)?;
        plan.draft.make(&self.api, Phase::Afterwards)?;
        let (youngest, oldest) = (plan.draft.youngest, plan.draft.oldest);
        if youngest > oldest {
            return Err(format!("one of its causes is at least {youngest} s old, another at most {oldest} s"));
        }
        let by = recipe.age.clamp(youngest, oldest);
        let ids: Vec<Id> = plan.draft.made.iter().chain([&plan.target]).cloned().collect();
        age(&self.api, &ids, &namespaces_of(&ids), SignedDuration::from_secs(by));
        lock(&self.actors).state = std::mem::take(&mut plan.draft.actors);
        lock(&self.heartbeats).state = std::mem::take(&mut plan.draft.heartbeats);
        // The actors have checked once.
        thread::sleep(Duration::from_millis(600));
        outcome.step("made");
        self.diagnose(&plan, outcome)?;
        outcome.step("diagnosed");
        self.release(&plan, outcome)?;
        outcome.step("released");
        Ok(())
    }

    /// Requests the deletions, and waits until those who act on them have seen them.
    fn delete(&self, recipe: &Recipe, plan: &Plan) -> Result<(), String> {
        if recipe.target != Target::Namespace {
            for object in &plan.objects {
                let foreground = plan.draft.foreground.contains(object);
                self.api.delete(object, if foreground { "Foreground" } else { "Background" })?;
            }
        }
        if recipe.target != Target::Object {
            self.api.delete(&plan.target, "Background")?;
        }
        let api = &self.api;
        until("the deletion is seen", 60, || {
            let Some(target) = api.get(&plan.target.path())? else { return Err("the target is gone at once".into()) };
            let looked = plan.target.kind != "Namespace" || target["status"]["conditions"].is_array();
            let deleting = |id: &Id| Ok::<_, String>(api.get(&id.path())?.is_none_or(|it| is_deleted(&it)));
            let all: Result<Vec<bool>, String> = plan.objects.iter().map(deleting).collect();
            Ok(looked && all?.into_iter().all(|deleted| deleted))
        })
    }

    /// Whether the forecast is right: that the deletion would hang if it does, and that it would
    /// not if it does not. Messages that come only afterwards do not count.
    fn forecast(&self, plan: &Plan) -> Result<bool, String> {
        let how = if plan.draft.foreground.contains(&plan.target) { "foreground" } else { "background" };
        let arguments = ["-o".to_owned(), "json".to_owned(), format!("--cascade={how}")];
        let asked = plan.target.asked();
        let output = self.command().arg("preflight").args(asked).args(arguments).output().expect("the program runs");
        let report: Value =
            serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {}", say(&output)))?;
        let would_hang = report["targets"][0]["state"] == "WouldHang";
        Ok(would_hang != plan.truths().is_empty())
    }

    fn diagnose(&self, plan: &Plan, outcome: &mut Outcome) -> Result<(), String> {
        let output = self.unstick(plan, &["-o", "json"]);
        let report: Value =
            serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {}", say(&output)))?;
        let state = if plan.truths().is_empty() { "Progressing" } else { "Stuck" };
        outcome.verdict = judge(&report, plan.truths(), state);
        outcome.releasable = plan.draft.releasable && !plan.truths().is_empty();
        if !outcome.verdict.is_right() || std::env::var_os("UNSTICK_KEEP").is_some() {
            let survey = self.command().arg("survey").args(plan.target.asked()).output().expect("the program runs");
            outcome.survey = Some(String::from_utf8_lossy(&survey.stdout).into_owned());
            outcome.said.push_str(&say(&output));
        }
        Ok(())
    }

    /// Carries the plan out and checks the result from outside.
    fn release(&self, plan: &Plan, outcome: &mut Outcome) -> Result<(), String> {
        let survey = self.command().arg("survey").args(plan.target.asked()).output().expect("the program runs");
        let before = touched::Before::look(&self.api, &self.plane)?;
        let mut said = String::new();
        let timeout = if outcome.releasable { "30s" } else { "8s" };
        for _ in 0..RUNS {
            let output = self.unstick(plan, &["--approve", "leaks", "--timeout", timeout]);
            said.push_str(&say(&output));
            // The alternatives to what was tried need a consent of their own.
            let digests = digests_offered(&String::from_utf8_lossy(&output.stderr), "leaks");
            if !digests.is_empty() {
                let approvals = digests.iter().flat_map(|digest| ["--approve-plan", digest.as_str()]);
                let arguments: Vec<&str> = approvals.chain(["--timeout", timeout]).collect();
                said.push_str(&say(&self.unstick(plan, &arguments)));
            }
            outcome.released = self.is_gone(&plan.target)?;
            if outcome.released || !outcome.releasable {
                break;
            }
        }
        if outcome.releasable && !outcome.released {
            // A controller may be slow to check again.
            outcome.released = until("the target is gone", 10, || self.is_gone(&plan.target)).is_ok();
        }
        outcome.touched = before.touched(&self.api, &self.plane, plan)?;
        if !outcome.is_right() {
            outcome.survey.get_or_insert_with(|| String::from_utf8_lossy(&survey.stdout).into_owned());
            outcome.said.push_str(&said);
        }
        Ok(())
    }

    fn is_gone(&self, target: &Id) -> Result<bool, String> {
        Ok(self.api.get(&target.path())?.is_none())
    }

    fn unstick(&self, plan: &Plan, arguments: &[&str]) -> Output {
        self.command().args(plan.target.asked()).args(arguments).output().expect("the program runs")
    }

    fn command(&self) -> Command {
        let mut command = self.plane.command(std::env::var("UNSTICK_PROGRAM").unwrap_or_else(|_| PROGRAM.into()));
        command.env("XDG_STATE_HOME", self.plane.dir().join("state")).stdin(Stdio::null());
        command
    }

    fn to_all(&self, order: impl Fn(&mut Actors)) {
        for theirs in [&self.actors, &self.heartbeats] {
            order(&mut lock(theirs));
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.to_all(|actors| actors.over = true);
        // The backend ends with its stdin, at the latest when this program ends.
        drop(self.backend.stdin.take());
        let _ = self.backend.wait();
    }
}

/// Starts an aggregated API that answers for any group.
fn backend(plane: &ControlPlane) -> (u16, Child) {
    let mode = plane.dir().join("backend-mode");
    std::fs::write(&mode, "ok").expect("the mode is written");
    let mut child = Command::new(control_plane())
        .args(["backend", "--mode-file"])
        .arg(mode)
        .arg("--cert-dir")
        .arg(plane.dir().join("certs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the backend runs");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("it says where it listens");
    let port = line.trim().rsplit(':').next().and_then(|port| port.parse().ok());
    (port.unwrap_or_else(|| panic!("no port in {line:?}")), child)
}

/// The output and the exit code of a program.
fn say(output: &Output) -> String {
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    format!("{out}{error}exit code {:?}\n", output.status.code())
}

fn is_deleted(object: &Value) -> bool {
    object["metadata"]["deletionTimestamp"].is_string()
}

fn lock(actors: &Mutex<Actors>) -> MutexGuard<'_, Actors> {
    actors.lock().unwrap_or_else(PoisonError::into_inner)
}

fn perform(actors: &Mutex<Actors>, api: &Api) {
    loop {
        {
            let mut actors = lock(actors);
            if actors.over {
                return;
            }
            if !actors.pause {
                actors.crowd.retain_mut(|actor| !actor(api));
                actors.state.retain_mut(|actor| !actor(api));
            }
        }
        thread::sleep(Duration::from_millis(400));
    }
}

fn namespaces_of(ids: &[Id]) -> Vec<String> {
    ids.iter().filter(|id| id.kind == "Namespace").map(|id| id.name.clone()).collect()
}

/// Moves the times of created objects back, and of objects that controllers created for them.
fn age(api: &Api, ids: &[Id], namespaces: &[String], by: SignedDuration) {
    let mut all: Vec<Id> = ids.iter().filter(|id| id.kind != "Lease").cloned().collect();
    for namespace in namespaces {
        for kind in ["Pod", "ReplicaSet", "EndpointSlice"] {
            let path = Id::of(kind, Some(namespace), "").collection();
            let names = api.list(&path).unwrap_or_default();
            all.extend(
                names
                    .iter()
                    .filter_map(|item| item["metadata"]["name"].as_str())
                    .map(|name| Id::of(kind, Some(namespace), name)),
            );
        }
    }
    all.sort();
    all.dedup();
    for id in all {
        // Missing objects have no age, and objects that a controller keeps changing stay young.
        let _ = api.set_back(&id, by);
    }
}
