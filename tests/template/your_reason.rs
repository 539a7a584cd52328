//! write me: why the controller has not released the object, in one sentence.

use super::common::{AskedController, Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::facts::Known;

// write me: what is asked about the controller, if another stage; src/reasons/reason.rs has them all.
pub(crate) const REASON: NamedReason =
    NamedReason::new("your-reason", include_str!("your_reason.md"), Stage::Attention);

/// write me: read the facts that tell, all of them before the first `?`.
pub(super) fn ask<'s>(asked: &AskedController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let mut held = asked.inquiry.held.read();
    let is_the_reason = held.any(|seen| seen.object.metadata.annotations.contains_key("write.me/annotation"));
    Ok(is_the_reason.then(|| REASON.found(answer)))
}

fn answer<'s>(case: &Case<'_, 's>) -> WordedReason<'s> {
    let way = case.by_hand("write me: the mildest way out");
    REASON.likely(case, case.name().then(" runs, but write me")).remedies([way])
}
