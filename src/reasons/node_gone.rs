//! The node on which the clean-up must happen does not exist.

use super::agent_place::AgentPlace;
use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::report::{Remedy, Sentence};

pub(crate) const REASON: NamedReason = NamedReason::new("node-gone", include_str!("node_gone.md"), Stage::Place);

pub(super) fn found<'s>(place: AgentPlace) -> FoundReason<'s> {
    REASON.found(move |case| answer(case, &place))
}

fn answer<'s>(case: &Case<'_, 's>, place: &AgentPlace) -> WordedReason<'s> {
    let AgentPlace { node, of, field } = place;
    let names = Sentence::from(node).then(format!(", which {field} names, does not exist: no pod of "));
    let answer = REASON.likely(case, names.then(case.name()).then(" can run there")).waits_for(node.clone());
    let answer = answer.evidence(format!("it is for {node}"), of, field);
    if !case.is_foreseen() {
        return answer;
    }
    let title = Sentence::from("bring ")
        .then(node)
        .then(" back before you delete; if it is gone for good, remove the finalizer afterwards");
    answer.remedies([Remedy::manual(title, "data on the node is lost")])
}
