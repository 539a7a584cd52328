//! A static pod is run by the kubelet from a manifest on its node; the API shows a mirror pod, which the
//! kubelet creates again (kubernetes/kubernetes: `pkg/kubelet/pod/mirror_client.go`).

use crate::facts::{Facts, Known, SETTLE, Target, since};
use crate::kubernetes::kubelet::foreseen::{self, PodsOnNode};
use crate::kubernetes::kubelet::is_mirror;
use crate::kubernetes::kubelet::pods::{NodeOfPod, by_node, node_ref, pods_in_words, waiting_for_kubelet};
use crate::needs::{Draft, Explains, Findings, Outlook, Rule, World};
use crate::plan::quote;
use crate::report::{Cause, Ref, Remedy, Sentence, counted, refs};
use crate::survey::{Condition, Seen};

pub(super) const RULE: Rule =
    Rule::new("static-pod", include_str!("static_pod.md"), &[Explains::Deleted(diagnose), Explains::Foreseen(foresee)]);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let overdue = waiting_for_kubelet(target, facts)?.into_iter().filter(|waiting| {
        let ended = waiting.pod.object.metadata.deletion_timestamp;
        let late = ended.is_some_and(|ended| since(ended, facts.now()) > SETTLE * 2);
        is_mirror(waiting.pod.object) && late && matches!(waiting.node, NodeOfPod::Ready(_))
    });
    for pods in by_node(overdue) {
        let refs: Vec<Ref> = pods.iter().map(|waiting| waiting.pod.into()).collect();
        let node = node_ref(&pods[0]);
        let source = pods[0].pod.object.metadata.annotations.get("kubernetes.io/config.source");
        let draft = Draft::new(
            Cause::Kubelet,
            refs[0].clone(),
            format!(
                "{} {} of node {}: a static pod ends only when its manifest there is removed",
                pods_in_words(&refs),
                if refs.len() == 1 { "mirrors a static pod" } else { "mirror static pods" },
                node.name
            ),
        )
        .waits_for(node.clone())
        .works()
        .evidence("mirrors a static pod", &refs[0], "metadata.annotations[kubernetes.io/config.mirror]")
        .in_summary()
        .remark("the kubelet deletes the mirror pod and creates it again as long as the manifest exists");
        let draft = match source {
            Some(source) => draft.evidence(
                format!("the manifest comes from: {source}"),
                &refs[0],
                "metadata.annotations[kubernetes.io/config.source]",
            ),
            None => draft,
        };
        found.add(
            draft
                .remedy(Remedy::manual(
                    Sentence::from(format!(
                        "remove its manifest on node {} (by default in /etc/kubernetes/manifests)",
                        node.name
                    ))
                    .by(format_args!(
                        "kubectl debug node/{} -it --image=busybox -- ls -l /host/etc/kubernetes/manifests",
                        quote(&node.name)
                    )),
                    "the static pod, which may be part of the control plane, ends; its mirror pod is deleted with it",
                ))
                .objects(refs),
        );
    }
    Ok(())
}

/// Foresees mirror pods on a Ready node.
fn foresee(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    for PodsOnNode { pods, node } in foreseen::by_node(target, world.content()?, facts)? {
        let mirrors: Vec<Seen<'_>> = pods.into_iter().filter(|pod| is_mirror(pod.object)).collect();
        let is_ready = node.object.condition("Ready").map(Condition::status) == Some("True");
        if mirrors.is_empty() || !is_ready {
            continue;
        }
        let first = Ref::from(mirrors[0]);
        let node = Ref::from(node);
        let title =
            format!("remove the manifest on node {} first (by default in /etc/kubernetes/manifests)", node.name);
        let summary =
            format!("{} would come back: the kubelet of node {} runs it from a manifest", counted(&mirrors), node.name);
        let draft = Draft::new(Cause::Kubelet, first.clone(), summary)
            .waits_for(node)
            .works()
            .evidence("mirrors a static pod", &first, "metadata.annotations[kubernetes.io/config.mirror]")
            .likely()
            .remedy(Remedy::manual(title, "the static pod ends"))
            .objects(refs(&mirrors));
        out.hangs(draft);
    }
    Ok(())
}
