//! The controller came back after its last message about the object.

use super::advice::wait_or_ask;
use super::common::{Case, FoundReason, NamedReason, Stage, UnsaidReasons, WordedReason};
use super::{dependency_missing, waits_for_others};
use crate::facts::Known;
use crate::report::{ControllerState, Ref, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("said-before-restart", include_str!("said_before_restart.md"), Stage::Silence);

/// The reason in statements from before the controller came back. Objects that these call missing are probably still
/// missing, and objects in the way are probably still in the way; whether anything else still holds is unknown.
pub(super) fn ask<'s>(unsaid: &UnsaidReasons<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Some(first) = unsaid.times.past.iter().find(|said| said.trouble) else { return Ok(None) };
    let evidence = vec![format!("before it came back, {} said: {}", Ref::from(first.of), first.text).into()];
    let past =
        unsaid.past.clone().filter(|why| why.is_one_of(&[&dependency_missing::REASON, &waits_for_others::REASON]));
    let why = past.map_or_else(|| found(&first.message), |why| why.doubtful(true));
    Ok(Some(why.evidence(evidence)))
}

fn found<'s>(message: &str) -> FoundReason<'s> {
    let told = message.to_owned();
    let found = REASON.found(move |case| answer(case, &told));
    found.words(message).state(ControllerState::Alive)
}

fn answer<'s>(case: &Case<'_, 's>, message: &str) -> WordedReason<'s> {
    let before = Sentence::from(" runs; before it came back, this was reported: ").reported(message);
    REASON.likely(case, case.name().then(before)).words(message).now_only().remedies(wait_or_ask(case))
}
