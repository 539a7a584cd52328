//! How long a clean-up may take before it is late.

use crate::facts::{Facts, clock};
use crate::knowledge::catalogue;
use crate::kubernetes::progress::judgement::{Explanation, Judgement, Work};
use crate::survey::Seen;
use jiff::{SignedDuration, Timestamp};

/// How long an unknown clean-up usually takes, after the deletion or after its controller's
/// return.
pub(crate) const USUALLY: SignedDuration = SignedDuration::from_mins(1);

/// How long the clean-up of a finalizer may take if nothing is known of its controller.
pub(crate) fn takes(finalizer: &str) -> SignedDuration {
    known(finalizer).map_or(USUALLY, |known| known.max(USUALLY))
}

/// The time that the catalogue gives the clean-up of a finalizer.
fn known(finalizer: &str) -> Option<SignedDuration> {
    Some(SignedDuration::from_mins(catalogue::lookup(finalizer)?.takes?.into()))
}

/// A clean-up within its usual time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usual {
    takes: SignedDuration,
    /// When that time ends for the first of the objects.
    until: Timestamp,
}

impl Usual {
    /// The clean-up of `finalizer`, whose controller was judged as `found`; `None` if the usual time is
    /// over or unknown, or the controller does not exist.
    pub(crate) fn of(finalizer: &str, objects: &[Seen<'_>], found: &Judgement<'_>, facts: &Facts<'_>) -> Option<Self> {
        let takes = match (&found.why, known(finalizer)) {
            (Explanation::Gone { .. }, _) => return None,
            // No time is usual where nothing that runs may be the controller.
            (Explanation::Unknown, _) if found.controller.workload.is_none() && !found.out_of_sight => return None,
            (_, Some(known)) => known,
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

    /// The end of the usual time, in words.
    pub(crate) fn end(self) -> String {
        clock(self.until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::ControllerState;
    use crate::survey::{InMemory, Object, Resource};
    use serde_json::json;

    #[test]
    fn nothing_is_on_time_where_no_controller_runs() {
        let finalizer = "awsmachinepool.infrastructure.cluster.x-k8s.io";
        let kind = Resource::tested("infrastructure.cluster.x-k8s.io", "awsmachinepools", "AWSMachinePool", true);
        let object: Object = serde_json::from_value(json!({"metadata": {"name": "spot", "namespace": "shop",
            "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": [finalizer]}}))
        .unwrap();
        let cluster = InMemory::holding("2026-01-01T00:01:00Z", [kind.clone()], []);
        let on_time = |out_of_sight: bool| {
            let (is_usual, _) = Facts::of(&cluster, |facts| {
                let (state, why) = (ControllerState::Unknown, Explanation::Unknown);
                let found = Judgement { out_of_sight, ..Judgement::without_workload(state, why, Vec::new(), true) };
                Ok(Usual::of(finalizer, &[Seen { resource: &kind, object: &object }], &found, facts).is_some())
            });
            is_usual
        };
        assert!(on_time(true), "its controller may run where nothing was searched");
        assert!(!on_time(false), "no workload that runs may be it");
    }
}
