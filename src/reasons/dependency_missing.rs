//! The clean-up needs an object that does not exist.

use super::common::{Case, FoundReason, NamedReason, Spoken, Stage, WordedReason};
use super::missing_object::{again, create_it};
use crate::facts::Known;
use crate::kubernetes::messages::mentions;
use crate::kubernetes::messages::trouble::is_about_absence;
use crate::kubernetes::namespaces::takes_nothing_new;
use crate::kubernetes::ownership::named_workloads::names;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::missing::Absent;
use crate::kubernetes::progress::unwell::lacking_login;
use crate::kubernetes::statements::said_in::SaidIn;
use crate::report::{Ref, Remedy, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("dependency-missing", include_str!("dependency_missing.md"), Stage::Stated);

/// A missing object that a message names.
pub(super) fn ask<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    // An event that is no warning may be about other work than what the deletion waits for.
    let warns = |absent: &Absent| {
        spoken.troubles.iter().any(|said| !said.is_calm_event && mentions(&said.message, &absent.what.name))
    };
    let absent = spoken.absent.iter().find(|absent| absent.named && (!spoken.lists_going || warns(absent)));
    Ok(absent.map(|absent| {
        let place = spoken.place(|message| mentions(message, &absent.what.name));
        spoken.says(found(absent.what.clone()).of(&absent.of), place)
    }))
}

/// A missing object that a message names without its namespace, and that something from which the object was made
/// names with it.
pub(super) fn ask_of_sources<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { held, facts, .. } = spoken.inquiry;
    if !spoken.troubles.iter().any(|said| is_about_absence(&said.message)) {
        return Ok(None);
    }
    let place = |what: &Ref| spoken.place_of_trouble(|said| is_about_absence(said) && mentions(said, &what.name));
    let named = lacking_login(held, facts)?.and_then(|(what, _)| Some((place(&what)?, what)));
    Ok(named.map(|(place, what)| spoken.says(found(what), Some(place))))
}

fn found<'s>(what: Ref) -> FoundReason<'s> {
    REASON.found(move |case| answer(case, &what))
}

fn answer<'s>(case: &Case<'_, 's>, what: &Ref) -> WordedReason<'s> {
    let because = Sentence::from("its clean-up needs ").then(what).then(", which does not exist");
    let answer = REASON.proven(case, because).acts();
    if case.is_foreseen() {
        return answer.waits_for(None).remedies([again(what)]);
    }
    let is_closed = what.namespace.as_ref().is_some_and(|place| takes_nothing_new(place, case.facts));
    let is_doubtful = case.found.is_hearsay();
    let way = if is_doubtful && !case.held.read().any(|seen| names(seen.object, &what.name)) {
        let source = if case.found.said_in == Some(SaidIn::Log) { "its log" } else { "an event" };
        let title =
            format!("find out whether its controller needs {what}, and what created it: only {source} names it");
        Remedy::manual(title, "checking loses nothing")
    } else {
        create_it(case, what)
    };
    let answer = answer.waits_for(what.clone()).can_be_mended(!is_closed).remedies([way]);
    if is_doubtful { answer } else { answer.went_with(what) }
}
