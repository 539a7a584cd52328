//! The controller uses another entry by now, and releases only objects that have that one.

use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use super::silent::SilentController;
use crate::facts::Known;
use crate::kubernetes::progress::odd_entry::{self, NewerEntry};
use crate::report::{ControllerState, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("older-entry", include_str!("older_entry.md"), Stage::Dependency);

/// Another entry of the same writer, which all others of the kind have.
pub(super) fn ask<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    if !silent.gives_none || silent.best.is_none() {
        return Ok(None);
    }
    let newer = odd_entry::newer(silent.inquiry)?;
    Ok(newer.map(|newer| {
        let evidence = vec![Sentence::from(&newer.sibling).then(format!(" has {}, set by {}", newer.key, newer.by))];
        let found = REASON.found(move |case| answer(case, &newer)).state(ControllerState::Alive);
        found.evidence(evidence).unsaid(true)
    }))
}

fn answer<'s>(case: &Case<'_, 's>, newer: &NewerEntry) -> WordedReason<'s> {
    let NewerEntry { key, count, by, .. } = newer;
    let because = case.name().then(format!(
        " runs, but now seems to use {key}, which {by} has set on the other objects of this kind ({count}): nobody \
            removes the old finalizer any more"
    ));
    let title = case.name().then(" removes it only in the version that set it: run that version for a moment");
    let answer = REASON.likely(case, because).can_be_mended(true).remedies([case.by_hand(title)]);
    if case.is_foreseen() { answer.waits_for(None).acts().perhaps() } else { answer }
}
