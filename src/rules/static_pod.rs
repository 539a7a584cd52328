//! A static pod is run by the kubelet from a manifest on its node; the API shows a mirror pod, which the
//! kubelet creates again (kubernetes/kubernetes: `pkg/kubelet/pod/mirror_client.go`).

use crate::facts::{Facts, Known, Target, is_pod};
use crate::kubernetes::kubelet::foreseen::{self, PodsOnNode};
use crate::kubernetes::kubelet::is_mirror;
use crate::needs::{Draft, Explains, Findings, Outlook, Rule, World};
use crate::plan::quote;
use crate::report::{Cause, Ref, Remedy, Sentence, counted, refs};
use crate::survey::{Condition, Seen};

pub(super) const RULE: Rule =
    Rule::new("static-pod", include_str!("static_pod.md"), &[Explains::Deleted(diagnose), Explains::Foreseen(foresee)]);

/// The kubelet removes a deleted mirror pod within seconds, so that people see its successor.
#[expect(clippy::unnecessary_wraps, reason = "as every rule is asked")]
fn diagnose(target: &Target<'_>, _: &Facts<'_>, found: &mut Findings) -> Known {
    let mirror = target.object();
    if target.is_deleting() || !is_pod(target.seen.resource) || !is_mirror(mirror) {
        return Ok(());
    }
    let object = target.reference();
    let node = mirror.metadata.owner_references.iter().find(|owner| owner.kind == "Node");
    let place = node.map_or_else(|| "its node".to_owned(), |node| format!("node {}", node.name));
    let summary = format!(
        "is not being deleted: it mirrors a static pod, and the kubelet creates it again after each deletion, as \
        long as the manifest is on {place}"
    );
    let draft = Draft::new(Cause::NotDeleting, object.clone(), Sentence::about(&object, summary))
        .evidence("mirrors a static pod", &object, "metadata.annotations[kubernetes.io/config.mirror]")
        .in_summary();
    let draft = draft.with_each(mirror.metadata.annotations.get("kubernetes.io/config.source"), |draft, source| {
        let text = format!("the manifest comes from: {source}");
        draft.evidence(text, &object, "metadata.annotations[kubernetes.io/config.source]")
    });
    let title = Sentence::from(format!("remove its manifest on {place} (by default in /etc/kubernetes/manifests)"));
    let title = match node {
        Some(node) => title.by(format_args!(
            "kubectl debug node/{} -it --image=busybox -- ls -l /host/etc/kubernetes/manifests",
            quote(&node.name)
        )),
        None => title,
    };
    found.add(draft.remedy(Remedy::manual(
        title,
        "the static pod, which may be part of the control plane, ends; its mirror pod is deleted with it",
    )));
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
