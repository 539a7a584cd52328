//! The clean-up needs an object of a kind that no definition serves.

use super::common::{Case, FoundReason, NamedReason, Spoken, Stage, UnsaidReasons, WordedReason};
use crate::facts::Known;
use crate::kubernetes::mentions::UnservedKind;
use crate::report::{Ref, Remedy};

pub(crate) const REASON: NamedReason =
    NamedReason::new("kind-not-served", include_str!("kind_not_served.md"), Stage::Stated);

/// A kind that a message names.
pub(super) fn ask<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let no_kind = spoken.no_kind.clone().filter(|it| it.said);
    Ok(no_kind.map(|it| {
        let place = spoken.place_of_trouble(|message| message.contains(&it.kind));
        spoken.says(found(it), place)
    }))
}

/// A kind that only the object names.
pub(super) fn ask_named<'s>(unsaid: &UnsaidReasons<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    Ok(unsaid.no_kind.clone().map(found))
}

fn found<'s>(needed: UnservedKind) -> FoundReason<'s> {
    REASON.found(move |case| answer(case, &needed))
}

fn answer<'s>(case: &Case<'_, 's>, needed: &UnservedKind) -> WordedReason<'s> {
    let named = needed.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
    let because = case.name().then(format!(
        " runs, but {} names {}{named}, and no definition serves that kind",
        needed.field,
        needed.full()
    ));
    let answer = REASON.likely(case, because).acts().can_be_mended(true);
    let install = format!("{}: its controller needs it for the clean-up", install(needed));
    if case.is_foreseen() {
        return answer.waits_for(None).remedies([Remedy::manual(install, "nothing is lost")]);
    }
    answer.remedies([case.by_hand(install)])
}

/// The remedy if `workload` does not start without the kind.
pub(super) fn install_for(needed: &UnservedKind, workload: &Ref) -> String {
    format!("{}: {workload} does not start without it", install(needed))
}

fn install(needed: &UnservedKind) -> String {
    format!(
        "install the CustomResourceDefinition of {} again, from the chart or manifests of its product",
        needed.full()
    )
}
