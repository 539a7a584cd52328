//! Which objects that are being deleted go only after which others, by the words of their
//! own controllers.

use crate::facts::{Facts, Known, Target, flat_each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::late::{MAX_FINALIZERS, by_finalizer, waiting};
use crate::kubernetes::progress::{Explanation, find};
use crate::needs::After;

/// What the controllers of the objects that are held say that these wait for.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn order(target: &Target<'_>, facts: &Facts<'_>, others_too: bool) -> Known<Vec<After>> {
    let held = waiting(target, facts)?;
    // One alone is no ring: its controller is looked for once, where it counts.
    if held.len() < 2 && !others_too {
        return Ok(Vec::new());
    }
    let groups = by_finalizer(held.into_iter(), facts);
    flat_each(groups.iter().take(MAX_FINALIZERS), |(finalizer, objects)| {
        let found = find(finalizer, &HeldObjects::read_whole(objects, facts)?, facts)?;
        let Explanation::Blocked(edges) = found.why else { return Ok(Vec::new()) };
        let going = edges.into_iter().filter(|edge| edge.blocker.object.is_deleting());
        let after = going.map(|edge| After {
            waiting: edge.waiting.into(),
            finalizer: (*finalizer).to_owned(),
            on: edge.blocker.into(),
        });
        Ok(after.collect())
    })
}
