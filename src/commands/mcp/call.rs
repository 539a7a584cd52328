//! Calls of tools: translates them to the command line, and answers them. Everything here only
//! reads: neither this file nor anything it uses can write to a cluster.

use super::brief::{Brief, Page, brief, held, next};
use super::fit::{ToolAnswer, fitted, lines_of};
use super::owned::owned;
use super::quotes::{Scribe, separated};
use super::{manual_commands, plans};
use crate::cli::Cli;
use crate::commands::select;
use crate::commands::source::{Diagnosed, Live, RecordedSurvey, recorded};
use crate::commands::words::{self, is_short_enough};
use crate::commands::{explain, not_found, outside};
use crate::diagnosis::owners::trees;
use crate::failure::Failure;
use crate::read::gather::Freshness;
use crate::report::{About, Report};
use crate::screen::{ascii, clean_value};
use crate::survey::{Cascade, Purpose, Scan, Survey, TargetName};
use serde::Deserialize;

/// The maximum number of causes, and of names in each list, in an answer.
const MAX_LIMIT: usize = 1_000;

/// The arguments of a call about objects. Each tool accepts those in its schema.
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
    cascade: Option<Cascade>,
    word: Option<String>,
    context: Option<String>,
    /// The uid of the deleted object, to tell it from a new one with the same name.
    pub(super) uid: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

/// Says what holds the named or selected objects in Terminating.
pub(super) async fn diagnose(cli: &Cli, call: &Arguments) -> Result<ToolAnswer, Failure> {
    let page = call.page()?;
    let mut cli = call.place(cli)?;
    if call.kind.is_none() && call.namespace.is_some() && cli.options.from.is_none() {
        return scan(&cli, call).await;
    }
    cli.words = call.words();
    cli.selection.selector.clone_from(&call.selector);
    cli.selection.all_namespaces = call.all_namespaces;
    if let Some(Diagnosed { report, survey }) = select::recorded(&cli).await? {
        return Ok(answer(&report, &survey, page, None));
    }
    let live = select::connect(&cli).await?;
    let diagnosed = live.diagnose(Freshness::Cached).await?;
    let approved_by = manual_commands::command(&cli, &diagnosed.report);
    let answer = answer(&diagnosed.report, &diagnosed.survey, page, approved_by.as_deref());
    if diagnosed.survey.targets.is_empty() && outside::is_bare(&cli) {
        return beside_namespaces(&cli, &live, page).await;
    }
    if diagnosed.survey.targets.is_empty() {
        return Ok(ToolAnswer { text: ascii(&select::nothing(&cli, &live).await?), ..answer });
    }
    with_missing(answer, &live, &not_found::missing(&diagnosed), diagnosed.report.targets.len(), &cli).await
}

/// The answer when no namespace is being deleted: what else is.
async fn beside_namespaces(cli: &Cli, live: &Live, page: Page) -> Result<ToolAnswer, Failure> {
    let Diagnosed { report, survey } = outside::look(live).await?;
    let told = answer(&report, &survey, page, manual_commands::command(cli, &report).as_deref());
    let said = ascii(&outside::beside_namespaces(&report, cli));
    let text = if report.targets.is_empty() { said } else { said + &told.text };
    Ok(ToolAnswer { text, ..told })
}

/// Lists everything that is stuck in a cluster or a namespace.
pub(super) async fn scan(cli: &Cli, call: &Arguments) -> Result<ToolAnswer, Failure> {
    let page = call.page()?;
    let mut cli = call.place(cli)?;
    call.selector.as_deref().map_or(Ok(()), words::is_selector)?;
    if call.all_namespaces {
        cli.connection.namespace = None;
    }
    let asked = Purpose::Scan(Scan { namespace: cli.connection.namespace.clone(), selector: call.selector.clone() });
    if let Some(Diagnosed { report, survey }) = recorded(&cli, &[], &asked).await? {
        return Ok(answer(&report, &survey, page, None));
    }
    let live = Live::connect_for(&cli, asked).await?;
    let Diagnosed { report, survey, .. } = live.look_at_everything().await?;
    outside::has_its_place(&report, &cli, &live).await?;
    let command = manual_commands::command(&cli, &report);
    let approvals = plans::approvals(&cli, &held(&report, page)).await;
    Ok(answer_with(&report, &survey, page, command.as_deref(), &approvals))
}

/// Says what would get stuck if the named objects were deleted.
pub(super) async fn preflight(cli: &Cli, call: &Arguments) -> Result<ToolAnswer, Failure> {
    let page = call.page()?;
    let mut cli = call.place(cli)?;
    cli.words = call.words();
    let named = words::parse(&cli.words)?;
    let asked = Purpose::preflight(call.cascade.unwrap_or_default());
    if let Some(Diagnosed { report, survey }) = recorded(&cli, &named, &asked).await? {
        return Ok(answer(&report, &survey, page, None));
    }
    let live = Live::connect(&cli, named).await?.for_purpose(asked);
    let diagnosed = live.diagnose(Freshness::Cached).await?;
    let command = manual_commands::command(&cli, &diagnosed.report);
    let answer = answer(&diagnosed.report, &diagnosed.survey, page, command.as_deref());
    with_missing(answer, &live, &not_found::missing(&diagnosed), diagnosed.report.targets.len(), &cli).await
}

/// Shows the owners and dependents of the named objects.
pub(super) async fn owners(cli: &Cli, call: &Arguments) -> Result<ToolAnswer, Failure> {
    let page = call.page()?;
    let cli = call.place(cli)?;
    let named = words::parse(&call.words())?;
    let found = |survey: &Survey, targets: &[TargetName]| trees(survey, targets, call.all_namespaces);
    if let Some(path) = &cli.options.from {
        let mut recorded = RecordedSurvey::open(path).await?;
        let report = recorded.answer(&named, cli.namespace_in_file(), found)?;
        return Ok(owned(&report, recorded.survey(), page));
    }
    let live = Live::connect(&cli, named).await?;
    let (survey, report) = live.answer(Freshness::Cached, found).await?;
    let missing = not_found::missing_nodes(&report, &survey);
    with_missing(owned(&report, &survey, page), &live, &missing, report.targets.len(), &cli).await
}

/// Explains a word, or lists everything that can be explained.
pub(super) fn explained(call: &Arguments) -> Result<ToolAnswer, Failure> {
    let word = call.word.as_deref();
    word.map_or(Ok(()), is_short_enough)?;
    let text = explain::text(word)?;
    Ok(ToolAnswer { text: lines_of(&ascii(&text), call.page()?), report: None })
}

impl Arguments {
    /// TYPE NAME, or TYPE/NAME, as words of a command line.
    pub(super) fn words(&self) -> Vec<String> {
        self.kind.iter().chain(&self.name).cloned().collect()
    }

    /// The requested part of the answer.
    pub(super) fn page(&self) -> Result<Page, Failure> {
        let from = self.cursor.as_deref().map_or(Ok(0), str::parse);
        let from = from.map_err(|_| Failure::unknown("cursor must be the nextCursor of the previous answer"))?;
        if self.limit.is_some_and(|limit| limit == 0 || limit > MAX_LIMIT) {
            return Err(Failure::unknown(format!("limit must be a number from 1 to {MAX_LIMIT}")));
        }
        Ok(Page { from, limit: self.limit })
    }

    /// The command line, with the namespace and context of the call.
    pub(super) fn place(&self, cli: &Cli) -> Result<Cli, Failure> {
        if self.context.is_some() && cli.options.from.is_some() {
            return Err(Failure::unknown("context cannot be used: the server reads a file (--from)")
                .hint("leave out context, or start the server without --from"));
        }
        let mut cli = cli.clone();
        // An agent reads no log unless the person who started the server wants that.
        cli.options.no_logs = !cli.options.logs;
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
    let failures = not_found::failures(live, missing).await;
    let mut failures: Vec<Failure> = failures.iter().map(without_flags).collect();
    if missing.len() == targets
        && let Some(failure) = failures.pop()
    {
        return Err(failure);
    }
    let said: Vec<String> = failures.iter().map(|failure| format!("not found: {}\n", failure.what())).collect();
    Ok(ToolAnswer { text: ascii(&said.concat()) + &answer.text, ..answer })
}

/// The failure for an agent. Its advice may name flags, which an agent does not have: only the
/// question in it is kept.
fn without_flags(failure: &Failure) -> Failure {
    let question = failure.hints().first().and_then(|hint| hint.words().split_inclusive('?').next());
    let question = question.filter(|question| question.ends_with('?')).unwrap_or("already gone?");
    Failure::unknown(failure.what()).hint(format!("{question} verify says whether it is gone, and what is left"))
}

/// The page of a report, with the cluster's own words in a separate place. `command` is the command
/// for a person about the same targets.
pub(super) fn answer(report: &Report, survey: &Survey, page: Page, command: Option<&str>) -> ToolAnswer {
    answer_with(report, survey, page, command, &[])
}

/// The same, with the commands that approve a remedy of the first causes of a scan.
fn answer_with(
    report: &Report,
    survey: &Survey,
    page: Page,
    command: Option<&str>,
    approvals: &[Option<String>],
) -> ToolAnswer {
    let scribe = Scribe::default();
    let mut value = serde_json::to_value(brief(report, page, &scribe)).unwrap_or_default();
    // The reader may be a model, which sees characters that a person does not.
    clean_value(&mut value);
    let value = separated(value, scribe, &[survey]);
    let mut brief: Brief = serde_json::from_value(value).unwrap_or_default();
    let is_diagnosis = report.about == About::Targets;
    for way in brief.causes.iter_mut().flat_map(|cause| &mut cause.remedies) {
        if !is_diagnosis {
            // The digest is in the object's own diagnosis.
            way.digest.clear();
        }
        let approved = command.filter(|_| !way.digest.is_empty());
        way.approve = approved.map(|command| format!("{command} --approve-plan {}", way.digest));
    }
    if report.about == About::Scan {
        let approvals = approvals.iter().cloned().chain(std::iter::repeat(None));
        for ((cause, object), approval) in brief.causes.iter_mut().zip(held(report, page)).zip(approvals) {
            cause.next = Some(next(object));
            cause.approve = approval;
            cause.command = command.map(|_| manual_commands::about(object, report));
        }
    }
    let deletes = command.filter(|_| report.about == About::Preflight);
    let closing = deletes.map(|command| {
        format!(
            "deletes in this order, with a question for each step: {command} \
        --delete"
        )
    });
    fitted(brief, page, closing.as_slice())
}
