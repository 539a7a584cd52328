//! A network agent that does not work on a pod's node.

use crate::kubernetes::kubelet::network::FailingAgent;
use crate::needs::Draft;
use crate::plan::full_name;
use crate::report::{Ref, Remedy, Sentence};
use crate::survey::{Condition, Object};

/// Conditions of a node that keep its agents from working while they are True.
const PRESSED: [&str; 4] = ["DiskPressure", "MemoryPressure", "NetworkUnavailable", "PIDPressure"];

/// Blames a network agent that does not work: the kubelet retries until the agent answers. Only the name of
/// a pod shows that it is the agent, so the finding is likely.
pub(crate) fn told(draft: Draft, failing: FailingAgent, whole: &Object, node: &Ref) -> Draft {
    let FailingAgent { agent, why } = failing;
    let mut draft = draft.likely();
    let is_down = Sentence::about(&agent, "does not work there: ").then(Sentence::reason(&why));
    draft.finding.summary = draft.finding.summary.then(": ").then(is_down);
    let draft = draft.evidence(
        Sentence::from("serves the network of the node: ").then(Sentence::reason(&why)),
        &agent,
        "status",
    );
    let pressed = PRESSED.iter().filter_map(|kind| Some((*kind, whole.condition(kind)?)));
    let pressed = pressed.filter(|(_, condition)| condition.status() == "True");
    let draft = pressed.fold(draft, |draft, (kind, condition)| {
        draft.evidence(format!("{kind}: {}", Condition::says(condition)), node, "status.conditions")
    });
    let repair = Remedy::command(
        format!("repair {agent}, which serves the network of node {}", node.name),
        format_args!("kubectl describe {}", full_name(&agent)),
        "nothing is lost: the kubelet then removes the network by itself",
    );
    draft.waits_for(agent).remedy_first(repair)
}
