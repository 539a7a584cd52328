//! `owners`: the owners and dependents of an object, and which of these are stuck.

use super::source::{Live, RecordedSurvey};
use super::words::{self, TypeAndName};
use super::{not_found, out, unfinished};
use crate::cli::{Cli, Output};
use crate::diagnosis::owners::trees;
use crate::failure::{Exit, Failure};
use crate::plugin::COMMAND;
use crate::read::gather::Freshness;
use crate::report::{OwnerState, OwnershipReport, State};
use crate::screen;

/// Shows the tree of owners.
///
/// # Errors
/// When the arguments are wrong, the cluster cannot be reached, or an object does not exist.
pub async fn run(cli: &Cli, words: &[String], anywhere: bool) -> Result<Exit, Failure> {
    if cli.options.approves_by_risk() {
        return Err(Failure::unknown("owners changes nothing: there is nothing to approve")
            .hint("this offers the way out of what is stuck")
            .command(format!("{COMMAND} TYPE NAME")));
    }
    if words.is_empty() {
        return Err(Failure::unknown("TYPE and NAME are missing")
            .hint("for example")
            .command(format!("{COMMAND} owners deploy/web -n shop"))
            .command(format!("{COMMAND} owners ns shop")));
    }
    let named = words::parse(words)?;
    let report = if let Some(path) = &cli.options.from {
        let mut recorded = RecordedSurvey::open(path).await?;
        recorded.answer(&named, cli.namespace_in_file(), |survey, targets| trees(survey, targets, anywhere))?
    } else {
        live(cli, named, anywhere).await?
    };
    print(&report, cli);
    Ok(exit(&report, cli.options.ignore_not_found))
}

async fn live(cli: &Cli, named: Vec<TypeAndName>, anywhere: bool) -> Result<OwnershipReport, Failure> {
    let live = unfinished::reported(Live::connect(cli, named)).await?;
    let (survey, report) = live.answer(Freshness::Cached, |survey, targets| trees(survey, targets, anywhere)).await?;
    let missing = not_found::missing_nodes(&report, &survey);
    not_found::say_of(&live, &missing, report.targets.len(), &cli.options).await?;
    Ok(report)
}

fn print(report: &OwnershipReport, cli: &Cli) {
    let look = out::look(&cli.options);
    // Any other format was refused before.
    match cli.options.output.value(report) {
        Some(value) => out::data(&value),
        None if cli.options.output == Output::Tree => out::screen(&screen::owners_tree(report, look)),
        None => out::screen(&screen::owners_table(report, look)),
    }
}

/// Stuck, if any object in the tree is stuck. Unread facts matter only if none is.
fn exit(report: &OwnershipReport, ignore_not_found: bool) -> Exit {
    let any = |state: State| report.nodes().any(|node| node.deletion == Some(state));
    let gone = report.targets.iter().any(|target| target.state == OwnerState::Missing);
    if any(State::Stuck) {
        Exit::Stuck
    } else if any(State::Unknown) || !report.unread.is_empty() || (gone && !ignore_not_found) {
        Exit::Unknown
    } else {
        Exit::Fine
    }
}
