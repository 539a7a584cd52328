//! The controller has no Ready pod.

use super::advice::{look_at, wait};
use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use super::kind_not_served;
use super::missing_object::{bring_back, create_again, is_pod};
use crate::kubernetes::mentions::no_kind::missed_at_start;
use crate::kubernetes::workloads::health::{BeingDeleted, Down};
use crate::report::{ControllerState, Ref, Remedy, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("controller-down", include_str!("controller_down.md"), Stage::There);

pub(super) fn found<'s>(workload: Ref, down: Down) -> FoundReason<'s> {
    let reason = Some(down.reason.clone());
    let found = REASON.found(move |case| answer(case, &workload, &down));
    FoundReason { down: reason, state: ControllerState::Down, ..found }
}

pub(super) fn found_elsewhere<'s>(message: &str) -> FoundReason<'s> {
    let told = message.to_owned();
    let found = REASON.found(move |case| elsewhere(case, &told));
    found.words(message).state(ControllerState::Down).evidence(vec![message.into()])
}

fn answer<'s>(case: &Case<'_, 's>, workload: &Ref, down: &Down) -> WordedReason<'s> {
    let because = case.name().then(" is down: ").then(Sentence::reason(&down.reason));
    let answer = REASON.proven(case, because).proven_if(case.found.sure);
    if case.is_foreseen() {
        let repair = Sentence::from("repair ").then(case.name()).then(" before you delete");
        return answer.remedies([case.by_hand(repair)]);
    }
    let answer = answer.remedies(repairs(case, workload, down));
    match &down.missing {
        Some(missing) => answer.waits_for(missing.clone()),
        None => answer,
    }
}

/// The remedies that bring it back.
fn repairs(case: &Case<'_, '_>, workload: &Ref, down: &Down) -> Vec<Remedy> {
    let own_way = case.own_way();
    let title = match (&down.going, &down.missing) {
        (Some(BeingDeleted::Workload), _) => {
            format!("let its deletion finish, and install its controller again{own_way}").into()
        }
        (Some(BeingDeleted::Namespace), _) => format!(
            "run its controller in another namespace, with the same permissions, because its own is \
            terminating{own_way}"
        )
        .into(),
        (None, Some(what)) if is_pod(what) => bring_back(what, case.facts),
        (None, Some(what)) => create_again(what, &own_way, case.facts),
        (None, None) => {
            let words = down.last_words.as_deref();
            let kinds = words.and_then(|words| missed_at_start(words, case.facts.discovery()));
            let first = kinds.iter().map(|kind| case.by_hand(kind_not_served::install_for(kind, workload)));
            let repair = Sentence::from(format!("repair {workload}")).by(look_at(workload));
            return first.chain([case.by_hand(repair)]).collect();
        }
    };
    vec![case.by_hand(title)]
}

/// It ran where no workload for it was found, and has stopped according to `message`.
fn elsewhere<'s>(case: &Case<'_, 's>, message: &str) -> WordedReason<'s> {
    let start = "start its controller again where it ran: no workload for it was found here";
    let because = Sentence::from("its controller is not running: ").reported(message);
    REASON.likely(case, because).words(message).needs(Vec::new()).remedies(wait(case)).remedies([case.by_hand(start)])
}
