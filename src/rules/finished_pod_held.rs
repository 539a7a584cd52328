//! A pod whose containers are over and whose kubelet is done is held by
//! finalizers alone. kubectl shows it as Completed or Error, not as Terminating
//! (kubernetes/kubernetes: pkg/printers/internalversion/printers.go).

use super::Rule;
use super::held_by_finalizer::{by_finalizer, drafts};
use super::support::kubelet_is_done;
use crate::diagnosis::{Cause, Facts, Findings, Known, SETTLE, Target, is_late};

pub(super) const RULE: Rule =
    Rule { name: "finished-pod-held", explanation: include_str!("finished_pod_held.md"), diagnose };

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let pods = target.deleting_pods(facts)?;
    let held = pods.into_iter().filter(|pod| kubelet_is_done(pod.object) && is_late(pod.object, facts, SETTLE));
    let groups = by_finalizer(held);
    for (draft, (_, pods)) in drafts(target, Cause::Finalizer, &groups, facts)?.into_iter().zip(&groups) {
        let phase = pods[0].object.text("/status/phase").unwrap_or("unknown");
        found.add(draft.evidence(
            format!("the kubelet is no longer waited for (phase {phase}): only finalizers hold it"),
            &pods[0].into(),
            "metadata.deletionGracePeriodSeconds",
        ));
    }
    Ok(())
}
