//! The controller came back after its last message about the object.

use super::advice::wait_or_ask;
use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use crate::report::Sentence;

pub(crate) const REASON: NamedReason =
    NamedReason::new("said-before-restart", include_str!("said_before_restart.md"), Stage::Silence);

pub(super) fn found<'s>(message: &str) -> FoundReason<'s> {
    let told = message.to_owned();
    FoundReason::new(&REASON, move |case| Ok(answer(case, &told))).words(message)
}

fn answer<'s>(case: &Case<'_, 's>, message: &str) -> WordedReason<'s> {
    let before = Sentence::from(" runs; before it came back, this was reported: ").reported(message);
    REASON.likely(case, case.name().then(before)).words(message).now_only().remedies(wait_or_ask(case))
}
