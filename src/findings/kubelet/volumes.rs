//! Volumes that the kubelet of a pod's node cannot unmount, because their driver does not work there.

use crate::kubernetes::kubelet::volumes::MountedVolume;
use crate::needs::Draft;
use crate::plan::{in_namespace, one, quote};
use crate::report::{Ref, Remedy, Sentence};

/// In words, which driver does not unmount a volume; `None` if all drivers work.
pub(crate) fn words(volumes: &[MountedVolume], node: &Ref) -> Option<String> {
    let MountedVolume { driver, agent, .. } = volumes.iter().find(|volume| volume.is_unserved())?;
    Some(match agent {
        Some((agent, Some(_))) => format!("{agent}, which has to unmount its volume, is not Ready"),
        _ => format!("driver {driver}, which has to unmount its volume, is not registered on node {}", node.name),
    })
}

/// Adds that the driver of a volume does not work on the node: nothing else unmounts it.
pub(crate) fn unserved(draft: Draft, volumes: &[MountedVolume], node: &Ref) -> Draft {
    let draft = volumes.iter().fold(draft, |draft, volume| on_the_way(draft, volume, node));
    let Some(volume) = volumes.iter().find(|volume| volume.is_unserved()) else { return draft };
    let driver = &volume.driver;
    match &volume.agent {
        Some((agent, Some(why))) => draft.waits_for(agent.clone()).remedy_first(Remedy::manual(
            Sentence::from(format!("repair {agent}, which serves driver {driver} on node {}: ", node.name))
                .then(Sentence::reason(why))
                .by(format_args!("kubectl describe {}{}", one("pod", &agent.name), in_namespace(agent))),
            "nothing is lost: the kubelet then unmounts the volume by itself",
        )),
        _ => draft.remedy_first(Remedy::manual(
            Sentence::from(format!("bring driver {driver} back on node {}, where it is not registered", node.name))
                .by("kubectl get daemonsets -A")
                .by(format_args!("kubectl get {} -o yaml", quote(&format!("csinode/{}", node.name)))),
            "nothing is lost: the kubelet then unmounts the volume by itself",
        )),
    }
}

/// Adds the way from the claim to the driver's pod on the node.
fn on_the_way(draft: Draft, volume: &MountedVolume, node: &Ref) -> Draft {
    let driver = &volume.driver;
    let draft = draft.with_each(&volume.claim, |draft, (claim, of)| {
        draft.evidence(format!("{claim} is bound to it, of driver {driver}"), of, "spec.csi.driver")
    });
    let draft = match &volume.registered {
        Some((true, csi_node)) => draft.evidence(format!("lists driver {driver}"), csi_node, "spec.drivers"),
        Some((false, csi_node)) => draft.evidence(format!("does not list driver {driver}"), csi_node, "spec.drivers"),
        None => draft.remark(format!("could not read whether driver {driver} is registered on node {}", node.name)),
    };
    match &volume.agent {
        Some((agent, Some(why))) => draft.evidence(
            Sentence::from(format!("serves driver {driver} on the node but is not Ready: "))
                .then(Sentence::reason(why)),
            agent,
            "status.conditions[Ready]",
        ),
        Some((agent, None)) => {
            draft.evidence(format!("serves driver {driver} on the node and is Ready"), agent, "status")
        }
        None if volume.looked => draft.remark(format!("no pod on node {} names driver {driver}", node.name)),
        None => draft,
    }
}
