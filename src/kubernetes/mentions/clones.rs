//! Claims that were created from a snapshot or from another claim. If a backend keeps such a volume as
//! a clone, it deletes the source only after the clone, and never while a clone is being made.

use crate::facts::{Facts, Known};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::mentions::edge::InTheWay;
use crate::survey::{Form, Object, Seen};

const GROUP: &str = "snapshot.storage.k8s.io";

/// The claims that were created from `source`: another claim, a snapshot, or the content
/// of a snapshot. Only those that still wait for their volume, unless `finished_too`.
pub(crate) fn clones<'s>(
    finished_too: bool,
    source: Seen<'s>,
    facts: &Facts<'s>,
    gaps: &Gaps,
) -> Known<Vec<InTheWay<'s>>> {
    let Seen { resource, object } = source;
    let namespace = object.metadata.namespace.as_deref();
    let own = |kind: &'static str| namespace.map(|namespace| (kind, namespace, object.name()));
    let of = match (resource.id.group.as_str(), resource.id.plural.as_str()) {
        ("", "persistentvolumeclaims") => own("PersistentVolumeClaim"),
        (GROUP, "volumesnapshots") => own("VolumeSnapshot"),
        (GROUP, "volumesnapshotcontents") => {
            let snapshot = object.text("/spec/volumeSnapshotRef/namespace");
            let snapshot = snapshot.zip(object.text("/spec/volumeSnapshotRef/name"));
            snapshot.map(|(namespace, name)| ("VolumeSnapshot", namespace, name))
        }
        _ => None,
    };
    let (Some((of_kind, namespace, name)), Some(kind)) = (of, facts.preferred("", "persistentvolumeclaims")) else {
        return Ok(Vec::new());
    };
    let claims = gaps.pass(facts.list(&kind.id, Some(namespace), Form::Whole))?.unwrap_or_default();
    let is_from = |claim: &&Object| {
        ["/spec/dataSourceRef", "/spec/dataSource"].iter().any(|source| {
            claim.text(&format!("{source}/kind")) == Some(of_kind)
                && claim.text(&format!("{source}/name")) == Some(name)
        })
    };
    let counts = |claim: &&Object| finished_too || claim.text("/status/phase") == Some("Pending");
    let made = claims.iter().filter(is_from).filter(counts).map(|object| Seen { resource: kind, object });
    Ok(made.map(|blocker| InTheWay { waiting: source, blocker, sure: false }).collect())
}
