//! The main job: diagnose what was named, and offer the way out.

use super::select::{self, Asked};
use super::source::Recorded;
use super::watch::{self, Seen};
use super::words::Named;
use super::{apply, not_found, out, survey_file, unfinished};
use crate::cli::{Cli, DryRun, Options};
use crate::cluster::existence::still_there;
use crate::cluster::gather::Freshness;
use crate::failure::{Exit, Failure};
use crate::report::{Ref, Report, State};

/// Diagnoses, asks, applies.
///
/// # Errors
/// Bad words, no cluster, an object that does not exist.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    contradictions(&cli.options)?;
    if cli.selection.watch {
        return watched(cli).await;
    }
    if let Some(path) = &cli.options.from {
        let mut survey = Recorded::open(path).await?;
        let Asked::Named(named) = select::asked(cli)? else { return Err(Failure::unknown("a survey needs names")) };
        let report = recorded(&mut survey, &named, cli)?;
        return Ok(apply::show_only(&report, &cli.options));
    }
    let live = unfinished::told(select::connect(cli).await?).await?;
    let diagnosed = live.diagnose(Freshness::Cached).await?;
    if diagnosed.survey.targets.is_empty() && cli.options.output.is_screen() {
        out::data(&select::nothing(cli, &live));
        return Ok(Exit::Fine);
    }
    not_found::say(&live, &diagnosed, &cli.options).await?;
    apply::offer(&live, diagnosed, cli).await
}

/// Diagnoses, does what was approved, and watches.
async fn watched(cli: &Cli) -> Result<Exit, Failure> {
    if cli.options.from.is_some() {
        return Err(
            Failure::unknown("--watch follows a cluster, and --from reads a file").hint("leave one of them out")
        );
    }
    if !cli.options.approve_plan.is_empty() {
        return Err(Failure::unknown(
            "--watch does what gets stuck meanwhile, and --approve-plan what was shown before",
        )
        .hint("leave one of them out"));
    }
    if cli.options.dry_run != DryRun::None {
        return Err(Failure::unknown("--watch waits for something to go, and --dry-run lets nothing go")
            .hint("leave one of them out"));
    }
    let live = unfinished::told(select::connect(cli).await?).await?;
    let mut diagnosed = live.diagnose(Freshness::Cached).await?;
    if diagnosed.survey.targets.is_empty() && cli.options.output.is_screen() {
        out::data(&select::nothing(cli, &live));
        return Ok(Exit::Fine);
    }
    not_found::say(&live, &diagnosed, &cli.options).await?;
    let there: Vec<Ref> = diagnosed
        .report
        .targets
        .iter()
        .filter(|target| target.state != State::Gone)
        .map(|target| target.object.clone())
        .collect();
    let all_there = there.len() == diagnosed.report.targets.len();
    let approved = |report: &Report| apply::has_approved(report, &cli.options, &live);
    let by_a_rule = cli.options.yes || cli.options.approve.is_some();
    if by_a_rule {
        live.fix(&diagnosed);
    }
    if !approved(&diagnosed.report) {
        // What was approved holds for what gets stuck while it is watched.
        match watch::run(&live, diagnosed, cli, &approved).await? {
            Seen::End(Exit::Fine) if by_a_rule && apply::say_newcomers(&live).await => return Ok(Exit::Stuck),
            Seen::End(exit) => return Ok(exit),
            Seen::ToDo => diagnosed = live.diagnose(Freshness::Consistent).await?,
        }
    }
    let applied = apply::run(&live, diagnosed, cli).await?;
    let there: Vec<&Ref> = there.iter().collect();
    let left: Vec<_> = still_there(&live.connected.api, &there).await.into_iter().map(Ref::target).collect();
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
    let approves = options.yes || options.approve.is_some() || !options.approve_plan.is_empty();
    if approves && options.from.is_some() {
        return Err(Failure::unknown("--yes and --approve act on a cluster, and --from reads a file")
            .hint("leave one of them out"));
    }
    if options.dry_run == DryRun::Server && options.from.is_some() {
        return Err(Failure::unknown("--dry-run=server asks a cluster, and --from reads a file")
            .hint("--dry-run shows the commands of the steps"));
    }
    survey_file::has_no_logs(options)?;
    apply::contradictions(options)
}
