//! A recorded survey. Everything that it does not contain is unread.

use super::rounds::{MAX_CLOSING_ROUNDS, report, with_wants};
use crate::commands::words::TypeAndName;
use crate::commands::{interrupt, survey_file, words};
use crate::diagnosis::{apis, close, diagnose_survey, orphans, scan};
use crate::failure::Failure;
use crate::plugin::COMMAND;
use crate::report::Report;
use crate::survey::{Products, Scan, Scope, Survey, TargetName, Want, file};
use std::collections::BTreeSet;
use std::path::Path;
use tokio::sync::oneshot;

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

    /// Diagnoses the named objects, or those for which the survey was taken.
    ///
    /// # Errors
    /// When it does not contain a TYPE, or no object is named at all.
    pub fn diagnose(&mut self, named: &[TypeAndName], namespace: &str) -> Result<Report, Failure> {
        if named.is_empty() && self.survey.finds_its_targets() {
            return self.close_with(|survey| with_wants(diagnose_survey(survey)));
        }
        self.answer(named, namespace, report)
    }

    /// Answers from the recorded facts; everything else is unread.
    ///
    /// # Errors
    /// As for [`Self::diagnose`].
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

    /// Finds failing aggregated APIs. Any survey will do.
    ///
    /// # Errors
    /// When the diagnosis does not end.
    pub fn apis(&mut self) -> Result<Report, Failure> {
        self.close_with(|survey| with_wants(apis::diagnose(survey)))
    }

    /// Previews a deletion. The survey must have been taken for a preflight.
    ///
    /// # Errors
    /// When it was not, or does not contain a TYPE.
    pub fn preflight(&mut self, named: &[TypeAndName], namespace: &str) -> Result<Report, Failure> {
        if self.survey.purpose.preflight.is_none() {
            return Err(Failure::unknown("the survey was not taken for a preflight")
                .hint("this takes such a survey")
                .command(format!("{COMMAND} survey preflight TYPE NAME")));
        }
        if self.survey.purpose.products.is_none() {
            return self.answer(named, namespace, report);
        }
        // The survey knows its own targets and products.
        let targets = self.survey.targets.clone();
        self.close_with(|survey| report(survey, &targets))
    }

    /// Lists the installed products. The survey must have been taken for that.
    ///
    /// # Errors
    /// When it was not.
    pub fn products(&mut self) -> Result<Report, Failure> {
        if !matches!(self.survey.purpose.products, Some(Products::All(_))) {
            return Err(Failure::unknown("the survey was not taken for products")
                .hint("this takes such a survey")
                .command(format!("{COMMAND} survey products")));
        }
        self.close_with(|survey| with_wants(diagnose_survey(survey)))
    }

    /// Reports everything that is being deleted. The survey must have been taken for that.
    ///
    /// # Errors
    /// When it was not, or was taken for another namespace.
    pub fn scan(&mut self, scan: &Scan) -> Result<Report, Failure> {
        let Some(taken_for) = &self.survey.purpose.scan else {
            return Err(Failure::unknown("the survey was not taken for a scan")
                .hint("this takes such a survey")
                .command(format!("{COMMAND} survey scan")));
        };
        let scan = match (&taken_for.namespace, &scan.namespace) {
            (Some(taken), asked) if asked.as_ref() != Some(taken) && asked.is_some() => {
                return Err(Failure::unknown(format!("the survey contains only namespace {taken}"))
                    .hint("leave out -n, or take another survey"));
            }
            (Some(taken), _) => Scan { namespace: Some(taken.clone()), ..scan.clone() },
            (None, None) => scan.clone(),
            (None, Some(_)) => {
                return Err(Failure::unknown("the survey was taken for all namespaces")
                    .hint("leave out -n, or take another")
                    .command(format!("{COMMAND} survey scan -n NAMESPACE")));
            }
        };
        self.close_with(|survey| with_wants(scan::diagnose(survey, &scan)))
    }

    /// Finds stranded objects. The survey must have been taken for that.
    ///
    /// # Errors
    /// When it was not, or was taken for another namespace.
    pub fn orphans(&mut self, namespace: Option<&str>) -> Result<Report, Failure> {
        let Some(taken_for) = self.survey.purpose.orphans.clone() else {
            return Err(Failure::unknown("the survey was not taken for orphans")
                .hint("this takes such a survey")
                .command(format!("{COMMAND} survey orphans")));
        };
        let scope = match (&taken_for.namespace, namespace) {
            (Some(taken), Some(asked)) if taken != asked => {
                return Err(Failure::unknown(format!("the survey contains only namespace {taken}"))
                    .hint(format!("leave out -n {asked}, or take another survey")));
            }
            (_, None) => taken_for,
            (_, Some(asked)) => Scope { namespace: Some(asked.into()), ..taken_for },
        };
        self.close_with(|survey| with_wants(orphans::diagnose(survey, &scope)))
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
