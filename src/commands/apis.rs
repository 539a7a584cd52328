//! `apis`: every aggregated API that fails, down to the reason.

use super::source::{Live, Recorded};
use super::{apply, diagnose, unfinished};
use crate::cli::Cli;
use crate::cluster::gather::Freshness;
use crate::failure::{Exit, Failure};

/// Looks for failing aggregated APIs, asks, applies.
///
/// # Errors
/// When the cluster, or the survey file, cannot be read.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    diagnose::contradictions(&cli.options)?;
    if let Some(path) = &cli.options.from {
        let report = Recorded::open(path).await?.apis()?;
        return Ok(apply::show_only(&report, &cli.options));
    }
    let live = unfinished::told(Live::connect_for_apis(cli).await?).await?;
    let diagnosed = live.diagnose(Freshness::Cached).await?;
    apply::offer(&live, diagnosed, cli).await
}
