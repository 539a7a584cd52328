//! The main task: diagnoses the named objects, and offers remedies.

use super::select;
use super::source::{Diagnosed, Live};
use super::watch::{self, WatchResult};
use super::{apply, exit, not_found, out, outside, survey_file, unfinished};
use crate::cli::{Cli, DryRun, Options};
use crate::failure::{Exit, Failure};
use crate::read::gather::Freshness;
use crate::report::{Ref, Report, State};
use crate::write::existence::still_there;
use std::ops::ControlFlow;

/// Diagnoses, asks, and carries out the approved steps.
///
/// # Errors
/// When the arguments are wrong, the cluster cannot be reached, or an object does not exist.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    contradictions(&cli.options)?;
    if cli.selection.watch {
        return watched(cli).await;
    }
    if let Some(recorded) = select::recorded(cli).await? {
        return Ok(apply::show_only(&recorded.report, &cli.options));
    }
    let (live, diagnosed) = match first_look(cli).await? {
        ControlFlow::Continue(found) => found,
        ControlFlow::Break(exit) => return Ok(exit),
    };
    let exit = apply::offer(&live, diagnosed, cli).await?;
    if outside::is_bare(cli) && cli.options.output.is_screen() {
        outside::say_not_looked_at();
    }
    Ok(exit)
}

/// Diagnoses, carries out the approved steps, and watches.
async fn watched(cli: &Cli) -> Result<Exit, Failure> {
    if cli.options.from.is_some() {
        return Err(Failure::contradiction("--watch cannot be used with --from, which reads a file"));
    }
    if !cli.options.approve_plan.is_empty() {
        return Err(Failure::contradiction(
            "--watch and --approve-plan cannot be used together: the plan may change while watching",
        ));
    }
    if cli.options.dry_run != DryRun::None {
        return Err(Failure::contradiction(
            "--watch and --dry-run cannot be used together: a dry run deletes nothing to wait for",
        ));
    }
    let (live, mut diagnosed) = match first_look(cli).await? {
        ControlFlow::Continue(found) => found,
        ControlFlow::Break(exit) => return Ok(exit),
    };
    let targets = &diagnosed.report.targets;
    let there = targets.iter().filter(|target| target.state != State::Gone).map(|target| target.object.clone());
    let there: Vec<Ref> = there.collect();
    let all_there = there.len() == targets.len();
    let approved = |report: &Report| apply::has_approved(report, &cli.options, &live);
    let by_a_rule = cli.options.approves_by_risk();
    if by_a_rule {
        live.fix(&diagnosed);
    }
    if !approved(&diagnosed.report) {
        // The approval also covers objects that get stuck during the watch.
        match watch::run(&live, diagnosed, cli, &approved).await? {
            WatchResult::Over(Exit::Fine) if by_a_rule && apply::say_newcomers(&live).await => return Ok(Exit::Stuck),
            WatchResult::Over(exit) => return Ok(exit),
            WatchResult::ToDo => diagnosed = live.diagnose(Freshness::Consistent).await?,
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
        (Exit::Refused, _) | (_, WatchResult::ToDo) => applied,
        (_, WatchResult::Over(Exit::Fine)) if !all_there && !cli.options.ignore_not_found => Exit::Unknown,
        (_, WatchResult::Over(exit)) => exit,
    })
}

/// Connects and diagnoses. If no selected object is being deleted, prints this, and how the call ends.
async fn first_look(cli: &Cli) -> Result<ControlFlow<Exit, (Live, Diagnosed)>, Failure> {
    let live = unfinished::reported(select::connect(cli)).await?;
    let diagnosed = live.diagnose(Freshness::Cached).await?;
    let is_screen = cli.options.output.is_screen();
    if diagnosed.survey.targets.is_empty() && outside::is_bare(cli) && (is_screen || !cli.selection.watch) {
        let report = outside::look(&live).await?.report;
        if is_screen {
            out::data(&outside::beside_namespaces(&report, cli));
        } else {
            out::report(&report, &cli.options);
        }
        return Ok(ControlFlow::Break(exit::of(&report, &cli.options)));
    }
    if diagnosed.survey.targets.is_empty() && is_screen {
        out::data(&select::nothing(cli, &live).await?);
        return Ok(ControlFlow::Break(Exit::Fine));
    }
    not_found::say(&live, &diagnosed, &cli.options).await?;
    Ok(ControlFlow::Continue((live, diagnosed)))
}

/// Refuses flags that contradict each other.
///
/// # Errors
/// When two of them do.
pub fn contradictions(options: &Options) -> Result<(), Failure> {
    let approves = options.approves_by_risk() || !options.approve_plan.is_empty();
    if approves && options.from.is_some() {
        return Err(Failure::contradiction("--yes and --approve cannot be used with --from, which reads a file"));
    }
    if options.dry_run == DryRun::Server && options.from.is_some() {
        return Err(Failure::unknown("--dry-run=server needs a cluster and cannot be used with --from")
            .hint("--dry-run shows the commands of the steps"));
    }
    survey_file::has_no_logs(options)?;
    apply::contradictions(options)
}
