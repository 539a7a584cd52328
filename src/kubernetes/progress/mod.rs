//! Who should have released an object, and why that has not happened.
//!
//! [`find`] collects what points at the controller (`traces`, `access`),
//! ranks the workloads that could be it (`candidates`), looks whether the best
//! one runs (`health`) and, when it does, what keeps it from its work
//! (`obstacles`); when that was asked for, what its log says (`logs`). Age alone proves nothing, and what could not be read makes
//! the answer "unknown", with the right that would help.

pub(crate) mod apart;
pub(crate) mod attached;
pub(crate) mod attention;
mod bare_names;
mod barred;
mod classes;
pub mod cleanup_jobs;
mod elsewhere;
#[cfg(test)]
mod fixtures;
pub(crate) mod followers;
mod hosted;
pub(crate) mod hosts;
mod inquiry;
mod inventory;
mod judgement;
mod lacking;
pub mod let_through;
mod logs;
mod nodes_named;
pub(crate) mod obstacles;
mod odd_entry;
mod partners;
pub(crate) mod pauses;
pub mod pending;
pub(crate) mod place;
pub(crate) mod reasons;
mod references;
pub(crate) mod refusals;
mod resting;
mod restored;
mod rights;
mod running;
pub(crate) mod sources;
mod speakers;
pub(crate) mod tenant;
pub(crate) mod unanswered;
mod undeletable;
pub(crate) mod unserved;
pub(crate) mod unwell;
pub(crate) mod users;
pub(crate) mod usual;
mod without_workload;

pub use judgement::{Explanation, InTheWay, Judgement, Tenant, Work};
pub use unserved::UnservedKind;

use crate::facts::{All, Facts, Known, each};
use crate::kubernetes::admission::Admission;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::messages::trouble::{is_about_use, is_waiting};
use crate::kubernetes::ownership::called::names;
use crate::kubernetes::ownership::candidates::{Candidate, Ranking};
use crate::kubernetes::ownership::traces::Traces;
use crate::kubernetes::ownership::{access, candidates, owner, settings};
use crate::kubernetes::statements::{elsewhere as told_elsewhere, siblings, statement};
use crate::kubernetes::workloads::health::{self, Down, Health};
use crate::report::{Controller, ControllerState, Ref, Sentence};
use crate::survey::Seen;
use attached::Attached;
use cleanup_jobs::{CleanupJob, JobState};
use hosts::Unserved;
use inquiry::Inquiry;
use speakers::WeighedStatements;
use unwell::Unwell;

/// How many equally likely candidates are checked for running pods.
const MAX_TIED: usize = 4;

/// How many pieces of evidence are kept.
const MAX_EVIDENCE: usize = 12;

/// How many of them stand before the first that is from a log.
const MAX_BEFORE_LOG: usize = 2;

/// Reads what every search for a controller of objects in `namespace` begins with. Where such a
/// search is likely to follow, this comes with what is read before it, and costs no round trip.
pub fn anticipate(namespace: &str, facts: &Facts<'_>) {
    let _ = (access::roles_and_bindings(None, facts), access::roles_and_bindings(Some(namespace), facts));
    let _ = (candidates::workloads(facts), Admission::glance(facts));
}

/// Finds the controller that takes `finalizer` off `held`.
///
/// # Errors
/// When something was not surveyed yet.
pub fn find<'s>(finalizer: &str, held: &HeldObjects<'s>, facts: &Facts<'s>) -> Known<Judgement<'s>> {
    let mut gaps = Gaps::default();
    let said = statement::said(held, facts, &mut gaps);
    let (mut said, traces) = (said, Traces::read(finalizer, held, facts, &mut gaps)).all()?;
    let mut ranking = candidates::rank(&traces, facts, &mut gaps)?;
    ranking.put_leader_first(&traces, facts)?;
    if let Some(whole) = held.whole.first() {
        ranking.pass_over(whole, facts, &mut gaps)?;
    }
    let by_log = by_log(finalizer, &ranking, held, facts, &mut gaps);
    let best = among_the_tied(&ranking, &traces.kind.group, held, facts, &mut gaps);
    let (best, by_log) = (best, by_log).all()?;
    let mut best = by_log.as_ref().or(best);
    if let Some(one) = best
        && hosted::set_by_server(finalizer, held, one.seen.object, facts)?
    {
        best = None;
    }
    said.retain(|said| owner::counts(said, &traces.names, best.map(|best| best.seen.object)));
    said.retain(|said| !said.is_habit(&traces.names, best.map(|best| best.seen.object)));
    let chosen = best.map(|best| best.seen.object.name().to_owned());
    let names: Vec<String> = words(&traces).chain(chosen).chain([finalizer.to_owned()]).collect();
    let shared = each(&said, |said| siblings::share(said, &names, facts, &mut gaps))?;
    let mut shared = shared.into_iter();
    said.retain(|_| shared.next() != Some(true));
    let heard = WeighedStatements::of(said, finalizer, &traces.names);
    let inquiry = Inquiry { finalizer, held, said: &heard.said, traces: &traces, facts };
    let mut found = match best {
        Some(best) => with_workload(best, inquiry, &mut gaps)?,
        None => without_workload::judge(&ranking, inquiry, &mut gaps)?,
    };
    found.sure &=
        ranking.tied < 2 && (ranking.left_out.is_empty() || best.is_some_and(|best| best.is_at_home(&traces)));
    found.sure &= best.is_none_or(|best| traces.tell_whose(best.seen.object));
    heard.temper(&mut found, finalizer, best.map(|best| best.seen.object));
    look_further(&mut found, best, inquiry, &mut gaps)?;
    let chosen = best.map(Candidate::reference);
    let rivals = ranking.best.iter().enumerate().filter(|(_, rival)| Some(rival.reference()) != chosen).take(3);
    let second = rivals.map(|(place, rival)| {
        let evidence = if place < ranking.tied { "the same" } else { "less" };
        format!("also possible, with {evidence} evidence: {}", rival.reference()).into()
    });
    let evidence = &mut found.controller.evidence;
    evidence.extend(second);
    evidence.extend(ranking.ruled_out.iter().take(3).map(|(seen, out)| owner::line(&(*seen).into(), out).into()));
    let is_not = |(seen, out): &(Seen<'_>, _)| owner::is_not(&(*seen).into(), out);
    found.aside.extend(ranking.ruled_out.iter().take(3).map(is_not));
    if let Some(first) = ranking.left_out.first() {
        let count = ranking.left_out.len();
        let more = format!("not read, but may contain the controller: {first} and other namespaces ({count} in all)");
        evidence.push(more.into());
    }
    let most = if facts.may_read_logs() { MAX_EVIDENCE + logs::MAX_EVIDENCE } else { MAX_EVIDENCE };
    found.unread = gaps.texts().take(most.saturating_sub(evidence.len())).map(Into::into).collect();
    evidence.extend(found.unread.clone());
    evidence.truncate(most);
    Ok(found)
}

/// The names by which the controller is known.
fn words(traces: &Traces<'_>) -> impl Iterator<Item = String> {
    traces.names.iter().map(|name| name.word.clone())
}

/// Looks for a reason beside the controller and the object, where neither gives one.
fn look_further<'s>(
    found: &mut Judgement<'s>,
    best: Option<&Candidate<'s>>,
    inquiry: Inquiry<'_, 's>,
    gaps: &mut Gaps,
) -> Known {
    let held = inquiry.held;
    for_clean_up(found, inquiry, gaps)?;
    in_use(found, inquiry, gaps)?;
    if let Some(best) = best.filter(|_| matches!(found.why, Explanation::Idle | Explanation::SaidBefore(_))) {
        rests(found, best, inquiry)?;
    }
    // A failure from before a deletion may be over by then.
    let is_going = held.objects.iter().any(|seen| seen.object.is_deleting());
    if is_going && matches!(found.why, Explanation::Idle) {
        unwell(found, inquiry, gaps)?;
    }
    if matches!(found.why, Explanation::Idle) {
        let odd = odd_entry::find(held.first(), inquiry.finalizer, inquiry.facts, gaps);
        let part = best.map_or(Ok(None), |best| undeletable::find(best, held.first(), inquiry.facts, gaps));
        let (odd, part) = (odd, part).all()?;
        failed_before(found, held);
        found.lead = part.or(odd);
        let settings = best.and_then(|best| settings::taken_from(best.seen.object));
        let aside = |name| format!("not the data of ConfigMap {name}, from which it takes its settings").into();
        found.aside.extend(settings.map(aside));
    }
    Ok(())
}

/// Asks for what the further questions about a controller that gives no reason read, so that it comes along.
fn ask_along(found: &Judgement<'_>, inquiry: Inquiry<'_, '_>) {
    let Inquiry { finalizer, held, traces, facts, .. } = inquiry;
    let gaps = &mut Gaps::default();
    let _ = (attached::find(held, finalizer, facts, gaps), restored::made_from(held.first(), false, facts, gaps));
    let _ = users::of(held, finalizer, traces.kind, users::Place::Own, facts, gaps);
    if matches!(found.why, Explanation::Idle) {
        let _ = (unwell::find(held, facts, gaps), hosts::unserved(held, facts));
    }
}

/// Looks for the Jobs of a clean-up, where their controller is there and gives no other reason: it waits for them.
fn for_clean_up<'s>(found: &mut Judgement<'s>, inquiry: Inquiry<'_, 's>, gaps: &mut Gaps) -> Known {
    if !matches!(found.why, Explanation::Idle | Explanation::SaidBefore(_) | Explanation::SaysOnly(_)) {
        return Ok(());
    }
    ask_along(found, inquiry);
    // The controller cleans up an object without a namespace in its own namespace.
    let home = found.controller.workload.as_ref().and_then(|workload| workload.namespace.clone());
    let place = inquiry.held.first().object.metadata.namespace.as_deref().map(ToOwned::to_owned).or(home);
    let jobs = match place {
        Some(place) => cleanup_jobs::find(inquiry.held, &place, inquiry.facts, gaps)?,
        None => Vec::new(),
    };
    let Some(first) = jobs.into_iter().next() else { return belonging(found, inquiry, gaps) };
    let CleanupJob { job, state } = &first;
    found.controller.evidence.insert(0, Sentence::from("it has created ").then(job).then(" since the deletion"));
    found.why = match state {
        JobState::Runs => {
            found.controller.evidence.insert(0, Sentence::about(job, "is running"));
            Explanation::Working(Work::Expected)
        }
        JobState::Failed(_) | JobState::Hangs(_) => Explanation::CleanupJob(first),
    };
    Ok(())
}

/// Looks for parts of the objects that are being deleted, and for what asks for them by an annotation.
fn belonging<'s>(found: &mut Judgement<'s>, inquiry: Inquiry<'_, 's>, gaps: &mut Gaps) -> Known {
    let Attached { going, asking } = attached::find(inquiry.held, inquiry.finalizer, inquiry.facts, gaps)?;
    if going.is_empty() && asking.is_empty() {
        return Ok(());
    }
    // That its controller waits for them it has not said.
    found.stale = true;
    found.why = if going.is_empty() { Explanation::InUse(asking) } else { Explanation::Blocked(going) };
    Ok(())
}

/// Looks for what uses the objects, where their controller is there and gives no other reason, or
/// says that they are used.
fn in_use<'s>(found: &mut Judgement<'s>, inquiry: Inquiry<'_, 's>, gaps: &mut Gaps) -> Known {
    let Inquiry { finalizer, held, traces, facts, .. } = inquiry;
    let said = found.why.words().is_some_and(is_about_use);
    // Words that something is waited for may mean what goes, too.
    let waits = !said && found.why.words().is_some_and(is_waiting);
    // A guard that is there and says nothing waits for the users that it guards.
    let guards = matches!(found.why, Explanation::Working(Work::Expected))
        && users::is_guard(inquiry.finalizer)
        && !users::counts_none(held);
    if !said
        && !waits
        && !guards
        && !matches!(found.why, Explanation::Idle | Explanation::SaidBefore(_) | Explanation::SaysOnly(_))
    {
        return Ok(());
    }
    let told = if said || guards { Ok(Vec::new()) } else { told_elsewhere::about(held.first(), facts) };
    let fails = said || matches!(found.why, Explanation::SaysOnly(_));
    let made = restored::made_from(held.first(), fails, facts, gaps);
    let place = if said { users::Place::Anywhere } else { users::Place::Own };
    let (told, mut users, made) = (told, users::of(held, finalizer, traces.kind, place, facts, gaps), made).all()?;
    users.extend(made);
    if waits {
        users.retain(|edge| edge.blocker.object.is_deleting());
    }
    if guards {
        users.retain(|edge| !edge.blocker.object.is_deleting());
    }
    let evidence = &mut found.controller.evidence;
    if (waits || guards) && users.is_empty() {
        return Ok(());
    }
    if let (Some(told), true) = (told.into_iter().next(), users.is_empty()) {
        evidence.insert(0, format!("{} says \"{}\"", told.by, told.message).into());
        found.why = Explanation::Hearsay(told.message);
        return Ok(());
    }
    if let Some((field, count)) = users::counted(held) {
        evidence.insert(0, format!("{}: {field} is {count}", Ref::from(held.first())).into());
    }
    if users.is_empty() && matches!(found.why, Explanation::Idle) {
        return said_of_others(found, inquiry, gaps);
    }
    if !users.is_empty() {
        // That its controller waits for them it need not have said.
        found.stale |= !said;
        found.why = Explanation::InUse(users);
    }
    Ok(())
}

/// Looks at what the object refers to, where its controller gives no reason.
fn unwell(found: &mut Judgement<'_>, inquiry: Inquiry<'_, '_>, gaps: &mut Gaps) -> Known {
    let (sick, unserved) =
        (unwell::find(inquiry.held, inquiry.facts, gaps), hosts::unserved(inquiry.held, inquiry.facts)).all()?;
    if let Some(Unwell { what, words }) = sick {
        found.controller.evidence.insert(0, Sentence::about(&what, format!("says \"{words}\"")));
        found.why = Explanation::Unwell { what, words };
    } else if let Some(Unserved { service, field, .. }) = unserved {
        // It may as well be what the object exposes.
        let text = Sentence::from(format!("nobody answers behind {service}, which {field} names"));
        found.aside.insert(0, text);
    }
    Ok(())
}

/// Quotes a failure that stood before the deletion, where nothing was said since. It may be that of
/// what the object stands for, and no reason.
fn failed_before(found: &mut Judgement<'_>, held: &HeldObjects<'_>) {
    let mut custom = held.read().filter(|seen| is_custom(&seen.resource.id.group));
    let Some(failure) = custom.find_map(statement::standing_failure) else { return };
    found.controller.evidence.insert(0, format!("{}: {}", Ref::from(failure.of), failure.text).into());
    // Its words are another's: they stand among the evidence.
    found.aside.insert(0, "a condition tells of a failure since before the deletion (-o wide)".into());
}

/// Blames a part of the same product that does not run, where the one that does gives no reason.
fn rests<'s>(found: &mut Judgement<'s>, best: &Candidate<'s>, inquiry: Inquiry<'_, 's>) -> Known {
    let Some(resting) = resting::sibling(best, inquiry)? else { return Ok(()) };
    let workload = Ref::from(resting);
    let told = format!("{workload} belongs to the same product, may write this kind, and is scaled to 0 replicas");
    found.controller.evidence.insert(0, told.into());
    found.controller.state = ControllerState::Down;
    found.controller.workload = Some(workload);
    found.why = Explanation::ScaledToZero(resting);
    found.sure = false;
    Ok(())
}

/// What a controller that says nothing of the object says of others with the same finalizer.
fn said_of_others<'s>(found: &mut Judgement<'s>, inquiry: Inquiry<'_, 's>, gaps: &mut Gaps) -> Known {
    let Inquiry { finalizer, held, traces, facts, .. } = inquiry;
    let workload = found.controller.workload.iter().map(|workload| workload.name.clone());
    let names: Vec<String> = words(traces).chain(workload).collect();
    let told = siblings::about(held.first(), finalizer, &names, facts, gaps)?;
    if let Some(told) = told.into_iter().next() {
        let evidence = format!("an event of {}, which has the same finalizer, says \"{}\"", told.by, told.message);
        found.controller.evidence.insert(0, evidence.into());
        found.why = Explanation::Hearsay(format!("{} (of {})", told.message, told.by));
    }
    Ok(())
}

/// With logs: one of several that may be it, whose log names what is held.
fn by_log<'s>(
    finalizer: &str,
    ranking: &Ranking<'s>,
    held: &HeldObjects<'s>,
    facts: &Facts<'s>,
    gaps: &mut Gaps,
) -> Known<Option<Candidate<'s>>> {
    let tied = &ranking.best[..ranking.tied.min(MAX_TIED)];
    if let [_] = tied {
        return Ok(None);
    }
    let suspects = ranking.suspects.iter().filter(|_| tied.is_empty()).take(MAX_TIED);
    let workloads = tied.iter().map(|candidate| candidate.seen).chain(suspects.map(|(seen, _)| *seen));
    let found = logs::find(workloads, finalizer, held, facts, gaps)?;
    let known = |seen: Seen<'_>| tied.iter().find(|candidate| candidate.seen.object.uid() == seen.object.uid());
    Ok(found.map(|(seen, line)| match known(seen) {
        Some(candidate) => candidate.clone(),
        None => Candidate::by_log(seen, line),
    }))
}

/// One of the candidates with the same evidence: that which the object names, or which has a word of the
/// group in which the kind is, whether it runs or not, since others than its controller may write a kind, too; then one that runs.
fn among_the_tied<'r, 's>(
    ranking: &'r Ranking<'s>,
    group: &str,
    held: &HeldObjects<'_>,
    facts: &Facts<'s>,
    gaps: &mut Gaps,
) -> Known<Option<&'r Candidate<'s>>> {
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
    let is_called = |at: &usize| owner::share_a_word(group, tied[*at].seen.object.name());
    let places = 0..tied.len();
    let mut called = places.clone().filter(is_called);
    let only_called = called.next().filter(|_| called.next().is_none());
    let chosen = places.clone().filter(runs).find(is_called).or(only_called).or_else(|| places.clone().find(runs));
    Ok(tied.get(chosen.unwrap_or_default()))
}

/// Explains `best`, which has no Ready pod.
fn when_down<'s>(
    best: &Candidate<'s>,
    down: Down,
    inquiry: Inquiry<'_, 's>,
    gaps: &mut Gaps,
) -> Known<(ControllerState, Explanation<'s>, Sentence)> {
    let (workload, Down { reason, missing, going }) = (best.reference(), down);
    let starting = if going.is_none() { running::starting(best, inquiry.facts)? } else { None };
    if let Some(pod) = starting {
        let text = format!("pod {pod} of {workload} is new and is still starting").into();
        return Ok((ControllerState::Alive, Explanation::Working(Work::Expected), text));
    }
    let text = Sentence::from(format!("{workload} has no Ready pod: ")).then(Sentence::reason(&reason));
    let why = match place::lost_node(best, inquiry, gaps)? {
        Some(lost) => Explanation::NotThere(lost),
        None => Explanation::Down { workload, reason, missing, going },
    };
    Ok((ControllerState::Down, why, text))
}

fn with_workload<'s>(best: &Candidate<'s>, inquiry: Inquiry<'_, 's>, gaps: &mut Gaps) -> Known<Judgement<'s>> {
    let Inquiry { finalizer, held, facts, .. } = inquiry;
    let workload = best.reference();
    let mut evidence: Vec<Sentence> = best.why.iter().map(Into::into).collect();
    let health = health::of(best.seen.object, facts, gaps)?;
    let log = logs::read(best.seen, finalizer, held, facts, gaps);
    if let Some(found) = elsewhere::runs_elsewhere(best, &health, inquiry, gaps)? {
        return Ok(found);
    }
    let (mut of_before, mut began_later) = (false, false);
    let (mut state, mut why) = match health {
        Health::ScaledToZero => {
            evidence.push(format!("{workload} is scaled to 0 replicas").into());
            (ControllerState::Down, Explanation::ScaledToZero(best.seen))
        }
        Health::Down(down) => {
            let (state, why, text) = when_down(best, down, inquiry, gaps)?;
            evidence.push(text);
            (state, why)
        }
        Health::Unread(text) => {
            evidence.push(format!("{workload}: {text}").into());
            (ControllerState::Unknown, Explanation::Unknown)
        }
        Health::Runs(pods) => {
            let mut looked = vec![format!("{workload} runs: pod {} is Ready", pods[0].name())];
            let found = running::look(best, &pods, inquiry, gaps, &mut looked)?;
            evidence.extend(looked.into_iter().map(Into::into));
            of_before = found.stale;
            began_later = running::began_later(&pods, held);
            (found.state, found.why)
        }
    };
    let log = log?;
    // Screens show the first few pieces: somebody asked for what the log says.
    let mut said_in_log = log.evidence.into_iter().map(Sentence::from);
    let place = evidence.len().min(MAX_BEFORE_LOG);
    evidence.splice(place..place, said_in_log.next());
    evidence.extend(said_in_log);
    let said = log.why.filter(|said| said.outweighs(&why));
    let by_log = said.is_some();
    if let Some(said) = said {
        (state, why, of_before) = (ControllerState::Failing, said.into(), false);
    }
    Ok(Judgement {
        controller: Controller { workload: Some(workload), state, evidence },
        aside: Vec::new(),
        lead: None,
        unread: Vec::new(),
        why,
        by_log,
        stale: of_before,
        sure: best.pieces > 1,
        bound: inquiry.traces.is_bound_everywhere(&best.account()),
        has_traces: true,
        began_later,
    })
}
