//! Facts that could not be read in the search for a controller.

use crate::facts::{Gap, Known, Readable};
use crate::survey::{Reason, Unread};
use std::collections::BTreeMap;

/// Facts that could not be read, by reason.
#[derive(Debug, Default)]
pub(crate) struct Gaps {
    unread: BTreeMap<Reason, Vec<String>>,
}

impl Gaps {
    /// The result; `None` if it cannot be read, which is then noted.
    pub(crate) fn pass<T>(&mut self, known: Known<T>) -> Known<Option<T>> {
        Ok(known.surveyed()?.map_err(|gap| self.note(&gap)).ok())
    }

    /// Notes a gap.
    pub(crate) fn note(&mut self, gap: &Gap) {
        self.add(gap.why.reason, &gap.what);
    }

    /// Adds the gaps of another search.
    pub(crate) fn take_over(&mut self, others: &Self) {
        for (reason, unread) in &others.unread {
            for what in unread {
                self.add(*reason, what);
            }
        }
    }

    fn add(&mut self, reason: Reason, what: &str) {
        let unread = self.unread.entry(reason).or_default();
        if !unread.iter().any(|known| known == what) {
            unread.push(what.to_owned());
        }
    }

    /// A line for each reason, with the permission that would help.
    pub(crate) fn texts(&self) -> impl Iterator<Item = String> {
        self.unread.iter().map(|(reason, unread)| {
            let right = if *reason == Reason::Forbidden { "; permission to get and list them would help" } else { "" };
            let why = Unread { reason: *reason, message: String::new() };
            format!("could not read {}: {why}{right}", unread.join(", "))
        })
    }
}
