//! Unfinished snapshots whose driver does not run.

use super::find;
use crate::facts::{Facts, Known};
use crate::findings::start::scale_up;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::progress::pending;
use crate::kubernetes::storage::snapshots::{CONTENT_BOUND, Wait, content_of};
use crate::needs::Draft;
use crate::plan::full_name;
use crate::report::{Controller, Remedy, Sentence};

/// A driver that does not run.
pub(crate) struct Absence {
    controller: Controller,
    because: Sentence,
    remedy: Remedy,
    is_sure: bool,
}

/// The driver that should finish the snapshot in `wait`, if it does not run.
pub(crate) fn absent(wait: &Wait<'_>, facts: &Facts<'_>) -> Known<Option<Absence>> {
    let is_live = wait.is_for_a_snapshot() && !wait.by.object.is_deleting();
    let content = if is_live { content_of(wait.by, facts)? } else { None };
    let Some(content) = content else { return Ok(None) };
    let held = HeldObjects::read_whole(&[content], facts)?;
    let found = find(CONTENT_BOUND, &held, facts)?;
    let Some(workload) = found.profile.controller.workload.clone() else { return Ok(None) };
    let name = Sentence::from(&workload);
    let (because, remedy) = if let Some(parked) = found.why.parked {
        let pending = pending::besides(&[content], CONTENT_BOUND, parked, facts)?;
        let is_sure = found.profile.sure && found.profile.bound;
        let start = scale_up(parked, is_sure, None, &held, &pending, facts);
        (name.then(", which finishes it, is scaled to 0 replicas"), start)
    } else if let Some(reason) = &found.why.down {
        let look = format!("kubectl describe {}", full_name(&workload));
        let repair = Sentence::from("repair ").then(&workload);
        let because = name.then(", which finishes it, is down: ").then(Sentence::reason(reason));
        (because, Remedy::command(repair, look, "nothing is lost: it finishes the snapshot"))
    } else {
        return Ok(None);
    };
    Ok(Some(Absence { controller: found.profile.controller, because, remedy, is_sure: found.profile.sure }))
}

impl Absence {
    /// Adds the absence of the driver to the finding about the wait for the snapshot.
    pub(crate) fn because_of(self, draft: Draft) -> Draft {
        let summary = draft.summary().clone().then("; ").then(self.because);
        let workload = self.controller.workload.clone().unwrap_or_default();
        let draft = draft.says(summary).waits_for(workload).controller(self.controller).remedy(self.remedy);
        if self.is_sure { draft } else { draft.likely() }
    }
}
