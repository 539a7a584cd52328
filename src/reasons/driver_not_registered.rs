//! The driver of the object is not registered on its node.

use super::agent_place::AgentPlace;
use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::plan::quote;
use crate::report::{Remedy, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("driver-not-registered", include_str!("driver_not_registered.md"), Stage::Place);

pub(super) fn found<'s>(place: AgentPlace, driver: String) -> FoundReason<'s> {
    REASON.found(move |case| answer(case, &place, &driver))
}

fn answer<'s>(case: &Case<'_, 's>, place: &AgentPlace, driver: &str) -> WordedReason<'s> {
    let AgentPlace { node, of, field } = place;
    let because = Sentence::from(format!("driver {driver} is not registered on ")).then(node);
    let repair = case.workload().map(|_| {
        let title = format!("repair driver {driver} on {node}: check its pod there");
        let on_node = quote(&format!("spec.nodeName={}", node.name));
        Remedy::command(title, format!("kubectl get pods -A --field-selector {on_node}"), case.clean_up())
    });
    let answer = REASON.likely(case, because).waits_for(node.clone()).can_be_mended(true);
    answer.evidence(format!("it is for {node}"), of, field).remedies(repair)
}
