//! Claims that were restored from a snapshot: where a backend keeps such a volume as a clone, it does
//! not delete the snapshot before the clone.

use crate::facts::{Facts, Known};
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::progress::judgement::InTheWay;
use crate::survey::{Form, Object, Seen};

const GROUP: &str = "snapshot.storage.k8s.io";

/// The claims that were made from a snapshot, or from that of its content.
///
/// # Errors
/// When the claims were not surveyed yet.
pub(crate) fn restored_from<'s>(snapshot: Seen<'s>, facts: &Facts<'s>, gaps: &mut Gaps) -> Known<Vec<InTheWay<'s>>> {
    let Seen { resource, object } = snapshot;
    let of = match resource.id.plural.as_str() {
        _ if resource.id.group != GROUP => None,
        "volumesnapshots" => object.metadata.namespace.as_deref().map(|namespace| (namespace, object.name())),
        "volumesnapshotcontents" => {
            object.text("/spec/volumeSnapshotRef/namespace").zip(object.text("/spec/volumeSnapshotRef/name"))
        }
        _ => None,
    };
    let (Some((namespace, name)), Some(kind)) = (of, facts.preferred("", "persistentvolumeclaims")) else {
        return Ok(Vec::new());
    };
    let claims = gaps.pass(facts.list(&kind.id, Some(namespace), Form::Whole))?.unwrap_or_default();
    let is_from = |claim: &&Object| {
        ["/spec/dataSourceRef", "/spec/dataSource"].iter().any(|source| {
            claim.text(&format!("{source}/kind")) == Some("VolumeSnapshot")
                && claim.text(&format!("{source}/name")) == Some(name)
        })
    };
    let made = claims.iter().filter(is_from).map(|object| Seen { resource: kind, object });
    Ok(made.map(|blocker| InTheWay { waiting: snapshot, blocker, sure: false }).collect())
}
