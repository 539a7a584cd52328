//! It is not known who should release the object.

use super::advice::{ask_it, wait};
use super::common::{Case, FoundReason, NamedReason, Stage, UnsaidReasons, WordedReason};
use super::controller_gone::bring_back_whoever;
use super::{not_late_yet, set_by_hand};
use crate::facts::Known;
use crate::report::{ControllerState, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("controller-unknown", include_str!("controller_unknown.md"), Stage::Silence);

/// The workload runs, but may be the wrong one: another name of the controller is known.
pub(super) fn ask<'s>(unsaid: &UnsaidReasons<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let (best, traces) = (unsaid.asked.best, unsaid.asked.inquiry.traces);
    let is_doubtful = !best.named && best.pieces < 2 && traces.names.iter().any(|name| name.catalogued);
    let evidence = vec![format!("{} may write this kind, and nothing else points to it", best.reference()).into()];
    Ok(is_doubtful.then(|| found().evidence(evidence)))
}

pub(super) fn found<'s>() -> FoundReason<'s> {
    REASON.found(answer).state(ControllerState::Unknown)
}

fn answer<'s>(case: &Case<'_, 's>) -> WordedReason<'s> {
    let found = case.found;
    if case.is_foreseen() {
        return foreseen(case);
    }
    let says = "could not find out ";
    let (because, ways, looked_at) = if let Some(workload) = case.workload() {
        let whether = Sentence::from(says).then("whether ").then(workload).then(" should remove it");
        (whether, ask_it(case), case.searched(workload))
    } else {
        let ways = vec![case.by_hand(bring_back_whoever(case))];
        (Sentence::from(says).then("which controller removes it"), ways, "no controller found for it".into())
    };
    let answer = REASON.unknown(case, because).waits_for(case.workload().filter(|_| found.sure).cloned());
    let answer = answer.looked_at(case.looked_at(looked_at)).remedies(wait(case).into_iter().chain(ways));
    let answer = match case.usual {
        Some(usual) => not_late_yet::instead_of(answer, None, usual),
        None => answer,
    };
    if case.workload().is_some() { answer } else { set_by_hand::instead_of(answer, case) }
}

fn foreseen<'s>(case: &Case<'_, 's>) -> WordedReason<'s> {
    let finalizer = case.finalizer;
    for gap in &case.found.unread {
        case.facts.note_unknown(format!("who removes {finalizer}"), gap.clone());
    }
    let title = match case.entry.filter(|_| case.found.has_traces) {
        Some(entry) => format!("first check whether {} is running: {}", entry.controller, entry.way_out),
        None => format!("first find out who removes {finalizer}, and whether that controller is running"),
    };
    REASON.likely(case, "it is not known who removes it").perhaps().remedies([case.by_hand(title)])
}
