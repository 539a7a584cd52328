//! Whether workloads run, and if not, why.

#[cfg(test)]
mod tests;

pub mod health;
pub mod placement;
pub mod scalers;

use crate::report::Ref;

/// Whether a pod's name is one that a workload gives to its pods (kubernetes/kubernetes:
/// `pkg/controller/controller_utils.go`, `GetPodFromTemplate`).
pub(crate) fn is_pod_of(pod: &Ref, workload: &Ref) -> bool {
    let suffixes = if workload.kind == "Deployment" { 2 } else { 1 };
    let name = pod.name.rsplitn(suffixes + 1, '-').last();
    pod.kind == "Pod" && pod.namespace == workload.namespace && name == Some(&*workload.name)
}
