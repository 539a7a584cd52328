//! `apis`: finds all failing aggregated APIs, and the reasons.

use super::source::{Live, RecordedSurvey};
use super::{apply, diagnose, unfinished};
use crate::cli::Cli;
use crate::failure::{Exit, Failure};
use crate::read::gather::Freshness;

/// Finds failing aggregated APIs, asks, and carries out the approved steps.
///
/// # Errors
/// When the cluster, or the survey file, cannot be read.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    diagnose::contradictions(&cli.options)?;
    if let Some(path) = &cli.options.from {
        let report = RecordedSurvey::open(path).await?.apis()?;
        return Ok(apply::show_only(&report, &cli.options));
    }
    let live = unfinished::reported(Live::connect_for_apis(cli)).await?;
    let diagnosed = live.diagnose(Freshness::Cached).await?;
    apply::offer(&live, diagnosed, cli).await
}
