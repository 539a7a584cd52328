//! The controller waits until other objects are deleted.

use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use super::found_reason::Besides;
use super::in_use;
use super::others::{free_first, going, named, release, reports};
use super::silent::SilentController;
use crate::facts::Known;
use crate::kubernetes::mentions::InTheWay;
use crate::kubernetes::mentions::parts::{Attached, attached};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::report::{Cause, Ref, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("waits-for-others", include_str!("waits_for_others.md"), Stage::Stated);

/// Parts of the objects that are being deleted, or users that name the objects in an annotation.
pub(super) fn ask_parts<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let Inquiry { finalizer, held, facts, gaps, .. } = silent.inquiry;
    if !silent.is_silent {
        return Ok(None);
    }
    let Attached { going, asking } = attached(finalizer, held, facts, gaps)?;
    let found = match (going.is_empty(), asking.is_empty()) {
        (false, _) => found(going),
        (true, false) => in_use::found(asking),
        (true, true) => return Ok(None),
    };
    Ok(Some(found.besides(Besides { is_unsaid: true, ..Besides::default() })))
}

pub(super) fn found(others: Vec<InTheWay<'_>>) -> FoundReason<'_> {
    let told = others.clone();
    FoundReason::new(&REASON, move |case| answer(case, &told)).others(others)
}

fn answer<'s>(case: &Case<'_, 's>, others: &[InTheWay<'s>]) -> Known<WordedReason<'s>> {
    let waits = Sentence::from("its controller waits for ");
    let first = Ref::from(others[0].blocker);
    if case.is_foreseen() {
        let answer = REASON.likely(case, waits.then(&first)).acts().remedies([free_first(&first)]);
        return Ok(answer.waits_for(first));
    }
    // If several kinds have that name, another may be meant.
    let is_sure = others.iter().all(|edge| edge.sure);
    let because = waits.then(named(others)).then(reports(&others[0], case.facts)?);
    let answer = REASON.proven(case, because).proven_if(is_sure).cause(Cause::Dependents).waits_for(first);
    let ways = others.iter().take(2).map(|edge| case.by_hand(release(edge.blocker)));
    Ok(answer.needs(going(others)).others(others.iter().map(|edge| edge.blocker).collect()).remedies(ways))
}
