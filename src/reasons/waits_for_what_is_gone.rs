//! The controller waits for an object that does not exist any more.

use super::advice::ask_it;
use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::report::{Ref, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("waits-for-what-is-gone", include_str!("waits_for_what_is_gone.md"), Stage::Stated);

pub(super) fn found<'s>(what: Ref) -> FoundReason<'s> {
    FoundReason::new(&REASON, move |case| Ok(answer(case, &what)))
}

fn answer<'s>(case: &Case<'_, 's>, what: &Ref) -> WordedReason<'s> {
    let because = Sentence::from("its controller waits for ").then(what).then(", which does not exist");
    REASON.likely(case, because).waits_for(what.clone()).now_only().remedies(ask_it(case))
}
