//! Who is to take the devices of a pod back: from its claims to the driver on its node
//! (kubernetes/kubernetes: `pkg/kubelet/cm/dra/manager.go`, `unprepareResources`).

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::report::Ref;
use crate::survey::{Form, Object, Seen};
use serde_json::Value;
use std::collections::BTreeSet;

/// How many claims of a pod are followed.
const MAX_CLAIMS: usize = 4;

/// Devices that a driver which is not on the node has to take back.
#[derive(Debug)]
pub(crate) struct Unserved {
    pub(crate) claim: Ref,
    pub(crate) driver: String,
}

/// The drivers of the devices of `pod` that offer nothing on the node `name`, nor anything that
/// every node may use.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn unserved(pod: &Object, name: &str, facts: &Facts<'_>) -> Known<Vec<Unserved>> {
    let (Some(claims), Some(slices)) =
        (facts.preferred("resource.k8s.io", "resourceclaims"), facts.preferred("resource.k8s.io", "resourceslices"))
    else {
        return Ok(Vec::new());
    };
    let namespace = pod.metadata.namespace.as_deref();
    let allocated = flat_each(names(pod).into_iter().take(MAX_CLAIMS), |claim| {
        let claim = facts.get(&claims.id, namespace, claim, Form::Whole).or_note(facts)?.flatten();
        let drivers = claim.into_iter().flat_map(|object| {
            let results = object.array("/status/allocation/devices/results").iter();
            let drivers: BTreeSet<&str> = results.filter_map(|result| result.get("driver")?.as_str()).collect();
            let claim = Ref::from(Seen { resource: claims, object });
            drivers.into_iter().map(move |driver| Unserved { claim: claim.clone(), driver: driver.to_owned() })
        });
        Ok(drivers.collect::<Vec<_>>())
    })?;
    if allocated.is_empty() {
        return Ok(allocated);
    }
    let Some(offered) = facts.list(&slices.id, None, Form::Whole).or_note(facts)? else { return Ok(Vec::new()) };
    let offers = |slice: &Object, driver: &str| {
        slice.text("/spec/driver") == Some(driver) && slice.text("/spec/nodeName").is_none_or(|node| node == name)
    };
    Ok(allocated.into_iter().filter(|it| !offered.iter().any(|slice| offers(slice, &it.driver))).collect())
}

/// The claims of a pod, by name: its own, or made for it from a template.
fn names(pod: &Object) -> Vec<&str> {
    let made = pod.array("/status/resourceClaimStatuses");
    let named = pod.array("/spec/resourceClaims").iter().filter_map(|entry| {
        let own = entry.get("resourceClaimName").and_then(Value::as_str);
        let made = made.iter().find(|made| made.get("name") == entry.get("name"));
        own.or_else(|| made?.get("resourceClaimName")?.as_str())
    });
    named.collect()
}
