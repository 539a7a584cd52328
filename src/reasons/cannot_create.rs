//! The clean-up has to create something in a namespace that is being deleted.

use super::common::{Case, FoundReason, NamedReason, Spoken, Stage, WordedReason};
use crate::facts::Known;
use crate::kubernetes::statements::statement::CANNOT_CREATE;
use crate::report::Remedy;

pub(crate) const REASON: NamedReason =
    NamedReason::new("cannot-create", include_str!("cannot_create.md"), Stage::Stated);

/// The server's refusal, quoted by the controller.
#[expect(clippy::unnecessary_wraps, reason = "every question has this type")]
pub(super) fn ask<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let place = spoken.place_of_trouble(|message| message.contains(CANNOT_CREATE));
    Ok(place.map(|place| spoken.says(found(), Some(place))))
}

pub(super) fn found<'s>() -> FoundReason<'s> {
    FoundReason::new(&REASON, move |case| Ok(answer(case)))
}

fn answer<'s>(case: &Case<'_, 's>) -> WordedReason<'s> {
    if case.is_foreseen() {
        let because = "its clean-up has to create something where nothing can be created";
        let title = "delete it first, while something can be created in its namespace";
        let delete_first = Remedy::manual(title, "nothing is lost: its controller does its own clean-up");
        return REASON.likely(case, because).acts().waits_for(None).remedies([delete_first]);
    }
    let because =
        "its clean-up has to create something, but nothing can be created in a namespace that is being deleted";
    let guards = case.entry.map(|entry| format!(" ({})", entry.guards)).unwrap_or_default();
    let title =
        format!("do its clean-up by hand, outside the namespace{guards}: nothing can be created in it any more");
    REASON.proven(case, because).remedies([case.by_hand(title)])
}
