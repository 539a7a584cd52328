//! `--delete`: deletes what was named in the order that a preflight gives, one confirmed
//! turn at a time, and looks at everything again after each.

use super::apply::{self, Consent, Countdown, confirmed};
use super::ask::{self, Answer};
use super::source::{Diagnosed, Live};
use super::words::{self, Named};
use super::{diagnose, exit, interrupt, not_found, out, record};
use crate::cli::{Cli, DryRun, Options, Output};
use crate::cluster::apply::{Outcome, carry_out, is_gone};
use crate::cluster::gather::Freshness;
use crate::cluster::rights;
use crate::failure::{Exit, Failure};
use crate::journal::Run;
use crate::render::{self, clean, palette};
use crate::report::{Finding, Ref, Report, Risk, State, Step, Target as TargetReport, Turn};
use std::collections::HashSet;
use std::time::Duration;

/// So often it is looked whether something is gone.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// So long something may take that was asked to go.
const USUAL: Duration = Duration::from_mins(1);
/// So many kinds are tried for the right to delete them.
const TRIED: usize = 24;
/// So long the API server may take to refuse a right.
const ANSWERED: Duration = Duration::from_secs(5);
/// So many objects that do not go are diagnosed together.
const HANGING: usize = 50;
/// After so many turns something makes again what is deleted.
const TURNS: usize = 100;

/// How one turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// Everything in it is gone.
    Gone,
    /// It is being deleted, and still there.
    Waits,
    /// It was not agreed to.
    Left,
    /// It was refused, or could not be confirmed.
    Refused,
    /// What was shown was so no longer when it was agreed to; nothing was done.
    Changed,
}

/// A deletion under way.
struct Deletion<'a> {
    cli: &'a Cli,
    live: &'a Live,
    consent: Consent,
    journal: Option<Run>,
    /// What was done, by its commands.
    done: HashSet<Vec<String>>,
    number: usize,
    /// The latest look.
    last: Report,
    /// What is being deleted and does not go.
    hanging: Vec<Ref>,
}

/// Flags of a deletion that have nothing to go with.
///
/// # Errors
/// When there are some.
pub fn contradictions(cli: &Cli, is_diagnosis: bool, takes_cascade: bool) -> Result<(), Failure> {
    if cli.delete && !is_diagnosis {
        return Err(Failure::unknown("--delete goes with TYPE NAME alone, and not with another command")
            .hint("kubectl unstick ns shop --delete"));
    }
    if cli.delete && cli.selection.watch {
        return Err(Failure::unknown("--watch only looks, and --delete deletes").hint("leave one of them out"));
    }
    if cli.delete && cli.finalize {
        return Err(Failure::unknown("--finalize ends a namespace that is being deleted, and --delete deletes one")
            .hint("leave one of them out"));
    }
    if cli.delete && cli.options.one_by_one {
        return Err(Failure::unknown("--one-by-one is about the steps of a diagnosis, and --delete asks turn by turn")
            .hint("leave it out"));
    }
    if cli.cascade.is_some() && !cli.delete && !takes_cascade {
        return Err(Failure::unknown("--cascade says how to delete, and nothing is deleted here").hint(
            "add --delete, or ask what it would meet: kubectl unstick preflight TYPE NAME --cascade=foreground",
        ));
    }
    Ok(())
}

/// Deletes what is named.
///
/// # Errors
/// Bad words, flags that contradict each other, no cluster, an object that does not
/// exist, or Ctrl-C.
pub async fn run(cli: &Cli) -> Result<Exit, Failure> {
    diagnose::contradictions(&cli.options)?;
    if cli.options.from.is_some() {
        return Err(Failure::unknown("--delete acts on a cluster, and --from reads a file")
            .hint("kubectl unstick preflight TYPE NAME --from FILE says what it would meet"));
    }
    if cli.words.is_empty() {
        return Err(Failure::unknown("what is to be deleted? name it: TYPE NAME")
            .hint("kubectl unstick ns shop --delete, kubectl unstick widgets.acme.io/orders --delete"));
    }
    let named = words::parse(&cli.words)?;
    let cascade = cli.cascade.map(Into::into).unwrap_or_default();
    let live = Live::connect_for_preflight(cli, named.clone(), cascade).await?;
    let seen = live.diagnose(Freshness::Consistent).await?;
    not_found::say(&live, &seen, &cli.options).await?;
    if seen.report.order.is_empty() {
        return Box::pin(without_order(cli, named, &seen)).await;
    }
    let consent = Consent::of(&cli.options);
    if cli.options.output == Output::Table || consent.is_none() {
        out::report(&seen.report, &cli.options);
    }
    let Some(consent) = consent else { return Ok(nobody_agrees(&seen.report, &cli.options)) };
    if let Consent::UpTo(risk) = consent {
        confirmed(&seen.report, &cli.options)?;
        may_go_on(&seen.report, risk, false)?;
    }
    if consent != Consent::Probe {
        interrupt::unless(has_the_rights(&live, &seen.report)).await?;
    }
    let journal = if consent == Consent::Probe { None } else { Some(record::begin(&live, &seen).await) };
    let mut deletion = Deletion {
        cli,
        live: &live,
        consent,
        journal,
        done: HashSet::new(),
        number: 0,
        last: seen.report,
        hanging: Vec::new(),
    };
    let ended = deletion.carry_on().await;
    let how = match &ended {
        Ok(Ended::Gone) => "released",
        Ok(_) => "ended",
        Err(_) => "interrupted",
    };
    if let Some(run) = &mut deletion.journal {
        record::close(run, how);
    }
    let ended = ended?;
    if ended == Ended::Waits {
        return Box::pin(what_hangs(cli, deletion)).await;
    }
    Box::pin(conclude(cli, named, consent, ended, &deletion.last)).await
}

/// Whether the caller may do all of it, before anything is asked or done: half of an order
/// leaves the target there without what served it.
async fn has_the_rights(live: &Live, report: &Report) -> Result<(), Failure> {
    let mut kinds = HashSet::new();
    let steps = report.order.iter().flat_map(|turn| &turn.steps);
    let of_each_kind = steps.filter(|step| kinds.insert((step.resource(), step.object.namespace.as_deref())));
    let steps: Vec<Step> = of_each_kind.take(TRIED).cloned().collect();
    // Rights are refused at once; a webhook that does not answer is no matter here.
    let tried = rights::missing(&live.connected.api, steps.clone());
    let missing = tokio::time::timeout(ANSWERED, tried).await.unwrap_or_default();
    let missing = steps.iter().zip(missing).filter_map(|(step, missing)| Some((step, missing?)));
    let texts: Vec<String> = missing.map(|(step, missing)| format!("{}: {missing}", step.title())).collect();
    if texts.is_empty() {
        return Ok(());
    }
    Err(Failure::refused(format!("nothing was deleted, for want of a right: {}", texts.join("; ")))
        .hint("run it as one who may (--as, --context), or have the right given to you"))
}

/// Nobody is there to ask, and nothing is approved: nothing is deleted.
fn nobody_agrees(report: &Report, options: &Options) -> Exit {
    if options.dry_run == DryRun::Client {
        return exit::of(report, options);
    }
    out::talk("nothing was deleted: there is nobody to ask, and nothing was approved (--approve RISK)");
    Exit::Stuck
}

/// Nothing that could be deleted was found: it is going already, or may not be deleted.
async fn without_order(cli: &Cli, named: Vec<Named>, seen: &Diagnosed) -> Result<Exit, Failure> {
    let going = seen.report.targets.iter().all(|target| target.since.is_some() || target.state == State::Gone);
    if going {
        return Box::pin(on_it_goes(cli, named, true)).await;
    }
    out::report(&seen.report, &cli.options);
    Ok(exit::of(&seen.report, &cli.options))
}

/// The ordinary diagnosis of what is being deleted by now.
async fn on_it_goes(cli: &Cli, named: Vec<Named>, may_act: bool) -> Result<Exit, Failure> {
    look_into(cli, Live::connect(cli, named).await?, may_act).await
}

async fn look_into(cli: &Cli, live: Live, may_act: bool) -> Result<Exit, Failure> {
    let diagnosed = live.diagnose(Freshness::Consistent).await?;
    if may_act && apply::is_wanted(&diagnosed.report, &cli.options) {
        return apply::run(&live, diagnosed, cli).await;
    }
    out::report(&diagnosed.report, &cli.options);
    Ok(exit::of(&diagnosed.report, &cli.options))
}

/// Looks at what does not go though it was asked to. Where more was to be deleted after
/// it, that is left.
async fn what_hangs(cli: &Cli, deletion: Deletion<'_>) -> Result<Exit, Failure> {
    let Deletion { consent, hanging, last, .. } = deletion;
    let namespace = hanging.first().and_then(|object| object.namespace.clone());
    let here = hanging.iter().filter(|object| object.namespace == namespace).take(HANGING);
    let named: Vec<Named> = here.map(|object| (object.target().resource.short(), object.name.clone())).collect();
    let is_target = |object: &Ref| last.targets.iter().any(|target| target.object.uid == object.uid);
    let all = hanging.iter().all(is_target);
    let live = Live::connect(cli, Vec::new()).await?.looking_at(named, namespace);
    // An approval was given for deletions, and not for what holds them up.
    let exit = look_into(cli, live, consent == Consent::Ask).await?;
    if all {
        return Ok(exit);
    }
    out::talk("the rest was not deleted: run this again when that is gone");
    Ok(if exit == Exit::Fine { Exit::Stuck } else { exit })
}

/// What holds the targets whatever the order.
fn unavoidable(report: &Report) -> impl Iterator<Item = &Finding> {
    report.findings.iter().filter(|finding| finding.root && finding.is_trouble() && !finding.avoidable)
}

/// Nobody is there to judge: what would get stuck is not begun, nor what was not approved.
fn may_go_on(report: &Report, risk: Risk, begun: bool) -> Result<(), Failure> {
    let nothing = if begun { "nothing more was deleted" } else { "nothing was deleted" };
    if let Some(finding) = unavoidable(report).next() {
        return Err(Failure::stuck(format!("{nothing}: it would get stuck: {}", finding.summary))
            .hint("see to that first; on a terminal, without --yes and --approve, you are asked instead"));
    }
    if !report.unread.is_empty() {
        return Err(Failure::unknown(format!("{nothing}: what it would meet could not all be read"))
            .hint("run it as one who may read it; on a terminal, without --yes and --approve, you are asked instead"));
    }
    if let Some(turn) = report.order.iter().find(|turn| turn.risk > risk) {
        return Err(Failure::stuck(format!(
            "{nothing}: the approval does not cover a risk of {}: {}",
            turn.risk, turn.title
        ))
        .hint(match turn.risk {
            Risk::LosesData => "approve it by name: --approve loses-data --confirm NAME".to_owned(),
            risk => format!("approve it: --approve {risk}"),
        }));
    }
    Ok(())
}

impl Deletion<'_> {
    /// One turn after the other, each from a fresh look, until the targets go.
    async fn carry_on(&mut self) -> Result<Ended, Failure> {
        if self.consent == Consent::Probe {
            return self.probe().await;
        }
        for _ in 0..TURNS {
            let Some(turn) = self.last.order.first().cloned() else { return Ok(self.nothing_to_delete()) };
            if turn.steps.is_empty() {
                out::talk(&format!("by hand first: {}: {}", turn.title, turn.commands.join("; ")));
                out::talk("nothing more was deleted; run this again when that is done");
                return Ok(Ended::Left);
            }
            if !self.done.insert(turn.commands.clone()) {
                out::talk(&format!("somebody makes it again: {}; nothing more was deleted", turn.title));
                return Ok(Ended::Left);
            }
            match self.turn(&turn).await? {
                Ended::Gone => {}
                Ended::Changed => {
                    self.done.remove(&turn.commands);
                    self.number -= 1;
                    continue;
                }
                ended => return Ok(ended),
            }
            self.live.has_written();
            self.last = self.live.diagnose(Freshness::Consistent).await?.report;
            if let (Consent::UpTo(risk), false) = (self.consent, self.last.order.is_empty()) {
                may_go_on(&self.last, risk, true)?;
            }
        }
        Ok(Ended::Left)
    }

    /// How it ended when the order has come to its end.
    fn nothing_to_delete(&self) -> Ended {
        let left = |target: &&TargetReport| target.state != State::Gone && target.since.is_none();
        let Some(target) = self.last.targets.iter().find(left) else { return Ended::Gone };
        out::talk(&format!("not deleted: {}: {}", target.object, target.summary));
        Ended::Left
    }

    /// Looks again after the answer: whether the turn is what was agreed to. Between the
    /// question and the answer who was to do its part may have gone, or more have come.
    async fn still_stands(&mut self, turn: &Turn) -> Result<bool, Failure> {
        let fresh = self.live.diagnose(Freshness::Consistent).await?.report;
        let Some(what) = what_has_changed(&self.last, &fresh, turn) else { return Ok(true) };
        out::talk(&format!("not done: what was shown has changed: {what}"));
        out::report(&fresh, &self.cli.options);
        self.last = fresh;
        Ok(false)
    }

    /// The server's verdict on every step.
    async fn probe(&mut self) -> Result<Ended, Failure> {
        let mut ended = Ended::Left;
        let steps: Vec<Step> = self.last.order.iter().flat_map(|turn| turn.steps.clone()).collect();
        for step in steps {
            if self.step(&step).await? == Ended::Refused {
                ended = Ended::Refused;
            }
        }
        Ok(ended)
    }

    async fn turn(&mut self, turn: &Turn) -> Result<Ended, Failure> {
        self.number += 1;
        if self.consent == Consent::Ask {
            if !self.agreed(turn).await? {
                return Ok(Ended::Left);
            }
            if !self.still_stands(turn).await? {
                return Ok(Ended::Changed);
            }
        }
        for step in &turn.steps {
            if self.step(step).await? == Ended::Refused {
                return Ok(Ended::Refused);
            }
        }
        self.wait_for(turn).await
    }

    async fn step(&mut self, step: &Step) -> Result<Ended, Failure> {
        if interrupt::is_pressed() {
            return Err(Failure::interrupted("interrupted"));
        }
        let outcome = carry_out(&self.live.connected.api, step, self.journal.as_mut(), &interrupt::is_pressed).await;
        let good = outcome.is_good();
        let mark = palette::verdict(if good { "✓" } else { "✗" }, good, out::talk_colour(&self.cli.options));
        let word = match &outcome {
            Outcome::Done(_) => "done",
            Outcome::AlreadySo(_) => "nothing to do",
            Outcome::WouldDo(_) => "dry run",
            Outcome::Refused(_) => "not done",
            Outcome::Unconfirmed(_) => "not confirmed",
        };
        let about = match &outcome {
            Outcome::Done(_) | Outcome::AlreadySo(_) => String::new(),
            _ => format!("{}: ", clean(&step.title())),
        };
        out::painted(&format!("{mark} {word}: {about}{}", clean(outcome.text())));
        if interrupt::is_pressed() {
            return Err(Failure::interrupted("interrupted"));
        }
        Ok(if good { Ended::Waits } else { Ended::Refused })
    }

    /// Waits until everything in a turn is gone, as long as it may take.
    async fn wait_for(&mut self, turn: &Turn) -> Result<Ended, Failure> {
        let mut left: Vec<&Ref> = turn.steps.iter().map(|step| &step.object).collect();
        let budget = self.cli.options.timeout.unwrap_or(USUAL);
        let limit = tokio::time::Instant::now() + budget;
        let mut countdown = None;
        loop {
            left = self.still_there(left).await;
            let Some(first) = left.first() else {
                drop(countdown);
                out::talk(&format!("{}: gone, read back", turn.title));
                return Ok(Ended::Gone);
            };
            if interrupt::is_pressed() {
                return Err(Failure::interrupted("interrupted"));
            }
            if tokio::time::Instant::now() >= limit {
                drop(countdown);
                out::talk(&format!("{}: still there", and_more(first, left.len())));
                self.hanging = left.into_iter().cloned().collect();
                return Ok(Ended::Waits);
            }
            let countdown = countdown
                .get_or_insert_with(|| Countdown::new(&format!("{} to go", and_more(first, left.len())), budget));
            countdown.show(limit.saturating_duration_since(tokio::time::Instant::now()));
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    async fn still_there<'r>(&self, objects: Vec<&'r Ref>) -> Vec<&'r Ref> {
        let mut left = Vec::new();
        for object in objects {
            // Of many the first that is there tells to go on waiting.
            let gone =
                left.is_empty() && is_gone(&self.live.connected.api, &object.target(), &object.uid).await == Ok(true);
            if !gone {
                left.push(object);
            }
        }
        left
    }

    async fn agreed(&self, turn: &Turn) -> Result<bool, Failure> {
        let report = &self.last;
        let total = self.number - 1 + report.order.len();
        let context = report.context.as_deref().map(|name| format!("  (context {name})")).unwrap_or_default();
        let mut question = format!(
            "\nTurn {} of {total}  {}?{context}\n  {}: {}",
            self.number, turn.title, turn.risk, turn.consequence
        );
        let of_it: Vec<&Finding> = unavoidable(report).filter(|finding| is_about(finding, turn)).collect();
        let stuck = of_it.iter().map(|finding| format!("\n  would get stuck: {}", finding.summary));
        let unread = report.unread.iter().take(3).map(|note| format!("\n  not known: {}: {}", note.what, note.why));
        question.extend(stuck.chain(unread));
        let name = (turn.risk.is_harsh() || !of_it.is_empty()).then(|| name_of(turn));
        let show = || {
            out::painted(&details(turn));
            turn.commands.iter().for_each(|command| out::talk(&format!("  $ {command}")));
        };
        Ok(ask::put(&question, name, &show).await? == Answer::Yes)
    }
}

/// What stands against a turn that was agreed to by what was `shown`.
fn what_has_changed(shown: &Report, fresh: &Report, turn: &Turn) -> Option<String> {
    let Some(now) = fresh.order.first() else { return Some("there is nothing left to delete in this way".into()) };
    let steps = |turn: &Turn| turn.steps.iter().map(Step::identity).collect::<HashSet<_>>();
    if steps(now) != steps(turn) {
        return Some(format!("next comes: {}", now.title));
    }
    if (now.risk, &now.consequence) != (turn.risk, &turn.consequence) {
        return Some(format!("{}: {}", now.risk, now.consequence));
    }
    // Times and counts in the words of a finding go on by themselves.
    let is_known = |finding: &Finding| {
        let state = |finding: &Finding| finding.controller.as_ref().map(|controller| controller.state);
        unavoidable(shown).any(|known| {
            (known.rule, &known.subject, &known.finalizer, &known.waits_for)
                == (finding.rule, &finding.subject, &finding.finalizer, &finding.waits_for)
                && state(known) == state(finding)
        })
    };
    if let Some(finding) = unavoidable(fresh).find(|finding| !is_known(finding)) {
        return Some(format!("it would get stuck: {}", finding.summary));
    }
    let unread = fresh.unread.iter().find(|note| !shown.unread.iter().any(|known| known.what == note.what));
    unread.map(|note| format!("not known: {}: {}", note.what, note.why))
}

/// Whether a finding holds what a turn deletes.
fn is_about(finding: &Finding, turn: &Turn) -> bool {
    turn.steps.iter().any(|step| finding.blocks.iter().any(|object| object.uid == step.object.uid))
}

/// `Widget shop/a and 3 more`
fn and_more(first: &Ref, count: usize) -> String {
    if count == 1 { first.to_string() } else { format!("{first} and {} more", count - 1) }
}

/// What a turn is agreed to with: the object's name, or the namespace of many.
fn name_of(turn: &Turn) -> String {
    let first = &turn.steps[0].object;
    match &first.namespace {
        Some(namespace) if turn.steps.len() > 1 => namespace.clone(),
        _ => first.name.clone(),
    }
}

/// What `d` shows.
fn details(turn: &Turn) -> String {
    let mut rows = vec![
        ("risk", format!("{}: {}", turn.risk, turn.consequence)),
        ("undo", "none: what is deleted can only be made again; the journal keeps each object as it was".to_owned()),
    ];
    if !turn.why.is_empty() {
        rows.push(("because", turn.why.clone()));
    }
    rows.extend(turn.steps.iter().map(|step| ("deletes", step.object.to_string())));
    render::facts(&rows, out::width())
}

/// Says how it ended; what hangs is diagnosed.
async fn conclude(
    cli: &Cli,
    named: Vec<Named>,
    consent: Consent,
    ended: Ended,
    last: &Report,
) -> Result<Exit, Failure> {
    let going_before = last.targets.iter().any(|target| target.since.is_some());
    if ended == Ended::Gone && going_before {
        return Box::pin(on_it_goes(cli, named, consent == Consent::Ask)).await;
    }
    if cli.options.output != Output::Table {
        out::report(last, &cli.options);
    }
    Ok(match ended {
        Ended::Gone | Ended::Waits => Exit::Fine,
        Ended::Refused => Exit::Refused,
        Ended::Left if consent == Consent::Probe => exit::of(last, &cli.options),
        Ended::Left | Ended::Changed => {
            out::talk("what was not agreed to is left as it is");
            Exit::Stuck
        }
    })
}
