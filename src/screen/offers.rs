//! The remedies of a report in the order in which they are offered.

use crate::plan::CommandSequence;
use crate::report::{Finding, Numbered, Remedy, Report};
use std::borrow::Cow;
use std::collections::HashSet;

/// One remedy.
pub(crate) struct Offer<'r> {
    /// The number of its cause; `None` for an alternative to the remedy before it.
    pub(crate) number: Option<usize>,
    pub(crate) remedy: &'r Remedy,
}

/// All remedies; a remedy for several causes is offered once.
pub(crate) fn offers(report: &Report) -> Vec<Offer<'_>> {
    first_offers(report, usize::MAX)
}

/// All remedies with their commands, as they run one after the other.
pub(crate) fn with_commands<'r>(report: &'r Report) -> Vec<(Offer<'r>, Vec<Cow<'r, str>>)> {
    let mut sequence = CommandSequence::default();
    let with_commands = |offer: Offer<'r>| {
        if offer.number.is_some() {
            sequence.next_cause();
        }
        let commands = sequence.commands(offer.remedy);
        (offer, commands)
    };
    offers(report).into_iter().map(with_commands).collect()
}

/// The remedies of the first findings. A cause has the same number here as above; what only follows from
/// a cause is numbered behind all causes.
pub(crate) fn first_offers(report: &Report, findings: usize) -> Vec<Offer<'_>> {
    // Beside something that is stuck, nobody asks what to do about what is not.
    let has_trouble = report.findings.iter().any(Finding::is_root_cause);
    let told = report.numbered().into_iter().filter(|told| !has_trouble || told.finding.is_trouble());
    let told: Vec<Numbered<'_>> = told.collect();
    let mut last = told.iter().filter_map(|told| told.number).max().unwrap_or_default();
    let (mut offers, mut offered, mut number) = (Vec::new(), HashSet::new(), None);
    for Numbered { finding, number: cause, is_first } in told.into_iter().take(findings) {
        let ways = report.remedies_of(finding).filter(|remedy| offered.insert(&remedy.id));
        let ways: Vec<&Remedy> = ways.collect();
        if cause.is_none() && !ways.is_empty() {
            last += 1;
            number = Some(last);
        } else if is_first {
            number = cause;
        }
        // A remedy for another finding of the same cause is an alternative.
        offers.extend(ways.into_iter().map(|remedy| Offer { number: number.take(), remedy }));
    }
    offers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::report::{Cause, Named, Ref};
    use crate::survey::{Discovery, Survey};

    fn finding(name: &str, root: bool, remedies: &[&str]) -> Finding {
        let subject = Ref::from(Named { kind: "Widget".into(), name: name.into(), ..Named::default() });
        let remedies = remedies.iter().map(|id| (*id).to_owned()).collect();
        Finding { root, remedies, ..Draft::new(Cause::Finalizer, subject, "waits").finding }
    }

    #[test]
    fn remedies_have_the_numbers_of_their_causes() {
        let survey = Survey::new(jiff::Timestamp::UNIX_EPOCH, Discovery::default());
        let mut report = crate::diagnosis::diagnose(&survey, &[]).report;
        report.findings = vec![
            finding("a", true, &["r1", "r2"]),
            finding("has-the-same-way-out", true, &["r1"]),
            finding("c", true, &["r3"]),
            finding("follows", false, &["r4"]),
        ];
        let remedy = |number: usize| Remedy { id: format!("r{number}"), ..Remedy::manual("look", "") };
        report.remedies = (1..=4).map(remedy).collect();
        let numbers: Vec<_> = offers(&report).iter().map(|it| (it.number, it.remedy.id.as_str())).collect();
        assert_eq!(numbers, [(Some(1), "r1"), (None, "r2"), (Some(3), "r3"), (Some(4), "r4")]);
    }
}
