//! The drivers that unmount the volumes of a pod: from its claims to a driver's pod on its node.

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::kubernetes::built_in::named;
use crate::kubernetes::ownership::drivers::{Driver, Serves, driver_of, is_csi};
use crate::kubernetes::storage::claim_name;
use crate::kubernetes::workloads::health;
use crate::report::Ref;
use crate::survey::{Form, Object, Seen};
use serde_json::Value;

/// How many volumes of a pod are followed.
const MAX_VOLUMES: usize = 3;

/// A volume that a driver must unmount on a node.
#[derive(Debug)]
pub(crate) struct MountedVolume {
    /// The claim and the volume, unless the pod names the driver itself.
    pub(crate) claim: Option<(Ref, Ref)>,
    pub(crate) driver: String,
    /// Whether the node's `CSINode` lists the driver, and that object; `None` if it cannot be read.
    pub(crate) registered: Option<(bool, Ref)>,
    /// The driver's pod on the node, and why it is not Ready; `None` if there is none.
    pub(crate) agent: Option<(Ref, Option<String>)>,
    /// Whether the pods of the node could be read.
    pub(crate) looked: bool,
}

impl MountedVolume {
    /// Whether the driver certainly does not work on that node.
    pub(crate) fn is_unserved(&self) -> bool {
        let fails = matches!(&self.agent, Some((_, Some(_))));
        let unregistered = self.registered.as_ref().is_some_and(|(registered, _)| !registered);
        fails || unregistered
    }
}

/// The volumes of `pod` that drivers have mounted on the node `name`.
pub(crate) fn mounted(pod: &Object, name: &str, facts: &Facts<'_>) -> Known<Vec<MountedVolume>> {
    let namespace = pod.metadata.namespace.as_deref();
    let volumes = pod.array("/spec/volumes").iter().take(MAX_VOLUMES * 3);
    let found = flat_each(volumes, |volume| driver(pod, volume, namespace, facts))?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let nodes = facts.preferred("storage.k8s.io", "csinodes");
    let csi_node = nodes.map_or(Ok(None), |kind| facts.get(&kind.id, None, name, Form::Whole)).if_readable();
    let pods = facts.preferred("", "pods");
    let on_node = pods.map_or(Ok(Vec::new()), |pods| facts.pods_on(&pods.id, name)).if_readable();
    let (csi_node, on_node) = (csi_node?, on_node?);
    let all = found.into_iter().take(MAX_VOLUMES).map(|(claim, driver)| {
        let registered = csi_node.map(|csi_node| (lists(csi_node, &driver), csi_node_ref(name, csi_node)));
        let serves = Driver { name: driver.clone(), installed: None, known: false };
        let of_it = |other: &&&Object| other.uid() != pod.uid() && serves.served_by(other) == Serves::Named;
        let agent = on_node.iter().flatten().find(of_it).zip(pods).map(|(agent, pods)| {
            let why = (!health::says_ready(agent)).then(|| health::why_not_ready(agent));
            (Ref::from(Seen { resource: pods, object: agent }), why)
        });
        MountedVolume { claim, driver, registered, agent, looked: on_node.is_some() }
    });
    Ok(all.collect())
}

type Claimed = (Option<(Ref, Ref)>, String);

/// The driver of a pod's volume, with the claim and the volume through which it was found.
fn driver(pod: &Object, volume: &Value, namespace: Option<&str>, facts: &Facts<'_>) -> Known<Option<Claimed>> {
    let text = |pointer: &str| volume.pointer(pointer).and_then(Value::as_str);
    if let Some(driver) = text("/csi/driver") {
        return Ok(Some((None, driver.to_owned())));
    }
    let Some(name) = claim_name(pod, volume) else { return Ok(None) };
    let kinds = facts.preferred("", "persistentvolumeclaims").zip(facts.preferred("", "persistentvolumes"));
    let Some((claims, volumes)) = kinds else { return Ok(None) };
    let claim = facts.get(&claims.id, namespace, &name, Form::Whole).if_readable()?.flatten();
    let Some((claim, bound)) = claim.and_then(|claim| Some((claim, claim.text("/spec/volumeName")?))) else {
        return Ok(None);
    };
    let Some(volume) = facts.get(&volumes.id, None, bound, Form::Whole).if_readable()?.flatten() else {
        return Ok(None);
    };
    let seen = Seen { resource: volumes, object: volume };
    let driver = driver_of(seen).filter(|driver| is_csi(driver));
    Ok(driver.map(|driver| (Some((Ref::of(claims, claim), Ref::from(seen))), driver.to_owned())))
}

/// Whether a driver is registered on a node.
fn lists(csi_node: Option<&Object>, driver: &str) -> bool {
    let drivers = csi_node.map_or(&[][..], |csi_node| csi_node.array("/spec/drivers"));
    drivers.iter().any(|entry| entry.get("name").and_then(Value::as_str) == Some(driver))
}

fn csi_node_ref(name: &str, csi_node: Option<&Object>) -> Ref {
    let named = named("storage.k8s.io/v1", "CSINode", "csinodes", None, name);
    match csi_node {
        Some(csi_node) => named.with_uid(csi_node.uid()),
        None => named.missing(),
    }
}
