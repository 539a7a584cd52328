//! A controller that gives no reason, or one that may mean something else, about which further reasons are asked.

use super::found_reason::FoundReason;
use super::profile::Profile;
use crate::facts::Known;
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::progress::inquiry::Inquiry;

/// Asks whether something is the reason, though the controller does not say so.
pub(super) type AskSilent = for<'s> fn(&SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>>;

/// A controller, with what was found so far.
pub(super) struct SilentController<'a, 's> {
    pub(super) why: &'a FoundReason<'s>,
    pub(super) profile: &'a Profile<'s>,
    /// The workload that was taken for the controller.
    pub(super) best: Option<&'a Candidate<'s>>,
    pub(super) inquiry: Inquiry<'a, 's>,
    /// Whether the controller runs and gives no reason.
    pub(super) is_silent: bool,
    /// Whether nothing at all was said or found.
    pub(super) gives_none: bool,
}

impl SilentController<'_, '_> {
    /// Whether the objects are being deleted: a failure from before a deletion may be over by then.
    pub(super) fn is_going(&self) -> bool {
        self.inquiry.held.objects.iter().any(|seen| seen.object.is_deleting())
    }

    /// Whether the controller's message passes a test.
    pub(super) fn says(&self, test: impl Fn(&str) -> bool) -> bool {
        self.why.words.as_deref().is_some_and(test)
    }
}
