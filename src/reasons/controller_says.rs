//! The controller's own message gives the reason.

use super::common::{Case, FoundReason, NamedReason, Spoken, Stage, WordedReason};
use super::quoted::{answer_foreseen, answer_quoting};
use crate::facts::Known;
use crate::report::Sentence;

pub(crate) const REASON: NamedReason =
    NamedReason::new("controller-says", include_str!("controller_says.md"), Stage::Stated);

pub(super) fn ask<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Some(said) = spoken.telling() else { return Ok(None) };
    // A failure from before the deletion may not affect it.
    let is_older = spoken.troubles.iter().filter(|it| it.message == said.message).all(|it| it.began_before);
    Ok(Some(spoken.says(found(&said.message), Some(said.said_in)).doubtful(is_older)))
}

pub(super) fn found<'s>(message: &str) -> FoundReason<'s> {
    let told = message.to_owned();
    REASON.found(move |case| answer(case, &told)).words(message)
}

fn answer<'s>(case: &Case<'_, 's>, message: &str) -> Known<WordedReason<'s>> {
    if case.is_foreseen() {
        return Ok(answer_foreseen(&REASON, case, message));
    }
    let remote = case.found.remote.as_ref().map(|remote| remote.secret.clone());
    let answer = answer_quoting(REASON.proven(case, Sentence::default()), "its controller says: ", case, message)?;
    Ok(answer.waits_for(remote.or(case.workload().cloned())))
}
