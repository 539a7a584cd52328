//! The pod that does the work for this object is down.

use super::advice::look_at;
use super::agent_place::AgentPlace;
use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::report::{Ref, Remedy, Sentence};

pub(crate) const REASON: NamedReason = NamedReason::new("agent-down", include_str!("agent_down.md"), Stage::Place);

pub(super) fn found_on_node<'s>(place: AgentPlace, pod: Ref, reason: String) -> FoundReason<'s> {
    REASON.found(move |case| on_node(case, &place, &pod, &reason))
}

pub(super) fn found_named<'s>(pod: Ref, reason: String) -> FoundReason<'s> {
    REASON.found(move |case| named(case, &pod, &reason))
}

/// Its pod on the node of the object does not work.
fn on_node<'s>(case: &Case<'_, 's>, place: &AgentPlace, pod: &Ref, reason: &str) -> WordedReason<'s> {
    let AgentPlace { node, of, field } = place;
    let does_its_work = Sentence::from(pod).then(", which does its work on ").then(node);
    answer(case, does_its_work.then(", is down: ").then(Sentence::reason(reason)), pod).evidence(
        format!("it is for {node}"),
        of,
        field,
    )
}

/// The pod that the status of the object names does not work.
fn named<'s>(case: &Case<'_, 's>, pod: &Ref, reason: &str) -> WordedReason<'s> {
    let because = Sentence::from(pod).then(", which its status names, is down: ").then(Sentence::reason(reason));
    answer(case, because, pod).evidence(Sentence::reason(reason), pod, "status")
}

fn answer<'s>(case: &Case<'_, 's>, because: Sentence, pod: &Ref) -> WordedReason<'s> {
    let repair = case.workload().map(|_| Remedy::command(format!("repair {pod}"), look_at(pod), case.clean_up()));
    REASON.likely(case, because).waits_for(pod.clone()).can_be_mended(true).remedies(repair)
}
