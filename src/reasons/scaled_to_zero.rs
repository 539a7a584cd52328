//! The controller is scaled to 0 replicas.

use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use super::silent::SilentController;
use super::{gives_no_reason, said_before_restart};
use crate::facts::{All, Known};
use crate::findings::start::scale_up;
use crate::kubernetes::mentions::users;
use crate::kubernetes::progress::{pending, stopped_part};
use crate::kubernetes::workloads::scalers;
use crate::report::{ControllerState, Ref, Remedy, Sentence};
use crate::survey::Seen;

pub(crate) const REASON: NamedReason =
    NamedReason::new("scaled-to-zero", include_str!("scaled_to_zero.md"), Stage::There);

/// A part of the same product that does not run, if the running one gives no reason.
pub(super) fn ask_sibling<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let is_asked = silent.why.is_one_of(&[&gives_no_reason::REASON, &said_before_restart::REASON]);
    let Some(best) = silent.best.filter(|_| is_asked) else { return Ok(None) };
    let Some(resting) = stopped_part::sibling(best, silent.inquiry)? else { return Ok(None) };
    let workload = Ref::from(resting);
    let told = format!("{workload} belongs to the same product, may write this kind, and is scaled to 0 replicas");
    let found = FoundReason { instead: Some(workload), ..found(resting) };
    Ok(Some(found.evidence(vec![told.into()]).turns_out(ControllerState::Down)))
}

pub(super) fn found(workload: Seen<'_>) -> FoundReason<'_> {
    let found = REASON.found(move |case| answer(case, workload));
    FoundReason { parked: Some(workload), state: ControllerState::Down, ..found }
}

fn answer<'s>(case: &Case<'_, 's>, workload: Seen<'s>) -> Known<WordedReason<'s>> {
    let Case { finalizer, objects, held, found, facts, .. } = *case;
    let pending = pending::besides(objects, finalizer, workload, facts);
    let (better, scaler) = if case.is_foreseen() {
        (Ok(None), Ok(None))
    } else {
        (better_than_the_start(case, workload), scalers::of(workload, facts))
    };
    let (pending, better, scaler) = (pending, better, scaler).all()?;
    let start = scale_up(workload, found.sure && found.bound, case.entry, held, &pending, facts);
    let start = match scaler {
        _ if case.is_foreseen() => {
            // At the same risk as after the deletion.
            let title = Sentence::from("start it before you delete").by(&start.steps[0].command);
            Remedy { title, ..start }
        }
        Some(scaler) => {
            let consequence = Sentence::about(&scaler, "may scale it down again; ").then(&start.consequence);
            Remedy { consequence, ..start }
        }
        None => start,
    };
    let answer = REASON.proven(case, case.name().then(" is scaled to 0 replicas")).proven_if(found.sure);
    Ok(WordedReason { removal_first: better, ..answer.remedies([start]) })
}

/// Why removing the finalizer is better than starting the controller: nothing uses the objects any more, so
/// nothing is left behind, and the start would also destroy something of another kind that is not deleted
/// with its namespace.
fn better_than_the_start(case: &Case<'_, '_>, workload: Seen<'_>) -> Known<Option<String>> {
    let Case { finalizer, objects, held, facts, .. } = *case;
    if !users::is_guard(finalizer) {
        return Ok(None);
    }
    let (other, is_unused) =
        (pending::beyond(objects, finalizer, workload, facts), users::are_none(held, facts)).all()?;
    Ok(other.filter(|_| is_unused).map(|other| {
        format!(
            "this comes first, because nothing uses {} any more and starting {} would also finish the deletion of \
                {other}; ",
            if objects.len() == 1 { "it" } else { "them" },
            Ref::from(workload)
        )
    }))
}
