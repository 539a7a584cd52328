//! `undo`: undoes the changes of a run, the last step first. Reports what cannot be undone, and
//! why.

#![expect(clippy::disallowed_methods, reason = "the age of a run is by the clock of this machine, as its file is")]

use super::apply::{Consent, say};
use super::ask::{Reply, put};
use super::current_cluster::CurrentCluster;
use super::source::Live;
use super::{diagnose, interrupt, journal as records, out, record, unfinished};
use crate::cli::{Cli, Options};
use crate::failure::{Exit, Failure, Hint};
use crate::journal;
use crate::journal::{RecordedRun, RecordedStep, Run, RunListing};
use crate::plan::{Approval, Guard, NoWayBack, Restore, Write, quote};
use crate::plugin::{COMMAND, PROGRAM};
use crate::read::discover::discover;
use crate::report::Risk;
use crate::screen::{Talk, UndoLine, UndoState};
use crate::survey::Object;
use crate::write::apply::{Outcome, carry_out, is_owner_there, look, reread};
use crate::{export, screen};
use jiff::{SignedDuration, Timestamp};

/// A step of the run, and how it can be undone.
struct UndoStep {
    line: UndoLine,
    restore: Option<Box<Restore>>,
    /// Whether the step is known to be written: if not, the same change may be somebody else's.
    is_known: bool,
}

/// Undoes a run.
///
/// # Errors
/// When there is no such run, it was on another cluster, or on Ctrl-C.
pub async fn run(cli: &Cli, word: Option<&str>) -> Result<Exit, Failure> {
    diagnose::contradictions(&cli.options)?;
    if cli.options.from.is_some() {
        return Err(Failure::unknown("undo cannot be used with --from, which reads a file").hint("leave out --from"));
    }
    let listing = records::read()?;
    let Some((run, live)) = choose(cli, &listing, word).await? else { return Ok(Exit::Fine) };
    let mut items = interrupt::unless(plan(&live, run)).await?;
    let consent = Consent::of(&cli.options);
    let table = cli.options.output.is_screen();
    if table {
        let lines: Vec<&UndoLine> = items.iter().map(|item| &item.line).collect();
        out::screen(&screen::undo_screen(run, &lines, Timestamp::now(), out::look(&cli.options)));
    }
    let done = match consent {
        Some(consent) => put_back(&live, run, &mut items, consent).await,
        None => Ok(()),
    };
    if !table {
        print(run, &items, &cli.options);
    }
    done?;
    Ok(close(run, &items, consent.is_none()))
}

/// Chooses the run, and connects to its cluster. The default is the last run on this cluster that
/// changed something.
async fn choose<'a>(
    cli: &Cli,
    listing: &'a RunListing,
    word: Option<&str>,
) -> Result<Option<(&'a RecordedRun, Live)>, Failure> {
    if let Some(word) = word {
        let run = records::find(listing, word)?;
        may_be_undone(run)?;
        let live = unfinished::reported(Live::connect(cli, Vec::new())).await?;
        CurrentCluster::of(&live).await?.must_be_of(run)?;
        return Ok(Some((run, live)));
    }
    listing.unreadable.iter().for_each(|file| out::talk(format!("not read: {file}")));
    let open = undoable(listing);
    if open.is_empty() {
        out::talk("nothing to undo: no recorded run has changes that can be undone");
        return Ok(None);
    }
    let live = unfinished::reported(Live::connect(cli, Vec::new())).await?;
    let here = CurrentCluster::of(&live).await?;
    let found = here.first_of(&open);
    if let Some(word) = here.passed_over(&open, found) {
        out::talk(word);
    }
    let Some(run) = found else { return Ok(None) };
    may_be_undone(run)?;
    here.must_be_of(run)?;
    Ok(Some((run, live)))
}

/// The runs that changed something and were not undone, the newest first.
fn undoable(listing: &RunListing) -> Vec<&RecordedRun> {
    let open = |run: &&RecordedRun| {
        run.undoes.is_none()
            && run.changes().any(|step| can_be_put_back(run, step))
            && listing.undone_by(&run.id).is_none()
    };
    listing.runs.iter().rev().filter(open).collect()
}

/// Whether a step can be undone at all, regardless of later changes to the object.
fn can_be_put_back(run: &RecordedRun, written: &RecordedStep) -> bool {
    let (Some(step), Some(request)) = (written.step(), written.request()) else { return false };
    Restore::of(&step, &request, &written.before, &run.id, written.number).is_ok()
}

fn may_be_undone(run: &RecordedRun) -> Result<(), Failure> {
    if let Some(undone) = &run.undoes {
        let hint = match run.end {
            None => Hint::from("it did not finish; this undoes the rest")
                .command(format!("{COMMAND} undo {}", quote(undone))),
            Some(_) => "to do the steps again, run the diagnosis again".into(),
        };
        return Err(Failure::unknown(format!("run {} is itself the undo of {undone}", run.id)).hint(hint));
    }
    if run.goes_on {
        return Err(Failure::unknown(format!("run {} is still running", run.id)).hint(
            "wait until that run has ended, \
            or stop it",
        ));
    }
    Ok(())
}

/// Reads each object, and plans how to undo each step, the last first.
async fn plan(live: &Live, run: &RecordedRun) -> Result<Vec<UndoStep>, Failure> {
    let mut items = Vec::new();
    for step in run.changes().rev() {
        items.push(item(live, run, step).await);
    }
    Ok(items)
}

async fn item(live: &Live, run: &RecordedRun, written: &RecordedStep) -> UndoStep {
    let about = |state, text: String| UndoLine {
        step: written.number,
        done: written.title.clone(),
        title: None,
        state,
        text,
        command: None,
    };
    let without = |state, text| UndoStep { line: about(state, text), restore: None, is_known: written.is_done() };
    let (Some(step), Some(request)) = (written.step(), written.request()) else {
        return without(UndoState::Cannot, format!("this version of {PROGRAM} does not know the step"));
    };
    let restore = match Restore::of(&step, &request, &written.before, &run.id, written.number) {
        Err(NoWayBack::Nothing(why)) => return without(UndoState::Nothing, why),
        Err(NoWayBack::Cannot(why)) => return without(UndoState::Cannot, why),
        Ok(restore) => restore,
    };
    let restore = match with_living_owners(live, restore).await {
        Ok(restore) => restore,
        Err(why) => return without(UndoState::Unread, why),
    };
    let (state, text, uid) = match look(&live.connected.api, &restore).await {
        Ok((Guard::Holds, uid)) => (UndoState::Open, restore.reversal.consequence.to_owned(), uid),
        Ok((Guard::AlreadySo(text), uid)) => (UndoState::Nothing, text, uid),
        Ok((Guard::Changed(text), uid)) => (UndoState::Changed, text, uid),
        Err(why) => (UndoState::Unread, format!("{} cannot be read: {why}", restore.object()), String::new()),
    };
    if state != UndoState::Open {
        return without(state, text);
    }
    if !written.is_done() && !is_ours(live, &restore, written).await {
        let object = restore.object();
        return without(
            UndoState::Changed,
            format!("nothing says that this run wrote it: {object} names no such write"),
        );
    }
    let restore = restore.as_seen(&uid);
    let (title, command) = (Some(restore.title()), Some(restore.reversal.command.clone()));
    UndoStep {
        line: UndoLine { title, command, ..about(state, text) },
        restore: Some(Box::new(restore)),
        is_known: written.is_done(),
    }
}

/// Whether this program may have made the change of a recorded step. Nothing is left of a deleted object that
/// could say who deleted it.
async fn is_ours(live: &Live, restore: &Restore, written: &RecordedStep) -> bool {
    match (reread(&live.connected.api, restore).await, written.at) {
        (Err(_), _) => false,
        (Ok(None), _) => true,
        (Ok(Some(now)), at) => at.is_some_and(|at| wrote_then(&now.object, at)),
    }
}

/// Whether an object names this program as the manager of a field that it wrote at about this time, when a step
/// was recorded. The server names a manager by the beginning of its user agent (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go`).
fn wrote_then(object: &Object, recorded: Timestamp) -> bool {
    // A later write is another run's: a colleague may use this program, too.
    let is_then = |at: Timestamp| at.duration_since(recorded).abs() <= CLOCKS;
    object.managers().any(|manager| manager.name == env!("CARGO_PKG_NAME") && manager.time.is_some_and(is_then))
}

/// How far the clocks of this machine and of the server may differ, with the time of a request. managedFields
/// have times in whole seconds, by the server's clock.
const CLOCKS: SignedDuration = SignedDuration::from_secs(90);

/// Why a step is asked about in any case.
const PERHAPS_ANOTHERS: &str = "it is not known whether this run wrote it: somebody else may have made the same change";

/// Refuses to recreate an object whose owners are all gone: it would be garbage collected at once.
async fn with_living_owners(live: &Live, restore: Restore) -> Result<Restore, String> {
    let owners = restore.owners();
    if owners.is_empty() {
        return Ok(restore);
    }
    let api = &live.connected.api;
    let discovery = match discover(api).await {
        Ok(discovery) => discovery,
        Err(why) => return Err(format!("cannot read whether its owners exist: {}", why.unread())),
    };
    let mut there = Vec::new();
    for owner in &owners {
        match is_owner_there(api, &discovery, owner, restore.object().namespace.as_deref()).await {
            Ok(true) => there.push(owner.clone()),
            Ok(false) => {}
            Err(why) => return Err(format!("cannot read whether its owner {} exists: {why}", owner["name"])),
        }
    }
    Ok(restore.owned_by(|owner| there.contains(owner)))
}

/// Deals with every step that can be undone.
async fn put_back(live: &Live, run: &RecordedRun, items: &mut [UndoStep], consent: Consent) -> Result<(), Failure> {
    let total = items.iter().filter(|item| item.restore.is_some()).count();
    if total == 0 {
        return Ok(());
    }
    let mut journal = (!consent.is_probe()).then(|| begin(run, live, approval(items, consent)));
    let result = each(live, items, total, consent, journal.as_mut()).await;
    if let Some(journal) = &mut journal {
        let how = match &result {
            Err(_) => "interrupted",
            Ok(()) if is_all_back(items) => journal::UNDONE,
            Ok(()) => "ended",
        };
        record::close(journal, how);
    }
    result
}

async fn each(
    live: &Live,
    items: &mut [UndoStep],
    total: usize,
    consent: Consent,
    mut journal: Option<&mut Run>,
) -> Result<(), Failure> {
    let (mut number, mut wrote) = (0, false);
    for item in items {
        let Some(restore) = &item.restore else { continue };
        number += 1;
        interrupt::heed()?;
        if let Consent::UpTo(most) = consent
            && restore.reversal.risk > most
        {
            let risk = restore.reversal.risk;
            item.line.text = format!("not undone: its risk is {risk}, and only {most} was approved: {}", risk.flag());
            out::talk(format!("{}: {}", restore.title(), item.line.text));
            continue;
        }
        if matches!(consent, Consent::UpTo(_)) && !item.is_known {
            item.line.text = format!("not undone, because {PERHAPS_ANOTHERS}; run this on a terminal to decide");
            out::talk(format!("{}: {}", restore.title(), item.line.text));
            continue;
        }
        // A digest approves the steps of a plan, never what undoes them.
        if matches!(consent, Consent::Ask | Consent::Exactly) {
            let place = Place { step: item.line.step, number, total, is_known: item.is_known };
            match ask(place, live.connected.context.as_deref(), restore).await? {
                Reply::Yes => {
                    if let Some(journal) = journal.as_deref_mut() {
                        journal.approval.agree(restore.identity(), restore.reversal.risk);
                    }
                }
                Reply::Quit if wrote => return Ok(()),
                Reply::Quit => {
                    out::talk("nothing was changed");
                    return Ok(());
                }
                Reply::No => continue,
            }
        }
        let outcome =
            carry_out(&live.connected.api, restore.as_ref(), journal.as_deref_mut(), &interrupt::is_pressed).await;
        say(restore.as_ref(), &outcome, !matches!(outcome, Outcome::Done(_)));
        wrote |= !matches!(outcome, Outcome::Refused(_) | Outcome::WouldDo(_));
        item.line.state = match &outcome {
            Outcome::Done(_) => UndoState::Done,
            Outcome::AlreadySo(_) => UndoState::Nothing,
            Outcome::WouldDo(_) => UndoState::Open,
            Outcome::Refused(_) | Outcome::Unconfirmed(_) => UndoState::Refused,
        };
        outcome.text().clone_into(&mut item.line.text);
    }
    Ok(())
}

/// The place of a question among those of an undo.
struct Place {
    /// The number of the step in its run.
    step: u64,
    number: usize,
    total: usize,
    /// Whether the step is known to be written.
    is_known: bool,
}

async fn ask(place: Place, context: Option<&str>, restore: &Restore) -> Result<Reply, Failure> {
    let Place { step, number, total, is_known } = place;
    let context = context.map(|context| format!("  (context {context})")).unwrap_or_default();
    let question = Talk::apart()
        .and(format!("Step {number} of {total} (step {step} of the run)  {}?{context}", restore.title()))
        .and(format!("  {}: {}", restore.reversal.risk, restore.reversal.consequence));
    let question = if is_known { question } else { question.and(format!("  {PERHAPS_ANOTHERS}")) };
    let show = || {
        Talk::facts(vec![("undoes", restore.of.title())])
            .and("to do the same by hand:")
            .command(&restore.reversal.command)
    };
    put(question, None, &show).await
}

/// The approval before the first step. A step that a person is asked about is added with the
/// answer.
fn approval(items: &[UndoStep], consent: Consent) -> Approval {
    let Consent::UpTo(most) = consent else { return Approval::default() };
    let mut approval = Approval::of_undo(most);
    let restores = items.iter().filter(|item| item.is_known).filter_map(|item| item.restore.as_deref());
    for restore in restores.filter(|restore| restore.reversal.risk <= most) {
        approval.agree(restore.identity(), restore.reversal.risk);
    }
    approval
}

fn begin(run: &RecordedRun, live: &Live, approval: Approval) -> Run {
    // The cluster was compared with the recorded one.
    let (cluster, targets) = (run.header.cluster.clone(), run.header.targets.clone());
    record::run(live, cluster, targets, approval).undoing(&run.id)
}

/// Whether no step is left that could be undone.
fn is_all_back(items: &[UndoStep]) -> bool {
    items.iter().all(|item| matches!(item.line.state, UndoState::Done | UndoState::Nothing | UndoState::Cannot))
}

fn print(run: &RecordedRun, items: &[UndoStep], options: &Options) {
    let lines: Vec<&UndoLine> = items.iter().map(|item| &item.line).collect();
    let value = screen::undo_value(run, &lines);
    out::data(&options.output.value(&value).unwrap_or_else(|| export::json(&value)));
}

/// Reports the result. `only_shown` tells that the plan was shown and nothing was to be done.
fn close(run: &RecordedRun, items: &[UndoStep], only_shown: bool) -> Exit {
    let count = |state: UndoState| items.iter().filter(|item| item.line.state == state).count();
    let (open, done) = (count(UndoState::Open), count(UndoState::Done));
    if count(UndoState::Refused) > 0 {
        return Exit::Refused;
    }
    if open > 0 && only_shown {
        let shown = items.iter().filter_map(|item| Some((item.is_known, item.restore.as_ref()?.reversal.risk)));
        out::talk(how_to(shown));
    } else if open == 0 && done == 0 {
        out::talk(format!("nothing to undo in run {}", run.id));
    }
    let fully = items.iter().all(|item| matches!(item.line.state, UndoState::Done | UndoState::Nothing));
    if fully { Exit::Fine } else { Exit::Stuck }
}

/// How the steps that were shown are undone, by whether each is known to be written, and by its risk. No flag undoes
/// a step that may be somebody else's.
fn how_to(shown: impl Iterator<Item = (bool, Risk)>) -> String {
    match shown.filter(|(is_known, _)| *is_known).map(|(_, risk)| risk).max() {
        Some(most) => {
            format!("nothing was changed; to undo it, run this on a terminal or add {}", most.flag())
        }
        None => format!("nothing was changed; {PERHAPS_ANOTHERS}; run this on a terminal to decide on each step"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn managed(manager: &str, at: &str) -> Object {
        Object::single(json!({"metadata": {"name": "o", "managedFields": [
            {"manager": manager, "operation": "Update", "time": at, "fieldsV1": {"f:spec": {"f:replicas": {}}}}]}}))
        .unwrap()
    }

    #[test]
    fn a_write_counts_as_the_runs_only_by_its_manager_and_its_time() {
        let recorded: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let ours = |manager: &str, at: &str| wrote_then(&managed(manager, at), recorded);
        assert!(ours("kubectl-unstick", "2026-01-01T00:00:01Z"));
        assert!(ours("kubectl-unstick", "2025-12-31T23:59:30Z"), "the server's clock may be behind");
        assert!(!ours("kubectl", "2026-01-01T00:00:01Z"), "a colleague has made the same change");
        assert!(!ours("kubectl-unstick", "2026-01-01T00:10:00Z"), "so has one with this program");
        assert!(!ours("kubectl-unstick", "2025-12-31T23:00:00Z"), "an earlier run");
    }

    #[test]
    fn no_flag_is_named_for_a_step_that_may_be_anothers() {
        let said = |shown: &[(bool, Risk)]| how_to(shown.iter().copied());
        let unknown = said(&[(false, Risk::Disruptive)]);
        assert!(unknown.contains(PERHAPS_ANOTHERS) && !unknown.contains("--"), "{unknown}");
        let both = said(&[(true, Risk::Harmless), (false, Risk::Disruptive)]);
        assert!(both.contains("or add --yes"), "{both}");
    }
}
