//! From a report to released objects: ask or be approved, carry out one step at
//! a time, wait for its effect, survey again, and say what remains.

use super::source::{Diagnosed, Live};
use super::{diagnose, interrupt, out};
use crate::cli::{Cli, DryRun, Options, Output};
use crate::cluster::apply::{Outcome, carry_out, is_gone};
use crate::cluster::gather::Freshness;
use crate::confirm::{self, Choice};
use crate::diagnosis::{ControllerState, Finding, Ref, Report, State, TargetReport};
use crate::failure::{Exit, Failure};
use crate::journal::{self, Header, Run};
use crate::plan::{Identity, Remedy, Risk, Step, StepKind, quote};
use crate::render::{self, clean, palette};
use crate::survey::TargetName;
use std::collections::HashMap;
use std::time::Duration;

/// So often it is looked whether the targets are gone.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// The API server heeds a changed admission configuration within this time: it
/// watches webhooks and looks at policies every second (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_source.go`).
const HEEDED_WITHIN: Duration = Duration::from_secs(3);
/// A plan whose steps bring ever new ones to light ends after so many passes.
const PASSES: usize = 20;

/// How the steps of a plan are agreed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Consent {
    /// Ask for each.
    Ask,
    /// All up to this risk.
    UpTo(Risk),
    /// None: the server's dry run of each is shown.
    Probe,
}

/// Why a plan ends early.
#[derive(Debug)]
enum Stop {
    /// The answer was quit.
    Quit,
    /// Ctrl-C.
    Interrupted,
    /// The cluster could not be surveyed again.
    Blind(Failure),
}

/// The steps dealt with so far, and how they ended.
#[derive(Default)]
struct Ledger {
    /// By what is the same write, and whether it was good.
    seen: HashMap<Identity, bool>,
    /// Workloads that were started: they are given their time before anything
    /// harsher is done unasked.
    started: Vec<Ref>,
    /// That time has passed.
    waited: bool,
    /// Something is as it should be now: a new look is worth while.
    acted: bool,
    /// The steps that were written and seen to hold.
    done: Vec<Step>,
    admission: Opened,
    bad: bool,
}

/// Whether this run has opened admission.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Opened {
    /// No.
    #[default]
    Never,
    /// In an earlier pass: who is at work is given time to go on.
    Before,
    /// In this pass: what it refused is planned anew.
    Now,
}

impl Opened {
    /// As it is in the next pass.
    fn before(self) -> Self {
        if self == Self::Never { Self::Never } else { Self::Before }
    }
}

impl Ledger {
    fn has_seen(&self, step: &Step) -> bool {
        self.seen.contains_key(&step.identity())
    }
}

/// A plan being carried out.
struct Plan<'a> {
    live: &'a Live,
    options: &'a Options,
    consent: Consent,
    journal: Option<Run>,
    ledger: Ledger,
}

/// Whether steps are to be offered or done at all.
pub fn is_wanted(report: &Report, options: &Options) -> bool {
    consent(options).is_some() && report.remedies.iter().any(|remedy| !remedy.steps.is_empty())
}

fn consent(options: &Options) -> Option<Consent> {
    match options.dry_run {
        DryRun::Client => return None,
        DryRun::Server => return Some(Consent::Probe),
        DryRun::None => {}
    }
    match (options.approve, options.yes) {
        (Some(risk), _) => Some(Consent::UpTo(risk.into())),
        (None, true) => Some(Consent::UpTo(Risk::Harmless)),
        (None, false) => (out::can_ask() && options.output == Output::Table).then_some(Consent::Ask),
    }
}

/// Deals with the steps of a report, and of the reports that follow from it.
///
/// # Errors
/// When the cluster can no longer be read, or on Ctrl-C.
pub async fn run(live: &Live, mut diagnosed: Diagnosed, cli: &Cli) -> Result<Exit, Failure> {
    let options = &cli.options;
    let Some(consent) = consent(options) else { return Ok(diagnose::exit(&diagnosed.report, options)) };
    if options.output == Output::Table {
        out::report(&diagnosed.report, options);
    }
    let there = |target: &TargetReport| target.state != State::Gone;
    let asked: Vec<bool> = diagnosed.report.targets.iter().map(there).collect();
    let journal = if consent == Consent::Probe { None } else { Some(begin_journal(live, &diagnosed).await) };
    let mut plan = Plan { live, options, consent, journal, ledger: Ledger::default() };
    match plan.carry_on(&mut diagnosed).await {
        Ok(()) => {
            let exit = plan.finish(&diagnosed.report, &asked);
            plan.say_what_stays_changed().await;
            Ok(exit)
        }
        Err(Stop::Quit) => {
            // After something was done, what remains is another report.
            if plan.ledger.acted
                && let Ok(fresh) = live.diagnose(Freshness::Consistent).await
            {
                diagnosed = fresh;
            }
            let exit = plan.finish(&diagnosed.report, &asked);
            plan.say_what_stays_changed().await;
            Ok(exit)
        }
        Err(Stop::Interrupted) => {
            plan.close_journal("interrupted");
            Err(Failure::interrupted("interrupted"))
        }
        Err(Stop::Blind(failure)) => {
            plan.close_journal("the cluster could not be surveyed again");
            Err(failure)
        }
    }
}

impl Plan<'_> {
    /// Passes over the steps until nothing new comes to light.
    async fn carry_on(&mut self, diagnosed: &mut Diagnosed) -> Result<(), Stop> {
        let mut budget = self.options.timeout;
        for _ in 0..PASSES {
            self.pass(&diagnosed.report).await?;
            if self.consent == Consent::Probe || !self.ledger.acted {
                return Ok(());
            }
            let nobody_comes = self.ledger.started.is_empty()
                && !(self.ledger.admission != Opened::Never && is_at_work(&diagnosed.report));
            let limit = if nobody_comes || self.ledger.waited {
                let opened = if self.ledger.admission == Opened::Now { HEEDED_WITHIN } else { Duration::ZERO };
                effect_shows_within(&diagnosed.report).max(opened).min(budget)
            } else {
                // The rest is for what is done when it does not come.
                self.ledger.waited = true;
                budget / 2
            };
            budget = budget.saturating_sub(wait_for_targets(self.live, diagnosed, limit).await);
            *diagnosed = self.live.diagnose(Freshness::Consistent).await.map_err(blind)?;
            let new_steps = self.open_steps(&diagnosed.report) > 0;
            if !new_steps && (budget.is_zero() || !still_going(&diagnosed.report)) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Deals with every step of one report once.
    async fn pass(&mut self, report: &Report) -> Result<(), Stop> {
        let total = self.open_steps(report);
        let mut number = 0;
        let consent = self.consent;
        self.ledger.admission = self.ledger.admission.before();
        for finding in &report.findings {
            for remedy in report.remedies_of(finding).filter(|remedy| may(consent, remedy)) {
                let released = self.remedy(finding, remedy, report, &mut number, total).await?;
                // What remains of this cause is seen afresh before anything harsher.
                if released && consent != Consent::Probe {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Deals with the steps of one remedy; whether any was good.
    async fn remedy(
        &mut self,
        finding: &Finding,
        remedy: &Remedy,
        report: &Report,
        number: &mut usize,
        total: usize,
    ) -> Result<bool, Stop> {
        let mut released = false;
        // Of stranded objects one answer holds for all of a kind.
        let mut answers: Vec<(&Step, bool)> = Vec::new();
        for step in remedy.steps_until_a_new_look() {
            // What the server refuses for want of the namespace is planned anew.
            if self.ledger.has_seen(step)
                || self.waits_for_new_plan(step, remedy)
                || (self.ledger.admission == Opened::Now && !step.opens_admission())
                || (self.consent != Consent::Ask && self.waits_for_started(finding, step))
            {
                continue;
            }
            self.ledger.seen.insert(step.identity(), false);
            if step.creates() && !self.all_good_before(step, remedy) {
                break;
            }
            *number += 1;
            let given = answers.iter().find(|(other, _)| other.is_like(step)).map(|(_, answer)| *answer);
            let yes = match given {
                _ if self.consent != Consent::Ask => true,
                Some(answer) => answer,
                None => agreed(*number, total, finding, remedy, step, report).await?,
            };
            if given.is_none() && finding.is_stranded() {
                answers.push((step, yes));
            }
            if yes {
                let good = self.carry_out(step).await?;
                self.ledger.seen.insert(step.identity(), good);
                released |= good;
            }
        }
        let cut = remedy.steps.len() > remedy.steps_until_a_new_look().count()
            || (self.ledger.admission == Opened::Now && remedy.steps.iter().all(Step::opens_admission));
        if cut && self.consent == Consent::Probe {
            out::talk("the steps after that can be judged only when it is done");
        }
        Ok(released)
    }

    /// Carries out a step, says what became of it, and whether it is good. Ctrl-C
    /// waits for a write that has begun.
    async fn carry_out(&mut self, step: &Step) -> Result<bool, Stop> {
        if interrupt::is_pressed() {
            return Err(Stop::Interrupted);
        }
        let outcome = if self.is_called_for(step).await? {
            carry_out(&self.live.connected.api, step, self.journal.as_mut(), &interrupt::is_pressed).await
        } else {
            Outcome::AlreadySo(format!("what called for it has changed: {}", step.title()))
        };
        if let Some(namespace) = step.needs_missing_namespace()
            && outcome.is_for_want_of(namespace)
            && self.live.no_delete_in(namespace)
        {
            out::talk(&format!("not possible yet: {}: {}; planned anew", step.title(), outcome.text()));
            self.ledger.acted |= self.consent != Consent::Probe;
            return Ok(false);
        }
        if let Some(namespace) = step.needs_missing_namespace().filter(|namespace| outcome.is_for_want_of(namespace)) {
            out::talk(&format!(
                "a webhook or policy selects by namespace, so not even a DELETE passes; the way out: \
                 kubectl unstick orphans -n {}",
                quote(namespace)
            ));
        }
        let good = outcome.is_good();
        let mark = palette::verdict(if good { "✓" } else { "✗" }, good, out::talk_colour(self.options));
        let word = match &outcome {
            Outcome::Done(_) => "done",
            Outcome::AlreadySo(_) => "nothing to do",
            Outcome::WouldDo(_) => "dry run",
            Outcome::Refused(_) => "not done",
            Outcome::Unconfirmed(_) => "not confirmed",
        };
        let about = if good { String::new() } else { format!("{}: ", clean(&step.title())) };
        out::painted(&format!("{mark} {word}: {about}{}", clean(outcome.text())));
        if !matches!(outcome, Outcome::Refused(_) | Outcome::WouldDo(_)) {
            self.ledger.acted = true;
            if step.kind == StepKind::ScaleWorkload {
                self.ledger.started.push(step.object.clone());
            }
            self.live.has_written();
        }
        if matches!(outcome, Outcome::Done(_)) {
            self.ledger.done.push(step.clone());
        }
        if step.opens_admission() && matches!(outcome, Outcome::Done(_) | Outcome::WouldDo(_)) {
            self.ledger.admission = Opened::Now;
        }
        self.ledger.bad |= !good;
        if interrupt::is_pressed() { Err(Stop::Interrupted) } else { Ok(good) }
    }

    /// Whether a controller that this run has started may still release the
    /// object by itself.
    fn waits_for_started(&self, finding: &Finding, step: &Step) -> bool {
        let Some(controller) = &finding.controller else { return false };
        let started = controller.workload.as_ref().is_some_and(|workload| self.ledger.started.contains(workload));
        let has_come = controller.state != ControllerState::Down;
        let freed =
            self.ledger.admission != Opened::Never && controller.state == ControllerState::Alive && !self.ledger.waited;
        step.kind == StepKind::RemoveFinalizer && (freed || started && (has_come || !self.ledger.waited))
    }

    /// Looks again at what a step rests on: between the screen and the answer a
    /// node or a backend may have come back.
    async fn is_called_for(&self, step: &Step) -> Result<bool, Stop> {
        if !step.rests_on_other_objects() {
            return Ok(true);
        }
        let fresh = self.live.diagnose(Freshness::Consistent).await.map_err(blind)?;
        Ok(fresh.report.remedies.iter().flat_map(|remedy| &remedy.steps).any(|called| called.is_same(step)))
    }

    /// Whether deletions in a missing namespace turned out to need it: the next
    /// look gives a plan without them.
    fn waits_for_new_plan(&self, step: &Step, remedy: &Remedy) -> bool {
        let deletes = |step: &Step| step.needs_missing_namespace().is_some();
        let planned_before = deletes(step) || (step.creates() && remedy.steps.iter().any(deletes));
        let namespace = step.object.namespace.as_ref().unwrap_or(&step.object.name);
        planned_before && self.live.is_no_delete_in(namespace)
    }

    /// What lives among stranded objects is deleted before their namespace comes
    /// back; otherwise it would come to life with it.
    fn all_good_before(&self, step: &Step, remedy: &Remedy) -> bool {
        let before = remedy.steps.iter().take_while(|other| *other != step);
        let good = before.into_iter().all(|other| self.ledger.seen.get(&other.identity()) == Some(&true));
        if !good {
            out::talk(&format!("not offered: {}, as not everything before it was done", step.title()));
        }
        good
    }

    fn open_steps(&self, report: &Report) -> usize {
        let open = |finding: &Finding, step: &Step| {
            !self.ledger.has_seen(step) && (self.consent == Consent::Ask || !self.waits_for_started(finding, step))
        };
        let mut steps = std::collections::HashSet::new();
        for finding in &report.findings {
            let remedies = report.remedies_of(finding).filter(|remedy| may(self.consent, remedy));
            steps.extend(remedies.flat_map(Remedy::steps_until_a_new_look).filter(|step| open(finding, step)));
        }
        steps.len()
    }

    fn close_journal(&mut self, how: &str) {
        let Some(run) = &mut self.journal else { return };
        if let Err(error) = run.end(how) {
            out::talk(&format!("the end of the run could not be put on record: {error}"));
        }
        if let Some(path) = run.path() {
            out::talk(&format!("journal: {}", path.display()));
        }
    }

    /// Says which settings this run has changed for a while and nobody restores by
    /// themselves, as long as their object is there.
    async fn say_what_stays_changed(&self) {
        let mut lines = Vec::new();
        for step in &self.ledger.done {
            let request = self.journal.as_ref().and_then(|run| run.request_of(step));
            let Some(command) = request.and_then(|request| step.restore(request)) else { continue };
            if is_gone(&self.live.connected.api, &step.object.target(), &step.object.uid).await != Ok(true) {
                lines.push(format!("· {}\n  to restore it: {command}", step.title()));
            }
        }
        if !lines.is_empty() {
            out::talk("still as this run has set it, until you restore it (once what was broken is mended):");
            for line in &lines {
                out::talk(line);
            }
        }
    }

    /// Says what remains, by a survey taken after the last write. `asked` tells
    /// which targets were there at the start.
    fn finish(&mut self, report: &Report, asked: &[bool]) -> Exit {
        let nothing_left = !report.targets.is_empty() || diagnose::exit(report, self.options) == Exit::Fine;
        let gone = report.targets.iter().all(|target| target.state == State::Gone);
        let released = self.ledger.acted && gone && nothing_left;
        self.close_journal(if released { "released" } else { "ended" });
        let table = self.options.output == Output::Table;
        if self.ledger.acted && !released && table {
            out::data("\nwhat remains:\n\n");
        }
        if !table || (self.ledger.acted && !released) {
            out::report(report, self.options);
        }
        let gone = report.targets.iter().zip(asked).filter(|(target, asked)| **asked && target.state == State::Gone);
        for (target, _) in gone {
            out::talk(&format!("{} is gone: read back", target.object));
        }
        if released && report.targets.is_empty() && table {
            out::report(report, self.options);
        }
        let all_were_there = self.options.ignore_not_found || asked.iter().all(|asked| *asked);
        match (self.ledger.bad, released && all_were_there) {
            (true, _) => Exit::Refused,
            (false, true) => Exit::Fine,
            (false, false) => diagnose::exit(report, self.options),
        }
    }
}

fn blind(failure: Failure) -> Stop {
    if interrupt::is_pressed() { Stop::Interrupted } else { Stop::Blind(failure) }
}

fn may(consent: Consent, remedy: &Remedy) -> bool {
    let has_steps = !remedy.steps.is_empty();
    match consent {
        Consent::Ask | Consent::Probe => has_steps,
        Consent::UpTo(risk) => has_steps && remedy.risk <= risk,
    }
}

/// Whether a controller that lives may release something by itself.
fn is_at_work(report: &Report) -> bool {
    let alive = |finding: &Finding| {
        finding.controller.as_ref().is_some_and(|controller| controller.state == ControllerState::Alive)
    };
    report.findings.iter().any(alive)
}

/// After a pass of steps, so long is waited before looking at everything again.
/// The namespace controller needs some seconds; other objects go at once.
fn effect_shows_within(report: &Report) -> Duration {
    let any_namespace = report.targets.iter().any(|target| target.object.kind == "Namespace");
    Duration::from_secs(if any_namespace { 8 } else { 1 })
}

/// Something is still on its way, with nothing left to decide.
fn still_going(report: &Report) -> bool {
    report.targets.iter().any(|target| matches!(target.state, State::Progressing | State::Unknown))
        || report.findings.iter().any(|finding| finding.cause == crate::diagnosis::Cause::NamespaceController)
}

async fn agreed(
    number: usize,
    total: usize,
    finding: &Finding,
    remedy: &Remedy,
    step: &Step,
    report: &Report,
) -> Result<bool, Stop> {
    // Stranded objects of one kind are agreed to together, and named.
    let alike: Vec<Step> =
        remedy.steps.iter().filter(|other| finding.is_stranded() && other.is_like(step)).cloned().collect();
    let asked = confirm::Asked { step: step.clone(), alike, risk: remedy.risk };
    out::talk(&confirm::question(number, total, report.context.as_deref(), remedy, &asked));
    loop {
        let asked = asked.clone();
        let question = tokio::task::spawn_blocking(move || confirm::ask(&asked));
        let answer = tokio::select! {
            answer = question => answer,
            () = interrupt::pressed() => return Err(Stop::Interrupted),
        };
        match answer {
            Ok(Ok(Choice::Yes)) => return Ok(true),
            Ok(Ok(Choice::No)) => return Ok(false),
            Ok(Ok(Choice::Quit)) => return Err(Stop::Quit),
            Ok(Ok(Choice::Details)) => out::painted(&details(finding, remedy, step, report)),
            Ok(Err(_)) | Err(_) => return Err(Stop::Interrupted),
        }
    }
}

/// What `d` shows: the consequence, the evidence and the command.
fn details(finding: &Finding, remedy: &Remedy, step: &Step, report: &Report) -> String {
    let undo = if remedy.undo {
        "yes: the journal keeps the object as it was"
    } else {
        "none: the API server does not allow it"
    };
    let mut rows = vec![
        ("risk", format!("{}: {}", remedy.risk, remedy.consequence)),
        ("undo", undo.to_owned()),
        ("because", finding.summary.clone()),
    ];
    rows.extend(finding.evidence.iter().map(|evidence| {
        let field = evidence.field.as_deref().unwrap_or_default();
        let place = evidence.object.as_ref().map(|object| format!("  ({object}: {field})")).unwrap_or_default();
        ("", format!("{}{place}", evidence.text))
    }));
    rows.push(("read at", report.taken_at.to_string()));
    rows.push(("same as", step.command.clone()));
    render::facts(&rows, out::width())
}

/// Waits until the targets are gone, for at most `limit`; says how long it took.
async fn wait_for_targets(live: &Live, diagnosed: &Diagnosed, limit: Duration) -> Duration {
    let mut waited = Duration::ZERO;
    let wait = async {
        while !all_gone(live, diagnosed).await {
            tokio::time::sleep(LOOK_EVERY).await;
            waited += LOOK_EVERY;
        }
    };
    let in_time = tokio::select! {
        waited = tokio::time::timeout(limit, wait) => waited.is_ok(),
        () = interrupt::pressed() => true,
    };
    if in_time { waited } else { limit }
}

async fn all_gone(live: &Live, diagnosed: &Diagnosed) -> bool {
    for target in &diagnosed.report.targets {
        let name = target.object.target();
        if target.state != State::Gone && is_gone(&live.connected.api, &name, &target.object.uid).await != Ok(true) {
            return false;
        }
    }
    true
}

/// Begins the record of a run.
pub async fn begin_journal(live: &Live, diagnosed: &Diagnosed) -> Run {
    let name = |target: &TargetName| format!("{}/{}", target.resource.short(), target.name);
    let header = Header {
        arguments: Header::command_line(std::env::args_os()),
        context: live.connected.context.clone(),
        server: live.connected.server.clone(),
        cluster: live.cluster_uid().await,
        targets: diagnosed.report.targets.iter().map(|target| name(&target.object.target())).collect(),
    };
    Run::new(journal::folder(), header)
}
