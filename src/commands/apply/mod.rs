//! From a report to released objects: asks for approval, carries out one step at a time, waits for
//! its effect, surveys again, and reports what is left.

mod after_try;
mod announce;
mod approved;
mod ask;
mod choice;
mod consent;
mod ending;
mod ledger;
mod outlook;
mod progress;
mod steps;
mod stop;
mod wait;

pub use approved::say_newcomers;
pub use consent::{Consent, confirmed, contradictions, unconfirmed_definition};
pub use steps::say;
pub use wait::Countdown;

use super::source::{Diagnosed, Live};
use super::{exit, interrupt, out, record};
use crate::cli::{Cli, DryRun, Options};
use crate::failure::{Exit, Failure};
use crate::kubernetes::workloads::health::has_starting_pod;
use crate::plan::Property;
use crate::read::gather::Freshness;
use crate::report::{
    Cause, ControllerState, Finding, Ref, Remedy, Report, State, Step, StepKind, TargetReport, by_cause,
};
use crate::screen;
use crate::write::apply::{Outcome, carry_out};
use after_try::AfterTry;
use ask::Pick;
use choice::Picked;
use consent::{classes, is_named};
use ledger::{Ledger, Opened};
use std::time::Duration;
use steps::{Plan, tell};
use stop::{Stop, blind};

/// How soon the API server follows a changed admission configuration: it watches webhooks and reads
/// policies every second (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_source.go`).
const HEEDED_WITHIN: Duration = Duration::from_secs(3);
/// How many times one run waits for an effect.
const MAX_WAITS: usize = 40;
/// How many times the state is shown again because it changed between question and answer.
const MAX_CHANGES: usize = 10;
/// Within this time, a started controller has an effect, or at least a pod that is about to start.
const STARTS_WITHIN: Duration = Duration::from_secs(30);
/// How many additional minutes a controller that is starting gets.
const MAX_EXTENSIONS: u32 = 4;
/// The interval at which to check whether the controller has started.
const CHECK_START_EVERY: Duration = Duration::from_secs(15);

/// The result of looking for the next step.
enum NextStep {
    /// Something was done: survey again to find the next step.
    Acted,
    /// The state has changed since it was shown; this is the new diagnosis.
    Changed(Box<Diagnosed>),
    /// A person wants to give the last step more time.
    WaitLonger,
    /// Nothing approved is left to do.
    Nothing,
}

/// Whether steps should be offered or carried out at all.
pub fn is_wanted(report: &Report, options: &Options) -> bool {
    Consent::of(options).is_some() && has_steps(report)
}

/// Whether a report contains steps for something stuck that were approved beforehand.
pub fn has_approved(report: &Report, options: &Options, live: &Live) -> bool {
    let Some(consent @ Consent::UpTo(_)) = Consent::of(options) else { return false };
    let stuck = report.targets.iter().any(|target| target.state == State::Stuck);
    let covered = report.remedies.iter().filter(|remedy| consent.covers(remedy));
    let mut steps = covered.flat_map(|remedy| remedy.steps.iter().map(move |step| (remedy, step)));
    stuck && steps.any(|(remedy, step)| consent.covers_step(remedy, step, report, live.is_named_by_hand()))
}

/// Shows a report, and carries out its approved steps.
///
/// # Errors
/// As for [`run`].
pub async fn offer(live: &Live, diagnosed: Diagnosed, cli: &Cli) -> Result<Exit, Failure> {
    let (report, options) = (&diagnosed.report, &cli.options);
    if is_wanted(report, options) || !options.approve_plan.is_empty() {
        return run(live, diagnosed, cli).await;
    }
    let exit = show_only(report, options);
    if has_steps(report) && options.output.is_screen() && options.dry_run == DryRun::None {
        out::talk("nothing was changed; to repair, run this on a terminal or add --approve RISK");
    }
    Ok(exit)
}

/// Shows a report without carrying out anything. With `--dry-run`, also shows the commands of the
/// steps.
pub fn show_only(report: &Report, options: &Options) -> Exit {
    out::report(report, options);
    if has_steps(report) && options.output.is_screen() && options.dry_run == DryRun::Client {
        out::data(&screen::commands(report));
    }
    exit::of(report, options)
}

fn has_steps(report: &Report) -> bool {
    report.remedies.iter().any(|remedy| !remedy.steps.is_empty())
}

/// Shows a report. If something is stuck, a question follows.
fn show(report: &Report, consent: Consent, options: &Options) {
    let is_stuck = report.targets.iter().any(|target| target.state == State::Stuck);
    if consent == Consent::Ask && is_stuck {
        out::report_before_question(report, options);
    } else {
        out::report(report, options);
    }
}

/// Carries out the steps of a report, and of the reports that follow.
///
/// # Errors
/// When the cluster can no longer be read, on Ctrl-C, or when a step that may lose data was not
/// confirmed by name.
pub async fn run(live: &Live, mut diagnosed: Diagnosed, cli: &Cli) -> Result<Exit, Failure> {
    let options = &cli.options;
    let Some(consent) = Consent::of(options) else { return Ok(exit::of(&diagnosed.report, options)) };
    confirmed(&diagnosed.report, &diagnosed.survey, options)?;
    let approval = approved::first(live, &diagnosed, consent, &options.approve_plan)?;
    if options.output.is_screen() {
        show(&diagnosed.report, consent, options);
    }
    let there = |target: &TargetReport| target.state != State::Gone;
    let asked: Vec<bool> = diagnosed.report.targets.iter().map(there).collect();
    let journal = if consent.is_probe() { None } else { Some(record::begin(live, &diagnosed, approval).await) };
    let steps_named = consent::steps_named_alone(&diagnosed.report, options);
    let mut plan = Plan { live, options, consent, steps_named, journal, ledger: Ledger::default() };
    match plan.carry_on(&mut diagnosed).await {
        stopped @ (Ok(()) | Err(Stop::Quit)) => {
            // If something was done, the remaining state needs a new report.
            if stopped.is_err()
                && plan.ledger.acted
                && let Ok(fresh) = live.diagnose(Freshness::Consistent).await
            {
                diagnosed = fresh;
            }
            let quit = stopped.is_err() && !plan.ledger.acted;
            let exit = plan.finish(&diagnosed.report, &asked).await;
            if quit {
                out::talk("nothing was changed");
            }
            plan.say_what_stays_changed().await;
            Ok(exit)
        }
        Err(Stop::Interrupted) => {
            plan.close_journal("interrupted");
            let so_far = if plan.ledger.acted { "interrupted" } else { "interrupted: nothing was changed" };
            Err(Failure::interrupted(so_far))
        }
        Err(Stop::Blind(failure)) => {
            plan.close_journal("the cluster could not be surveyed again");
            Err(failure)
        }
    }
}

impl Plan<'_> {
    /// Carries out one step after the other, with a new survey after each, until nothing new
    /// appears.
    async fn carry_on(&mut self, diagnosed: &mut Diagnosed) -> Result<(), Stop> {
        if self.consent == Consent::Ask {
            self.look_ahead(&diagnosed.report).await;
        }
        let mut budget = self.options.timeout.unwrap_or_else(|| wait::usual(diagnosed));
        let (mut waits, mut changes) = (0, 0);
        loop {
            self.note_who_is_coming(diagnosed, &mut budget);
            match self.next(&diagnosed.report).await? {
                NextStep::Acted => {
                    *diagnosed = self.live.diagnose(Freshness::Consistent).await.map_err(blind)?;
                    // The effect of a step may take as long as a normal deletion.
                    let usual = if self.options.timeout.is_none() { wait::usual(diagnosed) } else { Duration::ZERO };
                    budget = budget.max(usual);
                }
                NextStep::Changed(fresh) if changes < MAX_CHANGES => {
                    changes += 1;
                    *diagnosed = *fresh;
                    self.show_again(&diagnosed.report);
                }
                NextStep::Changed(_) => return Ok(()),
                NextStep::WaitLonger => {
                    let what = wait::for_whom(&diagnosed.report, &self.ledger.started);
                    wait::until_gone(self.live, diagnosed, STARTS_WITHIN, &what).await;
                    *diagnosed = self.live.diagnose(Freshness::Consistent).await.map_err(blind)?;
                }
                NextStep::Nothing if self.consent.is_probe() || !self.ledger.acted || waits >= MAX_WAITS => {
                    return Ok(());
                }
                NextStep::Nothing => {
                    let going =
                        wait::is_going(&diagnosed.report) || self.ledger.moved || !self.ledger.coming.is_empty();
                    let idle = budget.is_zero() || !going;
                    if !self.ledger.fresh && idle {
                        return Ok(());
                    }
                    waits += 1;
                    budget = budget.saturating_sub(self.wait(diagnosed, budget).await);
                    let before = ledger::root_causes(&diagnosed.report);
                    *diagnosed = self.live.diagnose(Freshness::Consistent).await.map_err(blind)?;
                    self.ledger.moved = ledger::root_causes(&diagnosed.report) != before;
                }
            }
        }
    }

    /// Notes which controllers that this run has started are about to run. The run waits longer for
    /// them, unless the user has set a limit.
    fn note_who_is_coming(&mut self, diagnosed: &Diagnosed, budget: &mut Duration) {
        let started = self.ledger.started.iter();
        let is_coming = |workload: &&Ref| has_starting_pod(&diagnosed.survey, workload);
        let coming: Vec<Ref> = started.filter(is_coming).cloned().collect();
        if !coming.is_empty()
            && budget.is_zero()
            && self.options.timeout.is_none()
            && self.ledger.extensions < MAX_EXTENSIONS
        {
            self.ledger.extensions += 1;
            *budget = Duration::from_mins(1);
        }
        self.ledger.coming = coming;
    }

    /// Waits for the effect of the last steps, up to `budget`. Returns how long it waited.
    async fn wait(&mut self, diagnosed: &Diagnosed, budget: Duration) -> Duration {
        let ledger = &mut self.ledger;
        let nobody_comes =
            ledger.started.is_empty() && !(ledger.admission != Opened::Never && is_at_work(&diagnosed.report));
        let limit = if nobody_comes || ledger.waited {
            let opened = if ledger.admission == Opened::Now { HEEDED_WITHIN } else { Duration::ZERO };
            wait::effect_shows_within(&diagnosed.report).max(opened).min(budget)
        } else {
            // The rest is reserved for the steps that follow if there is no effect.
            (budget / 2).min(STARTS_WITHIN)
        };
        let limit = if ledger.coming.is_empty() { limit } else { budget.min(CHECK_START_EVERY) };
        // The next controller in the chain was unblocked only now.
        let limit = if ledger.moved { limit.max(STARTS_WITHIN.min(budget)) } else { limit };
        let started = if ledger.waited { &[][..] } else { &ledger.started };
        let what = wait::for_whom(&diagnosed.report, started);
        ledger.waited |= !nobody_comes;
        ledger.has_waited();
        wait::until_gone(self.live, diagnosed, limit, &what).await
    }

    /// Deals with the first open remedy. Root causes come first; their consequences follow only
    /// after the repair has had time to take effect.
    async fn next(&mut self, report: &Report) -> Result<NextStep, Stop> {
        self.show_to_the_rule(report);
        // If the namespace controller has not acted yet, it gets time to do so, like a consequence.
        let told = report.numbered().into_iter().map(|told| told.finding);
        let (roots, followers): (Vec<&Finding>, Vec<&Finding>) =
            told.partition(|finding| finding.root && finding.cause != Cause::NamespaceController);
        let followers = if self.ledger.fresh { Vec::new() } else { followers };
        for cause in by_cause(&roots).chain(by_cause(&followers)) {
            match self.cause(cause, report).await? {
                NextStep::Nothing => {}
                next => return Ok(next),
            }
        }
        Ok(NextStep::Nothing)
    }

    /// Deals with the remedies of one cause.
    async fn cause(&mut self, cause: &[&Finding], report: &Report) -> Result<NextStep, Stop> {
        let is_open = |finding: &&Finding| !self.ledger.is_treated(finding) && !self.ledger.is_left(finding);
        let open: Vec<&Finding> = cause.iter().copied().filter(is_open).collect();
        let consent = self.consent;
        let mut ways = self.approved_ways(&open, report);
        if self.has_run_its_course(&open, &ways) {
            match self.after_a_try(&open, &ways, report).await? {
                AfterTry::WaitLonger => return Ok(NextStep::WaitLonger),
                AfterTry::Stop => {
                    for finding in &open {
                        self.ledger.leave(finding);
                    }
                    return Ok(NextStep::Nothing);
                }
                AfterTry::OtherWays => {}
            }
        }
        while let Some(Pick { place, is_agreed }) = self.which(&open, &ways, report).await? {
            let (finding, remedy) = ways.remove(place);
            let picked = Picked { cause: &open, finding, remedy, is_agreed };
            match self.remedy(&picked, report).await? {
                NextStep::Nothing if self.ledger.is_left(finding) => break,
                NextStep::Nothing => {}
                // After this, survey again before anything harsher is done for the cause.
                NextStep::Acted if consent.is_probe() => {}
                NextStep::Acted => {
                    self.ledger.try_way(cause, remedy, report);
                    return Ok(NextStep::Acted);
                }
                other @ (NextStep::Changed(_) | NextStep::WaitLonger) => return Ok(other),
            }
        }
        Ok(NextStep::Nothing)
    }

    /// Deals with the steps of one remedy.
    async fn remedy(&mut self, picked: &Picked<'_>, report: &Report) -> Result<NextStep, Stop> {
        let Picked { finding, remedy, is_agreed, .. } = *picked;
        let (mut next, mut is_next) = (NextStep::Nothing, false);
        for class in classes(remedy, self.options.one_by_one) {
            let called_for = class.into_iter().filter(|step| self.is_called_for(finding, remedy, step, report));
            let (open, others): (Vec<&Step>, Vec<&Step>) =
                called_for.partition(|step| self.may_be_done(remedy, step, report));
            self.leave(finding, remedy, &others);
            if self.ledger.is_left(finding) {
                break;
            }
            let Some(first) = open.first() else { continue };
            self.ledger.see(open.iter().copied());
            if first.has(Property::Creates) && !self.all_good_before(first, remedy) {
                break;
            }
            let asks = self.consent == Consent::Ask && !is_agreed;
            if asks && !self.is_agreed(picked, &open, std::mem::replace(&mut is_next, true), report).await? {
                continue;
            }
            let Some(called) = self.still_called_for(finding, remedy, &open).await? else {
                let fresh = self.live.diagnose(Freshness::Consistent).await.map_err(blind)?;
                return Ok(NextStep::Changed(Box::new(fresh)));
            };
            if let (Consent::Ask, Some(run)) = (self.consent, &mut self.journal) {
                run.approval.agree_to(called.iter().copied(), remedy.level());
            }
            self.say_what_comes_off(finding, remedy, &called);
            if self.carry_out_all(&called, remedy.level()).await? {
                next = NextStep::Acted;
            }
        }
        let cut = remedy.steps.len() > remedy.steps_until_a_new_look().count()
            || (self.ledger.admission == Opened::Now
                && remedy.steps.iter().all(|step| step.has(Property::OpensAdmission)));
        if cut && self.consent.is_probe() {
            out::talk("the steps after that can be tried only when it is done");
        }
        Ok(next)
    }

    /// Whether to deal with a step now.
    fn is_open(&self, finding: &Finding, remedy: &Remedy, step: &Step, report: &Report) -> bool {
        self.is_called_for(finding, remedy, step, report) && self.may_be_done(remedy, step, report)
    }

    /// Whether to deal with a step now, provided that it is approved.
    fn is_called_for(&self, finding: &Finding, remedy: &Remedy, step: &Step, report: &Report) -> bool {
        // A step that the server refuses because the namespace is missing is planned again.
        !self.ledger.has_seen(step)
            && self.consent.covers_step(remedy, step, report, self.live.is_named_by_hand())
            && self.steps_named.as_ref().is_none_or(|words| is_named(words, remedy))
            && !self.waits_for_new_plan(step, remedy)
            && (self.ledger.admission != Opened::Now || step.has(Property::OpensAdmission))
            && !self.waits_for_started(finding, step)
    }

    /// The steps that are still called for, at no higher risk; `None` if the state differs from the
    /// one shown. Between the screen and the answer, a node, a backend or a controller may have
    /// come back.
    async fn still_called_for<'s>(
        &mut self,
        finding: &Finding,
        remedy: &Remedy,
        open: &[&'s Step],
    ) -> Result<Option<Vec<&'s Step>>, Stop> {
        let first = open[0];
        let asked = self.consent == Consent::Ask && first.kind() == StepKind::RemoveFinalizer && !finding.is_stranded();
        if !first.has(Property::RestsOnOtherObjects) && !asked {
            return Ok(Some(open.to_vec()));
        }
        let fresh = self.live.diagnose(Freshness::Consistent).await.map_err(blind)?.report;
        let stands_so = |other: &&Finding| state_of_controller(other) == state_of_controller(finding);
        let alike = fresh.findings.iter().filter(|other| other.rule == finding.rule).filter(stands_so);
        let is_no_worse = |other: &&Remedy| other.risk <= remedy.risk && other.level() <= remedy.level();
        let no_worse = alike.flat_map(|other| fresh.remedies_of(other)).filter(is_no_worse);
        let steps = no_worse.flat_map(|remedy| &remedy.steps);
        let called_for: std::collections::HashSet<_> = steps.map(Step::identity).collect();
        let still: Vec<&Step> = open.iter().copied().filter(|step| called_for.contains(&step.identity())).collect();
        if !still.is_empty() {
            return Ok(Some(still));
        }
        // If the guard refuses the step, its words say more precisely what has changed.
        let outcome = carry_out(&self.live.connected.api, first, None, &interrupt::is_pressed).await;
        let text = match outcome {
            Outcome::Refused(text) => {
                self.ledger.bad = true;
                text
            }
            Outcome::AlreadySo(text) => text,
            _ => format!("the reason for it has changed: {}", first.title()),
        };
        tell(false, &format!("not done: {text}"));
        if self.consent == Consent::Ask {
            // The steps may be asked about again in the new state.
            for step in open {
                self.ledger.seen.remove(&step.identity());
            }
        }
        Ok(None)
    }

    /// Whether a controller that this run has started or unblocked may still release the object by
    /// itself. While a started one is not Ready, nobody takes its finalizers away.
    fn waits_for_started(&self, finding: &Finding, step: &Step) -> bool {
        let Some(controller) = &finding.controller else { return false };
        let ledger = &self.ledger;
        let started = controller.workload.as_ref().is_some_and(|workload| ledger.started.contains(workload));
        let coming = controller.workload.as_ref().is_some_and(|workload| ledger.coming.contains(workload));
        let is_not_ready = controller.state == ControllerState::Down || coming;
        // A person may decide otherwise if the controller runs and does nothing.
        let may_work = is_not_ready || self.consent != Consent::Ask;
        let freed = ledger.admission != Opened::Never && controller.state == ControllerState::Alive && !ledger.waited;
        step.kind() == StepKind::RemoveFinalizer && (freed || started && (may_work || !ledger.waited))
    }

    /// Whether deletions in a missing namespace turned out to be impossible. The next survey leads
    /// to a plan without them.
    fn waits_for_new_plan(&self, step: &Step, remedy: &Remedy) -> bool {
        let deletes = |step: &Step| step.needs_missing_namespace().is_some();
        let planned_before = deletes(step) || (step.has(Property::Creates) && remedy.steps.iter().any(deletes));
        let namespace = step.object.namespace.as_ref().unwrap_or(&step.object.name);
        planned_before && self.live.is_no_delete_in(namespace)
    }

    /// Whether all stranded workloads were deleted before. Otherwise they would start again when
    /// their namespace is recreated.
    fn all_good_before(&self, step: &Step, remedy: &Remedy) -> bool {
        let before = remedy.steps.iter().take_while(|other| *other != step);
        let good = before.into_iter().all(|other| self.ledger.seen.get(&other.identity()) == Some(&true));
        if !good {
            out::talk(format!("not offered: {}, because not everything before it was done", step.title()));
        }
        good
    }

    fn show_again(&self, report: &Report) {
        if self.options.output.is_screen() {
            out::data(&screen::Shown::own("\ncurrent state:\n\n"));
            out::report(report, self.options);
        }
    }
}

fn state_of_controller(finding: &Finding) -> Option<ControllerState> {
    finding.controller.as_ref().map(|controller| controller.state)
}

/// Whether a running controller may still release an object by itself.
fn is_at_work(report: &Report) -> bool {
    report.findings.iter().any(|finding| state_of_controller(finding) == Some(ControllerState::Alive))
}
