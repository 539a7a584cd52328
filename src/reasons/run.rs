//! The words for a reason that was found.

use super::answer::WordedReason;
use super::case::Case;
use super::found_reason::FoundReason;
use super::reason::Stage;
use super::{at_work, gives_no_reason, said_before_restart};
use crate::facts::Known;

/// The reason why the controller of `case` has not released its objects, or would not release them.
pub(super) fn answer<'s>(why: &FoundReason<'s>, case: &Case<'_, 's>) -> Known<WordedReason<'s>> {
    let is_quiet = why.is_one_of(&[&at_work::REASON, &gives_no_reason::REASON, &said_before_restart::REASON]);
    if let Some(late) = case.overdue().filter(|_| is_quiet) {
        return Ok(gives_no_reason::already_late(case, &late));
    }
    // A user who may create events in a namespace may send one about any object there, and a log repeats what tenants
    // write.
    let is_known = !case.found.stale && !case.found.is_hearsay();
    // A forecast is never certain, with one exception: a controller that does not run now will not run then.
    let is_certain = !case.is_foreseen() || why.reason.stage == Stage::There;
    Ok(why.answer(case)?.proven_if(is_known && is_certain))
}
