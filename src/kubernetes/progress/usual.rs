//! Until when a clean-up is not late.

use crate::facts::{Facts, clock};
use crate::knowledge::catalogue;
use crate::kubernetes::progress::judgement::{Explanation, Judgement, Work};
use crate::survey::Seen;
use jiff::{SignedDuration, Timestamp};

/// How long a clean-up takes of which nothing else is known, after the deletion or after its
/// controller's return.
pub(crate) const USUALLY: SignedDuration = SignedDuration::from_mins(1);

/// How long the clean-up of a finalizer may take where nothing is known of its controller.
pub(crate) fn takes(finalizer: &str) -> SignedDuration {
    let known = catalogue::lookup(finalizer).and_then(|entry| entry.takes);
    known.map_or(USUALLY, |minutes| SignedDuration::from_mins(minutes.into())).max(USUALLY)
}

/// A clean-up in the time that it usually takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usual {
    takes: SignedDuration,
    /// When that is over for the first of the objects.
    until: Timestamp,
}

impl Usual {
    /// That of `finalizer`, whose controller was `found` so; `None` where it is over, and where
    /// nobody is there who would need it.
    pub(crate) fn of(finalizer: &str, objects: &[Seen<'_>], found: &Judgement<'_>, facts: &Facts<'_>) -> Option<Self> {
        let known = catalogue::lookup(finalizer).and_then(|entry| entry.takes);
        let takes = match (&found.why, known) {
            (Explanation::Gone { .. }, _) => return None,
            (_, Some(minutes)) => SignedDuration::from_mins(minutes.into()),
            (Explanation::Idle | Explanation::SaidBefore(_), None) => USUALLY,
            _ => return None,
        };
        let asked = objects.iter().filter_map(|seen| seen.object.deletion_asked()).min()?;
        let from = if let Explanation::Working(Work::Back(back)) = found.why { asked.max(back) } else { asked };
        let until = from.checked_add(takes).ok()?;
        (facts.now() < until).then_some(Self { takes, until })
    }

    /// `up to 15 minutes`
    pub(crate) fn words(self) -> String {
        match self.takes.as_mins() {
            1 => "up to a minute".into(),
            minutes => format!("up to {minutes} minutes"),
        }
    }

    /// When it is over, in words.
    pub(crate) fn end(self) -> String {
        clock(self.until)
    }
}
