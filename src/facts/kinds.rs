//! Kinds that Kubernetes treats specially.

use crate::survey::Resource;

/// Whether a resource is that of Kubernetes events, which block no deletion.
#[must_use]
pub fn is_event(resource: &Resource) -> bool {
    resource.id.plural == "events" && matches!(resource.id.group.as_str(), "" | "events.k8s.io")
}

/// Whether a resource is the core group's pods.
#[must_use]
pub fn is_pod(resource: &Resource) -> bool {
    resource.id.is("", "pods")
}

/// Whether a resource is the core group's namespaces.
#[must_use]
pub fn is_namespace(resource: &Resource) -> bool {
    resource.id.is("", "namespaces")
}
