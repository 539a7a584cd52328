//! The line about objects that wait for a finalizer.

use crate::report::Sentence;

/// How objects wait for a finalizer, from which the line is worded again when more objects join.
#[derive(Debug, Clone, Default)]
pub struct Waiting {
    /// Whether they wait already.
    pub mood: Mood,
    /// The rest of the line after the finalizer.
    pub rest: Sentence,
}

/// Whether objects wait already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mood {
    /// They wait.
    #[default]
    Is,
    /// They would wait, if they were deleted.
    Would,
    /// They may wait, if they were deleted.
    May,
}

impl Waiting {
    /// `Widget shop/a would get stuck: it is down`, without the finalizer
    pub(crate) fn in_short(&self, who: Sentence) -> Sentence {
        who.then(" would get stuck").then(&self.rest)
    }

    /// `Widget shop/a waits for finalizer a.io/x: it is down`
    pub(super) fn line(&self, who: impl Into<Sentence>, is_one: bool, finalizers: &[&str]) -> Sentence {
        let verb = match (self.mood, is_one) {
            (Mood::Is, true) => "waits",
            (Mood::Is, false) => "wait",
            (Mood::Would, _) => "would wait",
            (Mood::May, _) => "may wait",
        };
        let what = match finalizers {
            [only] => format!("finalizer {only}"),
            [first, second] => format!("finalizers {first} and {second}"),
            [first, second, more @ ..] => format!("finalizers {first}, {second} and {} more", more.len()),
            [] => "a finalizer".to_owned(),
        };
        who.into().then(format!(" {verb} for {what}")).then(&self.rest)
    }
}
