//! Until when a clean-up that is known to take minutes is not late.

use crate::facts::{Facts, clock};
use crate::knowledge::catalogue;
use crate::survey::Seen;
use jiff::{SignedDuration, Timestamp};

/// A clean-up in the time that it usually takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usual {
    minutes: u8,
    /// When that is over for the last of the objects.
    until: Timestamp,
}

impl Usual {
    /// That of `finalizer`; `None` where it is over, and where nothing is known of it.
    pub(crate) fn of(finalizer: &str, objects: &[Seen<'_>], facts: &Facts<'_>) -> Option<Self> {
        let minutes = catalogue::lookup(finalizer)?.takes?;
        let asked = objects.iter().filter_map(|seen| seen.object.deletion_asked()).max()?;
        let until = asked.checked_add(SignedDuration::from_mins(minutes.into())).ok()?;
        (facts.now() < until).then_some(Self { minutes, until })
    }

    /// `up to 15 minutes`
    pub(crate) fn words(self) -> String {
        format!("up to {} minutes", self.minutes)
    }

    /// When it is over, in words.
    pub(crate) fn end(self) -> String {
        clock(self.until)
    }
}
