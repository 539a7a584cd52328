//! A Job or workload that was created for the clean-up does not finish.

use super::reason::{Reason, Stage};

pub(super) const REASON: Reason =
    Reason { name: "cleanup-job-stuck", page: include_str!("cleanup_job_stuck.md"), stage: Stage::Use };
