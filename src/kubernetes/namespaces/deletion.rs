//! The progress of a namespace's deletion.

use crate::facts::{Sweep, Target};
use crate::kubernetes::messages::admission::is_about_admission;
use crate::survey::Condition;

/// Whether a failure is about more than remaining pods. About those the controller reports only
/// `unexpected items still remain in namespace: NS for gvr: /v1, Resource=pods`.
pub(crate) fn is_about_more_than_pods(failure: Condition<'_>) -> bool {
    is_about_admission(failure.message()) || !failure.message().contains("Resource=pods")
}

/// Whether the controller has begun its first pass: something was deleted, or a default object of
/// every namespace is gone.
pub(crate) fn has_begun(content: &Sweep<'_>, target: &Target<'_>) -> bool {
    let asked = target.object().deletion_asked();
    let is_gone = |kind: &str, name: &str| {
        let is_read = !content.unread.iter().any(|(resource, _)| resource.kind == kind);
        is_read && !content.objects.iter().any(|seen| seen.resource.kind == kind && seen.object.name() == name)
    };
    content.deleting().any(|seen| seen.object.deletion_asked() >= asked)
        || is_gone("ConfigMap", "kube-root-ca.crt")
        || is_gone("ServiceAccount", "default")
}
