//! A controller that runs: its obstacles, or the evidence that it works.

use super::stated_trouble::{StatedTrouble, StatementTimes, obstacle};
use super::{attention, place};
use crate::facts::{Facts, Known, Readable, ago, each, since};
use crate::kubernetes::admission::perhaps_overtaken;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::names::ControllerName;
use crate::kubernetes::mentions::followers::foreign_users;
use crate::kubernetes::ownership::candidates::Candidate;
use crate::kubernetes::ownership::owner;
use crate::kubernetes::ownership::owner::Fit;
use crate::kubernetes::past_obstacle::CONTROLLER;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::usual::USUALLY;
use crate::kubernetes::progress::writes;
use crate::kubernetes::statements::said_in::SaidIn;
use crate::kubernetes::workloads::health;
use crate::kubernetes::workloads::health::{Lease, NodeState};
use crate::reasons::asked::{Ask, AskedController};
use crate::reasons::at_work::{self, Work};
use crate::reasons::found_reason::FoundReason;
use crate::reasons::{
    awaits_confirmation, confined_to_namespace, controller_unknown, dependency_missing, gives_no_reason, not_leader,
    of_another_class, paused, permissions_missing, said_before_restart, started_too_early, tenant_permissions_missing,
    waits_for_others, writes_refused,
};
use crate::report::{ControllerState, Ref};
use crate::survey::Object;
use jiff::Timestamp;

/// The state of a running controller.
pub(super) struct Running<'s> {
    pub(super) state: ControllerState,
    pub(super) why: FoundReason<'s>,
    /// The evidence is, or may be, from before the controller came back, or from before its obstacle
    /// ended.
    pub(super) stale: bool,
    /// Where the words were read that give the reason.
    pub(super) said_in: Option<SaidIn<'s>>,
}

impl<'s> Running<'s> {
    fn new(state: ControllerState, why: FoundReason<'s>) -> Self {
        Self { state, why, stale: false, said_in: None }
    }
}

/// The questions about a controller that runs, which are asked before any message is read. Those of one row are asked
/// at once, and the first reason that is found counts.
const QUESTIONS: &[&[Ask]] = &[
    &[
        not_leader::ask,
        place::ask_on_node,
        paused::ask,
        awaits_confirmation::ask,
        confined_to_namespace::ask,
        of_another_class::ask,
        started_too_early::ask,
    ],
    &[place::ask_named_pod],
    &[permissions_missing::ask, writes_refused::ask, tenant_permissions_missing::ask],
];

/// The state of `best`, whose Ready pods are `pods`.
pub(super) fn look<'s>(
    best: &Candidate<'s>,
    pods: &[&Object],
    inquiry: Inquiry<'_, 's>,
    evidence: &mut Vec<String>,
) -> Known<Running<'s>> {
    let Inquiry { held, traces, facts, gaps, .. } = inquiry;
    let lease = health::lease(best.seen, pods, facts);
    let names = names_of(best, inquiry);
    let watches = attention::looks_at_it(&names, inquiry);
    let asked = AskedController { best, pods, names: &names, watches, inquiry };
    for questions in QUESTIONS {
        let found = each(*questions, |ask| ask(&asked));
        if found.is_err() {
            anticipate(&names, pods, inquiry);
        }
        if let Some(mut why) = found?.into_iter().flatten().next() {
            evidence.append(&mut why.evidence);
            let state = if why.works { ControllerState::Alive } else { ControllerState::Failing };
            return Ok(Running::new(state, why));
        }
    }
    let times = StatementTimes::of(inquiry.said, health::running_since(pods), facts)?;
    let StatedTrouble { trouble, lacks, said_in } =
        obstacle(&names, Inquiry { said: &times.present, ..inquiry }, evidence)?;
    if let Some((state, why)) = trouble {
        return Ok(Running { state, why, stale: may_be_mended(&times, facts)?, said_in });
    }
    let lease = gaps.pass(lease)?.flatten();
    evidence.extend(lease.iter().map(|lease| lease.text.clone()));
    if lease.as_ref().is_some_and(|lease| !lease.fresh) {
        evidence.push("nobody has renewed the lease: no replica is leader".into());
        return Ok(Running::new(ControllerState::Failing, not_leader::found_leaderless()));
    }
    let shown = work(best, lease.as_ref(), pods, &names, &times, inquiry, evidence);
    // If a source of the object is missing, the controller lacks it at once: that it leads is then
    // no evidence of work.
    let lacks_at_once = lacks.as_ref().filter(|_| shown.as_ref().is_some_and(|shown| shown.by_lease_alone));
    if let Some(shown) = shown.filter(|_| lacks_at_once.is_none()) {
        return Ok(Running::new(ControllerState::Alive, at_work::found(shown.work)));
    }
    // The workload runs, but may be the wrong one: another name of the controller is known.
    if !best.named && best.pieces < 2 && traces.names.iter().any(|name| name.catalogued) {
        evidence.push(format!("{} may write this kind, and nothing else points to it", best.reference()));
        return Ok(Running::new(ControllerState::Unknown, controller_unknown::found()));
    }
    if let Some(why) = lacks {
        return Ok(Running::new(ControllerState::Failing, why));
    }
    if let Some(mut why) = permissions_missing::ask_blind(&asked)? {
        evidence.append(&mut why.evidence);
        return Ok(Running::new(ControllerState::Failing, why));
    }
    if first_asked(held).is_some() {
        let mut along = foreign_users(held, Some(&best.reference()), facts)?;
        along.retain(|edge| edge.blocker.object.is_deleting());
        if !along.is_empty() {
            return Ok(Running::new(ControllerState::Alive, waits_for_others::found(along)));
        }
    }
    if times.past.is_empty() {
        return Ok(Running::new(ControllerState::Alive, gives_no_reason::found()));
    }
    of_before(&names, &times, inquiry, evidence)
}

/// A pod of `best` that is starting, on a node that is Ready.
pub(super) fn starting(best: &Candidate<'_>, facts: &Facts<'_>) -> Known<Option<String>> {
    let pods = best.pods(facts).if_readable()?.unwrap_or_default();
    let Some(pod) = pods.iter().find(|pod| health::is_starting(pod, facts.now())) else { return Ok(None) };
    let node = health::node_of(pod, facts).if_readable()?;
    Ok(node.is_none_or(|node| node == NodeState::Ready).then(|| pod.name().to_owned()))
}

/// Requests in advance the facts for the further checks.
fn anticipate(names: &[String], pods: &[&Object], inquiry: Inquiry<'_, '_>) {
    let times = StatementTimes::of(inquiry.said, health::running_since(pods), inquiry.facts);
    if let Ok(times) = times {
        let present = Inquiry { said: &times.present, gaps: &Gaps::default(), ..inquiry };
        let _ = obstacle(names, present, &mut Vec::new());
    }
}

/// The names under which `best` may write. Writes under other names show nothing about `best`.
fn names_of(best: &Candidate<'_>, inquiry: Inquiry<'_, '_>) -> Vec<String> {
    let traces = inquiry.traces;
    let own = |name: &&ControllerName| name.owner || owner::fit(&name.word, best.seen.object) != Fit::Not;
    let names = traces.names.iter().filter(own).map(|name| name.word.clone());
    names.chain([best.reference().name.clone()]).collect()
}

/// Whether a present statement reports an obstacle that may have ended: what would show that could
/// not be read.
fn may_be_mended(times: &StatementTimes<'_>, facts: &Facts<'_>) -> Known<bool> {
    let troubles = times.present.iter().filter(|said| said.trouble);
    Ok(each(troubles, |said| perhaps_overtaken(&said.message, facts))?.contains(&true))
}

/// The evidence that a controller works, or will work.
struct WorkShown {
    work: Work,
    /// Whether the only evidence is that it leads, and the deletion is recent.
    by_lease_alone: bool,
}

/// Looks for evidence that `best` works, or will work.
fn work<'s>(
    best: &Candidate<'s>,
    lease: Option<&Lease>,
    pods: &[&Object],
    names: &[String],
    times: &StatementTimes<'s>,
    inquiry: Inquiry<'_, 's>,
    evidence: &mut Vec<String>,
) -> Option<WorkShown> {
    let Inquiry { held, facts, .. } = inquiry;
    let asked = first_asked(held);
    // If permissions are the only evidence for it, it may be leading in another matter.
    let lately = best.named && asked.is_some_and(|asked| since(asked, facts.now()) <= USUALLY);
    let mut work = None;
    if let Some(said) = times.present.iter().find(|said| said.goes_on) {
        evidence.push(format!("{}: {}", Ref::from(said.of), said.text));
        work = Some(Work::Expected);
    }
    if let Some(asked) = asked {
        if let Some((pod, back)) = health::back_since(pods, asked, facts.now()) {
            let (back_ago, asked) = (ago(back, facts), ago(asked, facts));
            evidence.push(format!("pod {pod} became Ready {back_ago} ago; deletion was requested {asked} ago"));
            work = Some(Work::Back(back));
        }
        if let Some(mended) = times.mended.as_ref().filter(|mended| mended.is_fresh(asked, CONTROLLER, facts)) {
            evidence.push(mended.says());
            work = Some(Work::Freed(mended.until));
        }
    }
    if let Some(written) = writes::wrote_lately(held, names, facts) {
        evidence.push(written.text);
        work = work.or(written.is_progress.then_some(Work::Expected));
    }
    let by_lease_alone = work.is_none();
    let work = work.or(lease.filter(|_| lately).map(|_| Work::Expected))?;
    Some(WorkShown { work, by_lease_alone })
}

/// Evaluates statements from before the controller came back. Objects that they call missing are
/// probably still missing, and objects in the way are probably still in the way; whether anything
/// else still holds is unknown.
fn of_before<'s>(
    names: &[String],
    times: &StatementTimes<'s>,
    inquiry: Inquiry<'_, 's>,
    evidence: &mut Vec<String>,
) -> Known<Running<'s>> {
    let past = obstacle(names, Inquiry { said: &times.past, ..inquiry }, &mut Vec::new())?;
    let Some(first) = times.past.iter().find(|said| said.trouble) else {
        return Ok(Running::new(ControllerState::Alive, gives_no_reason::found()));
    };
    evidence.push(format!("before it came back, {} said: {}", Ref::from(first.of), first.text));
    Ok(match past.trouble {
        Some((state, why)) if why.is_one_of(&[&dependency_missing::REASON, &waits_for_others::REASON]) => {
            Running { state, why, stale: true, said_in: past.said_in }
        }
        _ => Running::new(ControllerState::Alive, said_before_restart::found(&first.message)),
    })
}

/// When the first deletion of a held object was requested; `None` if the deletions are only
/// foreseen.
fn first_asked(held: &HeldObjects<'_>) -> Option<Timestamp> {
    held.objects.iter().filter_map(|seen| seen.object.deletion_asked()).min()
}

/// Whether all of `pods` began after the last of the held objects' deletions was requested.
pub(super) fn began_later(pods: &[&Object], held: &HeldObjects<'_>) -> bool {
    let asked = held.objects.iter().filter_map(|seen| seen.object.deletion_asked()).max();
    asked.zip(health::running_since(pods)).is_some_and(|(asked, began)| began > asked)
}
