//! Whether a controller watches an object: what shows that it does, and a setting by which it does not.

use crate::facts::{Known, SETTLE};
use crate::kubernetes::ownership::candidates::Ranking;
use crate::kubernetes::ownership::{access, scope};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::pauses;
use crate::kubernetes::statements::statement::observed;
use crate::kubernetes::workloads::health::{self, Health};
use crate::reasons::found_reason::FoundReason;
use crate::reasons::out_of_scope;
use crate::report::{ControllerState, Ref};
use crate::survey::Object;

/// Whether anything shows that the controller watches the held objects: a write or a statement since
/// the deletion, or the generation that it has observed.
pub(super) fn looks_at_it(names: &[String], inquiry: Inquiry<'_, '_>) -> bool {
    let Inquiry { held, said, .. } = inquiry;
    let spoke = said.iter().any(|said| {
        !(said.before || said.began_before)
            && (said.trouble || said.goes_on)
            && !said.is_hearsay(names)
            && !pauses::tells_of_a_pause(&said.message)
    });
    // Work that was under way at the time of the deletion is written a moment later.
    let wrote = |object: &Object| {
        let since = object.deletion_asked().map(|asked| asked + SETTLE);
        object.managers().any(|manager| names.contains(&manager.name) && since.is_some() && manager.time > since)
    };
    let saw = |object: &Object| observed(object.at("/status/observedGeneration"), object);
    spoke || held.whole.iter().any(|object| object.is_deleting() && (wrote(object) || saw(object)))
}

/// The first workload that was ruled out because it is configured to watch other objects, and would be the controller
/// otherwise; with that reason.
pub(super) fn out_of_scope<'s>(
    ranking: &Ranking<'s>,
    inquiry: Inquiry<'_, 's>,
) -> Known<Option<(Ref, FoundReason<'s>)>> {
    let Inquiry { traces, facts, gaps, .. } = inquiry;
    let mut told = ranking.ruled_out.iter().filter_map(|(seen, out)| Some((*seen, out.outside.clone()?)));
    let Some((seen, outside)) = told.next() else { return Ok(None) };
    let workload = Ref::from(seen);
    let (state, text) = match health::of(seen.object, facts, gaps)? {
        Health::Runs(pods) => (ControllerState::Failing, format!("{workload} runs: pod {} is Ready", pods[0].name())),
        Health::ScaledToZero => (ControllerState::Down, format!("{workload} is scaled to 0 replicas")),
        Health::Down(down) => (ControllerState::Down, format!("{workload} has no Ready pod: {}", down.reason)),
        Health::Unread(text) => (ControllerState::Unknown, format!("{workload}: {text}")),
    };
    let account = access::account_of(seen.object);
    // It is certain if the arguments and the permissions agree.
    let sure = matches!(outside.only, scope::Only::In(_))
        && ranking.complete
        && traces.rights.complete
        && !traces.rights.may_write(&account);
    Ok(Some((workload, out_of_scope::found(outside, sure).state(state).evidence(vec![text.into()]))))
}
