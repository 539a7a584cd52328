//! The judgement about a controller.

use super::found_reason::{Besides, FoundReason};
use super::profile::Profile;
use crate::report::ControllerState;

/// The judgement about a controller.
#[derive(Debug)]
pub(crate) struct Judgement<'s> {
    /// What is known about the controller.
    pub(crate) profile: Profile<'s>,
    /// Why the controller does not release its objects, as far as can be seen.
    pub(crate) why: FoundReason<'s>,
}

impl<'s> Judgement<'s> {
    /// Takes `why`, which a further search has found, for the reason.
    pub(super) fn becomes(&mut self, mut why: FoundReason<'s>) {
        let Besides { evidence, state, workload, is_unsaid } = std::mem::take(&mut why.besides);
        let Profile { controller, stale, sure, .. } = &mut self.profile;
        controller.evidence.splice(0..0, evidence);
        controller.state = state.unwrap_or(controller.state);
        *sure &= workload.is_none();
        controller.workload = workload.or(controller.workload.take());
        *stale |= is_unsaid;
        self.why = why;
    }

    /// A judgement without a known workload: it is not sure.
    pub(super) fn without_workload(
        state: ControllerState,
        why: FoundReason<'s>,
        evidence: Vec<String>,
        has_traces: bool,
    ) -> Self {
        Self { profile: Profile::without_workload(state, evidence, has_traces), why }
    }
}
