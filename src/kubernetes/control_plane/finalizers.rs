//! Finalizers that parts of Kubernetes itself remove.

use crate::kubernetes::definitions::CLEANUP;
use crate::survey::is_collectors;

/// Finalizers that parts of Kubernetes remove by themselves when what they protect is no longer in
/// use. Other checks show whether it is.
const OF_KUBERNETES: [&str; 8] = [
    "kubernetes.io/pvc-protection",
    "kubernetes.io/pv-protection",
    "kubernetes.io/pv-controller",
    "batch.kubernetes.io/job-tracking",
    "resource.kubernetes.io/delete-protection",
    "kubernetes.io/vac-protection",
    "networking.k8s.io/service-cidr-finalizer",
    CLEANUP,
];

/// Whether a part of Kubernetes removes a finalizer by itself.
pub(crate) fn releases(finalizer: &str) -> bool {
    OF_KUBERNETES.contains(&finalizer) || is_collectors(finalizer)
}
