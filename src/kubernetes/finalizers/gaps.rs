//! What could not be read on the way to a controller.

use crate::facts::{Gap, Known, Readable};
use crate::survey::{Reason, Unread};
use std::collections::BTreeMap;

/// What could not be read on the way, by the reason.
#[derive(Debug, Default)]
pub(crate) struct Gaps {
    unread: BTreeMap<Reason, Vec<String>>,
}

impl Gaps {
    /// What is known; `None`, on record, where it cannot be read.
    pub(crate) fn pass<T>(&mut self, known: Known<T>) -> Known<Option<T>> {
        Ok(known.surveyed()?.map_err(|gap| self.note(&gap)).ok())
    }

    /// Puts one on record.
    pub(crate) fn note(&mut self, gap: &Gap) {
        self.add(gap.why.reason, &gap.what);
    }

    /// Adds what somebody else could not read, whose work is gone by.
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

    /// A line for each reason, with the right that would help.
    pub(crate) fn texts(&self) -> impl Iterator<Item = String> {
        self.unread.iter().map(|(reason, unread)| {
            let right = if *reason == Reason::Forbidden { "; permission to get and list them would help" } else { "" };
            let why = Unread { reason: *reason, message: String::new() };
            format!("could not read {}: {why}{right}", unread.join(", "))
        })
    }
}
