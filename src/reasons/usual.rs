//! A clean-up that may still be in time.

use crate::facts::{Facts, clock};
use crate::survey::Seen;
use jiff::{SignedDuration, Timestamp};

/// A clean-up within its usual time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Usual {
    takes: SignedDuration,
    /// When that time ends for the first of the objects.
    until: Timestamp,
}

impl Usual {
    /// The clean-up of objects that takes so long, after the deletion or after the controller came `back`; `None` if
    /// that time is over.
    pub(super) fn of(
        takes: SignedDuration,
        objects: &[Seen<'_>],
        back: Option<Timestamp>,
        facts: &Facts<'_>,
    ) -> Option<Self> {
        let asked = objects.iter().filter_map(|seen| seen.object.deletion_asked()).min()?;
        let until = back.map_or(asked, |back| asked.max(back)).checked_add(takes).ok()?;
        (facts.now() < until).then_some(Self { takes, until })
    }

    /// `up to 15 minutes`
    pub(super) fn words(self) -> String {
        match self.takes.as_mins() {
            1 => "up to a minute".into(),
            minutes => format!("up to {minutes} minutes"),
        }
    }

    /// The end of the usual time, in words.
    pub(super) fn end(self) -> String {
        clock(self.until)
    }
}
