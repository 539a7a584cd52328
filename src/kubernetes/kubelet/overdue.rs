//! Pods that are overdue on a node that is reported as Ready.

use crate::facts::{Facts, Gap, Known, Readable, SETTLE, Target, each, since};
use crate::kubernetes::kubelet::pods::{NodeOfPod, WaitingPod, by_node, waiting_for_kubelet};
use crate::kubernetes::kubelet::{SignOfLife, heard};
use crate::survey::Object;

/// The last sign of life of a node's kubelet, or why it cannot be read.
pub(crate) type LastHeard = Result<Option<SignOfLife>, Gap>;

/// The pods that are overdue on nodes that are reported as Ready, with the last sign of life of the
/// kubelet there.
pub(crate) fn overdue_by_node<'s>(
    target: &Target<'s>,
    facts: &Facts<'s>,
) -> Known<Vec<(Vec<WaitingPod<'s>>, LastHeard)>> {
    let overdue =
        |pod: &Object| pod.metadata.deletion_timestamp.is_some_and(|ended| since(ended, facts.now()) > SETTLE * 2);
    let late = waiting_for_kubelet(target, facts)?.into_iter().filter(|waiting| {
        let pod = waiting.pod.object;
        matches!(waiting.node, NodeOfPod::Ready(_)) && overdue(pod)
    });
    each(by_node(late), |pods| {
        let heard = heard(pods[0].node_name, facts).surveyed()?;
        Ok((pods, heard))
    })
}
