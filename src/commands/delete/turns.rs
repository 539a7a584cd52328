//! A running deletion: each turn is approved, carried out and awaited.

use super::judgement::{is_about, may_go_on, unavoidable, what_has_changed};
use crate::cli::Cli;
use crate::commands::apply::{Consent, Countdown, say, unconfirmed_definition};
use crate::commands::ask::Reply;
use crate::commands::source::Live;
use crate::commands::{ask, interrupt, out};
use crate::failure::Failure;
use crate::journal::Run;
use crate::plan::quote;
use crate::read::gather::Freshness;
use crate::report::{Finding, Ref, Report, State, Step, TargetReport, Turn, and_more, number_of};
use crate::screen::Talk;
use crate::survey::TargetName;
use crate::write::apply::{Outcome, carry_out};
use crate::write::existence::{drop_gone, still_there};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::Instant;

/// The interval at which to check whether objects are gone.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How long a deletion usually takes at most.
const USUAL_LIMIT: Duration = Duration::from_mins(1);
/// How many times to survey again while the next turn contains objects that the first report did
/// not, and the pause in between. A busy garbage collector takes half a minute.
const MAX_LOOKS: u32 = 15;
const SETTLE: Duration = Duration::from_secs(2);
/// After this many turns, something must be recreating the deleted objects.
const MAX_TURNS: usize = 100;

/// How many objects outside of a product's namespace one question names.
const MAX_NAMED: usize = 10;

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// Everything in it is gone.
    Gone,
    /// It is being deleted, but not gone yet.
    Waits,
    /// It was not approved.
    NotApproved,
    /// Objects are left; a message has said why.
    Left,
    /// The program cannot tell what is left; a message has said why.
    Unknown,
    /// It was refused, or could not be confirmed.
    Refused,
    /// The state had changed before the approval; nothing was done.
    Changed,
}

/// A running deletion.
pub(super) struct OrderedDeletion<'a> {
    pub(super) cli: &'a Cli,
    pub(super) live: &'a Live,
    pub(super) consent: Consent,
    pub(super) journal: Option<Run>,
    /// The uids of the objects that the first report deletes.
    pub(super) first: BTreeSet<String>,
    /// The deleted objects that are verified to be gone.
    pub(super) gone: BTreeSet<TargetName>,
    pub(super) number: usize,
    /// The products that the user named, as `helm/shop`.
    pub(super) products: BTreeSet<String>,
    /// The products that did not exist at the start.
    pub(super) never_found: BTreeSet<String>,
    /// The latest report.
    pub(super) last: Report,
    /// The objects whose deletion is stuck.
    pub(super) hanging: Vec<Ref>,
}

impl OrderedDeletion<'_> {
    /// Carries out one turn after the other, with a new survey before each, until the targets are
    /// gone.
    pub(super) async fn carry_on(&mut self) -> Result<Ended, Failure> {
        if self.consent.is_probe() {
            return self.probe().await;
        }
        for _ in 0..MAX_TURNS {
            let Some(turn) = self.last.order.first().cloned() else { return Ok(self.nothing_to_delete()) };
            if turn.steps.is_empty() {
                let by_hand = Talk::from(format!("first do this by hand: {}:", turn.title));
                let by_hand = turn.commands.iter().fold(by_hand, Talk::command);
                out::talk(by_hand.and("nothing more was deleted; run this again when that is done"));
                return Ok(Ended::Left);
            }
            if let Some(back) = turn.steps.iter().find(|step| self.gone.contains(&step.object.target())) {
                out::talk(format!("something creates {} again; nothing more was deleted", back.object));
                return Ok(Ended::Left);
            }
            match self.turn(&turn).await? {
                Ended::Gone => self.gone.extend(turn.steps.iter().map(|step| step.object.target())),
                Ended::Changed => {
                    self.number -= 1;
                    continue;
                }
                ended => return Ok(ended),
            }
            self.live.has_written();
            self.last = self.settled().await?;
            if let (Consent::UpTo(risk), false) = (self.consent, self.last.order.is_empty()) {
                may_go_on(&self.last, risk, true)?;
                if let Some(name) = unconfirmed_definition(&self.last, &self.cli.options) {
                    return Err(Failure::refused(format!("nothing more was deleted: objects of {name} now exist"))
                        .hint(format!("to delete them, too: --confirm {}; to list them", quote(name)))
                        .command(format!("kubectl get {} -A", quote(name))));
                }
            }
        }
        out::talk(format!("nothing more was deleted after {MAX_TURNS} turns: run this again"));
        Ok(Ended::Left)
    }

    /// Surveys until the next turn contains only objects of the first report: dependents need a
    /// moment until the garbage collector deletes them after their owner.
    async fn settled(&self) -> Result<Report, Failure> {
        let mut report = self.look_again().await?;
        let mut countdown = None;
        for looks in (1..=MAX_LOOKS).rev() {
            let next = report.order.first().map_or(&[][..], |turn| &turn.steps);
            let Some(other) = next.iter().find(|step| !self.first.contains(&step.object.uid)) else { break };
            let what = || format!("{} to be gone, which was not in the first report", other.object);
            countdown.get_or_insert_with(|| Countdown::new(&what(), SETTLE * looks)).show(SETTLE * looks);
            interrupt::wait_for(tokio::time::sleep(SETTLE)).await?;
            report = self.look_again().await?;
        }
        Ok(report)
    }

    /// Surveys again. A product that existed at the start is gone now, which is not a gap in the
    /// survey.
    async fn look_again(&self) -> Result<Report, Failure> {
        let mut report = self.live.diagnose(Freshness::Consistent).await?.report;
        let gone = &report.absent_products - &self.never_found;
        report.unread.retain(|note| !gone.contains(&note.what));
        Ok(report)
    }

    /// The end of the deletion when the order is empty.
    fn nothing_to_delete(&self) -> Ended {
        if let Some(note) = self.last.unread.iter().find(|note| self.products.contains(&note.what)) {
            out::talk(format!("nothing more was deleted: {}: {}", note.what, note.why));
            return Ended::Unknown;
        }
        let left = |target: &&TargetReport| target.state != State::Gone && target.since.is_none();
        let Some(target) = self.last.targets.iter().find(left) else { return Ended::Gone };
        out::talk(format!("not deleted: {}: {}", target.object, target.summary));
        Ended::Left
    }

    /// Surveys again after the answer, and checks that the approved turn still applies. In the
    /// meantime, something that the turn relies on may have disappeared, or new objects may have
    /// appeared.
    async fn still_stands(&mut self, turn: &Turn) -> Result<bool, Failure> {
        let fresh = self.look_again().await?;
        let Some(what) = what_has_changed(&self.last, &fresh, turn) else { return Ok(true) };
        out::talk(format!("not done: what was shown has changed: {what}"));
        out::report(&fresh, &self.cli.options);
        self.last = fresh;
        Ok(false)
    }

    /// Shows the server's verdict on every step.
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
                return Ok(Ended::NotApproved);
            }
            if !self.still_stands(turn).await? {
                return Ok(Ended::Changed);
            }
        }
        if !self.is_agreed_to(turn) {
            return Ok(Ended::Refused);
        }
        for step in &turn.steps {
            if self.step(step).await? == Ended::Refused {
                return Ok(Ended::Refused);
            }
        }
        self.wait_for(turn).await
    }

    /// Whether the turn is approved. A person approves exactly this turn. A rule never approves an
    /// object that the first report did not name; then nothing of the turn is done.
    fn is_agreed_to(&mut self, turn: &Turn) -> bool {
        let Some(run) = &mut self.journal else { return true };
        match self.consent {
            Consent::Ask => run.approval.agree_to(&turn.steps, turn.risk),
            _ => run.approval.show(&self.last, |_, _| true),
        }
        let others: Vec<&Step> = turn.steps.iter().filter(|step| !run.approval.covers(step, turn.risk)).collect();
        let Some(first) = others.first() else { return true };
        let text = format!("not done: {}: it was not in the first report", first.title());
        out::talk(Talk::verdict(false, &text));
        if others.len() > 1 {
            out::talk(format!("and {} more of these", others.len() - 1));
        }
        out::talk("nothing more was deleted: run this again to see the order as it is now");
        false
    }

    async fn step(&mut self, step: &Step) -> Result<Ended, Failure> {
        interrupt::heed()?;
        let outcome = carry_out(&self.live.connected.api, step, self.journal.as_mut(), &interrupt::is_pressed).await;
        say(step, &outcome, !matches!(outcome, Outcome::Done(_) | Outcome::AlreadySo(_)));
        interrupt::heed()?;
        Ok(if outcome.is_good() { Ended::Waits } else { Ended::Refused })
    }

    /// Waits until all objects of a turn are gone, or until the time for that is up.
    async fn wait_for(&mut self, turn: &Turn) -> Result<Ended, Failure> {
        let api = &self.live.connected.api;
        // In reverse: the last of these is the object whose deletion was requested first.
        let mut left: Vec<&Ref> = turn.steps.iter().rev().map(|step| &step.object).collect();
        let budget = self.cli.options.timeout.unwrap_or_else(|| limit_of(turn));
        // A limit beyond the range of the clock counts as no limit.
        let limit = Instant::now().checked_add(budget);
        let mut countdown = None;
        loop {
            interrupt::wait_for(drop_gone(api, &mut left)).await?;
            let is_late = limit.is_some_and(|limit| Instant::now() >= limit);
            if is_late {
                left = interrupt::wait_for(still_there(api, &left)).await?;
            }
            let Some(first) = left.last() else {
                drop(countdown);
                out::talk(format!("{}: verified gone", turn.title));
                return Ok(Ended::Gone);
            };
            let words = format!("{first}{}", and_more(left.len() - 1));
            if is_late {
                drop(countdown);
                out::talk(format!("{words}: still exists"));
                self.hanging = left.into_iter().rev().cloned().collect();
                return Ok(Ended::Waits);
            }
            let countdown = countdown.get_or_insert_with(|| Countdown::new(&format!("{words} to be gone"), budget));
            countdown.show(limit.map_or(budget, |limit| limit.saturating_duration_since(Instant::now())));
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    async fn agreed(&self, turn: &Turn) -> Result<bool, Failure> {
        let report = &self.last;
        let total = self.number - 1 + report.order.len();
        let context = report.context.as_deref().map(|name| format!("  (context {name})")).unwrap_or_default();
        let question = Talk::apart()
            .and(format!("Turn {} of {total}  {}?{context}", self.number, turn.title))
            .and(format!("  {}: {}", turn.risk, turn.consequence));
        let question = question.and_all(elsewhere(report, turn));
        let of_it: Vec<&Finding> = unavoidable(report).filter(|finding| is_about(finding, turn)).collect();
        let stuck = of_it.iter().map(|finding| format!("  would get stuck: {}", finding.summary));
        let unread = report.unread.iter().take(3).map(|note| format!("  not known: {}: {}", note.what, note.why));
        let question = question.and_all(stuck.chain(unread));
        let lost: Vec<&str> =
            report.definitions_lost_with(turn.steps.iter().map(|step| &step.object.uid)).map(String::as_str).collect();
        let name = if lost.is_empty() {
            (turn.risk.is_harsh() || !of_it.is_empty()).then(|| name_of(turn))
        } else {
            Some(lost.join(","))
        };
        let show = || turn.commands.iter().fold(details(turn), Talk::command);
        if let Some((heading, objects)) = taken_along(report, turn) {
            let named = Talk::apart().and(heading).and_all(objects.iter().take(MAX_NAMED).map(|it| format!("  {it}")));
            let all = || objects.iter().fold(details(turn), |all, it| all.and(it.to_string()));
            if ask::put(named, None, &all).await? != Reply::Yes {
                return Ok(false);
            }
        }
        Ok(ask::put(question, name, &show).await? == Reply::Yes)
    }
}

/// A line about the objects of a turn that are outside of the namespace of their product.
fn elsewhere(report: &Report, turn: &Turn) -> Option<String> {
    let mut homes = report.products.iter().map(|product| product.namespace.as_deref());
    let home = homes.next().flatten().filter(|home| homes.all(|it| it == Some(*home)))?;
    let count = turn.steps.iter().filter(|step| step.object.namespace.as_deref() != Some(home)).count();
    (count > 0).then(|| format!("  {count} of {} outside of namespace {home}", number_of(turn.steps.len(), "object")))
}

/// The objects outside of the namespace of their product that its installer deletes with a turn, and the question
/// about them.
fn taken_along<'r>(report: &'r Report, turn: &Turn) -> Option<(String, &'r [Ref])> {
    report.products.iter().find_map(|product| {
        let (remover, objects) = product.taken_outside.as_ref().filter(|(_, objects)| !objects.is_empty())?;
        let is_it = turn.steps.iter().any(|step| step.object.uid == *remover);
        let heading = || format!("Let {} delete {}?", product.title, product.counted());
        is_it.then(|| (heading(), &objects[..]))
    })
}

/// How long to wait for a turn: longer if its clean-up is known to take longer.
fn limit_of(turn: &Turn) -> Duration {
    turn.usual_minutes.map_or(USUAL_LIMIT, |minutes| USUAL_LIMIT.max(Duration::from_mins(minutes.into())))
}

/// The answer to type for a turn: the object's name, or the number of objects.
fn name_of(turn: &Turn) -> String {
    match &turn.steps[..] {
        [only] => only.object.name.clone(),
        several => several.len().to_string(),
    }
}

/// The details that `d` shows.
fn details(turn: &Turn) -> Talk {
    let mut rows = vec![
        ("risk", format!("{}: {}", turn.risk, turn.consequence)),
        (
            "undo",
            "none: a deleted object can only be created again; the journal keeps each object as it was".to_owned(),
        ),
    ];
    if !turn.why.is_empty() {
        rows.push(("because", turn.why.to_string()));
    }
    rows.extend(turn.steps.iter().map(|step| ("deletes", step.object.to_string())));
    Talk::facts(rows)
}
