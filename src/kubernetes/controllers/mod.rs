//! Who should have released an object, and why that has not happened.
//!
//! [`find`] collects what points at the controller (`traces`, `access`),
//! ranks the workloads that could be it (`candidates`), looks whether the best
//! one runs (`health`) and, when it does, what keeps it from its work
//! (`obstacles`); when that was asked for, what its log says (`logs`). Age alone proves nothing, and what could not be read makes
//! the answer "unknown", with the right that would help.

pub(crate) mod access;
mod candidates;
mod case;
mod drivers;
pub(crate) mod foreseen;
mod found;
mod gaps;
mod groups;
pub(crate) mod health;
mod held;
pub(crate) mod held_up;
mod inventory;
mod logs;
mod lost;
mod names;
mod nobody;
mod obstacles;
mod owner;
pub mod pending;
mod reach;
mod references;
pub(crate) mod refusals;
pub mod release;
pub(crate) mod rings;
mod said;
pub(crate) mod start;
mod tenants;
mod traces;
mod usual;
mod words;

pub use found::{BeingDeleted, Found, InTheWay, Why, Work};
pub use health::is_starting;
pub use held::Held;

use crate::facts::{Facts, Known, ago, since};
use crate::report::{Controller, ControllerState, Ref};
use crate::survey::{Object, Seen};
use candidates::{Candidate, Ranking};
use case::{Case, obstacle};
use found::LATELY;
use gaps::Gaps;
use health::{Down, Health};
use names::Name;
use owner::Fit;
use traces::Traces;

/// Of so many candidates with the same evidence it is looked which one runs.
const TIED: usize = 4;

/// So many pieces of evidence are kept.
const EVIDENCE: usize = 12;

/// So many of them may stand before the first that is from a log.
const LOG_FROM: usize = 2;

/// Asks for the lists that every search for a controller of objects in `namespace`
/// begins with: they come with the sweep then, not after it.
pub fn anticipate(namespace: &str, facts: &Facts<'_>) {
    access::anticipate(namespace, facts);
    candidates::anticipate(facts);
}

/// Finds the controller that takes `finalizer` off `held`.
///
/// # Errors
/// When something was not surveyed yet.
pub fn find<'s>(finalizer: &str, held: &Held<'s>, facts: &Facts<'s>) -> Known<Found<'s>> {
    let mut gaps = Gaps::default();
    let said = said::said(held, facts, &mut gaps);
    let traces = Traces::read(finalizer, held, facts, &mut gaps);
    let (mut said, traces) = (said?, traces?);
    let ranking = candidates::rank(&traces, facts, &mut gaps)?;
    let best = among_the_tied(&ranking, facts, &mut gaps)?;
    said.retain(|said| owner::counts(said, &traces.names, best.map(|best| best.seen.object)));
    let case = Case { finalizer, held, said: &said, traces: &traces, facts };
    let mut found = match best {
        Some(best) => with_workload(best, case, &mut gaps)?,
        None => nobody::without_workload(&ranking, case, &mut gaps)?,
    };
    found.sure &=
        ranking.tied < 2 && (ranking.left_out.is_empty() || best.is_some_and(|best| best.is_at_home(&traces)));
    let chosen = found.controller.workload.clone();
    let rivals = ranking.best.iter().enumerate().filter(|(_, rival)| Some(rival.reference()) != chosen).take(3);
    let second = rivals.map(|(place, rival)| {
        let evidence = if place < ranking.tied { "the same" } else { "less" };
        format!("also possible, with {evidence} evidence: {}", rival.reference())
    });
    let evidence = &mut found.controller.evidence;
    evidence.extend(second);
    evidence.extend(ranking.ruled_out.iter().take(3).map(|(seen, out)| owner::line(&(*seen).into(), out)));
    if let Some(first) = ranking.left_out.first() {
        let count = ranking.left_out.len();
        evidence.push(format!("not looked into: {count} more namespaces that something points at, among them {first}"));
    }
    evidence.extend(gaps.texts());
    evidence.truncate(if facts.may_read_logs() { EVIDENCE + logs::EVIDENCE } else { EVIDENCE });
    Ok(found)
}

/// Of candidates with the same evidence, one that runs.
fn among_the_tied<'r, 's>(
    ranking: &'r Ranking<'s>,
    facts: &Facts<'s>,
    gaps: &mut Gaps,
) -> Known<Option<&'r Candidate<'s>>> {
    let tied = &ranking.best[..ranking.tied.min(TIED)];
    if let [] | [_] = tied {
        return Ok(ranking.best.first());
    }
    let healths: Vec<Known<Health<'_>>> = tied.iter().map(|candidate| health::of(candidate, facts, gaps)).collect();
    let healths: Vec<Health<'_>> = healths.into_iter().collect::<Known<_>>()?;
    let runs = healths.iter().position(|health| matches!(health, Health::Runs(_)));
    Ok(tied.get(runs.unwrap_or_default()))
}

fn with_workload<'s>(best: &Candidate<'s>, case: Case<'_, 's>, gaps: &mut Gaps) -> Known<Found<'s>> {
    let Case { finalizer, held, facts, .. } = case;
    let workload = best.reference();
    let mut evidence = best.why.clone();
    let health = health::of(best, facts, gaps)?;
    let log = logs::read(best, finalizer, held, facts, gaps);
    let (mut state, mut why) = match health {
        Health::ScaledToZero => {
            evidence.push(format!("{workload} is scaled to 0 replicas"));
            (ControllerState::Down, Why::ScaledToZero(best.seen))
        }
        Health::Down(Down { reason, missing, going }) => {
            evidence.push(format!("{workload} has no Ready pod: {reason}"));
            (ControllerState::Down, Why::Down { workload: workload.clone(), reason, missing, going })
        }
        Health::Unread(text) => {
            evidence.push(format!("{workload}: {text}"));
            (ControllerState::Unknown, Why::Unknown)
        }
        Health::Runs(pods) => {
            evidence.push(format!("{workload} runs: pod {} is Ready", pods[0].name()));
            running(best, &pods, case, gaps, &mut evidence)?
        }
    };
    let log = log?;
    // Screens show the first few pieces: somebody asked for what the log says.
    let mut said_in_log = log.evidence.into_iter();
    let place = evidence.len().min(LOG_FROM);
    evidence.splice(place..place, said_in_log.next());
    evidence.extend(said_in_log);
    let said = log.why.filter(|said| said.outweighs(&why));
    let by_log = said.is_some();
    if let Some(said) = said {
        (state, why) = (ControllerState::Failing, said.into());
    }
    Ok(Found {
        controller: Controller { workload: Some(workload), state, evidence },
        why,
        by_log,
        sure: best.pieces > 1,
    })
}

/// A controller that runs: what keeps it from its work, or what shows that it is
/// at it.
fn running<'s>(
    best: &Candidate<'s>,
    pods: &[&Object],
    case: Case<'_, 's>,
    gaps: &mut Gaps,
    evidence: &mut Vec<String>,
) -> Known<(ControllerState, Why<'s>)> {
    let Case { held, traces, facts, .. } = case;
    let lease = health::lease(best.seen, pods, facts);
    let own;
    let rights = if *traces.kind == held.first().resource.id {
        &traces.rights
    } else {
        own = own_rights(held, facts, gaps)?;
        &own
    };
    let account = best.account();
    if rights.complete && !rights.may_write(&account) {
        let name = format!("{}:{}", account.namespace, account.name);
        let kind = &held.first().resource.id;
        let place = held.first().object.metadata.namespace.as_ref().map(|name| format!(" in namespace {name}"));
        evidence.push(format!(
            "RBAC: no role lets ServiceAccount {}/{} update or patch {kind}{}",
            account.namespace,
            account.name,
            place.unwrap_or_default()
        ));
        return Ok((ControllerState::Failing, Why::LostRights { workload: best.reference(), account: name }));
    }
    // Who else writes to it shows nothing of this one.
    let own = |name: &&Name| name.owner || owner::fit(&name.word, best.seen.object) != Fit::Not;
    let names = traces.names.iter().filter(own).map(|name| name.word.clone());
    let names: Vec<String> = names.chain([best.reference().name]).collect();
    if let Some((state, why)) = obstacle(&names, case, gaps, evidence)? {
        return Ok((state, why));
    }
    let lease = gaps.pass(lease)?.flatten();
    let mut work = None;
    if let Some(lease) = lease {
        evidence.push(lease.text);
        if !lease.fresh {
            evidence.push("nobody has renewed the lease: no replica leads".into());
            let text = "none of its replicas holds the lease to lead";
            return Ok((ControllerState::Failing, Why::Hearsay(text.into())));
        }
        // One that only its rights point at may be leading in another matter.
        let lately = best.named && since(first_asked(held), facts.now()) <= LATELY;
        work = lately.then_some(Work::Expected);
    }
    if let Some(said) = case.said.iter().find(|said| said.goes_on) {
        evidence.push(format!("{}: {}", Ref::from(said.of), said.text));
        work = Some(Work::Expected);
    }
    if let Some((pod, back)) = health::back_since(pods, first_asked(held), facts.now()) {
        let asked = ago(first_asked(held), facts);
        evidence.push(format!("pod {pod} is Ready since {} ago; deletion was asked for {asked} ago", ago(back, facts)));
        work = Some(Work::Back(back));
    }
    if let Some(text) = obstacles::wrote_lately(held, &names, facts) {
        evidence.push(text);
        work = Some(Work::Seen);
    }
    // It runs, and may be the wrong one: another name is known.
    if !best.named && work.is_none() && best.pieces < 2 && traces.names.iter().any(|name| name.catalogued) {
        evidence.push(format!("{} may write this kind, and nothing else points at it", best.reference()));
        return Ok((ControllerState::Unknown, Why::Unknown));
    }
    Ok((ControllerState::Alive, work.map_or(Why::Idle, Why::Working)))
}

fn first_asked(held: &Held<'_>) -> jiff::Timestamp {
    held.objects.iter().filter_map(|seen| seen.object.deletion_asked()).max().unwrap_or_default()
}

/// Who may write the very kind that is held, which need not be the kind that the
/// controller is known by.
fn own_rights(held: &Held<'_>, facts: &Facts<'_>, gaps: &mut Gaps) -> Known<access::Rights> {
    let Seen { resource, object } = held.first();
    access::Rights::read(&resource.id, object.metadata.namespace.as_deref(), object.name(), facts, gaps)
}
