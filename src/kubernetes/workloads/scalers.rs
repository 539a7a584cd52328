//! What sets the number of a workload's pods: it may undo what somebody else sets.

use crate::facts::{Facts, Known, Readable};
use crate::report::Ref;
use crate::survey::{Form, Object, Seen};

/// What scales `workload`: an object of KEDA that has it as its target, or the owner that made it.
/// An autoscaler of Kubernetes itself leaves a workload alone that is at 0
/// (<https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#implicit-maintenance-mode-deactivation>).
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn of(workload: Seen<'_>, facts: &Facts<'_>) -> Known<Option<Ref>> {
    let metadata = &workload.object.metadata;
    if let Some(kind) = facts.preferred("keda.sh", "scaledobjects") {
        let all = facts.list(&kind.id, metadata.namespace.as_deref(), Form::Whole).if_readable()?.unwrap_or_default();
        let is_target = |object: &&Object| {
            let kind = object.text("/spec/scaleTargetRef/kind").unwrap_or("Deployment");
            object.text("/spec/scaleTargetRef/name") == Some(workload.object.name()) && kind == workload.resource.kind
        };
        if let Some(found) = all.iter().find(is_target) {
            return Ok(Some(Ref::of(kind, found)));
        }
    }
    let owner = metadata.owner_references.iter().find(|owner| owner.controller == Some(true));
    let kind = owner.and_then(|owner| Some((owner, facts.discovery().by_kind(&owner.api_version, &owner.kind)?)));
    let Some((owner, kind)) = kind else { return Ok(None) };
    let namespace = metadata.namespace.as_deref().filter(|_| kind.namespaced);
    let object = facts.get(&kind.id, namespace, &owner.name, Form::Metadata).if_readable()?.flatten();
    Ok(object.filter(|object| object.uid() == owner.uid && !object.is_deleting()).map(|object| Ref::of(kind, object)))
}
