//! Work that the kubelet of a Ready node could not do for a pod: have its devices released, or its volumes
//! unmounted, by drivers that are not on its node.

use crate::facts::{Facts, Known, flat_each};
use crate::kubernetes::kubelet::devices::{UnreturnedDevices, unserved};
use crate::kubernetes::kubelet::volumes::{MountedVolume, mounted};
use crate::needs::Draft;
use crate::plan::{one, quote};
use crate::report::{Cause, Ref, Remedy, Sentence};
use crate::survey::Seen;

/// How many pods of a node are checked.
const MAX_PODS: usize = 5;

/// The findings for devices of `pods`, which run on `node`, that no driver there would release.
pub(crate) fn devices(pods: &[Seen<'_>], node: Seen<'_>, facts: &Facts<'_>) -> Known<Vec<Draft>> {
    let node = Ref::from(node);
    flat_each(pods.iter().take(MAX_PODS), |pod| {
        let found = unserved(pod.object, &node.name, facts)?;
        Ok(found.into_iter().map(|it| device(*pod, &node, &it)).collect::<Vec<_>>())
    })
}

fn device(pod: Seen<'_>, node: &Ref, UnreturnedDevices { claim, driver }: &UnreturnedDevices) -> Draft {
    let pod = Ref::from(pod);
    let summary = Sentence::from(&pod)
        .then(format!(
            " would wait for the kubelet of node {}: driver {driver}, which releases the devices of ",
            node.name
        ))
        .then(claim)
        .then(", is not registered");
    let title = Sentence::from(format!("bring driver {driver} back on node {} before you delete", node.name))
        .by(format_args!("kubectl get resourceslices --field-selector=spec.nodeName={}", quote(&node.name)));
    Draft::new(Cause::Kubelet, pod.clone(), summary)
        .waits_for(node.clone())
        .evidence(format!("devices of driver {driver} are allocated"), claim, "status.allocation.devices")
        .evidence(format!("no ResourceSlice of {driver} is of this node"), node, "ResourceSlices")
        .likely()
        .remedy(Remedy::manual(title, "nothing is lost: the kubelet then ends the pod properly"))
}

/// The findings for volumes of `pod`, which runs on `node`, that no driver there would unmount.
pub(crate) fn volumes(pod: Seen<'_>, node: Seen<'_>, facts: &Facts<'_>) -> Known<Vec<Draft>> {
    let (pod, node, object) = (Ref::from(pod), Ref::from(node), pod.object);
    let found = mounted(object, &node.name, facts)?;
    let fails = |volume: &&MountedVolume| {
        // Without a CSINode, the registered drivers are unknown.
        let known = volume.registered.as_ref().is_some_and(|(_, csi_node)| !csi_node.missing);
        known && volume.is_unserved()
    };
    Ok(found.iter().filter(fails).map(|volume| unmount(volume, &pod, &node)).collect())
}

fn unmount(volume: &MountedVolume, pod: &Ref, node: &Ref) -> Draft {
    let driver = &volume.driver;
    let why = match (&volume.registered, &volume.agent) {
        (Some((false, _)), _) => format!("driver {driver} is not registered there"),
        (_, Some((agent, Some(reason)))) => format!("{agent} of driver {driver} is not Ready: {reason}"),
        _ => format!("driver {driver} is not registered"),
    };
    let what = volume.claim.as_ref().map_or_else(|| "its volume".to_owned(), |(claim, _)| claim.to_string());
    let summary = Sentence::from(pod)
        .then(format!(" would wait for the kubelet of node {}, which cannot unmount {what}: {why}", node.name));
    let title = Sentence::from(format!("bring driver {driver} back on node {} before you delete", node.name))
        .by(format_args!("kubectl get {} -o yaml", one("csinode", &node.name)));
    let draft = Draft::new(Cause::Kubelet, pod.clone(), summary).waits_for(node.clone());
    let draft = match &volume.registered {
        Some((false, csi_node)) => draft.evidence(format!("does not list {driver}"), csi_node, "spec.drivers"),
        _ => draft.evidence(why, volume.agent.as_ref().map_or(node, |(agent, _)| agent), "status.conditions"),
    };
    draft.likely().remedy(Remedy::manual(title, "nothing is lost: the kubelet then ends the pod properly"))
}
