//! The object refers to an object that does not exist.

use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use super::missing_object::{again, create_it, is_core};
use super::silent::SilentController;
use crate::facts::{All, Known};
use crate::kubernetes::progress::missing;
use crate::report::{Ref, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("dangling-reference", include_str!("dangling_reference.md"), Stage::Dependency);

/// Objects that the held one or its controller names in other ways than by a reference.
pub(super) fn ask<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    if !silent.is_going() || !silent.gives_none {
        return Ok(None);
    }
    let inquiry = silent.inquiry;
    let called = silent.best.map_or(Ok(None), |best| missing::by_variable(best.seen, inquiry));
    let called = called.map(|it| it.map(|(what, variable)| (what, format!("its variable {variable}"))));
    let (node, labelled, called) = (missing::node_gone(inquiry), missing::by_label(inquiry), called).all()?;
    Ok(node.or(labelled).or(called).map(|(what, field)| found(what, field)))
}

pub(super) fn found<'s>(what: Ref, field: String) -> FoundReason<'s> {
    FoundReason::new(&REASON, move |case| Ok(answer(case, &what, &field)))
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
    answer.remedies(way)
}

/// The source `by` of an object names `what` in `field`.
pub(super) fn of_source<'s>(case: &Case<'_, 's>, by: &Ref, what: &Ref, field: &str) -> WordedReason<'s> {
    let because = Sentence::from(by).then(", which it was created from, needs ").then(what);
    foreseen(case, because.then(format!(", which {field} names and which does not exist")), what)
}

fn foreseen<'s>(case: &Case<'_, 's>, because: Sentence, what: &Ref) -> WordedReason<'s> {
    REASON.likely(case, because).acts().perhaps().waits_for(None).remedies([again(what)])
}
