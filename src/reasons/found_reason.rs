//! A reason that was found, with the facts that the further search asks about it.

use super::answer::WordedReason;
use super::case::Case;
use super::reason::NamedReason;
use crate::facts::Known;
use crate::kubernetes::mentions::InTheWay;
use crate::kubernetes::statements::said_in::SaidIn;
use crate::report::{ControllerState, Ref, Sentence};
use crate::survey::Seen;
use jiff::Timestamp;
use std::fmt;
use std::rc::Rc;

type Tell<'s> = dyn Fn(&Case<'_, 's>) -> Known<WordedReason<'s>> + 's;

/// A reason that was found, as far as can be seen.
#[derive(Clone)]
pub(crate) struct FoundReason<'s> {
    pub(crate) reason: &'static NamedReason,
    pub(super) tell: Rc<Tell<'s>>,
    /// What shows the reason, among the evidence about the controller.
    pub(super) evidence: Vec<Sentence>,
    /// The message that the reason quotes.
    pub(crate) words: Option<String>,
    /// The uids of the held objects that have the reason, if others need not have it; otherwise all have it.
    pub(super) of: Vec<String>,
    /// The objects for which the controller waits, or that use the held ones.
    pub(crate) others: Vec<InTheWay<'s>>,
    /// The workload of the controller, if that is at 0 replicas.
    pub(crate) parked: Option<Seen<'s>>,
    /// Why no pod of the controller works, if it has pods.
    pub(crate) down: Option<String>,
    /// When the controller came back, after the deletion was requested.
    pub(crate) back: Option<Timestamp>,
    /// The state of a controller that has this reason.
    pub(super) state: ControllerState,
    /// Where the words that give the reason were read, if words give it.
    pub(super) said_in: Option<SaidIn<'s>>,
    /// Whether the evidence may no longer hold.
    pub(super) is_doubtful: bool,
    /// Whether the controller was not seen to work on the object, and still has time to.
    pub(crate) is_expected: bool,
    /// The controller's state that this reason shows, if the controller did not give the reason itself.
    pub(super) turns_out: Option<ControllerState>,
    /// The workload that should act instead of the controller.
    pub(super) instead: Option<Ref>,
    /// Nobody has said that this is the reason, among what was found in the search besides the controller.
    pub(super) is_unsaid: bool,
}

impl NamedReason {
    /// This reason, told by `tell`. A controller that has it fails, unless another state is given.
    pub(super) fn found<'s, T: Into<Known<WordedReason<'s>>>>(
        &'static self,
        tell: impl Fn(&Case<'_, 's>) -> T + 's,
    ) -> FoundReason<'s> {
        FoundReason {
            reason: self,
            tell: Rc::new(move |case| tell(case).into()),
            evidence: Vec::new(),
            words: None,
            of: Vec::new(),
            others: Vec::new(),
            parked: None,
            down: None,
            back: None,
            state: ControllerState::Failing,
            said_in: None,
            is_doubtful: false,
            is_expected: false,
            turns_out: None,
            instead: None,
            is_unsaid: false,
        }
    }
}

impl<'s> FoundReason<'s> {
    /// The reason in words.
    pub(super) fn answer(&self, case: &Case<'_, 's>) -> Known<WordedReason<'s>> {
        (self.tell)(case)
    }

    pub(crate) fn is(&self, reason: &NamedReason) -> bool {
        self.reason == reason
    }

    pub(super) fn is_one_of(&self, reasons: &[&NamedReason]) -> bool {
        reasons.contains(&self.reason)
    }

    /// Whether the workload of the controller has no pod that works.
    pub(crate) fn is_absent(&self) -> bool {
        self.parked.is_some() || self.down.is_some()
    }

    pub(super) fn evidence(mut self, evidence: Vec<Sentence>) -> Self {
        self.evidence = evidence;
        self
    }

    pub(super) fn words(mut self, words: &str) -> Self {
        self.words = Some(words.to_owned());
        self
    }

    pub(super) fn of(mut self, of: &[String]) -> Self {
        of.clone_into(&mut self.of);
        self
    }

    pub(super) fn state(mut self, state: ControllerState) -> Self {
        self.state = state;
        self
    }

    pub(super) fn turns_out(mut self, state: impl Into<Option<ControllerState>>) -> Self {
        self.turns_out = state.into();
        self
    }

    pub(super) fn unsaid(mut self, is_unsaid: bool) -> Self {
        self.is_unsaid = is_unsaid;
        self
    }

    pub(super) fn said_in(mut self, place: Option<SaidIn<'s>>) -> Self {
        self.said_in = place;
        self
    }

    pub(super) fn doubtful(mut self, is_doubtful: bool) -> Self {
        self.is_doubtful |= is_doubtful;
        self
    }
}

impl fmt::Debug for FoundReason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason.name)
    }
}
