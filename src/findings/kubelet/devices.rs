//! Devices that a kubelet cannot release, as far as can be seen.

use crate::kubernetes::kubelet::devices::PodDevices;
use crate::needs::Draft;
use crate::plan::quote;
use crate::report::{Ref, Remedy, Sentence};

/// The problem of the pod's devices, in words; `None` if it has none.
pub(crate) fn words(devices: &[PodDevices], node: &Ref) -> Option<String> {
    let wrong = devices.iter().find(|devices| devices.is_wrong());
    let Some(PodDevices { name, claim, driver, .. }) = wrong else {
        let first = devices.first()?;
        let driver = first.driver.as_deref().map(|driver| format!(" of driver {driver}")).unwrap_or_default();
        return Some(format!("its devices{driver} are perhaps not released, or its sandbox is not removed"));
    };
    Some(match (claim, driver) {
        (None, _) => {
            format!("its kubelet has to release its devices ({name}), but its status names no ResourceClaim for them")
        }
        (Some(claim), _) if claim.missing => {
            format!("its kubelet has to release its devices, but {claim} does not exist")
        }
        (_, Some(driver)) => {
            format!("driver {driver}, which has to release its devices, is not registered on node {}", node.name)
        }
        _ => return None,
    })
}

/// Adds the facts about the devices of `pod`, and how to bring back their driver.
pub(crate) fn told(draft: Draft, devices: &[PodDevices], pod: &Ref, node: &Ref) -> Draft {
    devices.iter().fold(draft, |draft, devices| {
        let PodDevices { name, claim, driver, is_offered, is_unknown } = devices;
        let draft = match (claim, driver) {
            (None, _) => {
                draft.evidence(format!("names no ResourceClaim for {name}"), pod, "status.resourceClaimStatuses")
            }
            (Some(claim), Some(driver)) => {
                draft.evidence(format!("its devices are of driver {driver}"), claim, "status.allocation")
            }
            (Some(claim), None) if claim.missing => draft.evidence("does not exist", claim, "metadata"),
            (Some(claim), None) => draft.evidence("no devices are allocated", claim, "status.allocation"),
        };
        let Some(driver) = driver else { return draft };
        if *is_unknown {
            return draft
                .evidence(format!("its kubelet has said that driver {driver} is not registered"), pod, "events")
                .remedy_first(bring_back(driver, node));
        }
        match is_offered {
            Some(true) => draft.remark(format!("driver {driver} offers devices on node {}", node.name)),
            Some(false) => draft
                .remark(format!(
                    "driver {driver} has no ResourceSlice for node {}: it is not registered there",
                    node.name
                ))
                .remedy_first(bring_back(driver, node)),
            None => draft.remark(format!("could not read whether driver {driver} is on node {}", node.name)),
        }
    })
}

fn bring_back(driver: &str, node: &Ref) -> Remedy {
    let of_node = quote(&format!("spec.nodeName={}", node.name));
    Remedy::manual(
        Sentence::from(format!("bring driver {driver} back on node {}, where it is not registered", node.name))
            .by(format_args!("kubectl get resourceslices --field-selector {of_node}"))
            .by("kubectl get daemonsets -A"),
        "nothing is lost: the kubelet then releases the devices by itself",
    )
}
