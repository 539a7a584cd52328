//! The devices that a kubelet must release before it reports the end of a pod: it calls the driver
//! on its node, and retries until the driver has released them (kubernetes/kubernetes:
//! `pkg/kubelet/kubelet.go`, `SyncTerminatingPod`; `pkg/kubelet/cm/dra/manager.go`).

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::kubernetes::kubelet::PodEvent;
use crate::kubernetes::messages::mentions;
use crate::report::Ref;
use crate::survey::{Form, Object, Resource, Seen};
use serde_json::Value;
use std::collections::BTreeSet;

/// How many claims of a pod are followed.
const MAX_CLAIMS: usize = 4;

/// Devices of a driver that a pod has, or was to get.
#[derive(Debug)]
pub(crate) struct PodDevices {
    /// Their name in the pod.
    pub(crate) name: String,
    /// The claim; `None` if the pod's status names none for them (any more).
    pub(crate) claim: Option<Ref>,
    /// The driver of the devices, if some are allocated.
    pub(crate) driver: Option<String>,
    /// Whether the driver offers devices on the node: if not, it does not run there. `None` if that
    /// could not be read.
    pub(crate) is_offered: Option<bool>,
    /// Whether the kubelet has reported that it does not know the driver.
    pub(crate) is_unknown: bool,
}

impl PodDevices {
    /// Whether the problem is known.
    pub(crate) fn is_wrong(&self) -> bool {
        self.claim.as_ref().is_none_or(|claim| claim.missing) || self.is_offered == Some(false) || self.is_unknown
    }
}

/// The kinds of claims for devices and of offers, if the server serves both.
fn kinds<'s>(facts: &Facts<'s>) -> Option<(&'s Resource, &'s Resource)> {
    let kind = |plural: &str| facts.preferred("resource.k8s.io", plural);
    kind("resourceclaims").zip(kind("resourceslices"))
}

/// The devices of `pod`, which is on the node `node`.
pub(crate) fn devices(pod: &Object, node: &str, facts: &Facts<'_>) -> Known<Vec<PodDevices>> {
    let Some((claims, slices)) = kinds(facts) else { return Ok(Vec::new()) };
    let wanted = claims_of(pod);
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let namespace = pod.metadata.namespace.as_deref();
    let offered = facts.list(&slices.id, None, Form::Whole).if_readable();
    let found = flat_each(wanted.into_iter().take(MAX_CLAIMS), |(name, claim)| {
        let Some(claim) = claim else {
            return Ok(Some((name, None, None)));
        };
        let Some(read) = facts.get(&claims.id, namespace, claim, Form::Whole).if_readable()? else {
            return Ok(None);
        };
        let named = read.map_or_else(
            || Ref::absent(claims, namespace.map(ToOwned::to_owned), claim),
            |object| Ref::of(claims, object),
        );
        Ok(Some((name, Some(named), read.and_then(|claim| drivers(claim).next()))))
    });
    let offered = offered?;
    let offers = |driver: &str| offered.map(|slices| is_offered(slices, driver, node));
    let all = found?.into_iter().map(|(name, claim, driver)| {
        let is_offered = driver.and_then(offers);
        PodDevices {
            name: name.to_owned(),
            claim,
            driver: driver.map(ToOwned::to_owned),
            is_offered,
            is_unknown: false,
        }
    });
    Ok(all.collect())
}

/// The reason of a kubelet's events about devices that it could not get for a pod. The same driver
/// must release them (kubernetes/kubernetes: `pkg/kubelet/events/event.go`).
pub(crate) const NOT_PREPARED: &str = "failedpreparedynamicresources";

/// Marks the devices whose driver the kubelet does not know, according to its events
/// (kubernetes/kubernetes: `pkg/kubelet/cm/dra/plugin/dra_plugin_manager.go`).
pub(crate) fn mark_unknown(devices: &mut [PodDevices], told: &[PodEvent]) {
    let is_unknown = |driver: &str| {
        let says = |told: &PodEvent| told.message.contains("registered") && mentions(&told.message, driver);
        told.iter().any(says)
    };
    for it in devices {
        it.is_unknown = it.driver.as_deref().is_some_and(is_unknown);
    }
}

/// Devices whose driver must release them and is not on the node.
#[derive(Debug)]
pub(crate) struct UnreturnedDevices {
    pub(crate) claim: Ref,
    pub(crate) driver: String,
}

/// The devices of `pod` whose drivers offer none on the node `name`, nor any for all nodes.
pub(crate) fn unserved(pod: &Object, name: &str, facts: &Facts<'_>) -> Known<Vec<UnreturnedDevices>> {
    let Some((claims, slices)) = kinds(facts) else { return Ok(Vec::new()) };
    let namespace = pod.metadata.namespace.as_deref();
    let named = claims_of(pod).into_iter().filter_map(|(_, claim)| claim);
    let allocated = flat_each(named.take(MAX_CLAIMS), |claim| {
        let claim = facts.get(&claims.id, namespace, claim, Form::Whole).or_note(facts)?.flatten();
        let drivers = claim.into_iter().flat_map(|object| {
            let drivers: BTreeSet<&str> = drivers(object).collect();
            let claim = Ref::from(Seen { resource: claims, object });
            drivers.into_iter().map(move |driver| UnreturnedDevices { claim: claim.clone(), driver: driver.to_owned() })
        });
        Ok(drivers.collect::<Vec<_>>())
    })?;
    if allocated.is_empty() {
        return Ok(allocated);
    }
    let Some(offered) = facts.list(&slices.id, None, Form::Whole).or_note(facts)? else { return Ok(Vec::new()) };
    Ok(allocated.into_iter().filter(|it| !is_offered(offered, &it.driver, name)).collect())
}

/// The device claims of a pod, by its own names for them: a claim that the pod names, or one created
/// from a template (kubernetes/kubernetes: `staging/src/k8s.io/api/core/v1/types.go`,
/// `PodResourceClaim`). `None` if its status names none for a template.
pub(crate) fn claims_of(pod: &Object) -> Vec<(&str, Option<&str>)> {
    let made = pod.array("/status/resourceClaimStatuses");
    let named = pod.array("/spec/resourceClaims").iter().filter_map(|entry| {
        let name = entry.get("name")?.as_str()?;
        let own = entry.get("resourceClaimName").and_then(Value::as_str);
        let made = made.iter().find(|made| made.get("name").and_then(Value::as_str) == Some(name));
        Some((name, own.or_else(|| made?.get("resourceClaimName")?.as_str())))
    });
    named.collect()
}

/// The drivers of the devices that are allocated to a claim.
fn drivers(claim: &Object) -> impl Iterator<Item = &str> {
    let results = claim.array("/status/allocation/devices/results").iter();
    results.filter_map(|result| result.get("driver")?.as_str())
}

/// Whether a driver offers devices on a node, according to the `ResourceSlices`: a slice without a
/// node's name is for several nodes.
pub(crate) fn is_offered(slices: &[Object], driver: &str, node: &str) -> bool {
    slices.iter().any(|slice| {
        slice.text("/spec/driver") == Some(driver) && slice.text("/spec/nodeName").is_none_or(|name| name == node)
    })
}
