//! Finds the controller that should have released an object, and the reason why it has not.
//!
//! [`find`] collects the traces of the controller (`traces`, `access`), ranks the workloads that may
//! be it (`candidates`), and checks whether the best one runs (`health`). If it does, `running` looks
//! for its obstacles and, with `--logs`, `logs` reads its log. `silent_controller` searches further if the
//! controller gives no reason, and `without_workload` judges one for which no workload was found. Age alone
//! proves nothing, and if facts could not be read, the answer is "unknown", with the permission that would
//! help.

mod attention;
mod live_writer;
mod remote;
mod running;
mod silence;
mod silent_controller;
mod speakers;
mod without_workload;
mod words;

use super::at_work::{self, Work};
use super::found_reason::FoundReason;
use super::judgement::Judgement;
use super::profile::Profile;
use super::questions::Questions;
use super::reason::Stage;
use super::{
    cannot_create, controller_down, controller_says, controller_unknown, gives_no_reason, place, scaled_to_zero,
};
use crate::facts::{All, Facts, Known, each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::ownership::candidates::{self, Candidate, Ranking};
use crate::kubernetes::ownership::named_workloads::names;
use crate::kubernetes::ownership::owner;
use crate::kubernetes::ownership::traces::Traces;
use crate::kubernetes::progress::hosted;
use crate::kubernetes::progress::inquiry::{Inquiry, words};
use crate::kubernetes::progress::logs::{self, LoggedTrouble};
use crate::kubernetes::statements::{siblings, statement};
use crate::kubernetes::workloads::health::{self, Down, Health};
use crate::report::{ControllerState, Sentence};
use crate::survey::Seen;
use speakers::WeighedStatements;

/// How many equally likely candidates are checked for running pods.
const MAX_TIED: usize = 4;

/// How many pieces of evidence are kept.
const MAX_EVIDENCE: usize = 12;

/// How many pieces of evidence come before the first line of a log.
const MAX_BEFORE_LOG: usize = 2;

/// Finds the controller that removes `finalizer` from `held`.
///
/// # Errors
/// When something was not surveyed yet.
pub(super) fn find<'s>(
    finalizer: &str,
    held: &HeldObjects<'s>,
    facts: &Facts<'s>,
    questions: &Questions,
) -> Known<Judgement<'s>> {
    let gaps = Gaps::default();
    let said = statement::said(held, facts, &gaps);
    let (mut said, traces) = (said, Traces::read(finalizer, held, facts, &gaps)).all()?;
    let mut ranking = candidates::rank(&traces, facts, &gaps)?;
    ranking.put_leader_first(&traces, facts)?;
    if let Some(whole) = held.whole.first() {
        ranking.pass_over(whole, facts, &gaps)?;
    }
    let inquiry = Inquiry { finalizer, held, said: &[], traces: &traces, facts, gaps: &gaps };
    let by_log = by_log(&ranking, inquiry);
    let (best, by_log) = (among_the_tied(&ranking, inquiry), by_log).all()?;
    let best = best.map(|best| who_may_write(best, &ranking, &traces));
    let mut best = by_log.as_ref().or(best);
    if let Some(one) = best
        && hosted::set_by_server(one.seen.object, inquiry)?
    {
        best = None;
    }
    said.retain(|said| owner::counts(said, &traces.names, best.map(|best| best.seen.object)));
    said.retain(|said| !said.is_habit(&traces.names, best.map(|best| best.seen.object)));
    let chosen = best.map(|best| best.seen.object.name().to_owned());
    let names: Vec<String> = words(&traces).chain(chosen).chain([finalizer.to_owned()]).collect();
    let shared = each(&said, |said| siblings::share(said, &names, facts, &gaps))?;
    let mut shared = shared.into_iter();
    said.retain(|_| shared.next() != Some(true));
    let heard = WeighedStatements::of(said, finalizer, &traces.names);
    let inquiry = Inquiry { said: &heard.said, ..inquiry };
    let mut found = match best {
        Some(best) => with_workload(best, inquiry, questions)?,
        None => without_workload::judge(&ranking, inquiry, questions)?,
    };
    found.profile.sure &=
        ranking.tied < 2 && (ranking.left_out.is_empty() || best.is_some_and(|best| best.is_at_home(&traces)));
    found.profile.sure &= best.is_none_or(|best| traces.tell_whose(best.seen.object));
    heard.doubt_owner(&mut found, finalizer, best.map(|best| best.seen.object));
    silent_controller::look(&mut found, best, inquiry, questions)?;
    remote::look(&mut found, held, facts);
    let chosen = best.map(Candidate::reference);
    let rivals = ranking.best.iter().enumerate().filter(|(_, rival)| Some(rival.reference()) != chosen).take(3);
    let second = rivals.map(|(place, rival)| {
        let evidence = if place < ranking.tied { "the same" } else { "less" };
        format!("also possible, with {evidence} evidence: {}", rival.reference()).into()
    });
    let evidence = &mut found.profile.controller.evidence;
    evidence.extend(second);
    evidence.extend(ranking.ruled_out.iter().take(3).map(|(seen, out)| owner::line(&(*seen).into(), out).into()));
    let is_not = |(seen, out): &(Seen<'_>, _)| owner::is_not(&(*seen).into(), out);
    found.profile.aside.extend(ranking.ruled_out.iter().take(3).map(is_not));
    if let Some(first) = ranking.left_out.first() {
        let count = ranking.left_out.len();
        let more = format!("not read, but may contain the controller: {first} and other namespaces ({count} in all)");
        evidence.push(more.into());
    }
    let most = if facts.may_read_logs() { MAX_EVIDENCE + logs::MAX_EVIDENCE } else { MAX_EVIDENCE };
    found.profile.unread = gaps.texts().into_iter().take(most.saturating_sub(evidence.len())).map(Into::into).collect();
    evidence.extend(found.profile.unread.clone());
    evidence.truncate(most);
    Ok(found)
}

/// Chooses, with logs, one of several candidates: the one whose log names the held objects.
fn by_log<'s>(ranking: &Ranking<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<Candidate<'s>>> {
    let tied = &ranking.best[..ranking.tied.min(MAX_TIED)];
    if let [_] = tied {
        return Ok(None);
    }
    let suspects = ranking.suspects.iter().filter(|_| tied.is_empty()).take(MAX_TIED);
    let workloads = tied.iter().map(|candidate| candidate.seen).chain(suspects.map(|(seen, _)| *seen));
    let found = logs::find(workloads, inquiry)?;
    let known = |seen: Seen<'_>| tied.iter().find(|candidate| candidate.seen.object.uid() == seen.object.uid());
    Ok(found.map(|(seen, line)| match known(seen) {
        Some(candidate) => candidate.clone(),
        None => Candidate::by_log(seen, line),
    }))
}

/// Chooses one of the candidates with equal evidence. The only candidate that the object names
/// comes first, then one whose name has a word of the kind's group, whether it runs or not: other
/// programs than the controller may write a kind, too. The last choice is a candidate that runs.
fn among_the_tied<'r, 's>(ranking: &'r Ranking<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<&'r Candidate<'s>>> {
    let Inquiry { held, traces, facts, gaps, .. } = inquiry;
    let tied = &ranking.best[..ranking.tied.min(MAX_TIED)];
    if let [] | [_] = tied {
        return Ok(ranking.best.first());
    }
    let mut named = tied.iter().filter(|it| held.whole.iter().any(|object| names(object, it.seen.object.name())));
    if let (Some(one), None) = (named.next(), named.next()) {
        return Ok(Some(one));
    }
    let healths = each(tied, |candidate| health::of(candidate.seen.object, facts, gaps))?;
    let runs = |at: &usize| matches!(healths[*at], Health::Runs(_));
    let is_called = |at: &usize| owner::share_a_word(&traces.kind.group, tied[*at].seen.object.name());
    let places = 0..tied.len();
    let mut called = places.clone().filter(is_called);
    let only_called = called.next().filter(|_| called.next().is_none());
    let chosen = places.clone().filter(runs).find(is_called).or(only_called).or_else(|| places.clone().find(runs));
    Ok(tied.get(chosen.unwrap_or_default()))
}

/// Replaces `best`, if only the catalogue names it and it may not write the kind, by another part of
/// the product that may. Several controllers may share one finalizer, each for its own kind.
fn who_may_write<'r, 's>(best: &'r Candidate<'s>, ranking: &'r Ranking<'s>, traces: &Traces<'s>) -> &'r Candidate<'s> {
    let may_write = |candidate: &Candidate<'_>| traces.rights.holders.contains_key(&candidate.account());
    let mut names = traces.names.iter().filter(|name| !name.catalogued);
    let is_told_otherwise = names.any(|name| owner::fit(&name.word, best.seen.object) != owner::Fit::Not);
    if !traces.rights.complete || is_told_otherwise || may_write(best) {
        return best;
    }
    let group = &traces.kind.group;
    let is_of_product = |other: &&Candidate<'_>| {
        let namespace = other.seen.object.metadata.namespace.as_deref().unwrap_or_default();
        [namespace, other.seen.object.name()].iter().any(|word| owner::share_a_word(group, word))
    };
    ranking.best.iter().filter(|other| may_write(other)).find(is_of_product).unwrap_or(best)
}

/// Explains `best`, which has no Ready pod.
fn when_down<'s>(best: &Candidate<'s>, down: Down, inquiry: Inquiry<'_, 's>) -> Known<(FoundReason<'s>, Sentence)> {
    let workload = best.reference();
    let starting = if down.going.is_none() { running::starting(best, inquiry.facts)? } else { None };
    if let Some(pod) = starting {
        let text = format!("pod {pod} of {workload} is new and is still starting").into();
        return Ok((at_work::found(Work::Starting), text));
    }
    let text = Sentence::from(format!("{workload} has no Ready pod: ")).then(Sentence::reason(&down.reason));
    let why = place::lost_node(best, inquiry)?.unwrap_or_else(|| controller_down::found(workload, down));
    Ok((why.state(ControllerState::Down), text))
}

fn with_workload<'s>(best: &Candidate<'s>, inquiry: Inquiry<'_, 's>, questions: &Questions) -> Known<Judgement<'s>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let workload = best.reference();
    let mut evidence: Vec<Sentence> = best.why.iter().map(Into::into).collect();
    let health = health::of(best.seen.object, facts, gaps)?;
    let log = logs::read(best.seen, inquiry);
    if let Some(found) = live_writer::runs_elsewhere(best, &health, inquiry)? {
        return Ok(found);
    }
    let mut began_later = false;
    let mut why = match health {
        Health::ScaledToZero => {
            evidence.push(format!("{workload} is scaled to 0 replicas").into());
            scaled_to_zero::found(best.seen)
        }
        Health::Down(down) => {
            let (why, text) = when_down(best, down, inquiry)?;
            evidence.push(text);
            why
        }
        Health::Unread(text) => {
            evidence.push(format!("{workload}: {text}").into());
            controller_unknown::found()
        }
        Health::Runs(pods) => {
            let mut looked = vec![format!("{workload} runs: pod {} is Ready", pods[0].name())];
            let found = running::look(best, &pods, inquiry, &mut looked, questions)?;
            evidence.extend(looked.into_iter().map(Into::into));
            began_later = running::began_later(&pods, held);
            found
        }
    };
    let log = log?;
    // Screens show the first few pieces, and the user has asked for the log.
    let mut said_in_log = log.evidence.into_iter().map(Sentence::from);
    let place = evidence.len().min(MAX_BEFORE_LOG);
    evidence.splice(place..place, said_in_log.next());
    evidence.extend(said_in_log);
    let said = log.why.filter(|said| outweighs(said, &why));
    let by_log = said.is_some();
    if let Some(said) = said {
        why = logged(said);
    }
    let mut found = Judgement::new(why, Vec::new(), true);
    let Profile { controller, .. } = &mut found.profile;
    (controller.workload, controller.evidence) = (Some(workload), evidence);
    found.profile.by_log = by_log;
    found.profile.sure = best.pieces > 1;
    found.profile.bound = inquiry.traces.is_bound_everywhere(&best.account());
    found.profile.began_later = began_later;
    Ok(found)
}

/// Whether a log says more than the reason that was found without the log.
fn outweighs(said: &LoggedTrouble, why: &FoundReason<'_>) -> bool {
    let is_weak = why.reason.stage == Stage::Attention || why.is_one_of(&[&gives_no_reason::REASON, &at_work::REASON]);
    is_weak || *said == LoggedTrouble::CannotCreateForIt && why.is(&controller_says::REASON)
}

fn logged<'s>(said: LoggedTrouble) -> FoundReason<'s> {
    match said {
        LoggedTrouble::CannotCreateForIt | LoggedTrouble::CannotCreate => cannot_create::found(),
        LoggedTrouble::Trouble(message) => controller_says::found(&message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::controller_gone;

    #[test]
    fn a_log_outweighs_only_weaker_reasons() {
        let trouble = LoggedTrouble::Trouble("x".into());
        let says = || controller_says::found("y");
        assert!(outweighs(&trouble, &gives_no_reason::found()));
        assert!(outweighs(&trouble, &at_work::found(Work::Expected)));
        assert!(!outweighs(&trouble, &says()) && !outweighs(&trouble, &controller_unknown::found()));
        assert!(outweighs(&LoggedTrouble::CannotCreateForIt, &says()));
        assert!(!outweighs(&LoggedTrouble::CannotCreate, &says()));
        assert!(!outweighs(&LoggedTrouble::CannotCreateForIt, &controller_gone::found(true, None)));
    }
}
