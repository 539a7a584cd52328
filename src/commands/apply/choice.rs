//! Lets a person choose one of the remedies of a cause and agree to its steps.

use super::ask::{self, ChoiceLine, Pick};
use super::consent::{Consent, classes};
use super::steps::Plan;
use super::stop::Stop;
use crate::confirm::{self, Question};
use crate::report::{Finding, Remedy, Report, Step, by_cause};

/// The remedy that is being dealt with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Picked<'p> {
    /// The findings of its cause.
    pub(super) cause: &'p [&'p Finding],
    /// The finding that offers the remedy.
    pub(super) finding: &'p Finding,
    pub(super) remedy: &'p Remedy,
    pub(super) is_agreed: bool,
}

impl Plan<'_> {
    /// The next remedy: the one that a person chooses if several are open, otherwise the mildest.
    pub(super) async fn which(
        &mut self,
        cause: &[&Finding],
        ways: &[(&Finding, &Remedy)],
        report: &Report,
    ) -> Result<Option<Pick>, Stop> {
        let mildest = (!ways.is_empty()).then_some(Pick { place: 0, is_agreed: false });
        if self.consent != Consent::Ask || !confirm::has_dialogs() {
            return Ok(mildest);
        }
        let open = |(place, (finding, remedy)): (usize, &(&Finding, &Remedy))| {
            let asked = self.questions(finding, remedy, report);
            (!asked.is_empty()).then_some((place, asked))
        };
        let open: Vec<(usize, Vec<Question>)> = ways.iter().enumerate().filter_map(open).collect();
        if open.len() < 2 {
            return Ok(mildest);
        }
        let line = |(place, asked): &(usize, Vec<Question>)| {
            let (finding, remedy) = ways[*place];
            ChoiceLine { remedy, asked: asked.clone(), nudged: self.nudged(finding, report) }
        };
        let lines: Vec<ChoiceLine<'_>> = open.iter().map(line).collect();
        let label = self.label(cause, false, report);
        let Some(Pick { place, is_agreed }) = ask::which(&label, cause, &lines, report).await? else {
            for step in lines.iter().flat_map(|line| &line.remedy.steps) {
                self.ledger.seen.entry(step.identity()).or_insert(false);
            }
            return Ok(None);
        };
        if is_agreed {
            self.ledger.nudges.extend(lines[place].nudged.iter().cloned());
        }
        Ok(Some(Pick { place: open[place].0, is_agreed }))
    }

    /// The open questions about a remedy: one for each class of its steps.
    fn questions(&self, finding: &Finding, remedy: &Remedy, report: &Report) -> Vec<Question> {
        let open = |class: Vec<&Step>| -> Vec<Step> {
            class.into_iter().filter(|step| self.is_open(finding, remedy, step, report)).cloned().collect()
        };
        let classes = classes(remedy, self.options.one_by_one).into_iter().map(open).filter(|open| !open.is_empty());
        classes.map(|alike| Question { alike, risk: remedy.level(), by_name: remedy.by_name }).collect()
    }

    /// Asks whether a person agrees to these steps of the remedy. `is_next` tells that the question
    /// before was about other steps of the same remedy.
    pub(super) async fn is_agreed(
        &mut self,
        picked: &Picked<'_>,
        open: &[&Step],
        is_next: bool,
        report: &Report,
    ) -> Result<bool, Stop> {
        if open.iter().all(|step| self.ledger.is_nudge_agreed(step)) {
            return Ok(true);
        }
        let nudged = self.nudged(picked.finding, report);
        let label = self.label(picked.cause, is_next, report);
        let yes = ask::agreed(&label, picked.finding, picked.remedy, open, &nudged, report).await?;
        if yes {
            self.ledger.nudges.extend(nudged);
        }
        Ok(yes)
    }

    /// `Step 1 of 2`: the number of the cause.
    fn label(&mut self, cause: &[&Finding], is_next: bool, report: &Report) -> String {
        let again = match (is_next, self.ledger.has_asked(cause)) {
            (true, _) => ", then",
            (false, true) => ", or",
            (false, false) => "",
        };
        let number = self.ledger.number(cause);
        let told: Vec<&Finding> = report.numbered().into_iter().map(|told| told.finding).collect();
        let is_open = |(finding, remedy): (&Finding, &Remedy)| {
            self.consent.covers(remedy) && remedy.steps.iter().any(|step| self.is_open(finding, remedy, step, report))
        };
        let is_new =
            |other: &&[&Finding]| !self.ledger.has_asked(other) && report.ways_out_of(other).into_iter().any(is_open);
        let of = self.ledger.causes() + by_cause(&told).filter(is_new).count();
        format!("Step {number} of {of}{again}")
    }

    /// The namespaces to nudge after a repair because their controller would not check them in
    /// time. The question about the repair mentions them.
    fn nudged(&self, finding: &Finding, report: &Report) -> Vec<String> {
        let touched = confirm::touched(finding, report).into_iter();
        touched.filter(|name| !self.ledger.nudges.contains(name)).collect()
    }
}
