//! A pod waits for the kubelet of a node that no longer exists. The pod garbage collector deletes such
//! pods after about a minute (kubernetes/kubernetes: `pkg/controller/podgc/gc_controller.go`).

use crate::facts::{Facts, Known, Target, asked_ago, is_late};
use crate::findings::kubelet::force::with_force_delete;
use crate::findings::kubelet::holdings::with_phase;
use crate::kubernetes::kubelet::pods::{NodeOfPod, by_node, node_ref, pods_wait, waiting_for_kubelet};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Cause, Ref, Remedy, Verb};
use jiff::SignedDuration;

pub(super) const RULE: Rule =
    Rule::new("pod-node-gone", include_str!("pod_node_gone.md"), &[Explains::Deleted(diagnose)]);

/// A check every 20 s, a quarantine of 40 s, and the time for the requests.
const COLLECTED_WITHIN: SignedDuration = SignedDuration::from_secs(90);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let waiting = waiting_for_kubelet(target, facts)?;
    for pods in by_node(waiting.into_iter().filter(|waiting| matches!(waiting.node, NodeOfPod::Gone))) {
        let refs: Vec<Ref> = pods.iter().map(|waiting| waiting.pod.into()).collect();
        let node = node_ref(&pods[0]);
        let overdue = pods.iter().any(|waiting| is_late(waiting.pod.object, facts, COLLECTED_WITHIN));
        let asked = asked_ago(pods[0].pod.object, facts);
        let cause = if overdue { Cause::Kubelet } else { Cause::Progressing };
        let summary = format!("{} for node {}, which no longer exists", pods_wait(&refs), node.name);
        let draft = Draft::new(cause, refs[0].clone(), summary)
            .waits_for(node.clone())
            .needs_accepted(Verb::Delete)
            .evidence(format!("runs on node {}", node.name), &refs[0], "spec.nodeName")
            .in_summary()
            .evidence("not found", &node, "");
        let draft = with_phase(draft, &pods);
        found.add(if overdue {
            let draft = draft
                .remark(format!(
                    "the pod garbage collector removes such pods within 90s; deletion was requested {asked} ago"
                ))
                .remedy(Remedy::manual(
                    "check why the pod garbage collector of kube-controller-manager does not delete it: a webhook on \
                    pods, or the manager itself",
                    "nothing is lost",
                ));
            with_force_delete(draft, &pods, facts)?.objects(refs)
        } else {
            draft
                .remedy(Remedy::manual(
                    "wait: the pod garbage collector removes it within 90 seconds",
                    "nothing is lost",
                ))
                .objects(refs)
        });
    }
    Ok(())
}
