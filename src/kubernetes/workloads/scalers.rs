//! The scalers of a workload, which may undo a change of its replicas.

use crate::facts::{Facts, Known, Readable};
use crate::kubernetes::garbage_collection::standing;
use crate::report::{OwnerState, Ref};
use crate::survey::{Form, Object, Seen};

/// The scaler of `workload`: a KEDA object that targets it, or the owner that created it. Kubernetes' own
/// autoscaler does not scale a workload at 0
/// (<https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#implicit-maintenance-mode-deactivation>).
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
    let Some(owner) = owner else { return Ok(None) };
    let standing = standing(owner, metadata.namespace.as_deref(), facts).if_readable()?;
    Ok(match standing {
        Some((OwnerState::Present, Some(owner))) => Some(owner.into()),
        _ => None,
    })
}
