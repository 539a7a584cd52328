//! An object that this one refers to reports a failure.

use super::advice::look_at;
use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use super::silent::SilentController;
use super::waits_for_others;
use crate::facts::Known;
use crate::kubernetes::mentions::InTheWay;
use crate::kubernetes::messages::trouble::{is_unanswered, is_waiting};
use crate::kubernetes::progress::unwell::{FailingReference, ReferenceState, failing_reference};
use crate::report::{Ref, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("failing-reference", include_str!("failing_reference.md"), Stage::Dependency);

/// An object that the held one refers to, if the controller gives no reason or says that it waits: then conditions that
/// are not True yet count, too.
pub(super) fn ask<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let waits = silent.says(is_waiting);
    // A service that does not answer is one that was told not to run.
    let calls_in_vain = silent.says(is_unanswered);
    if !silent.is_going() || !waits && !calls_in_vain && !silent.gives_none {
        return Ok(None);
    }
    let sick = failing_reference(waits, silent.inquiry)?;
    let sick = sick.filter(|sick| !calls_in_vain || matches!(sick.trouble, ReferenceState::Rests(_)));
    Ok(sick.map(|sick| {
        let (named, is_going) = (Ref::from(sick.what), sick.what.object.is_deleting());
        let evidence = vec![evidence(&named, &sick.trouble)];
        // An object that is being deleted never becomes Ready: the controller waits until it is gone.
        let found = if is_going {
            let waiting = silent.inquiry.held.first();
            waits_for_others::found(vec![InTheWay { waiting, blocker: sick.what, sure: false }])
        } else {
            REASON.found(move |case| answer(case, &named, &sick))
        };
        found.evidence(evidence).unsaid(is_going)
    }))
}

fn evidence(what: &Ref, trouble: &ReferenceState) -> Sentence {
    Sentence::about(
        what,
        match trouble {
            ReferenceState::Says(words) => format!("says \"{words}\""),
            ReferenceState::IsNot(condition) => format!("condition {condition} is False"),
            ReferenceState::Rests(field) => format!("{field} is 0"),
            ReferenceState::Goes => "is being deleted, and was created for the object".to_owned(),
        },
    )
}

fn answer<'s>(case: &Case<'_, 's>, what: &Ref, sick: &FailingReference<'_>) -> WordedReason<'s> {
    let named = Sentence::from(what).then(if sick.is_in_entry {
        ", which its finalizer names, "
    } else {
        ", which it refers to, "
    });
    let (because, fix) = match &sick.trouble {
        ReferenceState::Says(words) => {
            (named.then("reports: ").then(Sentence::quoted(words, what)), format!("fix what {what} reports"))
        }
        ReferenceState::IsNot(condition) => {
            (named.then(format!("is not {condition}")), format!("find out why {what} is not {condition}"))
        }
        ReferenceState::Goes => (named.then("is being deleted"), format!("release {what} first")),
        ReferenceState::Rests(field) => (
            named.then(format!("runs nothing: its {field} is 0")),
            format!(
                "let {what} run again: set its {field} \
                above 0"
            ),
        ),
    };
    let whose = if sick.is_in_entry { "the controllers that work for it" } else { "its controller" };
    let way = case.by_hand(Sentence::from(format!("{fix}, so that {whose} can finish")).by(look_at(what)));
    REASON.likely(case, because).waits_for(what.clone()).can_be_mended(true).now_only().remedies([way])
}
