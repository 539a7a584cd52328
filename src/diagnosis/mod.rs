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

use crate::survey::Survey;

/// Diagnoses `survey` for the purpose for which it was taken.
#[must_use]
pub fn diagnose_survey(survey: &Survey) -> Diagnosis {
    if let Some(scan) = &survey.purpose.scan {
        return scan::diagnose(survey, scan);
    }
    if survey.purpose.products.is_some() {
        return preflight::diagnose(survey, &survey.targets, survey.purpose.preflight.unwrap_or_default());
    }
    match (&survey.purpose.orphans, survey.purpose.preflight) {
        (Some(scope), _) => orphans::diagnose(survey, scope),
        (None, _) if survey.purpose.apis => apis::diagnose(survey),
        (None, Some(cascade)) => preflight::diagnose(survey, &survey.targets, cascade),
        (None, None) => diagnose(survey, &survey.targets),
    }
}
