//! The main job: diagnose what was named, and offer the way out.

use super::select::{self, Asked};
use super::source::{self, Live, Recorded};
use super::watch::{self, Seen};
use super::words::Named;
use super::{apply, exit, finalize, out};
use crate::cli::{Cli, DryRun, Options, Output};
use crate::cluster::apply::is_gone;
use crate::cluster::gather::Freshness;
use crate::failure::{Exit, Failure};
use crate::report::{Ref, Report, State};
use crate::survey::{Form, TargetName, Want};

/// Diagnoses, asks, applies.
///
/// # Errors
/// Bad words, no cluster, an object that does not exist.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    if cli.finalize {
        return finalize::run(cli).await;
    }
    contradictions(&cli.options)?;
    if cli.selection.watch {
        return watched(cli).await;
    }
    if let Some(path) = &cli.options.from {
        let mut survey = Recorded::open(path).await?;
        let Asked::Named(named) = select::asked(cli)? else { return Err(Failure::unknown("a survey needs names")) };
        let report = recorded(&mut survey, &named, cli)?;
        out::report(&report, &cli.options);
        return Ok(exit::of(&report, &cli.options));
    }
    let live = select::connect(cli).await?;
    let diagnosed = live.diagnose(Freshness::Cached).await?;
    if diagnosed.survey.targets.is_empty() && cli.options.output == Output::Table {
        out::data(&select::nothing(cli, &live));
        return Ok(Exit::Fine);
    }
    not_found(&live, &diagnosed, &cli.options).await?;
    apply::offer(&live, diagnosed, cli).await
}

/// Diagnoses, does what was approved, and watches.
async fn watched(cli: &Cli) -> Result<Exit, Failure> {
    if cli.options.from.is_some() {
        return Err(
            Failure::unknown("--watch follows a cluster, and --from reads a file").hint("leave one of them out")
        );
    }
    if cli.options.dry_run != DryRun::None {
        return Err(Failure::unknown("--watch waits for something to go, and --dry-run lets nothing go")
            .hint("leave one of them out"));
    }
    let live = select::connect(cli).await?;
    let mut diagnosed = live.diagnose(Freshness::Cached).await?;
    if diagnosed.survey.targets.is_empty() && cli.options.output == Output::Table {
        out::data(&select::nothing(cli, &live));
        return Ok(Exit::Fine);
    }
    not_found(&live, &diagnosed, &cli.options).await?;
    let there: Vec<Ref> = diagnosed
        .report
        .targets
        .iter()
        .filter(|target| target.state != State::Gone)
        .map(|target| target.object.clone())
        .collect();
    let all_there = there.len() == diagnosed.report.targets.len();
    let approved = |report: &Report| apply::has_approved(report, &cli.options);
    if !approved(&diagnosed.report) {
        // What was approved holds for what gets stuck while it is watched.
        match watch::run(&live, diagnosed, cli, &approved).await? {
            Seen::End(exit) => return Ok(exit),
            Seen::ToDo => diagnosed = live.diagnose(Freshness::Consistent).await?,
        }
    }
    let applied = apply::run(&live, diagnosed, cli).await?;
    let mut left = Vec::new();
    for object in &there {
        if is_gone(&live.connected.api, &object.target(), &object.uid).await != Ok(true) {
            left.push(object.target());
        }
    }
    if left.is_empty() {
        return Ok(applied);
    }
    live.choose(left);
    diagnosed = live.diagnose(Freshness::Consistent).await?;
    let seen = watch::run(&live, diagnosed, cli, &|_| false).await?;
    Ok(match (applied, seen) {
        (Exit::Refused, _) | (_, Seen::ToDo) => applied,
        (_, Seen::End(Exit::Fine)) if !all_there && !cli.options.ignore_not_found => Exit::Unknown,
        (_, Seen::End(exit)) => exit,
    })
}

/// Diagnoses a recorded survey.
///
/// # Errors
/// When it does not know a TYPE.
pub fn recorded(survey: &mut Recorded, named: &[Named], cli: &Cli) -> Result<Report, Failure> {
    survey.diagnose(named, cli.connection.namespace.as_deref().unwrap_or("default"))
}

/// Flags that do not go together.
///
/// # Errors
/// When there are some.
pub fn contradictions(options: &Options) -> Result<(), Failure> {
    let approves = options.yes || options.approve.is_some();
    if approves && options.from.is_some() {
        return Err(Failure::unknown("--yes and --approve act on a cluster, and --from reads a file")
            .hint("leave one of them out"));
    }
    if options.logs && options.from.is_some() {
        return Err(Failure::unknown("--logs reads from a cluster, and --from reads a file")
            .hint("a survey holds log lines when it was taken with them: kubectl unstick survey --logs"));
    }
    apply::contradictions(options)
}

/// Says which of the targets do not exist.
///
/// # Errors
/// When none of them does.
pub async fn not_found(live: &Live, diagnosed: &source::Diagnosed, options: &Options) -> Result<(), Failure> {
    let targets = diagnosed.report.targets.iter().zip(&diagnosed.survey.targets);
    let missing: Vec<&TargetName> =
        targets.filter(|(target, _)| target.state == State::Gone).map(|(_, name)| name).collect();
    say_not_found(live, &missing, diagnosed.report.targets.len(), options).await
}

/// Says where each of the `missing` was looked for, of so many targets in all.
///
/// # Errors
/// When none of the targets exists: there is nothing to show then.
pub async fn say_not_found(
    live: &Live,
    missing: &[&TargetName],
    targets: usize,
    options: &Options,
) -> Result<(), Failure> {
    if missing.is_empty() || options.ignore_not_found {
        return Ok(());
    }
    // Programs get their report all the same.
    let all = missing.len() == targets && matches!(options.output, Output::Table | Output::Tree);
    let mut failure = None;
    for name in missing {
        let place = name.namespace.as_ref().map(|namespace| format!(" in namespace {namespace}")).unwrap_or_default();
        let near = near_names(live, name).await;
        let hint = if near.is_empty() && name.resource.plural == "namespaces" {
            format!(
                "already gone? --ignore-not-found makes that exit code 0; \
                 `kubectl unstick orphans -n {}` shows whether anything is left of it",
                crate::plan::quote(&name.name)
            )
        } else if near.is_empty() {
            "already gone? --ignore-not-found makes that exit code 0".to_owned()
        } else {
            format!(
                "did you mean {}? Or is it already gone? (--ignore-not-found makes that exit code 0)",
                near.join(", ")
            )
        };
        let next = Failure::unknown(format!(
            "{} {:?} not found{place} (context {})",
            name.resource.short(),
            name.name,
            live.connected.context.as_deref().unwrap_or("none")
        ))
        .hint(hint);
        if let Some(before) = failure.replace(next) {
            out::talk(&format!("error: {before}"));
        }
    }
    match failure {
        Some(failure) if all => Err(failure),
        Some(failure) => {
            out::talk(&format!("error: {failure}"));
            Ok(())
        }
        None => Ok(()),
    }
}

async fn near_names(live: &Live, target: &TargetName) -> Vec<String> {
    let want = Want::list(&target.resource, target.namespace.as_deref(), Form::Metadata);
    let mut survey = crate::survey::Survey::new(jiff::Timestamp::UNIX_EPOCH, crate::survey::Discovery::default());
    crate::cluster::gather::gather(&live.connected.api, [want.clone()].into(), &mut survey, Freshness::Cached, &|| {})
        .await;
    let Some(crate::survey::Fact::Listed(objects)) = survey.fact(&want) else { return Vec::new() };
    let mut near: Vec<(usize, &str)> = objects
        .iter()
        .map(|object| (strsim::damerau_levenshtein(object.name(), &target.name), object.name()))
        .filter(|(distance, _)| *distance <= 1 + target.name.len() / 4)
        .collect();
    near.sort_unstable();
    near.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}
