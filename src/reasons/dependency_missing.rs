//! The clean-up needs an object that does not exist.

use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use super::missing_object::{again, create_it};
use crate::kubernetes::namespaces::takes_nothing_new;
use crate::kubernetes::ownership::named_workloads::names;
use crate::report::{Ref, Remedy, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("dependency-missing", include_str!("dependency_missing.md"), Stage::Stated);

pub(super) fn found<'s>(what: Ref) -> FoundReason<'s> {
    FoundReason::new(&REASON, move |case| Ok(answer(case, &what)))
}

fn answer<'s>(case: &Case<'_, 's>, what: &Ref) -> WordedReason<'s> {
    let because = Sentence::from("its clean-up needs ").then(what).then(", which does not exist");
    let answer = REASON.proven(case, because).acts();
    if case.is_foreseen() {
        return answer.waits_for(None).remedies([again(what)]);
    }
    let is_closed = what.namespace.as_ref().is_some_and(|place| takes_nothing_new(place, case.facts));
    let way = if case.found.is_by_event() && !case.held.read().any(|seen| names(seen.object, &what.name)) {
        let title = format!("find out whether its controller needs {what}, and what created that: an event names it");
        Remedy::manual(title, "checking loses nothing")
    } else {
        create_it(case, what)
    };
    answer.waits_for(what.clone()).can_be_mended(!is_closed).remedies([way])
}
