//! The judgement about a controller.

use super::found_reason::{Besides, FoundReason};
use super::profile::Profile;

/// The judgement about a controller.
#[derive(Debug)]
pub(crate) struct Judgement<'s> {
    /// What is known about the controller.
    pub(crate) profile: Profile<'s>,
    /// Why the controller does not release its objects, as far as can be seen.
    pub(crate) why: FoundReason<'s>,
}

impl<'s> Judgement<'s> {
    /// The judgement `why`, without a known workload: it is not sure.
    pub(super) fn new(why: FoundReason<'s>, evidence: Vec<String>, has_traces: bool) -> Self {
        let mut profile = Profile::without_workload(why.state, evidence, has_traces);
        (profile.stale, profile.said_in) = (why.is_doubtful, why.said_in);
        Self { profile, why }
    }

    /// Takes `why`, which a further search has found, for the reason.
    pub(super) fn becomes(&mut self, mut why: FoundReason<'s>) {
        let Besides { evidence, state, workload, is_unsaid } = std::mem::take(&mut why.besides);
        let Profile { controller, stale, sure, said_in, .. } = &mut self.profile;
        controller.evidence.splice(0..0, evidence);
        controller.state = state.unwrap_or(controller.state);
        *sure &= workload.is_none();
        controller.workload = workload.or(controller.workload.take());
        *stale |= is_unsaid;
        *said_in = said_in.filter(|_| why.words.is_none());
        self.why = why;
    }
}
