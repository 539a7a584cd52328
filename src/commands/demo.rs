//! `demo`: the main task on a recorded cluster. Needs no cluster.

use super::{apply, out, source};
use crate::cli::Cli;
use crate::failure::{Exit, Failure};
use crate::plugin::COMMAND;
use crate::screen::Talk;
use crate::survey::Purpose;

/// Recorded from a real control plane by the scenario `demo`.
const SURVEY: &str = include_str!("demo/survey.yaml");

/// The recorded survey.
///
/// # Errors
/// When it cannot be read, which is a fault of the build.
pub(super) fn survey() -> Result<source::RecordedSurvey, Failure> {
    source::RecordedSurvey::parse(SURVEY, "the embedded demo")
}

/// Diagnoses the recorded survey.
///
/// # Errors
/// When the recorded survey cannot be read, which is a fault of the build.
pub fn run(cli: &Cli) -> Result<Exit, Failure> {
    let mut recorded = survey()?;
    out::talk(Talk::from("this is a recorded cluster: nothing here is real, and nothing is changed").and(""));
    let report = recorded.report(&Purpose::Targets, &[], cli.namespace_in_file())?;
    let exit = apply::show_only(&report, &cli.options);
    out::talk(
        Talk::apart().and(format!(
            "on a real cluster, a question for each step would follow; try: {COMMAND} explain pods-first"
        )),
    );
    Ok(exit)
}
