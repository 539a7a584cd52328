//! A pod waits for the kubelet of a node that is not Ready: only that kubelet
//! may say that the containers are over.

use super::Rule;
use super::support::{Node, ago, by_node, force_delete, node_ref, pods_in_words, waiting_for_kubelet};
use crate::diagnosis::{Cause, Draft, Facts, Findings, Known, Ref, SETTLE, Target, is_late};
use crate::plan::{Remedy, quote};

pub(super) const RULE: Rule =
    Rule { name: "pod-node-not-ready", explanation: include_str!("pod_node_not_ready.md"), diagnose };

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let waiting = waiting_for_kubelet(target, facts)?;
    // Also within the grace period: nobody is there to end the containers.
    let late = waiting.into_iter().filter(|waiting| is_late(waiting.pod.object, facts, SETTLE));
    for pods in by_node(late.filter(|waiting| matches!(waiting.node, Node::NotReady(_)))) {
        let Node::NotReady(node) = pods[0].node else { continue };
        let refs: Vec<Ref> = pods.iter().map(|waiting| waiting.pod.into()).collect();
        let named = node_ref(&pods[0]);
        let (says, since) = node.condition("Ready").map_or(("no Ready condition".to_owned(), None), |ready| {
            (format!("Ready is {} ({})", ready.status(), ready.says()), ready.since())
        });
        let since = since.map(|since| format!(" for {}", ago(since, facts))).unwrap_or_default();
        found.add(
            Draft::new(Cause::Kubelet, refs[0].clone(), format!("{} waits for node {}, which is not ready{since}", pods_in_words(&refs), named.name))
                .waits_for(named.clone())
                .evidence(format!("runs on node {}", named.name), &refs[0], "spec.nodeName")
                .evidence(says, &named, "status.conditions[Ready]")
                .remedy(Remedy::manual(
                    format!("bring node {} back: its kubelet then ends the pod properly", named.name),
                    "nothing is lost",
                ))
                .remedy(Remedy::manual(
                    format!(
                        "if the node is powered off for good: kubectl taint node {} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute, or kubectl delete node {}",
                        quote(&named.name), quote(&named.name)
                    ),
                    "the control plane then removes its pods and detaches its volumes; data is corrupted if the node is in fact alive",
                ))
                .remedy(force_delete(&pods))
                .objects(refs),
        );
    }
    Ok(())
}
