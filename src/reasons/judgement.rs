//! The judgement about a controller.

use super::found_reason::FoundReason;
use super::profile::Profile;
use crate::report::{Controller, Ref, Sentence};

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
    pub(super) fn new(mut why: FoundReason<'s>, mut evidence: Vec<Sentence>, has_traces: bool) -> Self {
        evidence.append(&mut why.evidence);
        let controller = Controller { workload: None, state: why.state, evidence };
        let (stale, said_in) = (why.is_doubtful, why.said_in);
        Self { profile: Profile { controller, said_in, stale, has_traces, ..Profile::default() }, why }
    }

    /// The same judgement about `workload`.
    pub(super) fn about(mut self, workload: impl Into<Option<Ref>>) -> Self {
        self.profile.controller.workload = workload.into();
        self
    }

    /// Takes `why`, which a further search has found, for the reason.
    pub(super) fn becomes(&mut self, mut why: FoundReason<'s>) {
        let Profile { controller, stale, sure, said_in, .. } = &mut self.profile;
        controller.evidence.splice(0..0, std::mem::take(&mut why.evidence));
        controller.state = why.turns_out.unwrap_or(controller.state);
        *sure &= why.instead.is_none();
        controller.workload = why.instead.take().or(controller.workload.take());
        *stale |= why.is_unsaid;
        *said_in = said_in.filter(|_| why.words.is_none());
        self.why = why;
    }
}
