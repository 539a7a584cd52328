//! Who should have released an object, and why that has not happened.
//!
//! [`find`] collects what points at the controller (`traces`, `access`),
//! ranks the workloads that could be it (`candidates`), looks whether the best
//! one runs (`health`) and, when it does, what keeps it from its work
//! (`obstacles`); when that was asked for, what its log says (`logs`). Age alone proves nothing, and what could not be read makes
//! the answer "unknown", with the right that would help.

pub(crate) mod access;
mod candidates;
pub(crate) mod foreseen;
mod found;
mod gaps;
pub(crate) mod health;
mod held;
pub(crate) mod held_up;
mod logs;
mod obstacles;
pub mod pending;
mod references;
pub(crate) mod refusals;
pub mod release;
pub(crate) mod rings;
mod said;
mod traces;

pub use found::{BeingDeleted, Found, InTheWay, Why};
pub use health::is_starting;
pub use held::Held;

use crate::facts::{Facts, Known, since};
use crate::report::{Controller, ControllerState, Ref};
use crate::survey::{Form, Object, Seen};
use candidates::{Candidate, Ranking};
use found::LATELY;
use gaps::Gaps;
use health::{Down, Health};
use said::{CANNOT_CREATE, Said};
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
    let (said, traces) = (said?, traces?);
    let ranking = candidates::rank(&traces, facts, &mut gaps)?;
    let best = among_the_tied(&ranking, facts, &mut gaps)?;
    let case = Case { finalizer, held, said: &said, traces: &traces, facts };
    let mut found = match best {
        Some(best) => with_workload(best, case, &mut gaps)?,
        None => without_workload(&ranking, case, &mut gaps)?,
    };
    found.sure &= ranking.tied < 2;
    let chosen = found.controller.workload.clone();
    let rivals = ranking.best.iter().enumerate().filter(|(_, rival)| Some(rival.reference()) != chosen).take(3);
    let second = rivals.map(|(place, rival)| {
        let evidence = if place < ranking.tied { "the same" } else { "less" };
        format!("also possible, with {evidence} evidence: {}", rival.reference())
    });
    let evidence = &mut found.controller.evidence;
    evidence.extend(second);
    evidence.extend(gaps.texts());
    evidence.truncate(if facts.may_read_logs() { EVIDENCE + logs::EVIDENCE } else { EVIDENCE });
    Ok(found)
}

/// What was read of those who wait, before any workload is looked at.
#[derive(Clone, Copy)]
struct Case<'a, 's> {
    finalizer: &'a str,
    held: &'a Held<'s>,
    said: &'a [Said<'s>],
    traces: &'a Traces<'s>,
    facts: &'a Facts<'s>,
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
    let names: Vec<String> = traces.names.iter().map(|name| name.word.clone()).chain([best.reference().name]).collect();
    if let Some((state, why)) = obstacle(&names, case, gaps, evidence)? {
        return Ok((state, why));
    }
    let lease = gaps.pass(lease)?.flatten();
    let mut working = false;
    if let Some(lease) = lease {
        evidence.push(lease.text);
        if !lease.fresh {
            evidence.push("nobody has renewed the lease: no replica leads".into());
            let text = "none of its replicas holds the lease to lead";
            return Ok((ControllerState::Failing, Why::Hearsay(text.into())));
        }
        // One that only its rights point at may be leading in another matter.
        working = best.named && since(first_asked(held), facts.now()) <= LATELY;
    }
    if let Some(text) = obstacles::wrote_lately(held, &names, facts) {
        evidence.push(text);
        working = true;
    }
    // It runs, and may be the wrong one: another name is known.
    if !best.named && !working && best.pieces < 2 && traces.names.iter().any(|name| name.catalogued) {
        evidence.push(format!("{} may write this kind, and nothing else points at it", best.reference()));
        return Ok((ControllerState::Unknown, Why::Unknown));
    }
    Ok((ControllerState::Alive, if working { Why::Working } else { Why::Idle }))
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

/// What the object and the controller's words say of why it does not get on.
fn obstacle<'s>(
    names: &[String],
    case: Case<'_, 's>,
    gaps: &mut Gaps,
    evidence: &mut Vec<String>,
) -> Known<Option<(ControllerState, Why<'s>)>> {
    let Case { held, said, facts, .. } = case;
    let absent = references::absent(held, said, facts, gaps);
    let in_the_way = obstacles::in_the_way(said, facts);
    let (absent, in_the_way) = (absent?, in_the_way?);
    let troubles: Vec<&Said<'_>> = said.iter().filter(|said| said.trouble).collect();
    evidence.extend(troubles.iter().take(3).map(|said| format!("{}: {}", Ref::from(said.of), said.text)));
    if troubles.iter().any(|said| said.message.contains(CANNOT_CREATE)) {
        return Ok(Some((ControllerState::Failing, Why::CannotCreate)));
    }
    let first = absent.iter().position(|absent| absent.named);
    for absent in absent.iter().take(2) {
        evidence.push(format!(
            "{}: {} names {}, which does not exist",
            held.first().object.name(),
            absent.field,
            absent.what
        ));
    }
    // What a spec names may as well be what the controller has cleaned up: only
    // its own words say that it misses something.
    if let Some(absent) = first.and_then(|at| absent.into_iter().nth(at)) {
        return Ok(Some((ControllerState::Failing, Why::Missing { what: absent.what })));
    }
    if !in_the_way.is_empty() {
        return Ok(Some((ControllerState::Failing, Why::Blocked(in_the_way))));
    }
    let own = troubles.iter().find(|said| !said.is_hearsay(names)).or(troubles.first());
    Ok(own.map(|said| {
        let message = said.message.clone();
        let why = if said.is_hearsay(names) { Why::Hearsay(message) } else { Why::Says(message) };
        (ControllerState::Failing, why)
    }))
}

/// A Ready pod of no Deployment, `StatefulSet` or `DaemonSet` that runs as a service
/// account with the rights.
fn lone_pod(traces: &Traces<'_>, facts: &Facts<'_>, gaps: &mut Gaps) -> Known<Option<(Ref, String)>> {
    let Some(pods) = facts.discovery().preferred("", "pods") else { return Ok(None) };
    let holders = traces.rights.holders.iter().take(3);
    let lists: Vec<_> =
        holders.map(|holder| (holder, facts.list(&pods.id, Some(&holder.account.namespace), Form::Whole))).collect();
    for (holder, list) in lists {
        let account = &holder.account;
        let runs_as = |pod: &&Object| pod.text("/spec/serviceAccountName").unwrap_or("default") == account.name;
        let ready = |pod: &&Object| health::says_ready(pod);
        if let Some(pod) = gaps.pass(list)?.unwrap_or_default().iter().filter(runs_as).find(ready) {
            let named = Ref::from(Seen { resource: pods, object: pod });
            let text = format!("{named} is Ready and runs as ServiceAccount {}/{}", account.namespace, account.name);
            return Ok(Some((named, text)));
        }
    }
    Ok(None)
}

/// The namespace of the held objects, when the controller lived in it too and it
/// is being deleted.
fn home_going(traces: &Traces<'_>, held: &Held<'_>, facts: &Facts<'_>) -> Option<String> {
    let namespace = held.first().object.metadata.namespace.as_ref()?;
    let holders = &traces.rights.holders;
    let lived =
        traces.namespaces.contains(namespace) || holders.iter().any(|holder| holder.account.namespace == *namespace);
    let kind = facts.discovery().preferred("", "namespaces").filter(|_| lived)?;
    let read = facts.get(&kind.id, None, namespace, Form::Whole).ok()??;
    read.is_deleting().then(|| namespace.clone())
}

/// What points at a controller, in words.
fn pointers(traces: &Traces<'_>) -> Vec<String> {
    let mut pointers: Vec<String> = traces.names.iter().map(|name| name.text.clone()).collect();
    // One entry of the catalogue may give several names.
    pointers.dedup();
    pointers.extend(traces.marks.iter().take(2).map(|mark| mark.text.clone()));
    pointers.extend(traces.rights.holders.iter().take(2).map(|holder| {
        let access::Account { namespace, name } = &holder.account;
        format!("RBAC: ServiceAccount {namespace}/{name} may write this kind ({})", holder.via)
    }));
    pointers
}

/// No workload carries enough of the traces.
fn without_workload<'s>(ranking: &Ranking<'s>, case: Case<'_, 's>, gaps: &mut Gaps) -> Known<Found<'s>> {
    let Case { finalizer, held, said, traces, facts } = case;
    let mut evidence = pointers(traces);
    let found = |state, why, evidence| Found {
        controller: Controller { workload: None, state, evidence },
        why,
        by_log: false,
        sure: false,
    };
    let control_plane = health::control_plane(&traces.names, facts, gaps)?;
    let names: Vec<String> = traces.names.iter().map(|name| name.word.clone()).collect();
    // It writes, from wherever it runs. Of the controller manager, many loops do.
    if !said.is_empty()
        && !traces.names.iter().any(|name| name.word == "kube-controller-manager")
        && let Some((state, why)) = obstacle(&names, case, gaps, &mut evidence)?
    {
        if ranking.complete {
            evidence.push("no workload of this cluster is known to be it, and yet it writes".into());
        }
        return Ok(found(state, why, evidence));
    }
    if let Some((state, text)) = control_plane {
        evidence.push(text);
        return Ok(found(state, if state == ControllerState::Alive { Why::Idle } else { Why::Unknown }, evidence));
    }
    if let Some((workload, text)) = lone_pod(traces, facts, gaps)? {
        evidence.push(text);
        let mut found = found(ControllerState::Alive, Why::Idle, evidence);
        found.controller.workload = Some(workload);
        return Ok(found);
    }
    if let Some(written) = obstacles::written_since(finalizer, held) {
        evidence.push(written.text);
        evidence.push("no workload of this cluster is known to be it: it writes from elsewhere".into());
        let lately = since(written.at, facts.now()) <= LATELY;
        return Ok(found(ControllerState::Alive, if lately { Why::Working } else { Why::Idle }, evidence));
    }
    if let Some(user) = &traces.rights.user {
        evidence.push(format!("RBAC: user {user} may write this kind, from wherever that runs"));
        return Ok(found(ControllerState::Unknown, Why::Unknown, evidence));
    }
    if !ranking.complete || !traces.rights.complete {
        return Ok(found(ControllerState::Unknown, Why::Unknown, evidence));
    }
    if let Some(text) = &traces.unseen
        && !(text.contains("managed") && health::no_cloud(facts, gaps)?)
    {
        evidence.push(text.clone());
        return Ok(found(ControllerState::Unknown, Why::Unknown, evidence));
    }
    if !traces.any() {
        evidence.push(format!(
            "nothing points at a controller: not managedFields, not the kind's definition, not RBAC; {} workloads looked at",
            ranking.looked_at
        ));
        return Ok(found(ControllerState::Unknown, Why::Unknown, evidence));
    }
    let why = gone(ranking, case, &mut evidence);
    Ok(found(ControllerState::Gone, why, evidence))
}

/// Every workload was looked at, and none is it.
fn gone<'s>(ranking: &Ranking<'s>, case: Case<'_, 's>, evidence: &mut Vec<String>) -> Why<'s> {
    let Case { held, traces, facts, .. } = case;
    evidence.push(format!(
        "none of the {} Deployments, StatefulSets and DaemonSets of this cluster is it",
        ranking.looked_at
    ));
    let going = home_going(traces, held, facts);
    evidence.extend(going.as_ref().map(|home| format!("its own namespace {home} is being deleted")));
    Why::Gone { installed: traces.definition.is_some(), going }
}
