//! The controller runs, and nothing that could be read says why.

use super::advice::{find_out_first, wait_or_ask};
use super::case::Foreseen;
use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use super::{dangling_reference, in_use, not_late_yet, reported};
use crate::facts::Known;
use crate::kubernetes::progress::unwell::with_sources;
use crate::needs::{Further, Relation};
use crate::report::{ControllerState, Ref, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("gives-no-reason", include_str!("gives_no_reason.md"), Stage::Silence);

pub(super) fn found<'s>() -> FoundReason<'s> {
    REASON.found(answer).state(ControllerState::Alive)
}

fn answer<'s>(case: &Case<'_, 's>) -> Known<WordedReason<'s>> {
    if let Some(foreseen) = case.foreseen {
        return Ok(expected(case, foreseen)?.unwrap_or_else(|| REASON.likely(case, "").now_only()));
    }
    let because = case.name().then(" runs, but does not remove it, and nothing that could be read says why");
    let answer = REASON.unknown(case, because).remedies(wait_or_ask(case));
    let answer = match case.workload() {
        Some(workload) => answer.looked_at(case.looked_at(case.searched(workload))),
        None => answer,
    };
    Ok(match case.usual {
        Some(usual) => not_late_yet::instead_of(answer, case.workload(), usual),
        None => answer,
    })
}

/// The reason for which a controller that runs would wait: users of the target that stay, or what the clean-up would
/// meet.
fn expected<'s>(case: &Case<'_, 's>, Foreseen { world, relation }: Foreseen<'_>) -> Known<Option<WordedReason<'s>>> {
    let is_user = |further: &&Further<'_>| further.relation == Relation::Uses;
    let user = world.further().ok().filter(|_| relation.is_none()).and_then(|all| all.iter().find(is_user));
    if let Some(user) = user {
        return Ok(Some(in_use::by(case, &user.seen.into())));
    }
    // Its users may go with its namespace.
    let stays = !case.held.read().all(|seen| world.going.holds(seen.object.metadata.namespace.as_deref()));
    if let Some(words) = case.held.read().next().filter(|_| stays).and_then(in_use::own_word) {
        return Ok(Some(in_use::by_its_own_word(case, words)));
    }
    let sources = with_sources(case.held, case.facts)?;
    match reported::already(case, &sources) {
        Some(reported) => Ok(Some(reported)),
        None => dangling_reference::of_sources(case, &sources),
    }
}

/// `late` should be deleted by now, although its controller runs.
pub(super) fn already_late<'s>(case: &Case<'_, 's>, late: &Ref) -> WordedReason<'s> {
    let because = Sentence::about(late, "is already being deleted and still exists");
    REASON.likely(case, because).waits_for(None).remedies([find_out_first(late)])
}
