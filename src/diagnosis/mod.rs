//! From facts to findings: a pure function.
//!
//! [`diagnose`] runs every rule for every target. Rules that miss a fact leave a want; the caller
//! fetches the wants and calls again, until there are none. Findings with one cause are merged:
//! what one repair fixes is one finding, however many objects and targets it holds.

mod answer;
pub mod apis;
mod explore;
mod merge;
mod missing_pods;
pub mod orphans;
pub mod owners;
pub mod preflight;
mod requirements;
mod roots;
pub mod scan;
mod targets;
#[cfg(test)]
mod tests;
mod verdict;
mod waiters;

pub use answer::{Diagnosis, close};
pub use targets::diagnose;

use crate::survey::{Purpose, Survey, TargetName};

/// Diagnoses `survey` for the purpose for which it was taken.
#[must_use]
pub fn diagnose_survey(survey: &Survey) -> Diagnosis {
    diagnose_for(&survey.purpose, survey, &survey.targets)
}

/// Diagnoses `survey` for a purpose. Targets that are given replace those that the diagnosis would find.
#[must_use]
pub fn diagnose_for(purpose: &Purpose, survey: &Survey, targets: &[TargetName]) -> Diagnosis {
    match purpose {
        Purpose::Preflight { cascade, .. } => preflight::diagnose(survey, targets, *cascade),
        _ if !targets.is_empty() => diagnose(survey, targets),
        Purpose::Targets => diagnose(survey, targets),
        Purpose::Orphans(scope) => orphans::diagnose(survey, scope),
        Purpose::Scan(scan) => scan::diagnose(survey, scan),
        Purpose::Apis => apis::diagnose(survey),
        Purpose::Products(namespace) => preflight::products(survey, namespace.as_deref()),
    }
}
