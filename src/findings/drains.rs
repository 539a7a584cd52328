//! Findings about the content left on a node that is being drained, besides pods that a budget protects.

use crate::facts::{Facts, Known, ago, clock, words};
use crate::findings::removal::read_log;
use crate::kubernetes::eviction::{Drain, EvictionState, EvictionUnderway, Hook, NodeContent};
use crate::kubernetes::faults::DETACHED_LATE;
use crate::kubernetes::kubelet::pods::pods_in_words;
use crate::kubernetes::ownership::named_workloads::called_after;
use crate::needs::{Draft, Findings};
use crate::plan::{full_name, in_namespace, one, quote};
use crate::report::{Cause, Controller, ControllerState, Ref, Remedy, Sentence, and_more};
use crate::survey::Seen;
use jiff::SignedDuration;

/// How many attachments are named.
const MAX_NAMED: usize = 3;

/// The findings about the content left on a node.
pub(crate) fn still_there(
    drain: &Drain<'_>,
    left: &NodeContent<'_>,
    facts: &Facts<'_>,
    found: &mut Findings,
) -> Vec<Draft> {
    let moving = left.moving.iter().map(|(pod, underway)| moving(drain, *pod, underway, facts));
    let drafts = [unwilling(drain, left), in_grace(drain, left, facts), attached(drain, left, facts, found)];
    drafts.into_iter().flatten().chain(moving).map(|draft| of_drain(draft, drain)).collect()
}

/// Adds the controller that drains the node, and whether it is known to wait for the drain.
pub(crate) fn of_drain(draft: Draft, drain: &Drain<'_>) -> Draft {
    // The controller works: the obstacle is on the node.
    let alive = Controller { state: ControllerState::Alive, ..drain.controller.clone() };
    let draft = if alive.workload.is_some() { draft.controller(alive) } else { draft };
    if drain.known {
        draft
    } else {
        draft.likely().remark("it is not known whether its controller waits for the drain")
    }
}

/// The finding for pods with an annotation that forbids moving them.
pub(crate) fn unwilling(drain: &Drain<'_>, left: &NodeContent<'_>) -> Option<Draft> {
    let (_, annotation) = left.unwilling.first()?;
    let refs: Vec<Ref> = left.unwilling.iter().map(|(pod, _)| (*pod).into()).collect();
    let (node, says) = (&drain.named.name, if refs.len() == 1 { "says" } else { "say" });
    let (key, _) = annotation.split_once('=').unwrap_or((annotation, ""));
    let namespace = in_namespace(&refs[0]);
    let pod = one("pod", &refs[0].name);
    let summary = format!("{} on node {node}, which is drained, {says} {annotation}", pods_in_words(&refs));
    let draft = Draft::new(Cause::Eviction, refs[0].clone(), summary)
        .waits_for(refs[0].clone())
        .evidence(annotation, &refs[0], "metadata.annotations")
        .in_summary()
        .evidence(format!("runs on node {node}"), &refs[0], "spec.nodeName")
        .evidence("takes no new pods: it is being drained", &drain.named, "spec.taints")
        .remedy(Remedy::command(
            format!("wait until the work of {} is done", pods_in_words(&refs)),
            format_args!("kubectl get {pod}{namespace} --watch"),
            "nothing is lost: the drain continues by itself",
        ))
        .remedy(Remedy::command(
            "remove the annotation, if the pod may be stopped",
            format_args!("kubectl annotate {pod}{namespace} {}-", quote(key)),
            "the pod is then evicted; what it has not stored yet is lost",
        ));
    Some(draft.objects(refs))
}

/// The finding for a pod that its responder should move or end, or whose eviction failed.
fn moving(drain: &Drain<'_>, pod: Seen<'_>, underway: &EvictionUnderway<'_>, facts: &Facts<'_>) -> Draft {
    let (pod, eviction) = (Ref::from(pod), Ref::from(underway.eviction));
    let draft = match underway.state {
        EvictionState::Active { responder, message, heard, is_in_time } => {
            let heard = heard.map_or_else(String::new, |heard| format!(", last heartbeat {} ago", ago(heard, facts)));
            let says = format!("waits for eviction responder {responder}{heard}");
            let cause = if is_in_time { Cause::Progressing } else { Cause::Eviction };
            let look = if is_in_time {
                (format!("wait until {responder} is done"), "waiting loses nothing")
            } else {
                (format!("check why {responder} does not finish"), LATER)
            };
            let draft = of_eviction(cause, drain, &pod, &eviction, &says, look)
                .evidence(format!("{responder} is the active responder{heard}"), &eviction, "status.targetResponders")
                .in_summary();
            draft.with_each(message, |draft, message| {
                let says = Sentence::from(format!("{responder} says: ")).then(Sentence::quoted(message, &eviction));
                draft.evidence(says, &eviction, "status.responders")
            })
        }
        EvictionState::Failed(failed) => {
            let look = ("check why its eviction has failed".to_owned(), LATER);
            let says = "was not evicted: its eviction has failed";
            of_eviction(Cause::Eviction, drain, &pod, &eviction, says, look).message(
                &failed.says(),
                &eviction,
                "status.conditions[Failed]",
            )
        }
    };
    let asked = (!underway.requesters.is_empty()).then(|| format!("asked for by {}", underway.requesters.join(", ")));
    let draft = draft.with_each(asked, |draft, asked| draft.evidence(asked, &eviction, "status.requesters"));
    if draft.finding.cause == Cause::Progressing {
        return draft;
    }
    draft.remedy(Remedy::command(
        "delete the pod, if its responder need not move it first",
        format_args!("kubectl delete {}{}", one("pod", &pod.name), in_namespace(&pod)),
        "what the responder would have moved or stored first is lost; a deletion ignores budgets",
    ))
}

/// The consequence of finding out first why an eviction does not go on.
const LATER: &str = "nothing is lost: the drain continues when the pod is gone";

fn of_eviction(
    cause: Cause,
    drain: &Drain<'_>,
    pod: &Ref,
    eviction: &Ref,
    says: &str,
    (what, consequence): (String, &str),
) -> Draft {
    let node = &drain.named.name;
    Draft::new(cause, pod.clone(), format!("{pod} on node {node}, which is drained, {says}"))
        .waits_for(eviction.clone())
        .evidence(format!("runs on node {node}"), pod, "spec.nodeName")
        .remedy(Remedy::command(what, format_args!("kubectl get {} -o yaml", full_name(eviction)), consequence))
}

/// The finding for pods within their grace period: nothing is late.
fn in_grace(drain: &Drain<'_>, left: &NodeContent<'_>, facts: &Facts<'_>) -> Option<Draft> {
    let until = left.until?;
    let refs: Vec<Ref> = left.in_grace.iter().map(|pod| (*pod).into()).collect();
    let rest = words(until.duration_since(facts.now()));
    let has = if refs.len() == 1 { "has" } else { "have" };
    let summary = format!(
        "node {} is drained: {} {has} until {} to end ({rest} left)",
        drain.named.name,
        pods_in_words(&refs),
        clock(until)
    );
    let draft = Draft::new(Cause::Progressing, refs[0].clone(), summary)
        .waits_for(refs[0].clone())
        .evidence(
            "deletionTimestamp is in the future: it is within its grace period",
            &refs[0],
            "metadata.deletionTimestamp",
        )
        .evidence(format!("runs on node {}", drain.named.name), &refs[0], "spec.nodeName")
        .remedy(Remedy::manual(format!("wait until {}", clock(until)), "waiting loses nothing"));
    Some(draft.objects(refs))
}

/// The finding for volumes that are not detached from a node without pods.
fn attached(drain: &Drain<'_>, left: &NodeContent<'_>, facts: &Facts<'_>, found: &mut Findings) -> Option<Draft> {
    let first = left.attachments.iter().find(|it| it.object.is_deleting()).or(left.attachments.first())?;
    let summary = format!("node {} has no pods left to evict; not gone yet: ", drain.named.name);
    let draft = attachments(drain, *first, &left.attachments, &summary);
    if first.object.is_deleting() {
        found.follow(*first);
        return Some(draft.underway());
    }
    let draft = draft.with_each(DETACHED_LATE.words(facts), Draft::remark);
    let asked = drain.held.object.deletion_asked();
    let until = asked.and_then(|asked| asked.checked_add(DETACHED_WITHIN).ok()).filter(|until| *until > facts.now());
    let Some(until) = until else { return Some(draft.remedy(not_detached(*first))) };
    let wait = format!("wait until {}: volumes are detached by then", clock(until));
    let mut draft = draft.remedy(Remedy::manual(wait, "waiting loses nothing"));
    draft.finding.cause = Cause::Progressing;
    Some(draft)
}

/// How long after the end of its last pod a volume may still be attached (kubernetes/kubernetes#141385), and the
/// time for the requests.
const DETACHED_WITHIN: SignedDuration = SignedDuration::from_mins(6);

/// The finding for volumes that would still be attached to a node without pods, because no pod uses them.
pub(crate) fn unused(drain: &Drain<'_>, unused: &[Seen<'_>]) -> Option<Draft> {
    let first = *unused.first()?;
    let summary = format!("no pod on node {} uses its volume, and nobody deletes it: ", drain.named.name);
    Some(attachments(drain, first, unused, &summary).remedy(not_detached(first)))
}

fn attachments(drain: &Drain<'_>, first: Seen<'_>, all: &[Seen<'_>], summary: &str) -> Draft {
    let (named, node) = (Ref::from(first), &drain.named.name);
    let more = and_more(all.len() - 1);
    let draft =
        Draft::new(Cause::Storage, drain.held.into(), format!("{summary}{named}{more}")).waits_for(named.clone());
    all.iter().take(MAX_NAMED).fold(draft, |draft, attachment| {
        let volume = attachment.object.text("/spec/source/persistentVolumeName").unwrap_or("a volume");
        draft.evidence(format!("attaches {volume} to node {node}"), &(*attachment).into(), "spec.nodeName")
    })
}

fn not_detached(attachment: Seen<'_>) -> Remedy {
    Remedy::command(
        "check why kube-controller-manager does not detach it",
        format_args!("kubectl describe {}", quote(&Ref::from(attachment).kubectl())),
        "checking loses nothing",
    )
}

/// How many of the workloads that may have set a hook are named.
const MAX_SETTERS: usize = 2;

/// The finding for a hook that its owner has not removed; the owner's log may contain the reason.
pub(crate) fn hooked(hook: &Hook<'_>, facts: &Facts<'_>) -> Known<Draft> {
    let held = Ref::from(hook.held);
    let Hook { stage, name, owner, field, .. } = hook;
    let who = owner.clone().unwrap_or_else(|| format!("the setter of hook {name}"));
    let summary = Sentence::about(&held, format!("waits until {who} removes its {stage} hook {name}"));
    let setters = hook.owner.as_deref().map_or(Ok(Vec::new()), |owner| called_after(owner, facts))?;
    let mut draft =
        Draft::new(Cause::Eviction, held.clone(), summary).evidence(format!("has {stage} hook {name}"), &held, field);
    for setter in setters.iter().take(MAX_SETTERS).map(|setter| Ref::from(*setter)) {
        draft = draft.remark(format!("{setter} has the name of {who}")).remedy(read_log(&setter, &held, None));
    }
    Ok(draft
        .remedy(Remedy::command(
            format!("check what {who} waits for, or install it again if it is gone"),
            format_args!("kubectl get {} -o yaml", full_name(&held)),
            "nothing is lost: it removes its hook when it is done",
        ))
        .remedy(Remedy::manual(
            format!("remove {field}, once somebody has done the work of the hook in another way"),
            "the machine is drained or powered off without the work that the hook waits for",
        ))
        .objects(vec![held]))
}
