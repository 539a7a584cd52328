//! The order among objects that are being deleted, according to their own
//! controllers.

use super::find;
use super::waits_for_others;
use crate::facts::{Facts, Known, Target, blocks, flat_each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::late::{MAX_FINALIZERS, by_finalizer, waiting};
use crate::kubernetes::mentions::InTheWay;
use crate::needs::After;
use crate::survey::{FOREGROUND, Seen, has};

/// The objects that held objects wait for, according to their controllers.
pub(crate) fn order(target: &Target<'_>, facts: &Facts<'_>, others_too: bool) -> Known<Vec<After>> {
    let held = waiting(target, facts)?;
    // A single object makes no ring, except with its owner: its controller is looked up once, where it counts.
    let is_owned = held.iter().any(|seen| seen.object.metadata.owner_references.iter().any(blocks));
    if held.len() < 2 && !others_too && !is_owned {
        return Ok(Vec::new());
    }
    let groups = by_finalizer(held.into_iter(), facts);
    flat_each(groups.iter().take(MAX_FINALIZERS), |(finalizer, objects)| {
        let found = find(finalizer, &HeldObjects::read_whole(objects, facts)?, facts)?;
        let others = Some(found.why.others).filter(|_| found.why.reason == &waits_for_others::REASON);
        let going = others.unwrap_or_default().into_iter().filter(|edge| edge.blocker.object.is_deleting());
        let after = going.flat_map(|edge| {
            let wait = |waiting: Seen<'_>, finalizer: &str, on: Seen<'_>| After {
                waiting: waiting.into(),
                finalizer: finalizer.to_owned(),
                on: on.into(),
            };
            let back = is_owner_behind(&edge).then(|| wait(edge.blocker, FOREGROUND, edge.waiting));
            std::iter::once(wait(edge.waiting, finalizer, edge.blocker)).chain(back)
        });
        Ok(after.collect::<Vec<_>>())
    })
}

/// Whether the object in the way owns the waiting one, and is deleted in the foreground after it.
fn is_owner_behind(edge: &InTheWay<'_>) -> bool {
    let mut owners = edge.waiting.object.metadata.owner_references.iter().filter(|owner| blocks(owner));
    has(edge.blocker.object, FOREGROUND) && owners.any(|owner| owner.uid == edge.blocker.object.uid())
}
