//! The object refers to an object that does not exist.

use super::common::{Case, FoundReason, NamedReason, Spoken, Stage, UnsaidReasons, WordedReason};
use super::missing_object::{again, create_it, is_core};
use super::silent::SilentController;
use crate::facts::{All, Known, flat_each};
use crate::kubernetes::messages::trouble::is_about_absence;
use crate::kubernetes::progress::missing::{self, Absent};
use crate::kubernetes::progress::unwell::{lacking_login, lacks};
use crate::report::{Ref, Sentence};
use crate::survey::Seen;

pub(crate) const REASON: NamedReason =
    NamedReason::new("dangling-reference", include_str!("dangling_reference.md"), Stage::Dependency);

/// A message that something does not exist, and a reference to a missing object, mean the same object.
pub(super) fn ask_said_absent<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let is_said = spoken.troubles.iter().any(|said| is_about_absence(&said.message));
    let absent = spoken.absent.iter().find(|absent| is_said && !absent.is_childs);
    Ok(absent.map(|it| spoken.says(lacked(it.clone()), None)))
}

/// A Service that does not exist explains messages that only say that something fails.
pub(super) fn ask_host<'s>(spoken: &Spoken<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let hosts = missing::by_host(spoken.inquiry)?;
    let says_only = !spoken.troubles.is_empty() && spoken.telling().is_none();
    let host = hosts.into_iter().next().filter(|_| says_only);
    Ok(host.map(|it| spoken.says(lacked(it), None)))
}

/// The missing object that the clean-up lacks, though no message says so.
pub(super) fn ask_lacking<'s>(unsaid: &UnsaidReasons<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    Ok(unsaid.lacking.clone().map(lacked))
}

/// Objects that the held one or its controller names in other ways than by a reference.
pub(super) fn ask<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    if !silent.is_going() || !silent.gives_none {
        return Ok(None);
    }
    let inquiry = silent.inquiry;
    let named = missing::named_otherwise(silent.best.map(|best| best.seen), inquiry);
    let (named, login) = (named, lacking_login(inquiry.held, inquiry.facts)).all()?;
    Ok(named.or(login).map(|(what, field)| found(what, field)))
}

fn lacked<'s>(Absent { what, field, of, .. }: Absent) -> FoundReason<'s> {
    found(what, field).of(&of)
}

fn found<'s>(what: Ref, field: String) -> FoundReason<'s> {
    REASON.found(move |case| answer(case, &what, &field))
}

/// `field` names `what`.
fn answer<'s>(case: &Case<'_, 's>, what: &Ref, field: &str) -> WordedReason<'s> {
    if case.is_foreseen() {
        // It is unknown whether the clean-up needs the object.
        let because = Sentence::from("its clean-up may need ").then(what);
        let because = because.then(format!(", which {field} names and which does not exist"));
        return foreseen(case, because, what);
    }
    let names = case.name().then(format!(" runs, but {field} names "));
    let answer = REASON.likely(case, names.then(what).then(", which does not exist")).waits_for(what.clone());
    // A node cannot be created again: a new node of that name would be another one.
    let way = (!is_core(what, "nodes")).then(|| create_it(case, what));
    answer.went_with(what).remedies(way)
}

/// An object that the held one was created from needs one that does not exist.
pub(super) fn of_sources<'s>(case: &Case<'_, 's>, with_sources: &[Seen<'_>]) -> Known<Option<WordedReason<'s>>> {
    let lacking = flat_each(with_sources.iter().skip(1), |by| Ok(lacks(*by, case.facts)?.map(|lacked| (*by, lacked))))?;
    Ok(lacking.into_iter().next().map(|(by, (what, field))| {
        let because = Sentence::from(&Ref::from(by)).then(", which it was created from, needs ").then(&what);
        foreseen(case, because.then(format!(", which {field} names and which does not exist")), &what)
    }))
}

fn foreseen<'s>(case: &Case<'_, 's>, because: Sentence, what: &Ref) -> WordedReason<'s> {
    REASON.likely(case, because).acts().perhaps().waits_for(None).remedies([again(what)])
}
