//! Namespaces: the progress of their deletion, what blocks their controller, and leftovers, which
//! are objects older than their namespace.

mod deletion;
mod named;
mod too_large;
mod unreadable;

pub(crate) use deletion::{has_begun, is_about_more_than_pods};
pub(crate) use named::namespace_gone;
pub(crate) use too_large::{culprits, says_too_large};
pub(crate) use unreadable::{UnlistedKind, is_kept_from_listing, unreadable_in_the_store};

use crate::facts::{Facts, Known, is_event};
use crate::kubernetes::built_in::named;
use crate::report::Ref;
use crate::survey::{Object, ResourceId, Seen};
use jiff::SignedDuration;

/// The account of the namespace controller, if each controller has its own (kubernetes/kubernetes:
/// `cmd/kube-controller-manager/app/core.go`).
pub(crate) fn controller() -> Ref {
    named("v1", "ServiceAccount", "serviceaccounts", Some("kube-system"), "namespace-controller")
}

/// How much the clocks of several API servers may differ.
const MAX_SKEW: SignedDuration = SignedDuration::from_secs(3);

/// Whether `object` existed before `namespace` was created: then it has outlived an earlier
/// namespace of that name. The API server sets both times, and creates nothing without a namespace
/// (kubernetes/kubernetes: staging/src/k8s.io/apiserver/pkg/registry/rest/create.go and
/// staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go).
pub(crate) fn is_older_than(object: &Object, namespace: &Object) -> bool {
    match (object.metadata.creation_timestamp, namespace.metadata.creation_timestamp) {
        (Some(object), Some(namespace)) => namespace.duration_since(object) > MAX_SKEW,
        _ => false,
    }
}

/// Whether Kubernetes itself creates an object in every namespace, or it is an event: no loss
/// (kubernetes/kubernetes: `pkg/controller/certificates/rootcacertpublisher/publisher.go`,
/// `pkg/controller/serviceaccount/serviceaccounts_controller.go`).
pub(crate) fn is_default_content(seen: &Seen<'_>) -> bool {
    let id = &seen.resource.id;
    let made_everywhere = [("configmaps", "kube-root-ca.crt"), ("serviceaccounts", "default")];
    is_event(seen.resource)
        || (id.group.is_empty() && made_everywhere.contains(&(id.plural.as_str(), seen.object.name())))
}

/// Whether nobody created this object in `namespace`: it is older, or default content.
pub(crate) fn is_leftover(seen: Seen<'_>, namespace: &Object) -> bool {
    is_default_content(&seen) || is_older_than(seen.object, namespace)
}

/// Whether a namespace is being deleted, or cannot be read.
pub(crate) fn takes_nothing_new(namespace: &str, facts: &Facts<'_>) -> bool {
    let Some(kind) = facts.preferred("", "namespaces") else { return true };
    let read = facts.metadata(&kind.id, None, namespace);
    !matches!(read, Ok(Some(found)) if !found.is_deleting())
}

/// Whether a namespace is known to be in deletion.
pub(crate) fn is_closed(namespace: &str, facts: &Facts<'_>) -> bool {
    let kind = ResourceId::new("", "v1", "namespaces");
    matches!(facts.metadata(&kind, None, namespace), Ok(Some(found)) if found.is_deleting())
}

/// The namespace of an object; `None` if it does not exist.
pub(crate) fn namespace_of<'s>(object: &Object, facts: &Facts<'s>) -> Known<Option<&'s Object>> {
    let name = object.metadata.namespace.as_deref().unwrap_or_default();
    facts.metadata(&ResourceId::new("", "v1", "namespaces"), None, name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn made(at: &str) -> Object {
        serde_json::from_value(json!({"metadata": {"name": "n", "creationTimestamp": at}})).unwrap()
    }

    #[test]
    fn small_clock_differences_make_no_leftover() {
        let namespace = made("2026-01-01T00:01:00Z");
        assert!(is_older_than(&made("2026-01-01T00:00:00Z"), &namespace));
        assert!(!is_older_than(&made("2026-01-01T00:00:58Z"), &namespace));
        assert!(!is_older_than(&made("2026-01-01T00:02:00Z"), &namespace));
        assert!(!is_older_than(&Object::default(), &namespace));
    }
}
