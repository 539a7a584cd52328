//! `preflight`: what would get stuck in a deletion, and the order in which to delete.

use super::manifests::{self, Charts};
use super::{diagnose, exit, imagined, not_found, out, removal, unfinished};
use crate::cli::{Cli, ManifestFlags, Options};
use crate::failure::{Exit, Failure, Hint};
use crate::plugin::COMMAND;
use crate::read::gather::Freshness;
use crate::report::{State, TargetReport};
use crate::survey::Cascade;

/// Previews a deletion; writes nothing.
///
/// # Errors
/// When the arguments are wrong, the cluster cannot be reached, or an object does not exist.
pub async fn run(cli: &Cli, words: &[String], flags: &ManifestFlags, cascade: Cascade) -> Result<Exit, Failure> {
    contradictions(cli)?;
    let hint = Hint::from("for example")
        .command(format!("{COMMAND} preflight ns shop"))
        .command(format!("{COMMAND} preflight widgets.acme.io/orders"));
    let is_unnamed = cli.connection.context.is_none() && cli.options.from.is_none();
    if flags.given().is_some() && is_unnamed && cli.connection.connect().await.is_err() {
        out::talk("no cluster is configured: the manifests are forecast as if they were installed");
        return imagined(cli, words, flags, cascade);
    }
    let asked = removal::asked(words, flags, hint)?;
    let report = if let Some(recorded) = asked.recorded(cli, cascade).await? {
        recorded.report
    } else {
        let live = unfinished::reported(asked.connect(cli, cascade)).await?;
        let diagnosed = live.diagnose(Freshness::Cached).await?;
        removal::has_products(&diagnosed)?;
        let is_there = |target: &TargetReport| target.state != State::Gone;
        if may_be_imagined(flags) && !diagnosed.report.targets.iter().any(is_there) {
            out::talk("none of these objects is in the cluster: they are forecast as if they were installed");
            return imagined(cli, words, flags, cascade);
        }
        not_found::say(&live, &diagnosed, &cli.options).await?;
        diagnosed.report
    };
    out::report(&report, &cli.options);
    // Manifests may name more than is installed.
    let is_left = flags.given().is_some() && report.targets.iter().any(|target| target.state != State::Gone);
    let options = Options { ignore_not_found: cli.options.ignore_not_found || is_left, ..cli.options.clone() };
    Ok(exit::of(&report, &options))
}

/// Previews the removal of installed manifests, without a cluster.
///
/// # Errors
/// When the arguments are wrong, or a manifest cannot be read.
pub fn imagined(cli: &Cli, words: &[String], flags: &ManifestFlags, cascade: Cascade) -> Result<Exit, Failure> {
    contradictions(cli)?;
    if flags.given().is_none() || !words.is_empty() || cli.options.from.is_some() {
        return Err(Failure::contradiction("--as-installed takes manifests, and nothing else")
            .hint("for example")
            .command(format!("{COMMAND} preflight -f chart/ --as-installed")));
    }
    let manifests = manifests::whole(flags, Charts::Rendered)?;
    let report = imagined::foresee(&manifests, cli.namespace_in_file(), cascade)?;
    out::report(&report, &cli.options);
    Ok(exit::of(&report, &cli.options))
}

/// Whether the manifests can be read again: standard input is gone after the first time.
fn may_be_imagined(flags: &ManifestFlags) -> bool {
    flags.given().is_some() && !flags.filename.iter().any(|path| path.as_os_str() == "-")
}

fn contradictions(cli: &Cli) -> Result<(), Failure> {
    diagnose::contradictions(&cli.options)?;
    if cli.options.approves_by_risk() {
        return Err(Failure::unknown("preflight changes nothing: there is nothing to approve")
            .hint("to delete in the order that it shows")
            .command(format!("{COMMAND} TYPE NAME --delete")));
    }
    Ok(())
}
