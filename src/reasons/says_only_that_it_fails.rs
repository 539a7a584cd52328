//! The controller says that it fails, and not why.

use super::advice::ask_it;
use super::common::{Case, FoundReason, NamedReason, Spoken, Stage, WordedReason};
use crate::facts::Known;
use crate::report::Sentence;

pub(crate) const REASON: NamedReason =
    NamedReason::new("says-only-that-it-fails", include_str!("says_only_that_it_fails.md"), Stage::Stated);

pub(super) fn ask<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let said = spoken.troubles.first();
    Ok(said.map(|said| spoken.says(found(said.message.clone()), Some(said.said_in))))
}

fn found<'s>(message: String) -> FoundReason<'s> {
    REASON.found(move |case| answer(case, &message))
}

fn answer<'s>(case: &Case<'_, 's>, message: &str) -> WordedReason<'s> {
    let fails = case.name().then(Sentence::from(" fails, and its only message is: ").reported(message));
    REASON.unknown(case, fails).now_only().remedies(ask_it(case))
}
