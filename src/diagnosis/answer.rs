//! The answer of a diagnosis: a report, and the reads that would make it final.

use crate::report::{About, Finding, Note, Remedy, Report, TargetReport};
use crate::survey::file::API_VERSION;
use crate::survey::{Fact, Purpose, Reason, Survey, Unread, Want};
use std::collections::BTreeSet;

/// A report, and the reads that would make it final.
#[derive(Debug)]
pub struct Diagnosis {
    /// The report; final if nothing is wanted.
    pub report: Report,
    /// The reads that rules asked for and that the survey does not contain.
    pub wants: BTreeSet<Want>,
}

/// The report, with the parts that every report has about the survey.
pub(crate) fn report(
    survey: &Survey,
    targets: Vec<TargetReport>,
    findings: Vec<Finding>,
    remedies: Vec<Remedy>,
    unread: BTreeSet<Note>,
) -> Report {
    Report {
        about: if matches!(survey.purpose, Purpose::Orphans(_)) { About::Orphans } else { About::Targets },
        api_version: API_VERSION,
        kind: "Report",
        taken_at: survey.taken_at,
        context: survey.context.clone(),
        server: survey.server.clone(),
        targets,
        findings,
        remedies,
        unread: unread.into_iter().collect(),
        unread_kinds: survey.unread_kinds(),
        ..Report::default()
    }
}

/// Fills the wants with "not in this survey", for a survey that cannot be extended.
pub fn close(survey: &mut Survey, wants: BTreeSet<Want>) {
    for want in wants {
        survey.record(want, Fact::Unread(Unread { reason: Reason::NotInSurvey, message: String::new() }));
    }
}
