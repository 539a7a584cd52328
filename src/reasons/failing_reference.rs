//! An object that this one refers to reports a failure.

use super::advice::look_at;
use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use super::found_reason::Besides;
use super::silent::SilentController;
use super::waits_for_others;
use crate::facts::Known;
use crate::kubernetes::mentions::InTheWay;
use crate::kubernetes::messages::trouble::is_waiting;
use crate::kubernetes::progress::unwell::{FailingReference, failing_reference};
use crate::report::{Ref, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("failing-reference", include_str!("failing_reference.md"), Stage::Dependency);

/// An object that the held one refers to, if the controller gives no reason or says that it waits: then conditions that
/// are not True yet count, too.
pub(super) fn ask<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let waits = silent.says(is_waiting);
    if !silent.is_going() || !waits && !silent.gives_none {
        return Ok(None);
    }
    let sick = failing_reference(waits, silent.inquiry)?;
    Ok(sick.map(|FailingReference { what, words }| {
        let (named, is_going) = (Ref::from(what), what.object.is_deleting());
        let evidence = vec![Sentence::about(&named, format!("says \"{words}\""))];
        // An object that is being deleted never becomes Ready: the controller waits until it is gone.
        let found = if is_going {
            let waiting = silent.inquiry.held.first();
            waits_for_others::found(vec![InTheWay { waiting, blocker: what, sure: false }])
        } else {
            FoundReason::new(&REASON, move |case| Ok(answer(case, &named, &words)))
        };
        found.besides(Besides { evidence, is_unsaid: is_going, ..Besides::default() })
    }))
}

fn answer<'s>(case: &Case<'_, 's>, what: &Ref, words: &str) -> WordedReason<'s> {
    let reports = Sentence::from(what).then(", which it refers to, reports: ").then(Sentence::quoted(words, what));
    let fix = format!("fix what {what} reports, so that its controller can finish");
    let way = case.by_hand(Sentence::from(fix).by(look_at(what)));
    REASON.likely(case, reports).waits_for(what.clone()).can_be_mended(true).now_only().remedies([way])
}
