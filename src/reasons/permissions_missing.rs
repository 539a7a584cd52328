//! The controller lacks a permission that the clean-up needs.

use super::common::{AskedController, Case, FoundReason, NamedReason, Stage, UnsaidReasons, WordedReason};
use crate::facts::Known;
use crate::kubernetes::ownership::lost_rights::{LostRights, WATCH};
use crate::kubernetes::progress::rights::{self, LackingRights};
use crate::report::{Cause, Ref};

pub(crate) const REASON: NamedReason =
    NamedReason::new("permissions-missing", include_str!("permissions_missing.md"), Stage::Rights);

pub(super) fn ask<'s>(asked: &AskedController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let lacking = rights::lost(asked.best, asked.inquiry)?;
    Ok(lacking.map(|lacking| found(asked.best.reference(), lacking)))
}

/// It may list the kind but not watch it.
pub(super) fn ask_blind<'s>(unsaid: &UnsaidReasons<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    let asked = unsaid.asked;
    let lacking = rights::blind(asked.best, asked.inquiry)?;
    Ok(lacking.map(|lacking| found(asked.best.reference(), lacking)))
}

fn found(workload: Ref, LackingRights { lost, evidence, said_in }: LackingRights<'_>) -> FoundReason<'_> {
    let found = REASON.found(move |case| answer(case, &workload, &lost));
    found.evidence(evidence.into_iter().map(Into::into).collect()).said_in(said_in)
}

fn answer<'s>(case: &Case<'_, 's>, workload: &Ref, lost: &LostRights) -> WordedReason<'s> {
    // A workload that only looks like the controller may never have had the permissions.
    let is_lost = case.found.sure && lost.is_named() && !lost.lack.includes(WATCH) && !case.found.is_hearsay();
    let answer = REASON.proven(case, case.name().then(lost.without())).proven_if(is_lost);
    let way = lost.remedy(case.first(), workload, &case.clean_up(), case.when(), case.facts);
    answer.cause(Cause::Permissions).can_be_mended(true).remedies([way])
}
