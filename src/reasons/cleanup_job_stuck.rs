//! A Job or workload that was created for the clean-up does not finish.

use super::advice::look_at;
use super::at_work::{self, Work};
use super::common::{Case, FoundReason, NamedReason, Stage, WordedReason};
use super::reported;
use super::silent::SilentController;
use crate::facts::{All, Known};
use crate::kubernetes::progress::cleanup_jobs::{self, CleanupJob, JobState, MadeForMark};
use crate::plan::full_name;
use crate::report::{Cause, ControllerState, Remedy, Sentence};

pub(crate) const REASON: NamedReason =
    NamedReason::new("cleanup-job-stuck", include_str!("cleanup_job_stuck.md"), Stage::Use);

/// A controller that gives no other reason waits for the Jobs of its clean-up, whether these fail or run.
pub(super) fn ask<'s>(silent: &SilentController<'_, 's>) -> Known<Option<FoundReason<'s>>> {
    // A statement by another program may be about other work.
    let is_hearsay = silent.why.is(&reported::REASON);
    if !is_hearsay && !silent.is_silent {
        return Ok(None);
    }
    let (inquiry, controller) = (silent.inquiry, &silent.profile.controller);
    // The controller cleans up a cluster-scoped object in its own namespace.
    let home = controller.workload.as_ref().and_then(|workload| workload.namespace.as_deref());
    let own = inquiry.held.first().object.metadata.namespace.as_deref();
    let jobs = match own.or(home).filter(|_| !is_hearsay) {
        Some(place) => cleanup_jobs::find(place, inquiry),
        None => Ok(Vec::new()),
    };
    let called = home.map_or(Ok(Vec::new()), |home| cleanup_jobs::called_after(home, inquiry));
    let (jobs, called) = (jobs, called).all()?;
    let Some(first) = jobs.into_iter().chain(called).next() else { return Ok(None) };
    let CleanupJob { job, state, mark } = &first;
    let runs = matches!(state, JobState::Runs);
    let made = match mark {
        MadeForMark::SinceDeletion => Sentence::from("it has created ").then(job).then(" since the deletion"),
        MadeForMark::Uid => Sentence::about(job, "has the uid of the object in its name or labels"),
    };
    let evidence = runs.then(|| Sentence::about(job, "is running")).into_iter().chain([made]).collect();
    let state = is_hearsay.then_some(ControllerState::Alive);
    let found = if runs { at_work::found(Work::Expected) } else { REASON.found(move |case| answer(case, &first)) };
    Ok(Some(found.evidence(evidence).turns_out(state)))
}

fn answer<'s>(case: &Case<'_, 's>, failed: &CleanupJob) -> WordedReason<'s> {
    let made_for = match failed.mark {
        MadeForMark::SinceDeletion => ", created for the clean-up, ",
        MadeForMark::Uid => ", which works for it, ",
    };
    let job = Sentence::from(&failed.job).then(made_for);
    let because = match &failed.state {
        JobState::Runs => job.then("is running"),
        JobState::Failed(reason) => job.then("has failed: ").then(Sentence::reason(reason)),
        JobState::Hangs(reason) => job.then("does not finish: ").then(Sentence::reason(reason)),
    };
    let answer = REASON.likely(case, because).cause(Cause::Dependents).waits_for(failed.job.clone());
    answer.can_be_mended(true).now_only().remedies([mend(failed)])
}

/// The remedy for a job that has failed or does not finish.
fn mend(CleanupJob { job, state, .. }: &CleanupJob) -> Remedy {
    if matches!(state, JobState::Failed(_)) {
        let title = format!("fix what made {job} fail, and let its controller create it again");
        return Remedy::command(title, format!("kubectl logs {}", full_name(job)), "it does its clean-up then");
    }
    let title = format!("fix what keeps {job} from finishing");
    Remedy::command(title, look_at(job), "nothing is lost: it does its clean-up then")
}
