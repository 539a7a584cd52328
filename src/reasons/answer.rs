//! A reason in words, with the facts that the finding and the forecast ask about it.

use super::case::Case;
use super::missing_object::is_whole;
use super::reason::NamedReason;
use crate::facts::Known;
use crate::needs::Mood;
use crate::report::{Cause, Evidence, Need, Ref, Remedy, Sentence, Why};
use crate::survey::Seen;

/// Why a controller has not released its objects, or would not release them.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the reason")]
pub(super) struct WordedReason<'s> {
    pub(super) reason: &'static NamedReason,
    /// How well the reason is known.
    pub(super) why: Why,
    /// The kind of cause.
    pub(super) cause: Cause,
    /// The object that is waited for.
    pub(super) waits_for: Option<Ref>,
    /// The end of the line.
    pub(super) because: Sentence,
    /// Whether a foreseen deletion would certainly meet the reason.
    pub(super) mood: Mood,
    pub(super) evidence: Vec<Evidence>,
    /// The mildest first, without the removal of the finalizer.
    pub(super) remedies: Vec<Remedy>,
    /// The words that the reason quotes.
    pub(super) words: Option<String>,
    /// The checks that did not find the reason.
    pub(super) looked_at: Option<Sentence>,
    /// The objects that must be deleted, or stop their use, first.
    pub(super) others: Vec<Seen<'s>>,
    /// What must be met first, if words or objects in the way say so.
    pub(super) needs: Option<Vec<Need>>,
    /// Whether the reason can be mended: until then, a finalizer is removed only from objects that a person has named.
    pub(super) can_be_mended: bool,
    /// Why the finalizer is removed before any repair.
    pub(super) removal_first: Option<String>,
    /// What the objects were parts of, if that does not exist: it may have taken with it what is to be cleaned up.
    pub(super) went_with: Option<Ref>,
    /// Whether the controller runs as it should, and ignores the object because it was told so.
    pub(super) obeys: bool,
    /// Whether the controller would go on if its request were accepted.
    pub(super) only_accepted: bool,
    /// Whether the controller acts: its own deletion would be an earlier obstacle than this.
    pub(super) acts: bool,
    /// Whether the reason says nothing about a deletion that is only foreseen.
    pub(super) now_only: bool,
}

impl NamedReason {
    /// The answer that this is proven to be the reason.
    pub(super) fn proven<'s>(&'static self, case: &Case<'_, 's>, because: impl Into<Sentence>) -> WordedReason<'s> {
        WordedReason::new(self, Why::Proven, case, because)
    }

    /// The answer that this is likely the reason.
    pub(super) fn likely<'s>(&'static self, case: &Case<'_, 's>, because: impl Into<Sentence>) -> WordedReason<'s> {
        WordedReason::new(self, Why::Likely, case, because)
    }

    /// The answer that nothing that could be read gives the reason.
    pub(super) fn unknown<'s>(&'static self, case: &Case<'_, 's>, because: impl Into<Sentence>) -> WordedReason<'s> {
        let because = Sentence::from("root cause unknown: ").then(because);
        WordedReason::new(self, Why::Unknown, case, because)
    }
}

impl<'s> From<WordedReason<'s>> for Known<WordedReason<'s>> {
    fn from(answer: WordedReason<'s>) -> Self {
        Ok(answer)
    }
}

impl<'s> WordedReason<'s> {
    fn new(reason: &'static NamedReason, why: Why, case: &Case<'_, '_>, because: impl Into<Sentence>) -> Self {
        Self {
            reason,
            why,
            cause: case.cause,
            waits_for: case.workload().cloned(),
            because: because.into(),
            mood: Mood::Would,
            evidence: Vec::new(),
            remedies: Vec::new(),
            words: None,
            looked_at: None,
            others: Vec::new(),
            needs: None,
            can_be_mended: false,
            removal_first: None,
            went_with: None,
            obeys: false,
            only_accepted: false,
            acts: false,
            now_only: false,
        }
    }

    /// Makes the reason likely, unless the reason is proven.
    pub(super) fn proven_if(mut self, is_proven: bool) -> Self {
        self.why = self.why.max(if is_proven { Why::Proven } else { Why::Likely });
        self
    }

    pub(super) fn cause(mut self, cause: Cause) -> Self {
        self.cause = cause;
        self
    }

    pub(super) fn waits_for(mut self, object: impl Into<Option<Ref>>) -> Self {
        self.waits_for = object.into();
        self
    }

    pub(super) fn evidence(mut self, text: impl Into<Sentence>, of: &Ref, field: &str) -> Self {
        self.evidence.push(Evidence::read(text, of, field));
        self
    }

    pub(super) fn remedies(mut self, remedies: impl IntoIterator<Item = Remedy>) -> Self {
        self.remedies.extend(remedies);
        self
    }

    pub(super) fn words(mut self, words: &str) -> Self {
        self.words = Some(words.to_owned());
        self
    }

    pub(super) fn looked_at(mut self, what: Option<Sentence>) -> Self {
        self.looked_at = what;
        self
    }

    pub(super) fn others(mut self, others: Vec<Seen<'s>>) -> Self {
        self.others = others;
        self
    }

    pub(super) fn needs(mut self, needs: Vec<Need>) -> Self {
        self.needs = Some(needs);
        self
    }

    /// The objects may have been parts of `what`, which does not exist.
    pub(super) fn went_with(mut self, what: &Ref) -> Self {
        self.went_with = is_whole(what).then(|| what.clone());
        self
    }

    pub(super) fn can_be_mended(mut self, can_be_mended: bool) -> Self {
        self.can_be_mended = can_be_mended;
        self
    }

    pub(super) fn obeys(mut self) -> Self {
        self.obeys = true;
        self
    }

    pub(super) fn only_accepted(mut self, only_accepted: bool) -> Self {
        self.only_accepted = only_accepted;
        self
    }

    /// The controller acts, so that its own deletion would be an earlier obstacle.
    pub(super) fn acts(mut self) -> Self {
        self.acts = true;
        self
    }

    /// A deletion that is only foreseen need not meet the reason.
    pub(super) fn now_only(mut self) -> Self {
        (self.acts, self.now_only) = (true, true);
        self
    }

    /// A foreseen deletion may meet the reason.
    pub(super) fn perhaps(mut self) -> Self {
        self.mood = Mood::May;
        self
    }
}
