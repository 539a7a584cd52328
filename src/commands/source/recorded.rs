//! A recorded survey. Everything that it does not contain is unread.

use super::live::Diagnosed;
use super::rounds::{MAX_CLOSING_ROUNDS, report, with_wants};
use crate::cli::Cli;
use crate::commands::words::TypeAndName;
use crate::commands::{interrupt, survey_file, words};
use crate::diagnosis::{close, diagnose_for};
use crate::failure::Failure;
use crate::plugin::COMMAND;
use crate::report::Report;
use crate::survey::{Purpose, Scan, Scope, Survey, TargetName, Want, file};
use std::collections::BTreeSet;
use std::path::Path;
use tokio::sync::oneshot;

/// The report from the file of `--from`; `None` without that flag.
///
/// # Errors
/// As for [`RecordedSurvey::open`] and [`RecordedSurvey::report`].
pub async fn recorded(cli: &Cli, named: &[TypeAndName], asked: &Purpose) -> Result<Option<Diagnosed>, Failure> {
    let Some(path) = &cli.options.from else { return Ok(None) };
    let mut recorded = RecordedSurvey::open(path).await?;
    let report = recorded.report(asked, named, cli.namespace_in_file())?;
    Ok(Some(Diagnosed { survey: recorded.survey, report }))
}

/// A recorded survey.
#[derive(Debug)]
pub struct RecordedSurvey {
    survey: Survey,
}

impl RecordedSurvey {
    /// Parses a survey. `from` names its source in errors.
    ///
    /// # Errors
    /// When it is no survey.
    pub fn parse(text: &str, from: &str) -> Result<Self, Failure> {
        let survey = file::read(text).map_err(|error| Failure::unknown(format!("{from}: {error}")))?;
        Ok(Self { survey })
    }

    /// Reads a survey file, and its base if it names one; `-` is stdin.
    ///
    /// # Errors
    /// When one of them cannot be read or is no survey; or on Ctrl-C.
    pub async fn open(path: &Path) -> Result<Self, Failure> {
        let path = path.to_owned();
        let read = move || Ok(Self { survey: survey_file::read(&path)? });
        // Reading from a pipe or a large file may take long.
        let (sender, receiver) = oneshot::channel();
        let thread = std::thread::Builder::new().stack_size(file::STACK).spawn(move || sender.send(read()).ok());
        let gone =
            |error: &dyn std::fmt::Display| Failure::unknown(format!("cannot start a thread to read with: {error}"));
        thread.map_err(|error| gone(&error))?;
        interrupt::unless(async { receiver.await.unwrap_or_else(|error| Err(gone(&error))) }).await
    }

    /// The recorded facts.
    #[must_use]
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Reports on the named objects, or on what the survey was taken for.
    ///
    /// # Errors
    /// When it was not taken for what is asked, does not contain a TYPE, or no object is named at all.
    pub fn report(&mut self, asked: &Purpose, named: &[TypeAndName], namespace: &str) -> Result<Report, Failure> {
        let purpose = fitting(&self.survey.purpose, asked)?;
        let are_meant = *asked == Purpose::Targets && !named.is_empty();
        if purpose.finds_targets() && !are_meant {
            return self.close_with(|survey| with_wants(diagnose_for(&purpose, survey, &[])));
        }
        self.answer(named, namespace, report)
    }

    /// Answers from the recorded facts; everything else is unread.
    ///
    /// # Errors
    /// As for [`Self::report`].
    pub fn answer<T>(
        &mut self,
        named: &[TypeAndName],
        namespace: &str,
        answer: impl Fn(&Survey, &[TargetName]) -> (T, BTreeSet<Want>),
    ) -> Result<T, Failure> {
        let targets = if named.is_empty() {
            self.survey.targets.clone()
        } else {
            named
                .iter()
                .map(|named| words::resolve(named, &self.survey.discovery, namespace))
                .collect::<Result<_, _>>()?
        };
        if targets.is_empty() {
            return Err(Failure::unknown("the survey was not taken for any object").hint("write TYPE NAME to diagnose"));
        }
        self.close_with(|survey| answer(survey, &targets))
    }

    fn close_with<T>(&mut self, answer: impl Fn(&Survey) -> (T, BTreeSet<Want>)) -> Result<T, Failure> {
        for _ in 0..MAX_CLOSING_ROUNDS {
            let (answered, wants) = answer(&self.survey);
            if wants.is_empty() {
                return Ok(answered);
            }
            close(&mut self.survey, wants);
        }
        Err(Failure::unknown("the diagnosis did not finish").hint("please report it with the survey"))
    }
}

/// The purpose for which a survey that was `taken` for one answers what is `asked`. About the aggregated APIs, any
/// survey does.
fn fitting(taken: &Purpose, asked: &Purpose) -> Result<Purpose, Failure> {
    let (what, words) = match (taken, asked) {
        (_, Purpose::Apis) => return Ok(Purpose::Apis),
        (_, Purpose::Targets)
        | (Purpose::Preflight { .. }, Purpose::Preflight { .. })
        | (Purpose::Products(_), Purpose::Products(_)) => return Ok(taken.clone()),
        (Purpose::Scan(taken), Purpose::Scan(asked)) => return scan_within(taken, asked).map(Purpose::Scan),
        (Purpose::Orphans(taken), Purpose::Orphans(asked)) => {
            let namespace = place_within(taken.namespace.as_ref(), asked.namespace.as_ref())?;
            return Ok(Purpose::Orphans(Scope { namespace, ..taken.clone() }));
        }
        (_, Purpose::Preflight { .. }) => ("a preflight", "preflight TYPE NAME"),
        (_, Purpose::Products(_)) => ("products", "products"),
        (_, Purpose::Scan(_)) => ("a scan", "scan"),
        (_, Purpose::Orphans(_)) => ("orphans", "orphans"),
    };
    Err(Failure::unknown(format!("the survey was not taken for {what}"))
        .hint("this takes such a survey")
        .command(format!("{COMMAND} survey {words}")))
}

/// A scan of all namespaces does not tell what a scan of one would find.
fn scan_within(taken: &Scan, asked: &Scan) -> Result<Scan, Failure> {
    if taken.namespace.is_none() && asked.namespace.is_some() {
        return Err(Failure::unknown("the survey was taken for all namespaces")
            .hint("leave out -n, or take another")
            .command(format!("{COMMAND} survey scan -n NAMESPACE")));
    }
    let namespace = place_within(taken.namespace.as_ref(), asked.namespace.as_ref())?;
    Ok(Scan { namespace, ..asked.clone() })
}

/// The namespace to look at in a survey of one, or of all.
fn place_within(taken: Option<&String>, asked: Option<&String>) -> Result<Option<String>, Failure> {
    match (taken, asked) {
        (Some(taken), Some(asked)) if taken != asked => {
            Err(Failure::unknown(format!("the survey contains only namespace {taken}"))
                .hint(format!("leave out -n {asked}, or take another survey")))
        }
        _ => Ok(asked.or(taken).cloned()),
    }
}
