//! `preflight`: what would get stuck if something were deleted, and in which order to delete it.

use super::source::{Live, RecordedSurvey};
use super::words::{self, TypeAndName};
use super::{diagnose, exit, not_found, out, unfinished};
use crate::cli::Cli;
use crate::cluster::gather::Freshness;
use crate::failure::{Exit, Failure};
use crate::plugin::COMMAND;
use crate::survey::Cascade;

/// Foresees a deletion; writes nothing.
///
/// # Errors
/// When the arguments are wrong, the cluster cannot be reached, or an object does not exist.
pub async fn run(cli: &Cli, words: &[String], cascade: Cascade) -> Result<Exit, Failure> {
    diagnose::contradictions(&cli.options)?;
    if cli.options.approves_by_risk() {
        return Err(Failure::unknown("preflight writes nothing: there is nothing to approve")
            .hint(format!("to delete in the order that it shows: {COMMAND} TYPE NAME --delete")));
    }
    let named = named(words)?;
    let report = if let Some(path) = &cli.options.from {
        let namespace = cli.connection.namespace.as_deref().unwrap_or("default");
        RecordedSurvey::open(path).await?.preflight(&named, namespace)?
    } else {
        let live = unfinished::reported(Live::connect_for_preflight(cli, named, cascade)).await?;
        let diagnosed = live.diagnose(Freshness::Cached).await?;
        not_found::say(&live, &diagnosed, &cli.options).await?;
        diagnosed.report
    };
    out::report(&report, &cli.options);
    Ok(exit::of(&report, &cli.options))
}

fn named(words: &[String]) -> Result<Vec<TypeAndName>, Failure> {
    if words.is_empty() {
        return Err(Failure::unknown("what is to be deleted? name it: TYPE NAME")
            .hint(format!("{COMMAND} preflight ns shop, {COMMAND} preflight widgets.acme.io/orders")));
    }
    words::parse(words)
}
