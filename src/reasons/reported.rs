//! A message about the object gives the reason; who wrote it is not certain.

use super::advice::fix_before;
use super::common::{Case, FoundReason, NamedReason, Spoken, Stage, UnsaidReasons, WordedReason};
use super::quoted::{answer_foreseen, answer_quoting};
use super::silent::SilentController;
use crate::facts::Known;
use crate::kubernetes::messages::trouble::{is_about_absence, is_negative};
use crate::kubernetes::progress::inquiry::{Inquiry, words};
use crate::kubernetes::progress::unwell::{complaint, own_complaint};
use crate::kubernetes::statements::siblings;
use crate::kubernetes::statements::statement::Statement;
use crate::report::{Ref, Sentence};
use crate::survey::Seen;

pub(crate) const REASON: NamedReason = NamedReason::new("reported", include_str!("reported.md"), Stage::Stated);

/// The message of another program.
pub(super) fn ask<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let said = spoken.telling().filter(|said| said.is_hearsay(spoken.names));
    Ok(said.map(|said| spoken.says(found(&said.message), Some(said.said_in))))
}

/// An error that a condition has reported since before the deletion. It comes before a missing object that the held
/// one refers to and that nobody complains about.
pub(super) fn ask_standing<'s>(unsaid: &UnsaidReasons<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let stands = |said: &&Statement<'_>| {
        said.before && is_negative(&said.message) && !is_about_absence(&said.message) && said.tells_why()
    };
    let said = unsaid.asked.inquiry.said.iter().find(stands).filter(|_| unsaid.lacking.is_some());
    Ok(said.map(|said| {
        let of = [said.of.object.uid().to_owned()];
        found(&said.message).of(&of).said_in(Some(said.said_in)).doubtful(true)
    }))
}

/// The controller's statements about other objects with the same finalizer, if there are none about this one.
pub(super) fn ask_about_others<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    if !silent.gives_none {
        return Ok(None);
    }
    let Inquiry { finalizer, held, traces, facts, gaps, .. } = silent.inquiry;
    let workload = silent.profile.controller.workload.iter().map(|workload| workload.name.clone());
    let names: Vec<String> = words(traces).chain(workload).collect();
    let told = siblings::about(held.first(), finalizer, &names, facts, gaps)?.into_iter().next();
    Ok(told.map(|told| {
        let text = format!("an event of {}, which has the same finalizer, says \"{}\"", told.by, told.message);
        found(&format!("{} (of {})", told.message, told.by)).evidence(vec![text.into()])
    }))
}

pub(super) fn found<'s>(message: &str) -> FoundReason<'s> {
    let told = message.to_owned();
    REASON.found(move |case| answer(case, &told)).words(message)
}

fn answer<'s>(case: &Case<'_, 's>, message: &str) -> Known<WordedReason<'s>> {
    if case.is_foreseen() {
        return Ok(answer_foreseen(&REASON, case, message));
    }
    answer_quoting(REASON.likely(case, Sentence::default()), "this was reported about it: ", case, message)
}

/// An object, or one that it was created from, reports already before the deletion that access is denied or fails.
pub(super) fn already<'s>(case: &Case<'_, 's>, with_sources: &[Seen<'_>]) -> Option<WordedReason<'s>> {
    let says = |(place, seen): (usize, &Seen<'_>)| if place > 0 { complaint(*seen) } else { own_complaint(*seen) };
    let (by, message) = with_sources.iter().enumerate().find_map(|it| Some((it.1, says(it)?)))?;
    let because = Sentence::from(&Ref::from(*by)).then(" already reports: ").then(Sentence::reason(&message));
    Some(
        REASON.likely(case, because).acts().perhaps().waits_for(None).remedies([fix_before(&message, &Ref::from(*by))]),
    )
}
