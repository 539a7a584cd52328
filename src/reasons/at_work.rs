//! The controller runs and works on the object.

use super::advice::watch;
use super::common::{Case, FoundReason, NamedReason, Stage, UnsaidReasons, WordedReason};
use crate::facts::{Known, clock};
use crate::report::{Cause, ControllerState, Remedy, Sentence};

pub(super) use super::work::{Work, WorkShown};

pub(crate) const REASON: NamedReason = NamedReason::new("at-work", include_str!("at_work.md"), Stage::Work);

/// The evidence of work. If a source of the object is missing, the controller lacks it at once: that it leads is then
/// no evidence.
pub(super) fn ask<'s>(unsaid: &UnsaidReasons<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let lacks_at_once = |shown: &WorkShown| unsaid.lacks_something() && shown.by_lease_alone;
    Ok(unsaid.shown.filter(|shown| !lacks_at_once(shown)).map(|shown| found(shown.work)))
}

pub(super) fn found<'s>(work: Work) -> FoundReason<'s> {
    let back = if let Work::Back(back) = work { Some(back) } else { None };
    let found = REASON.found(move |case| answer(case, work));
    FoundReason { back, is_expected: work == Work::Expected, state: ControllerState::Alive, ..found }
}

fn answer<'s>(case: &Case<'_, 's>, work: Work) -> WordedReason<'s> {
    let name = case.name();
    let because = match work {
        Work::Back(since) => name.then(format!(" has been back since {}: give it time", clock(since))),
        Work::Freed(since) => {
            Sentence::from("what blocked ").then(name).then(format!(" was fixed at {}: give it time", clock(since)))
        }
        Work::Starting => name.then(" is starting, and is not Ready yet: give it time"),
        Work::Seen | Work::Expected => name.then(" runs: give it time"),
    };
    let wait = Remedy::command("wait, and check again in a minute", watch(case.first()), "nothing is lost");
    let answer = REASON.proven(case, because).proven_if(work == Work::Seen).cause(Cause::Progressing);
    answer.now_only().remedies([wait])
}
