//! The node is Ready, the grace period is over, and the kubelet still has not
//! said that the pod is over: a container that does not die, a volume that does
//! not unmount, a network that is not torn down.

use super::Rule;
use super::support::{Node, ago, by_node, force_delete, node_ref, pods_in_words, waiting_for_kubelet};
use crate::diagnosis::{Cause, Draft, Facts, Findings, Known, Ref, SETTLE, Target, since};
use crate::plan::Remedy;
use crate::survey::Object;

pub(super) const RULE: Rule =
    Rule { name: "kubelet-does-not-confirm", explanation: include_str!("kubelet_does_not_confirm.md"), diagnose };

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let overdue =
        |pod: &Object| pod.metadata.deletion_timestamp.is_some_and(|ended| since(ended, facts.now()) > SETTLE * 2);
    let waiting = waiting_for_kubelet(target, facts)?;
    let silent =
        waiting.into_iter().filter(|waiting| matches!(waiting.node, Node::Ready(_)) && overdue(waiting.pod.object));
    for pods in by_node(silent) {
        let refs: Vec<Ref> = pods.iter().map(|waiting| waiting.pod.into()).collect();
        let node = node_ref(&pods[0]);
        let pod = pods[0].pod.object;
        let over = pod.metadata.deletion_timestamp.map(|ended| ago(ended, facts)).unwrap_or_default();
        let phase = pod.text("/status/phase").unwrap_or("unknown");
        found.add(
            Draft::new(
                Cause::Kubelet,
                refs[0].clone(),
                format!("{} not confirmed by the kubelet of node {}, {over} after the grace period", pods_in_words(&refs), node.name),
            )
            .waits_for(node.clone())
            .evidence(format!("grace period over for {over}"), &refs[0], "metadata.deletionTimestamp")
            .evidence(format!("phase {phase}: {}", what_hangs(pod)), &refs[0], "status.phase")
            .evidence("is Ready", &node, "status.conditions[Ready]")
            .remedy(Remedy::manual(
                format!("see what the kubelet says: kubectl describe pod {} -n {}; on node {}: journalctl -u kubelet, crictl ps -a", pod.name(), pod.metadata.namespace.as_deref().unwrap_or_default(), node.name),
                "nothing is lost",
            ))
            .remedy(force_delete(&pods))
            .objects(refs),
        );
    }
    Ok(())
}

/// What the pod's status says of where the kubelet stands.
fn what_hangs(pod: &Object) -> &'static str {
    match pod.text("/status/phase") {
        Some("Succeeded" | "Failed") => "the containers are over, so volumes or cgroups are not cleaned up",
        _ => "the containers have not been reported as ended",
    }
}
