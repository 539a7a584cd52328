//! `owners`: who owns an object and what it owns, and what of that hangs.

use super::source::{Live, Recorded};
use super::words::{self, Named};
use super::{not_found, out, unfinished};
use crate::cli::{Cli, Output};
use crate::cluster::gather::Freshness;
use crate::diagnosis::owners::trees;
use crate::failure::{Exit, Failure};
use crate::plugin::COMMAND;
use crate::render;
use crate::report::{OwnerState, OwnershipReport, State};

/// Shows the tree.
///
/// # Errors
/// Bad words, no cluster, an object that does not exist.
pub async fn run(cli: &Cli, words: &[String], anywhere: bool) -> Result<Exit, Failure> {
    if cli.options.yes || cli.options.approve.is_some() {
        return Err(Failure::unknown("owners only looks: there is nothing to approve")
            .hint(format!("{COMMAND} TYPE NAME offers the way out of what is stuck")));
    }
    let named = words::parse(words)?;
    let report = if let Some(path) = &cli.options.from {
        let namespace = cli.connection.namespace.as_deref().unwrap_or("default");
        let mut recorded = Recorded::open(path).await?;
        recorded.answer(&named, namespace, |survey, targets| trees(survey, targets, anywhere))?
    } else {
        live(cli, named, anywhere).await?
    };
    print(&report, cli);
    Ok(exit(&report, cli.options.ignore_not_found))
}

async fn live(cli: &Cli, named: Vec<Named>, anywhere: bool) -> Result<OwnershipReport, Failure> {
    let live = unfinished::told(Live::connect(cli, named).await?).await?;
    let (survey, report) = live.answer(Freshness::Cached, |survey, targets| trees(survey, targets, anywhere)).await?;
    let found = report.targets.iter().zip(&survey.targets);
    let gone: Vec<_> = found.filter(|(node, _)| is_gone(node.state)).map(|(_, name)| name).collect();
    not_found::say_of(&live, &gone, report.targets.len(), &cli.options).await?;
    Ok(report)
}

fn print(report: &OwnershipReport, cli: &Cli) {
    let look = out::look(&cli.options);
    match cli.options.output {
        Output::Tree => out::screen(&render::owners_tree(report, look)),
        Output::Json => out::data(&render::json(report)),
        Output::Yaml => out::data(&render::yaml(report)),
        // Any format but a table is refused before anything is read.
        _ => out::screen(&render::owners_table(report, look)),
    }
}

fn is_gone(state: OwnerState) -> bool {
    state == OwnerState::Missing
}

/// Stuck is what hangs anywhere in the tree; what nobody could read decides only
/// where nothing does.
fn exit(report: &OwnershipReport, ignore_not_found: bool) -> Exit {
    let any = |state: State| report.nodes().any(|node| node.deletion == Some(state));
    let gone = report.targets.iter().any(|target| is_gone(target.state));
    if any(State::Stuck) {
        Exit::Stuck
    } else if any(State::Unknown) || !report.unread.is_empty() || (gone && !ignore_not_found) {
        Exit::Unknown
    } else {
        Exit::Fine
    }
}
