//! The remedies of a report in the order in which they are offered.

use crate::plan::CommandSequence;
use crate::report::{Numbered, Remedy, Report};
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

/// The remedies of the first findings.
pub(crate) fn first_offers(report: &Report, findings: usize) -> Vec<Offer<'_>> {
    let mut offers = Vec::new();
    let (mut causes, mut offered) = (0, HashSet::new());
    let mut number = None;
    for Numbered { finding, is_first, .. } in report.numbered().into_iter().take(findings) {
        // A remedy for another finding of the same cause is an alternative.
        number = if is_first { Some(causes + 1) } else { number };
        for remedy in report.remedies_of(finding).filter(|remedy| offered.insert(&remedy.id)) {
            causes += usize::from(number.is_some());
            offers.push(Offer { number: number.take(), remedy });
        }
    }
    offers
}
