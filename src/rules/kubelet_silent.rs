//! The node is reported as Ready, and its kubelet has not renewed its lease: it is dead, and the node
//! is not marked yet. The node controller marks it after 50 seconds, if it runs
//! (kubernetes/kubernetes: `pkg/controller/nodelifecycle/config/v1alpha1/defaults.go`).

use crate::facts::{Facts, Known, Target, for_each, since};
use crate::findings::controller_manager::controller_manager;
use crate::findings::kubelet::force::with_force_delete;
use crate::findings::kubelet::holdings::with_phase;
use crate::findings::kubelet::machine::{with_certificates, with_nature};
use crate::findings::kubelet::virtual_node::completed;
use crate::kubernetes::kubelet::node_facts::NodeFacts;
use crate::kubernetes::kubelet::overdue_by_node;
use crate::kubernetes::kubelet::pods::{NodeOfPod, node_ref, pods_wait};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Cause, Ref, Remedy, Sentence};
use jiff::SignedDuration;

pub(super) const RULE: Rule =
    Rule::new("kubelet-silent", include_str!("kubelet_silent.md"), &[Explains::Deleted(diagnose)]);

/// The node controller marks a node within this time.
const MARKED_WITHIN: SignedDuration = SignedDuration::from_secs(70);
/// The evidence for a node that is not marked yet.
const LAST_WORD: &str = "condition Ready has not been updated since then";

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    for_each(overdue_by_node(target, facts)?, |(pods, heard)| {
        let (Ok(Some(heard)), NodeOfPod::Ready(whole)) = (heard, pods[0].node) else { return Ok(()) };
        if !heard.silent {
            return Ok(());
        }
        let looked = NodeFacts::at(whole, facts)?;
        let refs: Vec<Ref> = pods.iter().map(|waiting| waiting.pod.into()).collect();
        let node = node_ref(&pods[0]);
        let summary = format!(
            "{} for the kubelet of node {}, which last reported {} ago",
            pods_wait(&refs),
            node.name,
            heard.ago(facts)
        );
        let mut draft = Draft::new(Cause::Kubelet, refs[0].clone(), summary)
            .waits_for(node.clone())
            .evidence(format!("runs on node {}", node.name), &refs[0], "spec.nodeName")
            .evidence(
                format!("renewed {} ago; a kubelet does so every 10s", heard.ago(facts)),
                &heard.lease,
                "spec.renewTime",
            )
            .quoted(LAST_WORD, &node, "status.conditions[Ready]");
        if since(heard.at, facts.now()) > MARKED_WITHIN {
            // A node that is not marked points at the node controller.
            draft = controller_manager(draft, facts)?;
        }
        let draft = with_phase(draft, &pods);
        if let Some(kubelet) = &looked.kubelet {
            found.add(completed(draft, &refs, &node, kubelet, None, facts)?.objects(refs));
            return Ok(());
        }
        let restart = if looked.nature.windows { "Restart-Service kubelet" } else { "systemctl restart kubelet" };
        let draft = with_certificates(draft, &looked.requests).remedy(Remedy::manual(
            Sentence::from(format!(
                "restart the kubelet of node {}, or bring the machine back: it then ends the pod properly",
                node.name
            ))
            .aside("on the node")
            .by(restart),
            "nothing is lost",
        ));
        let draft = with_nature(draft, whole, &node, &looked.nature, facts)?;
        found.add(with_force_delete(draft, &pods, facts)?.objects(refs));
        Ok(())
    })
}
