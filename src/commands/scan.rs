//! `scan`: finds all stuck objects in one or several clusters, by root cause.

use super::live_screen::LiveScreen;
use super::source::{Live, hide_progress, recorded};
use super::{diagnose, exit, interrupt, out, outside, unfinished, watch, words};
use crate::cli::{Cli, Options};
use crate::export::Printer;
use crate::failure::{Exit, Failure};
use crate::plugin::COMMAND;
use crate::report::Report;
use crate::screen;
use crate::survey::{Purpose, Scan};
use serde::Serialize;
use std::time::Duration;
use tokio::time::Instant;

/// The minimum time between scans of a watch. Each reads every kind.
const SCAN_EVERY: Duration = Duration::from_secs(10);

/// The reports on the clusters of several contexts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportList {
    api_version: &'static str,
    kind: &'static str,
    /// A report for each cluster that answered, in the order of the contexts.
    items: Vec<Report>,
    /// The contexts that could not be scanned.
    unreachable: Vec<Unreachable>,
}

#[derive(Serialize)]
struct Unreachable {
    context: String,
    why: String,
    #[serde(skip)]
    failure: Failure,
}

/// Surveys everything that is being deleted; changes nothing.
///
/// # Errors
/// When flags contradict each other, or no cluster can be read.
pub async fn run(
    cli: &Cli,
    all_namespaces: bool,
    selector: Option<&str>,
    contexts: &[String],
    watch: bool,
) -> Result<Exit, Failure> {
    diagnose::contradictions(&cli.options)?;
    contradictions(cli, selector, contexts)?;
    let mut cli = cli.clone();
    if all_namespaces {
        cli.connection.namespace = None;
    }
    let namespace = cli.connection.namespace.clone();
    let asked = Purpose::Scan(Scan { namespace, selector: selector.map(str::to_owned) });
    if watch {
        watchable(&cli.options, contexts)?;
        return watched(&cli, asked).await;
    }
    if !contexts.is_empty() {
        return several(&cli, asked, contexts).await;
    }
    let report = match recorded(&cli, &[], &asked).await? {
        Some(recorded) => recorded.report,
        None => report(cli.clone(), asked).await?,
    };
    show(&report, cli.connection.context.is_some(), &cli.options);
    Ok(exit::of(&report, &cli.options))
}

/// `-n NS` without a TYPE is a scan of that namespace, and `-A` one of all.
///
/// # Errors
/// As for [`run`].
pub async fn place_alone(cli: &Cli) -> Result<Exit, Failure> {
    let selection = &cli.selection;
    run(cli, selection.all_namespaces, selection.selector.as_deref(), &[], selection.watch).await
}

fn watchable(options: &Options, contexts: &[String]) -> Result<(), Failure> {
    if options.from.is_some() {
        return Err(Failure::contradiction("--watch cannot be used with --from, which reads a file"));
    }
    if !contexts.is_empty() {
        return Err(Failure::contradiction("--watch cannot be used with --contexts: watch one cluster at a time"));
    }
    if !options.output.is_repeatable() {
        return Err(Failure::contradiction("--watch prints only -o table, wide, json and yaml"));
    }
    Ok(())
}

/// Scans again and again until nothing is being deleted. On a terminal, each scan replaces the one before;
/// elsewhere, those are printed that differ.
async fn watched(cli: &Cli, asked: Purpose) -> Result<Exit, Failure> {
    let live = unfinished::reported(Live::connect_for(cli, asked)).await?;
    hide_progress();
    let (options, named) = (&cli.options, cli.connection.context.is_some());
    let deadline = watch::deadline(options);
    let mut screen = (options.output.is_screen() && out::is_screen()).then(LiveScreen::new);
    let mut last = None;
    loop {
        let begun = Instant::now();
        let report = live.look_at_everything().await?.report;
        if last.is_none() {
            outside::has_its_place(&report, cli, &live).await?;
        }
        let news = Some(watch::gist(&report));
        if let Some(screen) = &mut screen {
            let context = report.context.as_deref().filter(|_| named);
            let (rows, width) = screen.size();
            let shown = screen::scan_screen(&report, context, screen::Look { width, ..out::look(options) });
            screen.draw(&shown.first_lines(rows - 1), (rows, width));
        } else if news != last {
            show(&report, named, options);
        }
        last = news;
        if report.targets.is_empty() {
            return Ok(exit::of(&report, options));
        }
        tokio::select! {
            () = tokio::time::sleep(SCAN_EVERY.max(begun.elapsed() * 5)) => {}
            () = watch::until(deadline) => {
                out::talk("the time is up");
                return Ok(exit::of(&report, options));
            }
            () = interrupt::pressed() => {
                return Err(Failure::interrupted("interrupted: the deletions continue, this watch has ended"));
            }
        }
    }
}

fn contradictions(cli: &Cli, selector: Option<&str>, contexts: &[String]) -> Result<(), Failure> {
    let options = &cli.options;
    let refuse = |what: &str, hint: &str| Err(Failure::unknown(what).hint(hint));
    if options.approves_by_risk() {
        return Err(Failure::unknown("scan changes nothing: there is nothing to approve")
            .hint("to unstick")
            .command(format!("{COMMAND} TYPE NAME")));
    }
    if !contexts.is_empty() && options.from.is_some() {
        return Err(Failure::contradiction("--contexts cannot be used with --from, which reads a file"));
    }
    if !contexts.is_empty() && cli.connection.context.is_some() {
        return Err(Failure::contradiction("--context and --contexts cannot be used together"));
    }
    if contexts.iter().any(String::is_empty) {
        return refuse("a name in --contexts is empty", "--contexts first,second");
    }
    if contexts.len() > 1 && matches!(options.output.printer(), Printer::Document(_)) {
        return refuse(
            "-o junit, mermaid, dot and html show one cluster",
            "scan the contexts one by one, or use -o json",
        );
    }
    selector.map_or(Ok(()), words::is_selector)
}

/// Scans one cluster.
async fn report(cli: Cli, asked: Purpose) -> Result<Report, Failure> {
    let live = unfinished::reported(Live::connect_for(&cli, asked)).await?;
    let report = live.look_at_everything().await?.report;
    outside::has_its_place(&report, &cli, &live).await?;
    Ok(report)
}

/// Scans the clusters of all contexts at the same time. A cluster that does not answer does not
/// hide the others.
async fn several(cli: &Cli, asked: Purpose, contexts: &[String]) -> Result<Exit, Failure> {
    let mut list = ReportList {
        api_version: crate::survey::file::API_VERSION,
        kind: "ReportList",
        items: Vec::new(),
        unreachable: Vec::new(),
    };
    // Several bars would draw over each other.
    hide_progress();
    let there = |context: &String| {
        let connection = cli.connection.in_context(Some(context.clone()));
        Cli { connection, ..cli.clone() }
    };
    let scans: Vec<_> = contexts.iter().map(|context| tokio::spawn(report(there(context), asked.clone()))).collect();
    for (context, scan) in contexts.iter().zip(scans) {
        match scan.await.unwrap_or_else(|error| Err(Failure::unknown(error.to_string()))) {
            Ok(report) => list.items.push(report),
            Err(failure) if failure.exit == Exit::Interrupted => return Err(failure),
            Err(failure) => {
                list.unreachable.push(Unreachable { context: context.clone(), why: failure.to_string(), failure });
            }
        }
    }
    let exits: Vec<Exit> = list.items.iter().map(|report| exit::of(report, &cli.options)).collect();
    let output = cli.options.output;
    match (output.value(&list), output.printer()) {
        (Some(value), _) => out::data(&value),
        (None, Printer::Metrics(print)) => out::data(&print(&list.items, true)),
        _ => list.items.iter().for_each(|report| {
            show(report, true, &cli.options);
            out::data(&screen::Shown::own("\n"));
        }),
    }
    let all_answer = list.unreachable.is_empty();
    for Unreachable { context, failure, .. } in list.unreachable {
        out::talk(&failure.at(format_args!("context {context}")));
    }
    Ok(match () {
        () if !all_answer || exits.contains(&Exit::Unknown) => Exit::Unknown,
        () if exits.contains(&Exit::Stuck) => Exit::Stuck,
        () => Exit::Fine,
    })
}

/// Shows a report. `named` says whether its context was named on the command line; the commands in
/// the report then name it, too.
fn show(report: &Report, named: bool, options: &Options) {
    let context = report.context.as_deref().filter(|_| named);
    if options.output.is_screen() {
        out::screen(&screen::scan_screen(report, context, out::look(options)));
    } else {
        out::report(report, options);
    }
}
