//! `orphans`: finds objects in the whole cluster that a forced finalize has stranded, and their
//! remedies.

use super::source::{Live, RecordedSurvey};
use super::{apply, diagnose, unfinished};
use crate::cli::Cli;
use crate::failure::{Exit, Failure};

/// Finds stranded objects, asks, and carries out the approved steps.
///
/// # Errors
/// When the cluster, or the survey file, cannot be read.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    diagnose::contradictions(&cli.options)?;
    if let Some(path) = &cli.options.from {
        let report = RecordedSurvey::open(path).await?.orphans(cli.connection.namespace.as_deref())?;
        return Ok(apply::show_only(&report, &cli.options));
    }
    let live = unfinished::reported(Live::connect_for_orphans(cli)).await?;
    let diagnosed = live.look_for_orphans(|report| apply::is_wanted(report, &cli.options)).await?;
    apply::offer(&live, diagnosed, cli).await
}
