//! Calls of tools: translates them to the command line, and answers them. Everything here only
//! reads: neither this file nor anything it uses can write to a cluster.

use super::quotes;
use crate::cli::{Cascading, Cli};
use crate::cluster::gather::Freshness;
use crate::commands::not_found;
use crate::commands::select::{self, Selected};
use crate::commands::source::{Diagnosed, Live, RecordedSurvey};
use crate::commands::words::{self, is_short_enough};
use crate::diagnosis::owners::trees;
use crate::failure::Failure;
use crate::knowledge::explain;
use crate::render::{self, Look, clean_value};
use crate::report::{OwnerState, OwnershipReport, Report};
use crate::rules::explanations;
use crate::survey::{Scan, Survey, TargetName};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A plain screen that is narrow enough to be quoted: the client has no terminal.
const LOOK: Look = Look { width: 100, colour: false, all: false };

/// The namespace of objects that are named without one, in a survey file.
const DEFAULT: &str = "default";

/// The arguments of a call about objects. Each tool takes those in its schema.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Arguments {
    #[serde(rename = "type")]
    kind: Option<String>,
    name: Option<String>,
    namespace: Option<String>,
    #[serde(default)]
    all_namespaces: bool,
    selector: Option<String>,
    cascade: Option<Cascading>,
    word: Option<String>,
    context: Option<String>,
}

/// A tool's answer.
#[derive(Debug)]
pub(super) struct ToolAnswer {
    /// The first screen.
    pub(super) text: String,
    /// The report as in `-o json`.
    pub(super) report: Option<Value>,
}

/// `diagnose`
pub(super) async fn diagnose(cli: &Cli, call: &Arguments) -> Result<ToolAnswer, Failure> {
    let mut cli = call.place(cli)?;
    cli.words = call.words();
    cli.selection.selector.clone_from(&call.selector);
    cli.selection.all_namespaces = call.all_namespaces;
    if let Some(path) = &cli.options.from {
        let Selected::Named(named) = select::asked(&cli)? else { return Err(Failure::unknown("a survey needs names")) };
        let namespace = cli.connection.namespace.as_deref().unwrap_or(DEFAULT);
        let mut recorded = RecordedSurvey::open(path).await?;
        let report = recorded.diagnose(&named, namespace)?;
        return Ok(of_report(&report, recorded.survey()));
    }
    let live = select::connect(&cli).await?;
    live.draw_nothing();
    let diagnosed = live.diagnose(Freshness::Cached).await?;
    let answer = of_report(&diagnosed.report, &diagnosed.survey);
    if diagnosed.survey.targets.is_empty() {
        return Ok(ToolAnswer { text: select::nothing(&cli, &live).into(), ..answer });
    }
    with_missing(answer, &live, &not_found::missing(&diagnosed), diagnosed.report.targets.len(), &cli).await
}

/// `scan`
pub(super) async fn scan(cli: &Cli, call: &Arguments) -> Result<ToolAnswer, Failure> {
    let cli = call.place(cli)?;
    call.selector.as_deref().map_or(Ok(()), words::is_selector)?;
    let namespace = cli.connection.namespace.clone().filter(|_| !call.all_namespaces);
    let scan = Scan { namespace, selector: call.selector.clone() };
    if let Some(path) = &cli.options.from {
        let mut recorded = RecordedSurvey::open(path).await?;
        let report = recorded.scan(&scan)?;
        return Ok(answer(&render::scan_screen(&report, None, LOOK), &report, recorded.survey()));
    }
    let live = Live::connect_for_scan(cli.connection.connection(), cli.options.logs, scan).await?;
    live.draw_nothing();
    let Diagnosed { report, survey, .. } = live.look_at_everything().await?;
    Ok(answer(&render::scan_screen(&report, None, LOOK), &report, &survey))
}

/// `preflight`
pub(super) async fn preflight(cli: &Cli, call: &Arguments) -> Result<ToolAnswer, Failure> {
    let cli = call.place(cli)?;
    let named = words::parse(&call.words())?;
    if let Some(path) = &cli.options.from {
        let namespace = cli.connection.namespace.as_deref().unwrap_or(DEFAULT);
        let mut recorded = RecordedSurvey::open(path).await?;
        let report = recorded.preflight(&named, namespace)?;
        return Ok(of_report(&report, recorded.survey()));
    }
    let cascade = call.cascade.map(Into::into).unwrap_or_default();
    let live = Live::connect_for_preflight(&cli, named, cascade).await?;
    live.draw_nothing();
    let diagnosed = live.diagnose(Freshness::Cached).await?;
    let answer = of_report(&diagnosed.report, &diagnosed.survey);
    with_missing(answer, &live, &not_found::missing(&diagnosed), diagnosed.report.targets.len(), &cli).await
}

/// `owners`
pub(super) async fn owners(cli: &Cli, call: &Arguments) -> Result<ToolAnswer, Failure> {
    let cli = call.place(cli)?;
    let named = words::parse(&call.words())?;
    let anywhere = call.all_namespaces;
    if let Some(path) = &cli.options.from {
        let namespace = cli.connection.namespace.as_deref().unwrap_or(DEFAULT);
        let mut recorded = RecordedSurvey::open(path).await?;
        let report = recorded.answer(&named, namespace, |survey, targets| trees(survey, targets, anywhere))?;
        return Ok(of_owners(&report, recorded.survey()));
    }
    let live = Live::connect(&cli, named).await?;
    live.draw_nothing();
    let (survey, report) = live.answer(Freshness::Cached, |survey, targets| trees(survey, targets, anywhere)).await?;
    let found = report.targets.iter().zip(&survey.targets);
    let gone: Vec<&TargetName> =
        found.filter(|(node, _)| node.state == OwnerState::Missing).map(|(_, name)| name).collect();
    with_missing(of_owners(&report, &survey), &live, &gone, report.targets.len(), &cli).await
}

/// `explain`
pub(super) fn explained(call: &Arguments) -> Result<ToolAnswer, Failure> {
    let text = match call.word.as_deref() {
        None => explain::index(&explanations()),
        Some(word) => {
            is_short_enough(word)?;
            crate::commands::explain::text(word)?
        }
    };
    Ok(ToolAnswer { text, report: None })
}

impl Arguments {
    /// TYPE NAME, or TYPE/NAME, as words of a command line.
    fn words(&self) -> Vec<String> {
        self.kind.iter().chain(&self.name).cloned().collect()
    }

    /// The command line, with the namespace and context of the call.
    fn place(&self, cli: &Cli) -> Result<Cli, Failure> {
        if self.context.is_some() && cli.options.from.is_some() {
            return Err(Failure::unknown("context names a cluster, and --from reads a file")
                .hint("leave out context, or start the server without --from"));
        }
        let mut cli = cli.clone();
        cli.connection = cli.connection.in_context(self.context.clone());
        if let Some(namespace) = &self.namespace {
            cli.connection.namespace = Some(namespace.clone());
        }
        Ok(cli)
    }
}

/// The answer, with a sentence for each target that does not exist.
async fn with_missing(
    answer: ToolAnswer,
    live: &Live,
    missing: &[&TargetName],
    targets: usize,
    cli: &Cli,
) -> Result<ToolAnswer, Failure> {
    if missing.is_empty() || cli.options.ignore_not_found {
        return Ok(answer);
    }
    let mut failures = not_found::failures(live, missing).await;
    if missing.len() == targets
        && let Some(failure) = failures.pop()
    {
        return Err(failure);
    }
    let said: Vec<String> = failures.iter().map(|failure| format!("error: {failure}\n")).collect();
    Ok(ToolAnswer { text: plain(&said.concat()) + "\n" + &answer.text, ..answer })
}

fn of_report(report: &Report, survey: &Survey) -> ToolAnswer {
    answer(&render::screen(report, LOOK), report, survey)
}

fn of_owners(report: &OwnershipReport, survey: &Survey) -> ToolAnswer {
    answer(&render::owners_table(report, LOOK), report, survey)
}

/// A screen and the report it shows, both with the cluster's own words moved to a separate place.
fn answer(screen: &str, report: &impl Serialize, survey: &Survey) -> ToolAnswer {
    let (text, report) = quotes::separated(screen, structured(report), survey);
    ToolAnswer { text: plain(&text), report }
}

/// The text of a failure for the client.
pub(super) fn plain(text: &str) -> String {
    render::ascii(text)
}

/// The report with invisible characters replaced: the reader may be a model, which sees what a
/// person does not.
fn structured(report: &impl Serialize) -> Option<Value> {
    let mut value = serde_json::to_value(report).ok()?;
    clean_value(&mut value);
    Some(value)
}
