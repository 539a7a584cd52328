//! From a report to released objects: ask or be approved, carry out one step at
//! a time, wait for its effect, survey again, and say what remains.

use super::source::{Diagnosed, Live};
use super::{diagnose, interrupt, out};
use crate::cli::{Cli, DryRun, Options, Output};
use crate::cluster::apply::{Outcome, carry_out, is_gone};
use crate::cluster::gather::Freshness;
use crate::confirm::{self, Choice};
use crate::diagnosis::{Finding, Report, State};
use crate::failure::{Exit, Failure};
use crate::journal::{self, Header, Run};
use crate::plan::{Remedy, Risk, Step};
use crate::render::{self, clean, palette};
use crate::survey::TargetName;
use std::time::Duration;

/// After a pass of steps, so long is waited before looking at everything again.
const BETWEEN_LOOKS: Duration = Duration::from_secs(8);
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    Quit,
    Interrupted,
}

/// The steps dealt with so far, and how they ended.
#[derive(Default)]
struct Ledger {
    seen: Vec<Step>,
    wrote: bool,
    bad: bool,
}

impl Ledger {
    fn has_seen(&self, step: &Step) -> bool {
        self.seen.iter().any(|seen| seen.is_same(step))
    }
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
    let Some(consent) = consent(&cli.options) else { return Ok(diagnose::exit(&diagnosed.report, &cli.options)) };
    let table = cli.options.output == Output::Table;
    let mut journal = begin_journal(live, &diagnosed, consent).await?;
    let mut ledger = Ledger::default();
    let mut budget = cli.options.timeout;
    if table {
        out::report(&diagnosed.report, &cli.options);
    }
    for _ in 0..PASSES {
        let wrote = match pass(live, &diagnosed.report, consent, &mut journal, &mut ledger, &cli.options).await {
            Ok(wrote) => wrote,
            Err(stop) => return end(stop, journal, &ledger, &diagnosed.report, &cli.options),
        };
        if consent == Consent::Probe || (!wrote && !ledger.wrote) {
            break;
        }
        let waited = wait_for_targets(live, &diagnosed, BETWEEN_LOOKS.min(budget)).await;
        budget = budget.saturating_sub(waited);
        diagnosed = live.diagnose(Freshness::Consistent).await?;
        let new_steps = open_steps(&diagnosed.report, consent, &ledger) > 0;
        let going = still_going(&diagnosed.report);
        if !new_steps && (!going || budget.is_zero()) {
            break;
        }
        if budget.is_zero() {
            break;
        }
    }
    Ok(finish(journal, &ledger, &diagnosed.report, &cli.options))
}

/// Deals with every step of one report once.
async fn pass(
    live: &Live,
    report: &Report,
    consent: Consent,
    journal: &mut Option<Run>,
    ledger: &mut Ledger,
    options: &Options,
) -> Result<bool, Stop> {
    let total = open_steps(report, consent, ledger);
    let (mut number, mut wrote) = (0, false);
    for finding in &report.findings {
        for remedy in report.remedies_of(finding).filter(|remedy| may(consent, remedy)) {
            let mut released = false;
            for step in &remedy.steps {
                if ledger.has_seen(step) {
                    continue;
                }
                ledger.seen.push(step.clone());
                number += 1;
                if consent == Consent::Ask && !agreed(number, total, finding, remedy, step, report).await? {
                    continue;
                }
                let outcome = tell(live, step, journal, options).await?;
                released |= outcome.is_good();
                wrote |= matches!(outcome, Outcome::Done(_) | Outcome::Unconfirmed(_));
                ledger.bad |= !outcome.is_good();
            }
            // What remains of this cause is seen afresh before anything harsher.
            if released && consent != Consent::Probe {
                break;
            }
        }
    }
    ledger.wrote |= wrote;
    Ok(wrote)
}

fn may(consent: Consent, remedy: &Remedy) -> bool {
    let has_steps = !remedy.steps.is_empty();
    match consent {
        Consent::Ask | Consent::Probe => has_steps,
        Consent::UpTo(risk) => has_steps && remedy.risk <= risk,
    }
}

fn open_steps(report: &Report, consent: Consent, ledger: &Ledger) -> usize {
    let remedies = report.remedies.iter().filter(|remedy| may(consent, remedy));
    remedies.flat_map(|remedy| &remedy.steps).filter(|step| !ledger.has_seen(step)).count()
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
    out::talk(&confirm::question(number, total, remedy, step));
    loop {
        let (asked_remedy, asked_step) = (remedy.clone(), step.clone());
        let question = tokio::task::spawn_blocking(move || confirm::ask(&asked_remedy, &asked_step));
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

/// Carries out a step and says what became of it. Ctrl-C waits for the write
/// that is under way.
async fn tell(live: &Live, step: &Step, journal: &mut Option<Run>, options: &Options) -> Result<Outcome, Stop> {
    let mut interrupted = false;
    let outcome = {
        let work = carry_out(&live.connected.api, step, journal.as_mut());
        tokio::pin!(work);
        tokio::select! {
            outcome = &mut work => outcome,
            () = interrupt::pressed() => {
                interrupted = true;
                work.await
            }
        }
    };
    let mark = if outcome.is_good() { "✓" } else { "✗" };
    let mark = palette::verdict(mark, outcome.is_good(), out::talk_colour(options));
    let word = match &outcome {
        Outcome::Done(_) => "done",
        Outcome::AlreadySo(_) => "nothing to do",
        Outcome::WouldDo(_) => "dry run",
        Outcome::Refused(_) => "not done",
        Outcome::Unconfirmed(_) => "not confirmed",
    };
    let about = if outcome.is_good() { String::new() } else { format!("{}: ", clean(&step.title())) };
    out::painted(&format!("{mark} {word}: {about}{}", clean(outcome.text())));
    if interrupted { Err(Stop::Interrupted) } else { Ok(outcome) }
}

/// Waits until the targets are gone, for at most `limit`; says how long it took.
async fn wait_for_targets(live: &Live, diagnosed: &Diagnosed, limit: Duration) -> Duration {
    let pause = Duration::from_millis(500);
    let mut waited = Duration::ZERO;
    while waited < limit {
        if all_gone(live, diagnosed).await {
            break;
        }
        tokio::time::sleep(pause).await;
        waited += pause;
    }
    waited
}

async fn all_gone(live: &Live, diagnosed: &Diagnosed) -> bool {
    for (target, name) in diagnosed.report.targets.iter().zip(&diagnosed.survey.targets) {
        if target.state != State::Gone && is_gone(&live.connected.api, name, &target.object.uid).await != Ok(true) {
            return false;
        }
    }
    true
}

async fn begin_journal(live: &Live, diagnosed: &Diagnosed, consent: Consent) -> Result<Option<Run>, Failure> {
    if consent == Consent::Probe {
        return Ok(None);
    }
    let folder = journal::folder().ok_or_else(|| {
        Failure::refused("there is no place for the journal, so nothing may be written")
            .hint("set XDG_STATE_HOME or HOME to an absolute path")
    })?;
    let name = |target: &TargetName| format!("{}/{}", target.resource.short(), target.name);
    let header = Header {
        arguments: std::env::args().collect(),
        context: live.connected.context.clone(),
        server: live.connected.server.clone(),
        cluster: live.cluster_uid().await,
        targets: diagnosed.survey.targets.iter().map(name).collect(),
    };
    Ok(Some(Run::new(folder, header)))
}

fn end(
    stop: Stop,
    mut journal: Option<Run>,
    ledger: &Ledger,
    report: &Report,
    options: &Options,
) -> Result<Exit, Failure> {
    let how = match stop {
        Stop::Quit => "quit",
        Stop::Interrupted => "interrupted",
    };
    close_journal(&mut journal, how);
    match stop {
        Stop::Interrupted => Err(Failure::interrupted(if ledger.wrote {
            "interrupted; the journal tells what was done"
        } else {
            "interrupted"
        })),
        Stop::Quit if ledger.bad => Ok(Exit::Refused),
        Stop::Quit => Ok(diagnose::exit(report, options)),
    }
}

fn close_journal(journal: &mut Option<Run>, how: &str) {
    let Some(run) = journal else { return };
    if let Err(error) = run.end(how) {
        out::talk(&format!("the end of the run could not be put on record: {error}"));
    }
    if let Some(path) = run.path() {
        out::talk(&format!("journal: {}", path.display()));
    }
}

/// Says what remains, by a survey taken after the last write.
fn finish(mut journal: Option<Run>, ledger: &Ledger, report: &Report, options: &Options) -> Exit {
    let gone = report.targets.iter().all(|target| target.state == State::Gone);
    close_journal(&mut journal, if gone { "released" } else { "ended" });
    let table = options.output == Output::Table;
    if ledger.wrote && !gone && table {
        out::data("\nwhat remains:\n\n");
    }
    if !table || (ledger.wrote && !gone) {
        out::report(report, options);
    }
    if gone && ledger.wrote {
        for target in &report.targets {
            out::talk(&format!("{} is gone: read back", target.object));
        }
    }
    match (ledger.bad, gone && ledger.wrote) {
        (true, _) => Exit::Refused,
        (false, true) => Exit::Fine,
        (false, false) => diagnose::exit(report, options),
    }
}
