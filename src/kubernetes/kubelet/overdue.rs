//! The pods that are overdue on a node that is said to be well.

use crate::facts::{Facts, Known, SETTLE, Target, Unknown, since};
use crate::kubernetes::kubelet::pods::{Node, Waiting, by_node, waiting_for_kubelet};
use crate::kubernetes::kubelet::{Heard, heard, is_mirror};
use crate::survey::Object;

/// When the kubelet of a node was heard of last, or why that cannot be read.
pub(crate) type LastHeard = Known<Option<Heard>>;

/// The pods that are overdue on nodes which are said to be Ready, with the last
/// sign of life of the kubelet there. Mirrors of static pods are another matter.
pub(crate) fn overdue_by_node<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<(Vec<Waiting<'s>>, LastHeard)>> {
    let overdue =
        |pod: &Object| pod.metadata.deletion_timestamp.is_some_and(|ended| since(ended, facts.now()) > SETTLE * 2);
    let late = waiting_for_kubelet(target, facts)?.into_iter().filter(|waiting| {
        let pod = waiting.pod.object;
        matches!(waiting.node, Node::Ready(_)) && overdue(pod) && !is_mirror(pod)
    });
    let with_heard = |pods: Vec<Waiting<'s>>| {
        let heard = heard(pods[0].node_name, facts);
        (pods, heard)
    };
    let groups: Vec<(Vec<Waiting<'_>>, LastHeard)> = by_node(late).into_iter().map(with_heard).collect();
    if groups.iter().any(|(_, heard)| matches!(heard, Err(Unknown::NotSurveyed))) {
        return Err(Unknown::NotSurveyed);
    }
    Ok(groups)
}
