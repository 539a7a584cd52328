//! `apis`: finds all failing aggregated APIs, and the reasons.

use super::source::{Live, recorded};
use super::{apply, diagnose, unfinished};
use crate::cli::Cli;
use crate::failure::{Exit, Failure};
use crate::read::gather::Freshness;
use crate::survey::Purpose;

/// Finds failing aggregated APIs, asks, and carries out the approved steps.
///
/// # Errors
/// When the cluster, or the survey file, cannot be read.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    diagnose::contradictions(&cli.options)?;
    if let Some(recorded) = recorded(cli, &[], &Purpose::Apis).await? {
        return Ok(apply::show_only(&recorded.report, &cli.options));
    }
    let live = unfinished::reported(Live::connect_for(cli, Purpose::Apis)).await?;
    let diagnosed = live.diagnose(Freshness::Cached).await?;
    apply::offer(&live, diagnosed, cli).await
}
