//! The controller would be deleted before the object that it should release.

use super::common::{Case, NamedReason, Stage, WordedReason};
use crate::needs::World;

pub(crate) const REASON: NamedReason =
    NamedReason::new("controller-deleted-first", include_str!("controller_deleted_first.md"), Stage::There);

/// `None` if the deletion in `world` does not take the controller along.
pub(super) fn answer<'s>(case: &Case<'_, 's>, world: &World<'_>) -> Option<WordedReason<'s>> {
    let workload = case.workload().filter(|workload| world.going.takes(workload))?;
    let when = if world.going.holds(workload.namespace.as_deref()) {
        " would be deleted first, with its namespace"
    } else {
        " is deleted, too, and would be gone before it can finish"
    };
    Some(REASON.likely(case, case.name().then(when)))
}
