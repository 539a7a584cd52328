//! The end of a run: remaining objects, changed settings, and steps that were not done.

use super::steps::Plan;
use crate::commands::{exit, out, record};
use crate::failure::Exit;
use crate::journal::Run;
use crate::plan::{Property, in_namespace, quote};
use crate::plugin::COMMAND;
use crate::report::{Report, State, Step};
use crate::screen::{Shown, Talk};
use crate::write::apply::is_gone;

/// How many steps that were not done, or targets that are gone, are listed.
const MAX_LISTED: usize = 20;

impl Plan<'_> {
    /// Records in the journal how the run ended, if the run has a journal.
    pub(super) fn close_journal(&mut self, how: &str) {
        if let Some(run) = &mut self.journal {
            record::close(run, how);
        }
    }

    /// Lists what this run has changed for a time and nobody restores automatically, if the
    /// objects still exist. The other changes are repairs: they can be undone, and need not be.
    pub(super) async fn say_what_stays_changed(&self) {
        let mut lines = Vec::new();
        let run = self.journal.as_ref().and_then(Run::path).and_then(|path| path.file_stem());
        let run = run.map(|run| run.to_string_lossy().into_owned()).unwrap_or_default();
        let mut others = false;
        for step in &self.ledger.done {
            let request = self.journal.as_ref().and_then(|run| run.request_of(step));
            let Some(command) = request.and_then(|request| step.restore(request)) else {
                others |= step.has(Property::CanBeUndone);
                continue;
            };
            if is_gone(&self.live.connected.api, &step.object.target(), &step.object.uid).await != Ok(true) {
                lines.push(Talk::from(format!("· {}; to restore it:", step.title())).command(command));
            }
        }
        if !lines.is_empty() {
            out::talk("this run changed these for a time; restore them once the cause is fixed:");
            for line in lines {
                out::talk(line);
            }
        }
        if others {
            out::talk(Talk::from("what else this run changed can be undone:").command(format!("{COMMAND} undo {run}")));
        }
    }

    /// Lists the approved steps that were not done because the user must name their objects.
    fn say_what_needs_a_name(&self, report: &Report) {
        let covered = report.remedies.iter().filter(|remedy| self.consent.covers(remedy));
        let steps = covered.flat_map(|remedy| remedy.steps.iter().map(move |step| (remedy, step)));
        let typed = self.live.is_named_by_hand();
        let unnamed: Vec<&Step> = steps
            .filter(|(remedy, step)| !self.consent.covers_step(remedy, step, report, typed))
            .map(|(_, step)| step)
            .collect();
        let lines = unnamed.iter().map(|step| {
            let (object, namespace) = (quote(&step.object.kubectl()), in_namespace(&step.object));
            let why = format!("not done: {} must be named; to name it:", step.title());
            Talk::from(why).command(format!("{COMMAND} {object}{namespace}"))
        });
        out::talk_of_some(lines, MAX_LISTED, |more| format!("and {more} more of these"));
    }

    /// Reports what is left according to a survey that was taken after the last write. `asked`
    /// tells which targets existed at the start.
    pub(super) async fn finish(&mut self, report: &Report, asked: &[bool]) -> Exit {
        let nothing_left = !report.targets.is_empty() || exit::of(report, self.options) == Exit::Fine;
        let gone = report.targets.iter().all(|target| target.state == State::Gone);
        let released = self.ledger.acted && gone && nothing_left;
        self.close_journal(if released { "released" } else { "ended" });
        let table = self.options.output.is_screen();
        if self.ledger.acted && !released && table {
            out::data(&Shown::own("\nwhat remains:\n\n"));
        }
        if !table || (self.ledger.acted && !released) {
            out::report(report, self.options);
        }
        let targets = report.targets.iter().zip(asked);
        let (gone, left): (Vec<_>, Vec<_>) =
            targets.partition(|(target, asked)| **asked && target.state == State::Gone);
        let lines = gone.iter().map(|(target, _)| format!("verified: {} is gone", target.object));
        out::talk_of_some(lines, MAX_LISTED, |more| format!("verified: {more} more gone"));
        if released && report.targets.is_empty() && table {
            out::report(report, self.options);
        }
        self.say_what_needs_a_name(report);
        let is_left = self.say_what_needs_its_own_approval(report);
        let has_newcomers = !self.consent.is_probe() && self.says_newcomers(report).await;
        let all_were_there = self.options.ignore_not_found || asked.iter().all(|asked| *asked);
        let exit = match (self.ledger.bad, released && all_were_there) {
            (true, _) => Exit::Refused,
            (false, true) => Exit::Fine,
            (false, false) => {
                // Targets that existed at the start and are gone are no longer a problem.
                let targets = left.into_iter().map(|(target, _)| target.clone()).collect();
                exit::of(&Report { targets, ..report.clone() }, self.options)
            }
        };
        if (is_left || has_newcomers) && exit == Exit::Fine { Exit::Stuck } else { exit }
    }
}
