//! What a survey is asked, round after round: rules ask for facts until they need no more.

use crate::diagnosis::{Diagnosis, diagnose, diagnose_survey, preflight};
use crate::report::Report;
use crate::survey::{Survey, TargetName, Want};
use std::collections::BTreeSet;

/// So many rounds are asked; what is wanted then stays unread. A chain takes some five
/// rounds for each object that waits for the next. Of many targets, some are asked about
/// first, which has its own rounds.
pub(super) const ROUNDS: usize = 64;
/// More rounds than so many over what is unread would be a ring.
pub(super) const CLOSING: usize = 32;

/// A diagnosis as an answer: the report, and what is wanted for it.
pub(super) fn report(survey: &Survey, targets: &[TargetName]) -> (Report, BTreeSet<Want>) {
    with_wants(match survey.preflight {
        _ if survey.finds_its_targets() && targets.is_empty() => diagnose_survey(survey),
        Some(cascade) => preflight::diagnose(survey, targets, cascade),
        None => diagnose(survey, targets),
    })
}

/// Takes a diagnosis apart: the report, and what is wanted for it.
pub(super) fn with_wants(diagnosis: Diagnosis) -> (Report, BTreeSet<Want>) {
    (diagnosis.report, diagnosis.wants)
}
