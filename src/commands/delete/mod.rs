//! `--delete`: deletes the named objects in the order of a preflight, one approved turn at a time,
//! with a new survey after each.

mod judgement;
mod turns;

use super::apply::{self, Consent, confirmed};
use super::source::{Diagnosed, Live};
use super::words::TypeAndName;
use super::{diagnose, exit, interrupt, not_found, out, record, removal, unfinished};
use crate::cli::{Cli, DryRun, Options};
use crate::failure::{Exit, Failure, Hint};
use crate::plan::{Approval, Write};
use crate::plugin::COMMAND;
use crate::read::gather::Freshness;
use crate::report::{InstalledProduct, Ref, Report, State, Step};
use crate::screen::Talk;
use crate::write::rights;
use judgement::may_go_on;
use std::collections::{BTreeSet, HashSet};
use std::time::Duration;
use turns::{Ended, OrderedDeletion};

/// For how many kinds the right to delete is checked.
const MAX_TRIED: usize = 24;
/// How long that check may take.
const MAX_RIGHTS_CHECK: Duration = Duration::from_secs(5);
/// How many stuck objects are diagnosed together.
const MAX_DIAGNOSED: usize = 50;

/// Refuses a flag of a deletion if nothing is deleted.
///
/// # Errors
/// When such a flag is given.
pub fn contradictions(cli: &Cli) -> Result<(), Failure> {
    if cli.cascade.is_some() && !cli.delete {
        return Err(Failure::unknown("--cascade needs --delete or preflight: nothing is deleted here").hint(format!(
            "add --delete, or see what would get stuck: {COMMAND} preflight TYPE NAME --cascade=foreground"
        )));
    }
    Ok(())
}

/// Deletes the named objects.
///
/// # Errors
/// When the arguments are wrong, flags contradict each other, the cluster cannot be reached, an
/// object does not exist, or on Ctrl-C.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    diagnose::contradictions(&cli.options)?;
    if cli.options.from.is_some() {
        return Err(reads_a_file());
    }
    let asked = removal::asked(&cli.words, &cli.selection.manifests, for_example())?;
    let cascade = cli.cascade.map(Into::into).unwrap_or_default();
    let live = unfinished::reported(asked.connect(cli, cascade)).await?;
    let seen = live.diagnose(Freshness::Consistent).await?;
    live.keep_products(&seen.report);
    removal::has_products(&seen)?;
    not_found::say(&live, &seen, &cli.options).await?;
    if seen.report.order.is_empty() {
        return Box::pin(without_order(cli, &seen)).await;
    }
    let consent = Consent::of(&cli.options);
    if cli.options.output.is_screen() || consent.is_none() {
        out::report(&seen.report, &cli.options);
    }
    let Some(consent) = consent else { return Ok(nobody_agrees(&seen.report, &cli.options)) };
    if let Consent::UpTo(risk) = consent {
        confirmed(&seen.report, &seen.survey, &cli.options)?;
        may_go_on(&seen.report, risk, false)?;
    }
    if !consent.is_probe() {
        interrupt::unless(has_the_rights(&live, &seen.report)).await?;
    }
    let products = seen.report.products.clone();
    let targets = seen.report.targets.iter().map(|target| target.object.clone()).collect();
    let approval = Approval::new(consent.by(), targets, &seen.report).of_named_alone();
    let journal = if consent.is_probe() { None } else { Some(record::begin(&live, &seen, approval).await) };
    let mut deletion = OrderedDeletion {
        cli,
        live: &live,
        consent,
        journal,
        first: seen.report.order.iter().flat_map(|turn| &turn.steps).map(|step| step.object.uid.clone()).collect(),
        gone: BTreeSet::new(),
        number: 0,
        products: seen.survey.purpose.named_products().iter().map(ToString::to_string).collect(),
        never_found: seen.report.absent_products.clone(),
        last: seen.report,
        hanging: Vec::new(),
    };
    let ended = deletion.carry_on().await;
    if let Some(run) = &mut deletion.journal {
        record::close(run, in_a_word(&ended));
    }
    let ended = ended?;
    if ended == Ended::Gone && !consent.is_probe() {
        products.iter().for_each(say_what_is_recorded);
    }
    if ended == Ended::Waits {
        return Box::pin(what_hangs(cli, deletion)).await;
    }
    Box::pin(conclude(cli, consent, ended, &deletion.last)).await
}

/// How a deletion ended, in a word of the journal.
fn in_a_word(ended: &Result<Ended, Failure>) -> &'static str {
    match ended {
        Ok(Ended::Gone) => "released",
        Ok(_) => "ended",
        Err(_) => "interrupted",
    }
}

/// Names the installer's record of a product, which is no object of the product.
fn say_what_is_recorded(product: &InstalledProduct) {
    if let Some(command) = &product.forget {
        let left = "is left, by which its installer still lists it; this removes it:";
        out::talk(Talk::from(format!("the record of {} {left}", product.called())).command(command));
    }
}

/// The failure if nothing can be deleted, since no cluster is asked.
fn reads_a_file() -> Failure {
    Failure::unknown("--delete cannot be used with --from, which reads a file")
        .hint("this says what would hold it")
        .command(format!("{COMMAND} preflight TYPE NAME --from FILE"))
}

/// Commands with this flag.
fn for_example() -> Hint {
    Hint::from("for example")
        .command(format!("{COMMAND} ns shop --delete"))
        .command(format!("{COMMAND} widgets.acme.io/orders --delete"))
}

/// Checks that the caller may delete everything, before the first question or write: a deletion
/// that stops halfway could leave the target without the things that serve it.
async fn has_the_rights(live: &Live, report: &Report) -> Result<(), Failure> {
    let mut kinds = HashSet::new();
    let steps = report.order.iter().flat_map(|turn| &turn.steps);
    let of_each_kind = steps.filter(|step| kinds.insert((step.resource(), step.object.namespace.as_deref())));
    let steps: Vec<Step> = of_each_kind.take(MAX_TRIED).cloned().collect();
    // Missing rights are reported at once; a webhook that does not answer does not matter here.
    let tried = rights::missing(&live.connected.api, steps.clone());
    let missing = tokio::time::timeout(MAX_RIGHTS_CHECK, tried).await.unwrap_or_default();
    let missing = steps.iter().zip(missing).filter_map(|(step, missing)| Some((step, missing?)));
    let texts: Vec<String> = missing.map(|(step, missing)| format!("{}: {missing}", step.title())).collect();
    if texts.is_empty() {
        return Ok(());
    }
    Err(Failure::refused(format!("nothing was deleted, because a permission is missing: {}", texts.join("; ")))
        .hint("run it as a user with that permission (--as, --context), or ask for the permission"))
}

/// Reports that nothing is deleted, since nobody can be asked and nothing was approved.
fn nobody_agrees(report: &Report, options: &Options) -> Exit {
    if options.dry_run == DryRun::Client {
        return exit::of(report, options);
    }
    out::talk("nothing was deleted: there is no terminal to ask on, and nothing was approved (--approve RISK)");
    Exit::Stuck
}

/// Explains why nothing can be deleted: it is already being deleted, or must not be.
async fn without_order(cli: &Cli, seen: &Diagnosed) -> Result<Exit, Failure> {
    if seen.report.targets.is_empty() && seen.report.products.iter().any(InstalledProduct::is_left) {
        out::report(&seen.report, &cli.options);
        out::talk(
            "nothing was deleted: objects have the labels or annotations of the product, but none is known to \
            belong to it",
        );
        return Ok(Exit::Stuck);
    }
    let going = seen.report.targets.iter().all(|target| target.since.is_some() || target.state == State::Gone);
    if going {
        return Box::pin(on_it_goes(cli, &seen.report, true)).await;
    }
    out::report(&seen.report, &cli.options);
    Ok(exit::of(&seen.report, &cli.options))
}

/// Continues with an ordinary diagnosis of the objects that are being deleted now.
async fn on_it_goes(cli: &Cli, last: &Report, may_act: bool) -> Result<Exit, Failure> {
    let live = Live::connect(cli, Vec::new()).await?.taken_from(Vec::new());
    live.choose(last.targets.iter().map(|target| target.object.target()).collect());
    Box::pin(look_into(cli, live, may_act)).await
}

async fn look_into(cli: &Cli, live: Live, may_act: bool) -> Result<Exit, Failure> {
    let diagnosed = live.diagnose(Freshness::Consistent).await?;
    if may_act && apply::is_wanted(&diagnosed.report, &cli.options) {
        return apply::run(&live, diagnosed, cli).await;
    }
    out::report(&diagnosed.report, &cli.options);
    Ok(exit::of(&diagnosed.report, &cli.options))
}

/// Diagnoses the objects whose deletion is stuck. The objects that follow in the order are not
/// deleted.
async fn what_hangs(cli: &Cli, deletion: OrderedDeletion<'_>) -> Result<Exit, Failure> {
    let OrderedDeletion { consent, hanging, last, .. } = deletion;
    let namespace = hanging.first().and_then(|object| object.namespace.clone());
    let here = hanging.iter().filter(|object| object.namespace == namespace).take(MAX_DIAGNOSED);
    let named: Vec<TypeAndName> = here.map(|object| (object.target().resource.short(), object.name.clone())).collect();
    let is_target = |object: &Ref| last.targets.iter().any(|target| target.object.uid == object.uid);
    let all = hanging.iter().all(is_target);
    let mut there = cli.clone();
    there.connection.namespace = namespace.or(there.connection.namespace);
    let live = Live::connect(&there, named).await?;
    // The approval was for deletions, not for removing what blocks them.
    let exit = Box::pin(look_into(cli, live, consent == Consent::Ask)).await?;
    if all {
        return Ok(exit);
    }
    out::talk("the rest was not deleted; run this again when it is gone");
    Ok(if exit == Exit::Fine { Exit::Stuck } else { exit })
}

/// Reports how the deletion ended, and diagnoses objects that are stuck.
async fn conclude(cli: &Cli, consent: Consent, ended: Ended, last: &Report) -> Result<Exit, Failure> {
    let going_before = last.targets.iter().any(|target| target.since.is_some());
    if ended == Ended::Gone && going_before {
        return Box::pin(on_it_goes(cli, last, consent == Consent::Ask)).await;
    }
    if !cli.options.output.is_screen() {
        out::report(last, &cli.options);
    }
    Ok(match ended {
        Ended::Gone | Ended::Waits => Exit::Fine,
        Ended::Refused => Exit::Refused,
        Ended::Left if consent.is_probe() => exit::of(last, &cli.options),
        Ended::Unknown => Exit::Unknown,
        Ended::Left => Exit::Stuck,
        Ended::NotApproved | Ended::Changed => {
            out::talk("steps that were not approved were not carried out");
            Exit::Stuck
        }
    })
}
