//! The devices that a kubelet has to give back before it reports the end of a pod: it asks the
//! driver on its node, and tries again until that has let go of them (kubernetes/kubernetes:
//! `pkg/kubelet/kubelet.go`, `SyncTerminatingPod`; `pkg/kubelet/cm/dra/manager.go`).

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::report::{Named, Ref};
use crate::survey::{Form, Object};
use serde_json::Value;

/// How many claims of a pod are followed.
const MAX_CLAIMS: usize = 4;

/// What a pod has been given, or was to be given, by a driver of devices.
#[derive(Debug)]
pub(crate) struct PodDevices {
    /// The name within the pod.
    pub(crate) name: String,
    /// The claim; `None` where the pod's status names none for it (any more).
    pub(crate) claim: Option<Ref>,
    /// The driver of the devices, where some are allocated.
    pub(crate) driver: Option<String>,
    /// Whether the driver offers devices on the node: one that does not is not there. `None` where
    /// that could not be read.
    pub(crate) is_offered: Option<bool>,
}

impl PodDevices {
    /// Whether what is wrong is known.
    pub(crate) fn is_wrong(&self) -> bool {
        self.claim.as_ref().is_none_or(|claim| claim.missing) || self.is_offered == Some(false)
    }
}

/// The devices of `pod`, whose node is `node`.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn devices(pod: &Object, node: &str, facts: &Facts<'_>) -> Known<Vec<PodDevices>> {
    let (Some(claims), Some(slices)) =
        (facts.preferred("resource.k8s.io", "resourceclaims"), facts.preferred("resource.k8s.io", "resourceslices"))
    else {
        return Ok(Vec::new());
    };
    let wanted = claimed(pod);
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let namespace = pod.metadata.namespace.as_deref();
    let offered = facts.list(&slices.id, None, Form::Whole).if_readable();
    let found = flat_each(wanted.into_iter().take(MAX_CLAIMS), |(name, claim)| {
        let Some(claim) = claim else {
            return Ok(Some((name, None, None)));
        };
        let Some(read) = facts.get(&claims.id, namespace, &claim, Form::Whole).if_readable()? else {
            return Ok(None);
        };
        let named = Ref::from(Named {
            api_version: claims.id.api_version(),
            kind: claims.kind.clone(),
            resource: claims.id.plural.clone(),
            namespace: namespace.map(ToOwned::to_owned),
            name: claim,
            ..Named::default()
        });
        let named = read.map_or_else(|| named.missing(), |object| Ref::of(claims, object));
        Ok(Some((name, Some(named), read.and_then(driver))))
    });
    let offered = offered?;
    let offers = |driver: &str| {
        let is_there = |slice: &Object| {
            // One without a node's name is for several nodes.
            slice.text("/spec/driver") == Some(driver) && slice.text("/spec/nodeName").is_none_or(|name| name == node)
        };
        offered.map(|slices| slices.iter().any(is_there))
    };
    let all = found?.into_iter().map(|(name, claim, driver)| {
        let is_offered = driver.as_deref().and_then(offers);
        PodDevices { name, claim, driver, is_offered }
    });
    Ok(all.collect())
}

/// The claims of a pod by its own names for them: by name, or made for it from a template.
fn claimed(pod: &Object) -> Vec<(String, Option<String>)> {
    let text = |value: &Value, field: &str| value.get(field).and_then(Value::as_str).map(str::to_owned);
    let made = pod.array("/status/resourceClaimStatuses");
    let claim = |entry: &Value| {
        let name = text(entry, "name")?;
        let made = made.iter().find(|made| text(made, "name").as_ref() == Some(&name));
        let claim = text(entry, "resourceClaimName").or_else(|| text(made?, "resourceClaimName"));
        Some((name, claim))
    };
    pod.array("/spec/resourceClaims").iter().filter_map(claim).collect()
}

/// The driver of the first of the devices that a claim has been given.
fn driver(claim: &Object) -> Option<String> {
    let first = claim.array("/status/allocation/devices/results").first()?;
    first.get("driver")?.as_str().map(str::to_owned)
}
