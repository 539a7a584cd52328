//! `orphans`: finds objects in the whole cluster that a forced finalize has stranded, and their
//! remedies.

use super::source::{Live, recorded};
use super::{apply, diagnose, unfinished};
use crate::cli::Cli;
use crate::failure::{Exit, Failure};
use crate::survey::Purpose;

/// Finds stranded objects, asks, and carries out the approved steps.
///
/// # Errors
/// When the cluster, or the survey file, cannot be read.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    diagnose::contradictions(&cli.options)?;
    let asked = Purpose::orphans(cli.connection.namespace.clone());
    if let Some(recorded) = recorded(cli, &[], &asked).await? {
        return Ok(apply::show_only(&recorded.report, &cli.options));
    }
    let live = unfinished::reported(Live::connect_for(cli, asked)).await?;
    let diagnosed = live.look_for_orphans(|report| apply::is_wanted(report, &cli.options)).await?;
    apply::offer(&live, diagnosed, cli).await
}
