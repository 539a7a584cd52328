//! The last resort for a pod whose kubelet does not answer.

use crate::facts::{Facts, Known, each};
use crate::findings::kubelet::holdings;
use crate::kubernetes::kubelet::force_delete::{Freed, frees};
use crate::kubernetes::kubelet::pods::WaitingPod;
use crate::kubernetes::kubelet::pull::never_began;
use crate::needs::Draft;
use crate::plan::{quote, steps};
use crate::plugin::COMMAND;
use crate::report::{Ref, Remedy, Risk, and_more};
use std::collections::BTreeSet;

/// Adds the last resort for pods whose kubelet does not answer. It cannot suffice for pods with finalizers:
/// these must be removed first.
pub(crate) fn with_force_delete(draft: Draft, pods: &[WaitingPod<'_>], facts: &Facts<'_>) -> Known<Draft> {
    Ok(with_finalizers_first(draft, pods).remedies(only_force_delete(pods, facts)?))
}

/// Adds the finalizers, which hold pods whatever the state of their containers.
pub(crate) fn with_finalizers_first(draft: Draft, pods: &[WaitingPod<'_>]) -> Draft {
    let (held, _) = by_finalizers(pods);
    draft.remedies(held.first().map(|first| finalizers_first(first, &held)))
}

/// The force deletion of the pods without finalizers; `None` if all have some.
pub(crate) fn only_force_delete(pods: &[WaitingPod<'_>], facts: &Facts<'_>) -> Known<Option<Remedy>> {
    let (_, free) = by_finalizers(pods);
    let freed = each(&free, |waiting| frees(waiting.pod.object, facts))?;
    Ok(force_delete(&free, freed.into_iter().max().unwrap_or(Freed::Nothing)))
}

/// The pods with finalizers, and the others.
pub(crate) fn by_finalizers<'s>(pods: &[WaitingPod<'s>]) -> (Vec<WaitingPod<'s>>, Vec<WaitingPod<'s>>) {
    pods.iter().partition(|waiting| !holdings::finalizers(waiting.pod.object).is_empty())
}

fn finalizers_first(first: &WaitingPod<'_>, held: &[WaitingPod<'_>]) -> Remedy {
    let keys: BTreeSet<&str> = held.iter().flat_map(|waiting| holdings::finalizers(waiting.pod.object)).collect();
    let keys = keys.into_iter().collect::<Vec<_>>().join(", ");
    let named = Ref::from(first.pod);
    let more = and_more(held.len() - 1);
    Remedy::command(
        format!("before you force it, release finalizer {keys} of {named}{more}, which would still hold the pod"),
        format_args!("{COMMAND} explain {}", quote(holdings::finalizers(first.pod.object)[0])),
        "nothing is lost: the controller that set it does its clean-up",
    )
}

fn force_delete(pods: &[WaitingPod<'_>], freed: Freed) -> Option<Remedy> {
    let (risk, consequence) = match freed {
        Freed::Nothing if pods.iter().all(|waiting| never_began(waiting.pod.object)) => {
            (Risk::Disruptive, "no container of it has begun: nothing of it runs on the node")
        }
        Freed::Nothing => (
            Risk::Disruptive,
            "the containers may keep running on the node, unseen, beside those of its replacement: it may run twice",
        ),
        Freed::Shared => (
            Risk::Disruptive,
            "the containers may keep running on the node, unseen, beside those of its replacement, and keep writing to \
            a volume that others may also write to",
        ),
        Freed::Devices => (
            Risk::Leaks,
            "its devices are given to others before their driver has released them on the node; the containers may \
            still use them",
        ),
        Freed::Identity => (
            Risk::LosesData,
            "if the containers are still running on the node, there may be two pods of one name or two writers to one \
            volume: data may be lost",
        ),
    };
    let steps = pods.iter().map(|waiting| steps::force_delete_pod::step(&waiting.pod.into()));
    let remedy = Remedy::of_all(steps, format!("force-delete {} pods", pods.len()), risk, consequence)?;
    Some(if pods.iter().all(|waiting| waiting.node.is_out()) { remedy } else { remedy.by_name() })
}
