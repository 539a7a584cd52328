//! Finalizers with which Kubernetes and its CSI controllers guard objects in use, and the users of
//! these.

pub(crate) mod attachment;
mod claim;
pub(crate) mod ends;
pub(crate) mod snapshots;

pub(crate) use claim::{claim_name, claim_of};

use crate::facts::OwnedFinalizer;
use crate::survey::{Object, Resource};

/// Guards a claim while pods use it (kubernetes/kubernetes: `pkg/volume/util/finalizer.go`).
pub(crate) const CLAIM_IN_USE: &str = "kubernetes.io/pvc-protection";
/// Guard a volume or an attachment until it is detached and deleted at the storage backend
/// (kubernetes-csi/external-attacher: `pkg/controller/util.go`).
pub(crate) const ATTACHED: [OwnedFinalizer; 4] = [
    OwnedFinalizer::new("persistentvolumes", "external-attacher/"),
    OwnedFinalizer::new("volumeattachments.storage.k8s.io", "external-attacher/"),
    OwnedFinalizer::new("persistentvolumes", "external-provisioner.volume.kubernetes.io/finalizer"),
    OwnedFinalizer::new("persistentvolumes", "kubernetes.io/pv-controller"),
];
/// Guard snapshots, their contents and their source claims
/// (kubernetes-csi/external-snapshotter: `pkg/utils/util.go`).
const SNAPSHOTS: [&str; 4] = [
    "snapshot.storage.kubernetes.io/pvc-as-source-protection",
    "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection",
    "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection",
    "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection",
];

/// Whether a resource is `persistentvolumeclaims`.
pub(crate) fn is_claim(resource: &Resource) -> bool {
    resource.id.is("", "persistentvolumeclaims")
}

/// Whether a resource is `persistentvolumes`.
pub(crate) fn is_volume(resource: &Resource) -> bool {
    resource.id.is("", "persistentvolumes")
}

/// Whether a resource is `volumeattachments`.
pub(crate) fn is_attachment(resource: &Resource) -> bool {
    resource.id.is("storage.k8s.io", "volumeattachments")
}

/// Whether a finalizer guards a volume or an attachment until it is detached and deleted at the storage
/// backend.
pub(crate) fn keeps_attached(resource: &Resource, finalizer: &str) -> bool {
    ATTACHED.iter().any(|owned| owned.is(resource, finalizer))
}

/// Whether a finalizer is one of the snapshot controller's.
pub(crate) fn keeps_snapshots(finalizer: &str) -> bool {
    SNAPSHOTS.contains(&finalizer)
}

/// Whether the containers of a pod have ended; `kubectl get` shows Completed or Error.
pub(crate) fn is_finished(pod: &Object) -> bool {
    matches!(pod.text("/status/phase"), Some("Succeeded" | "Failed"))
}
