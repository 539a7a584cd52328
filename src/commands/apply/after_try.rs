//! The other ways out of a cause, once one of them was carried out: they are alternatives, and whoever agreed to
//! a mild one has not agreed to a harsh one.

use super::consent::Consent;
use super::steps::Plan;
use super::stop::Stop;
use crate::commands::{ask, out};
use crate::confirm;
use crate::plan::{in_namespace, quote};
use crate::plugin::COMMAND;
use crate::report::{Finding, Remedy, Report, by_cause};
use crate::screen::{Talk, cost};
use std::collections::HashSet;

/// How many ways out that were not carried out are listed.
const MAX_LISTED: usize = 20;

/// What a person decides when a step was carried out and its cause is still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterTry {
    WaitLonger,
    /// Leave the cause as it is.
    Stop,
    /// Show the other ways out.
    OtherWays,
}

impl<'r> Plan<'_> {
    /// The remedies of a cause that may be carried out, the mildest first. A rule covers only the first of them:
    /// the others are alternatives, and need an approval of their own.
    pub(super) fn approved_ways(&self, open: &[&'r Finding], report: &'r Report) -> Vec<(&'r Finding, &'r Remedy)> {
        let mut ways = report.ways_out_of(open);
        if let Consent::UpTo(_) = self.consent {
            let mildest: HashSet<&str> = open.iter().filter_map(|finding| mildest(finding, report)).map(id).collect();
            ways.retain(|(_, remedy)| mildest.contains(id(remedy)) && !self.ledger.is_instead(remedy));
        }
        ways.retain(|(_, remedy)| self.consent.covers(remedy));
        ways
    }

    /// Whether a person is to decide how to go on: a step was carried out for the cause, had its time, and either
    /// its controller was started, or what is left is harsher.
    pub(super) fn has_run_its_course(&self, open: &[&Finding], ways: &[(&Finding, &Remedy)]) -> bool {
        self.consent == Consent::Ask
            && self.ledger.tried(open).is_some()
            && (self.is_started(open) || ways.iter().any(|(_, remedy)| self.ledger.is_instead(remedy)))
    }

    /// Whether this run has started the controller of a cause.
    fn is_started(&self, cause: &[&Finding]) -> bool {
        cause.iter().any(|finding| {
            let workload = finding.controller.as_ref().and_then(|controller| controller.workload.as_ref());
            workload.is_some_and(|workload| self.ledger.started.contains(workload))
        })
    }

    /// Says what became of the step that was carried out, and asks how to go on.
    pub(super) async fn after_a_try(
        &self,
        open: &[&Finding],
        ways: &[(&Finding, &Remedy)],
        report: &Report,
    ) -> Result<AfterTry, Stop> {
        let done = self.ledger.tried(open).unwrap_or_default();
        let question = Talk::apart().and(has_not_finished(done, open[0]));
        if !confirm::has_dialogs() {
            out::talk(question);
            let longer = ask::yes_or_no("wait longer?").await.map_err(|_| Stop::Interrupted)?;
            return Ok(if longer { AfterTry::WaitLonger } else { AfterTry::Stop });
        }
        let is_open = |(finding, remedy): &(&Finding, &Remedy)| {
            remedy.steps.iter().any(|step| self.is_open(finding, remedy, step, report))
        };
        let harsher = ways.iter().any(is_open);
        let lines = [("stop here", AfterTry::Stop), ("wait longer", AfterTry::WaitLonger)];
        let others = harsher.then_some(("show the other ways out", AfterTry::OtherWays));
        let lines: Vec<(&str, AfterTry)> = lines.into_iter().chain(others).collect();
        let labels: Vec<&'static str> = lines.iter().map(|(label, _)| *label).collect();
        let place = ask::one_of(question, labels).await.map_err(|_| Stop::Interrupted)?;
        place.map(|place| lines[place].1).ok_or(Stop::Quit)
    }

    /// Lists the ways out that a rule does not cover: those that cost more, and the alternatives to what this run
    /// has carried out. Each can be approved alone. Returns whether the run has left something to do: such ways, or
    /// a cause whose controller it has started.
    pub(super) fn say_what_needs_its_own_approval(&self, report: &Report) -> bool {
        let told: Vec<&Finding> = report.numbered().into_iter().map(|told| told.finding).collect();
        let mut is_waiting = false;
        for cause in by_cause(&told) {
            if let Some(done) = self.ledger.tried(cause) {
                is_waiting |= self.is_started(cause);
                out::talk(has_not_finished(done, cause[0]));
            }
        }
        let Consent::UpTo(_) = self.consent else { return is_waiting };
        let mut lines = Vec::new();
        for (finding, remedy) in report.ways_out_of(&told) {
            let is_mildest = mildest(finding, report).is_some_and(|first| first.id == remedy.id);
            if is_mildest && !self.consent.covers(remedy) {
                lines.push(alone("skipped", remedy, report));
            } else if self.ledger.is_instead(remedy) {
                lines.push(alone("not done, because another way out was taken", remedy, report));
            }
        }
        let is_left = is_waiting || !lines.is_empty();
        out::talk_of_some(lines.into_iter(), MAX_LISTED, |more| format!("and {more} more of these"));
        is_left
    }
}

/// The mildest remedy of a finding that the program can carry out.
fn mildest<'r>(finding: &'r Finding, report: &'r Report) -> Option<&'r Remedy> {
    report.remedies_of(finding).find(|remedy| !remedy.steps.is_empty())
}

fn id(remedy: &Remedy) -> &str {
    &remedy.id
}

/// What became of a step whose cause is still there.
fn has_not_finished(done: &str, finding: &Finding) -> String {
    format!("done, and not finished: {done}: {}", finding.summary)
}

/// How to approve a remedy alone.
fn alone(why: &str, remedy: &Remedy, report: &Report) -> Talk {
    let talk = Talk::from(format!("{why}: {} ({}); to approve it alone:", confirm::in_short(remedy), cost(remedy)));
    match &report.targets[..] {
        [only] => {
            let (object, namespace) = (quote(&only.object.kubectl()), in_namespace(&only.object));
            talk.command(format!("{COMMAND} {object}{namespace} --approve-plan {}", remedy.digest))
        }
        _ => talk.and(format!("  the same command with --approve-plan {}", remedy.digest)),
    }
}
