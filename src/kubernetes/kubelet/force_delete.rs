//! A pod that is force-deleted releases its identity, claims and devices while its containers may
//! still run.

use crate::facts::{Facts, Known, Readable, each};
use crate::kubernetes::kubelet::pods::has_identity;
use crate::kubernetes::storage::claim_name;
use crate::survey::{Form, Object};

/// The things that are released, by how much that may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Freed {
    /// Nothing that another pod could use.
    Nothing,
    /// Claims that several nodes may write to at a time.
    Shared,
    /// Claims for devices: they are released with the pod, before its kubelet has had the driver release
    /// them (kubernetes/kubernetes: `pkg/controller/resourceclaim/controller.go`).
    Devices,
    /// The name of a pod of a `StatefulSet`, or a claim with a single writer.
    Identity,
}

/// How many claims of a pod are read.
const MAX_CLAIMS: usize = 5;

/// The things that the deletion of `pod` from the API releases. A claim that cannot be read counts as
/// one with a single writer.
pub(crate) fn frees(pod: &Object, facts: &Facts<'_>) -> Known<Freed> {
    let devices = if pod.array("/spec/resourceClaims").is_empty() { Freed::Nothing } else { Freed::Devices };
    if !has_identity(pod) {
        return Ok(devices);
    }
    if pod.metadata.owner_references.iter().any(|owner| owner.kind == "StatefulSet") {
        return Ok(Freed::Identity);
    }
    let Some(kind) = facts.preferred("", "persistentvolumeclaims") else { return Ok(Freed::Identity) };
    let names: Vec<String> = pod.array("/spec/volumes").iter().filter_map(|volume| claim_name(pod, volume)).collect();
    let namespace = pod.metadata.namespace.as_deref();
    let shared = each(names.iter().take(MAX_CLAIMS), |name| {
        let claim = facts.get(&kind.id, namespace, name, Form::Whole).if_readable()?.flatten();
        Ok(claim.is_some_and(are_many))
    })?;
    let all = names.len() <= MAX_CLAIMS && shared.into_iter().all(|shared| shared);
    Ok(if all { devices.max(Freed::Shared) } else { Freed::Identity })
}

/// Whether several nodes, or none, may write to the volume of a claim.
fn are_many(claim: &Object) -> bool {
    let modes = claim.array("/spec/accessModes");
    !modes.is_empty() && modes.iter().all(|mode| matches!(mode.as_str(), Some("ReadWriteMany" | "ReadOnlyMany")))
}
