//! Other facts about a pod that waits for its kubelet: its own status, its finalizers, and the objects that
//! it keeps in use.

use crate::kubernetes::kubelet::devices::claims_of;
use crate::kubernetes::kubelet::mounts;
use crate::kubernetes::kubelet::pods::WaitingPod;
use crate::needs::Draft;
use crate::report::Ref;
use crate::survey::{Object, is_collectors};

/// How many pods are described.
const MAX_PODS: usize = 3;

/// Adds the status of the first few pods, and everything that they have.
pub(crate) fn with_phase(draft: Draft, pods: &[WaitingPod<'_>]) -> Draft {
    let first = pods.iter().take(MAX_PODS);
    let said = first.fold(draft, |draft, waiting| {
        let phase = waiting.pod.object.text("/status/phase").unwrap_or("unknown");
        draft.evidence(format!("phase {phase}"), &waiting.pod.into(), "status.phase")
    });
    carried(said, pods)
}

/// Adds the finalizers, volumes and devices of the first few pods.
pub(crate) fn carried(draft: Draft, pods: &[WaitingPod<'_>]) -> Draft {
    pods.iter().take(MAX_PODS).fold(draft, |draft, waiting| {
        let (pod, named) = (waiting.pod.object, Ref::from(waiting.pod));
        let keys = finalizers(pod);
        let draft = match &keys[..] {
            [] => draft,
            keys => draft.evidence(
                format!("finalizer {} also holds it, whatever its kubelet does", keys.join(", ")),
                &named,
                "metadata.finalizers",
            ),
        };
        let in_use = [("volumes to unmount", mounts(pod)), ("devices to release", devices(pod))];
        let in_use: Vec<String> = in_use
            .iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(what, names)| format!("{what}: {}", names.join(", ")))
            .collect();
        if in_use.is_empty() { draft } else { draft.evidence(in_use.join("; "), &named, "spec.volumes") }
    })
}

/// The finalizers that the garbage collector does not remove.
pub(crate) fn finalizers(pod: &Object) -> Vec<&str> {
    pod.metadata.finalizers.iter().map(String::as_str).filter(|key| !is_collectors(key)).collect()
}

/// The claims for devices, in words.
fn devices(pod: &Object) -> Vec<String> {
    let words = |(name, claim): (&str, Option<&str>)| {
        claim.map_or_else(|| format!("{name} (no ResourceClaim yet)"), |claim| format!("ResourceClaim {claim}"))
    };
    claims_of(pod).into_iter().map(words).collect()
}
