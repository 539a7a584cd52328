//! Jobs, and other workloads, that a controller has created for a clean-up and that do not finish.

use crate::kubernetes::progress::cleanup_jobs::{CleanupJob, JobState, MadeForMark};
use crate::plan::full_name;
use crate::report::{Remedy, Sentence};

/// The text about a job that keeps the controller from finishing.
pub(crate) fn because(failed: &CleanupJob) -> Sentence {
    let made_for = match failed.mark {
        MadeForMark::SinceDeletion => ", created for the clean-up, ",
        MadeForMark::Uid => ", which works for it, ",
    };
    let job = Sentence::from(&failed.job).then(made_for);
    match &failed.state {
        JobState::Runs => job.then("is running"),
        JobState::Failed(reason) => job.then("has failed: ").then(Sentence::reason(reason)),
        JobState::Hangs(reason) => job.then("does not finish: ").then(Sentence::reason(reason)),
    }
}

/// The remedy for a job that has failed or does not finish.
pub(crate) fn mend(failed: &CleanupJob) -> Remedy {
    let CleanupJob { job, state, .. } = failed;
    let name = full_name(job);
    if matches!(state, JobState::Failed(_)) {
        let title = format!("fix what made {job} fail, and let its controller create it again");
        return Remedy::command(title, format_args!("kubectl logs {name}"), "it does its clean-up then");
    }
    let title = format!("fix what keeps {job} from finishing");
    Remedy::command(title, format_args!("kubectl describe {name}"), "nothing is lost: it does its clean-up then")
}
