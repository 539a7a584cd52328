//! Finalizers by which Kubernetes and its CSI controllers keep what is in use, and
//! who uses what.

pub(crate) mod attachment;
mod claim;
pub(crate) mod snapshots;

pub(crate) use claim::{Claim, claim_name, claim_of};

use crate::facts::OwnedFinalizer;
use crate::survey::{Object, Resource, Seen};

/// Keeps a claim that pods use (kubernetes/kubernetes: `pkg/volume/util/finalizer.go`).
pub(crate) const CLAIM_IN_USE: &str = "kubernetes.io/pvc-protection";
/// Keeps a volume that is bound.
pub(crate) const VOLUME_BOUND: &str = "kubernetes.io/pv-protection";
/// Keeps a claim for devices that pods use (kubernetes/kubernetes:
/// `staging/src/k8s.io/api/resource/v1/types.go`).
pub(crate) const DEVICES_IN_USE: &str = "resource.kubernetes.io/delete-protection";
/// Keeps a class that claims or volumes name.
pub(crate) const CLASS_IN_USE: &str = "kubernetes.io/vac-protection";
/// Keep a volume or an attachment until it is detached and deleted behind
/// (kubernetes-csi/external-attacher: `pkg/controller/util.go`).
pub(crate) const ATTACHED: [OwnedFinalizer; 4] = [
    OwnedFinalizer::new("persistentvolumes", "external-attacher/"),
    OwnedFinalizer::new("volumeattachments.storage.k8s.io", "external-attacher/"),
    OwnedFinalizer::new("persistentvolumes", "external-provisioner.volume.kubernetes.io/finalizer"),
    OwnedFinalizer::new("persistentvolumes", "kubernetes.io/pv-controller"),
];
/// Snapshots, their contents and the claims that they are made of
/// (kubernetes-csi/external-snapshotter: `pkg/utils/util.go`).
const SNAPSHOTS: [&str; 4] = [
    "snapshot.storage.kubernetes.io/pvc-as-source-protection",
    "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection",
    "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection",
    "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection",
];

fn is(resource: &Resource, group: &str, plural: &str) -> bool {
    resource.id.group == group && resource.id.plural == plural
}

/// Whether a resource is claims of storage.
pub(crate) fn is_claim(resource: &Resource) -> bool {
    is(resource, "", "persistentvolumeclaims")
}

/// Whether a resource is volumes.
pub(crate) fn is_volume(resource: &Resource) -> bool {
    is(resource, "", "persistentvolumes")
}

/// Whether a resource is classes of volume attributes.
pub(crate) fn is_attributes_class(resource: &Resource) -> bool {
    is(resource, "storage.k8s.io", "volumeattributesclasses")
}

/// Whether a resource is attachments of volumes to nodes.
pub(crate) fn is_attachment(resource: &Resource) -> bool {
    is(resource, "storage.k8s.io", "volumeattachments")
}

/// Whether a resource is claims for devices.
pub(crate) fn is_device_claim(resource: &Resource) -> bool {
    is(resource, "resource.k8s.io", "resourceclaims")
}

/// Whether a finalizer keeps a volume or an attachment until it is detached and
/// deleted behind.
pub(crate) fn keeps_attached(resource: &Resource, finalizer: &str) -> bool {
    ATTACHED.iter().any(|owned| owned.is(resource, finalizer))
}

/// Whether a finalizer is one of the snapshot controller's.
pub(crate) fn keeps_snapshots(finalizer: &str) -> bool {
    SNAPSHOTS.contains(&finalizer)
}

/// Whether an object has a finalizer.
pub(crate) fn has(seen: Seen<'_>, finalizer: &str) -> bool {
    seen.object.metadata.finalizers.iter().any(|key| key == finalizer)
}

/// Whether the containers of a pod are over; `kubectl get` shows Completed or Error.
pub(crate) fn is_finished(pod: &Object) -> bool {
    matches!(pod.text("/status/phase"), Some("Succeeded" | "Failed"))
}
