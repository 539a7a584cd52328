//! Finds the controller that should have released an object, and the reason why it has not.
//!
//! [`find`] collects the traces of the controller (`traces`, `access`), ranks the workloads that may
//! be it (`candidates`), and checks whether the best one runs (`health`). If it does, `running` looks
//! for its obstacles, and `silent_controller` searches further if the controller gives no reason. `log` reads
//! its log if nothing else tells. `without_workload` judges one for which no workload was found. Age alone
//! proves nothing, and if facts could not be read, the answer is "unknown", with the permission that would
//! help.

mod attention;
mod live_writer;
mod log;
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
use super::questions::Questions;
use super::{controller_down, controller_unknown, place, scaled_to_zero, set_by_hand};
use crate::facts::{All, Facts, Known, each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::ownership::candidates::{self, Candidate, Ranking};
use crate::kubernetes::ownership::leaders;
use crate::kubernetes::ownership::named_workloads::names;
use crate::kubernetes::ownership::owner;
use crate::kubernetes::ownership::traces::Traces;
use crate::kubernetes::progress::hosted;
use crate::kubernetes::progress::inquiry::{Inquiry, words};
use crate::kubernetes::progress::logs::{self, LogEvidence};
use crate::kubernetes::statements::statement::Statement;
use crate::kubernetes::statements::{siblings, statement};
use crate::kubernetes::workloads::health::{self, Down, Health};
use crate::report::{ControllerState, Sentence};
use crate::survey::{Object, Seen};
use silence::is_silent;
use speakers::WeighedStatements;
use std::collections::BTreeSet;

/// How many equally likely candidates are checked for running pods.
const MAX_TIED: usize = 4;

/// How many pieces of evidence come before the first line of a log.
const MAX_BEFORE_LOG: usize = 2;

/// How many pieces of evidence are kept.
const MAX_EVIDENCE: usize = 12;

/// Finds the controller that removes `finalizer` from `held`.
pub(super) fn find<'s>(
    finalizer: &str,
    held: &HeldObjects<'s>,
    facts: &Facts<'s>,
    questions: &Questions,
) -> Known<Judgement<'s>> {
    let gaps = Gaps::default();
    let said = statement::said(held, facts, &gaps);
    let (said, traces) = (said, Traces::read(finalizer, held, facts, &gaps)).all()?;
    let mut ranking = candidates::rank(&traces, facts, &gaps)?;
    ranking.put_leader_first(&traces, facts)?;
    if let Some(whole) = held.whole.first() {
        ranking.pass_over(whole, facts, &gaps)?;
    }
    let inquiry = Inquiry { finalizer, held, said: &[], traces: &traces, facts, gaps: &gaps };
    let by_log = log::among_the_tied(&ranking, inquiry);
    let (best, by_log) = (among_the_tied(&ranking, inquiry), by_log).all()?;
    let best = best.map(|best| who_may_write(best, &ranking, &traces));
    let mut best = by_log.as_ref().or(best);
    if let Some(one) = best
        && hosted::set_by_server(one.seen.object, inquiry)?
    {
        best = None;
    }
    let best_object = best.map(|best| best.seen.object);
    let said = of_the_controller(said, best_object, inquiry)?;
    let heard = WeighedStatements::of(said, finalizer, &traces.names);
    let inquiry = Inquiry { said: &heard.said, ..inquiry };
    let judged = |best: Option<&Candidate<'s>>, inquiry: Inquiry<'_, 's>| -> Known<Judgement<'s>> {
        let mut found = match best {
            Some(best) => with_workload(best, inquiry, questions)?,
            None => match leaders::of_control_plane(&traces, facts, &gaps)? {
                Some(leader) => with_workload(&leader, inquiry, questions)?,
                None => without_workload::judge(&ranking, inquiry, questions)?,
            },
        };
        let is_home = ranking.left_out.is_empty() || best.is_some_and(|best| best.is_at_home(&traces));
        let is_its = best.is_none_or(|best| traces.tell_whose(best.seen.object));
        found.profile.sure &= ranking.tied < 2 && is_home && is_its;
        heard.doubt_owner(&mut found, finalizer, best.map(|best| best.seen.object));
        doubt_owner_of_a_persons(&mut found, best, inquiry);
        silent_controller::look(&mut found, best, inquiry, questions)?;
        Ok(found)
    };
    let mut found = judged(best, inquiry)?;
    let logged = log::look(&found.why, best, &ranking, inquiry)?;
    if let Some((of, LogEvidence { evidence, said, is_read, is_unread, .. })) = logged {
        best = Some(of);
        if !said.is_empty() && log::may_outweigh(&found.why) {
            let all = [heard.said.clone(), said].concat();
            let with_log = judged(best, Inquiry { said: &all, ..inquiry })?;
            if !is_silent(&with_log.why) || is_silent(&found.why) {
                found = with_log;
            }
        }
        (found.profile.log_is_read, found.profile.log_is_unread) = (is_read, is_unread);
        // Screens show the first few pieces.
        let place = found.profile.controller.evidence.len().min(MAX_BEFORE_LOG);
        let mut evidence = evidence.into_iter().map(Sentence::from);
        found.profile.controller.evidence.splice(place..place, evidence.next());
        found.profile.controller.evidence.extend(evidence);
    }
    silent_controller::ask_each(&mut found, questions.last, best, inquiry)?;
    remote::look(&mut found, held, facts);
    add_what_else(&mut found, best, &ranking, &gaps);
    Ok(found)
}

/// Takes the blame from `best` for a finalizer that a person has set, if nothing shows that it belongs to that
/// workload, which works on the kind.
fn doubt_owner_of_a_persons(found: &mut Judgement<'_>, best: Option<&Candidate<'_>>, inquiry: Inquiry<'_, '_>) {
    let Inquiry { finalizer, held, traces, .. } = inquiry;
    let is_foreign = |best: &&Candidate<'_>| !traces.tell_whose(best.seen.object);
    let is_by_hand = set_by_hand::command(finalizer, held).is_some();
    let Some(best) = best.filter(is_foreign).filter(|_| is_by_hand) else { return };
    let why = controller_unknown::found();
    let text = format!("{} works on this kind, but nothing shows that {finalizer} belongs to it", best.reference());
    *found = Judgement::new(why, vec![text.into()], true);
}

/// The statements that count as the controller's, among `said`.
fn of_the_controller<'s>(
    mut said: Vec<Statement<'s>>,
    best: Option<&Object>,
    Inquiry { finalizer, traces, facts, gaps, .. }: Inquiry<'_, 's>,
) -> Known<Vec<Statement<'s>>> {
    said.retain(|said| owner::counts(said, &traces.names, best) && !said.is_habit(&traces.names, best));
    let chosen = best.map(|best| best.name().to_owned());
    let names: Vec<String> = words(traces).chain(chosen).chain([finalizer.to_owned()]).collect();
    let shared = each(&said, |said| siblings::share(said, &names, facts, gaps))?;
    let mut shared = shared.into_iter();
    said.retain(|_| shared.next() != Some(true));
    Ok(said)
}

/// Adds the rivals of `best` to the evidence, and what could not be read.
fn add_what_else(found: &mut Judgement<'_>, best: Option<&Candidate<'_>>, ranking: &Ranking<'_>, gaps: &Gaps) {
    let chosen = best.map(Candidate::reference);
    let rivals = ranking.best.iter().enumerate().filter(|(_, rival)| Some(rival.reference()) != chosen).take(3);
    let second = rivals.map(|(place, rival)| {
        let evidence = if place < ranking.tied { "the same" } else { "less" };
        format!("also possible, with {evidence} evidence: {}", rival.reference()).into()
    });
    let most = if found.profile.log_is_read { MAX_EVIDENCE + logs::MAX_EVIDENCE } else { MAX_EVIDENCE };
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
    found.profile.unread = gaps.texts().into_iter().take(most.saturating_sub(evidence.len())).map(Into::into).collect();
    evidence.extend(found.profile.unread.clone());
    evidence.truncate(most);
}

/// Chooses one of the candidates with equal evidence. The only candidate that the object names
/// comes first, then the only one whose own word the finalizer contains, then one whose name has a word of the kind's
/// group, whether it runs or not: other programs than the controller may write a kind, too. The last choice is a
/// candidate that runs.
fn among_the_tied<'r, 's>(ranking: &'r Ranking<'s>, inquiry: Inquiry<'_, 's>) -> Known<Option<&'r Candidate<'s>>> {
    let Inquiry { held, traces, facts, gaps, .. } = inquiry;
    let tied = ranking.equals(MAX_TIED);
    if let [] | [_] = tied {
        return Ok(ranking.best.first());
    }
    let mut named = tied.iter().filter(|it| held.whole.iter().any(|object| names(object, it.seen.object.name())));
    if let (Some(one), None) = (named.next(), named.next()) {
        return Ok(Some(one));
    }
    if let Some(one) = called_in_entry(tied, inquiry.finalizer) {
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

/// The only candidate with a word that no other one has and that the last part of the finalizer contains: the parts of a
/// product have an entry each, `acme.io/node-agent` and `acme.io/manager`.
fn called_in_entry<'r, 's>(tied: &'r [Candidate<'s>], finalizer: &str) -> Option<&'r Candidate<'s>> {
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() > 3).map(str::to_lowercase).collect()
    };
    let entry = words(finalizer.rsplit_once('/')?.1);
    let own = |candidate: &Candidate<'_>| words(candidate.seen.object.name());
    let has_it = |candidate: &&Candidate<'_>| {
        let is_others = |word: &String| {
            tied.iter().any(|other| other.reference() != candidate.reference() && own(other).contains(word))
        };
        own(candidate).iter().any(|word| entry.contains(word) && !is_others(word))
    };
    let mut called = tied.iter().filter(has_it);
    called.next().filter(|_| called.next().is_none())
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
    if let Some(found) = live_writer::runs_elsewhere(best, &health, inquiry)? {
        return Ok(found);
    }
    let (mut began_later, mut pod) = (false, None);
    let why = match health {
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
            evidence.push(format!("{workload} runs: pod {} is Ready", pods[0].name()).into());
            let found = running::look(best, &pods, inquiry, &mut evidence, questions)?;
            began_later = running::began_later(&pods, held);
            pod = place::pod_on_node(best, &pods, inquiry)?;
            found
        }
    };
    let mut found = Judgement::new(why, evidence, true).about(workload);
    found.profile.sure = best.pieces > 1;
    found.profile.bound = inquiry.traces.is_bound_everywhere(&best.account());
    (found.profile.began_later, found.profile.pod) = (began_later, pod);
    Ok(found)
}
