//! Findings with the same broken end, which one repair fixes, and those behind another one.

use super::Draft;
use crate::report::{Cause, ControllerState, Finding, Ref, Why};

impl Draft {
    /// The broken end of a finding, with the text about it: the controller that its objects wait for, or the object
    /// that this controller waits for. Finalizers with the same broken end have one cause.
    #[must_use]
    pub fn broken_end(&self) -> Option<(Cause, Ref, String, String)> {
        let Finding { cause, root, why, finalizer: Some(_), waits_for: Some(end), controller, .. } = &self.finding
        else {
            return None;
        };
        let is_broken = controller.as_ref().is_some_and(|it| match it.state {
            ControllerState::Down | ControllerState::Failing => true,
            ControllerState::Alive => it.workload.as_ref().is_some_and(|workload| workload != end),
            _ => false,
        });
        let is_known = *root && self.finding.is_trouble() && *why != Why::Unknown;
        let rest = self.waiting.rest.to_string();
        (is_broken && is_known && !rest.is_empty()).then(|| (*cause, end.clone(), rest, self.reason.clone()))
    }

    /// Removes its root mark and every write: something else is repaired first. It does not say that nothing gives the
    /// reason, where that other does.
    pub(crate) fn give_way(&mut self) {
        self.finding.root = false;
        if self.finding.why == Why::Unknown {
            self.waiting.rest = ": another finding says why".into();
            self.finding.why = Why::Likely;
            self.count_again();
        }
        self.remedies.retain(|remedy| remedy.steps.is_empty());
    }
}
