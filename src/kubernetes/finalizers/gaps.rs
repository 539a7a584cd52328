//! Facts that could not be read in the search for a controller.

use crate::facts::{Gap, Known, Readable};
use crate::survey::{Reason, Unread};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Facts that could not be read, by reason.
#[derive(Debug, Default)]
pub(crate) struct Gaps {
    unread: RefCell<BTreeMap<Reason, Vec<String>>>,
}

impl Gaps {
    /// The result; `None` if it cannot be read, which is then noted.
    pub(crate) fn pass<T>(&self, known: Known<T>) -> Known<Option<T>> {
        Ok(known.surveyed()?.map_err(|gap| self.note(&gap)).ok())
    }

    /// Notes a gap.
    pub(crate) fn note(&self, gap: &Gap) {
        self.add(gap.why.reason, &gap.what.to_string());
    }

    /// Adds the gaps of another search.
    pub(crate) fn take_over(&self, others: &Self) {
        for (reason, unread) in &*others.unread.borrow() {
            for what in unread {
                self.add(*reason, what);
            }
        }
    }

    fn add(&self, reason: Reason, what: &str) {
        let mut unread = self.unread.borrow_mut();
        let unread = unread.entry(reason).or_default();
        if !unread.iter().any(|known| known == what) {
            unread.push(what.to_owned());
        }
    }

    /// A line for each reason, with the permission that would help.
    pub(crate) fn texts(&self) -> Vec<String> {
        let text = |(reason, unread): (&Reason, &Vec<String>)| {
            let right = if *reason == Reason::Forbidden { "; permission to get and list them would help" } else { "" };
            let why = Unread { reason: *reason, message: String::new() };
            format!("could not read {}: {why}{right}", unread.join(", "))
        };
        self.unread.borrow().iter().map(text).collect()
    }
}
