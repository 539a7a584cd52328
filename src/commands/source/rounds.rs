//! The rounds of a survey: rules ask for facts until they need no more.

use crate::diagnosis::{Diagnosis, diagnose_for};
use crate::report::Report;
use crate::survey::{Survey, TargetName, Want};
use std::collections::BTreeSet;

/// How many rounds are read; wants after that stay unread. A chain takes about five rounds for each
/// object that waits for the next. If there are many targets, some are diagnosed first, in rounds
/// of their own.
pub(super) const MAX_ROUNDS: usize = 64;
/// How many rounds over unread facts may follow; more would be an endless loop.
pub(super) const MAX_CLOSING_ROUNDS: usize = 32;

/// A diagnosis, split into the report and the facts that it still wants.
pub(super) fn report(survey: &Survey, targets: &[TargetName]) -> (Report, BTreeSet<Want>) {
    with_wants(diagnose_for(&survey.purpose, survey, targets))
}

/// Splits a diagnosis into the report and the facts that it still wants.
pub(super) fn with_wants(diagnosis: Diagnosis) -> (Report, BTreeSet<Want>) {
    (diagnosis.report, diagnosis.wants)
}
