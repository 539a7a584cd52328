//! A pod whose containers have ended and whose kubelet is done is held by finalizers alone. kubectl
//! shows it as Completed or Error, not as Terminating
//! (kubernetes/kubernetes: pkg/printers/internalversion/printers.go).

use crate::facts::{All, Facts, Known, Readable, SETTLE, Target, clock, each, flat_each, is_late, since};
use crate::findings::controller_manager::controller_manager;
use crate::findings::removal::removal_at;
use crate::findings::trigger::wake;
use crate::kubernetes::faults::ORPHANS_GIVEN_UP;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::late::by_finalizer;
use crate::kubernetes::kubelet::pods::kubelet_is_done;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::steps;
use crate::reasons::waits::{at_once, begin, describe, drafts};
use crate::report::{Cause, Controller, ControllerState, Ref, Remedy, Risk, Verb};
use crate::survey::{Form, Object, Seen, TargetName};
use indexmap::IndexMap;
use jiff::{SignedDuration, Timestamp};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;

pub(super) const RULE: Rule =
    Rule::new("finished-pod-held", include_str!("finished_pod_held.md"), &[Explains::Deleted(diagnose)]);

/// The finalizer that keeps a Job's pod until it is counted (kubernetes/kubernetes:
/// `staging/src/k8s.io/api/batch/v1/types.go`).
const TRACKING: &str = "batch.kubernetes.io/job-tracking";
/// The user of the Job controller (kubernetes/kubernetes:
/// `plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go`).
const JOB_CONTROLLER: &str = "system:serviceaccount:kube-system:job-controller";

/// The longest pause of the Job controller between two attempts (kubernetes/kubernetes:
/// `pkg/controller/job/job_controller.go`, `MaxJobApiBackOff`).
const BACK_OFF: SignedDuration = SignedDuration::from_secs(60);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let pods = target.deleting_pods(facts)?;
    let held = pods.iter().copied().filter(|pod| kubelet_is_done(pod.object));
    let (late, fresh): (Vec<_>, Vec<_>) = held.partition(|pod| is_late(pod.object, facts, SETTLE));
    let besides = held_besides(target, &pods, facts, found);
    let mut fresh = by_finalizer(fresh.into_iter(), facts);
    fresh.retain(|(finalizer, _)| *finalizer != TRACKING);
    let fresh = flat_each(&fresh, |group| {
        let drafts = at_once(target, Cause::Finalizer, std::slice::from_ref(group), facts)?;
        Ok(drafts.into_iter().map(move |draft| over(draft, &group.1)))
    });
    let groups = by_finalizer(late.into_iter(), facts);
    let (tracked, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(|(finalizer, _)| *finalizer == TRACKING);
    let tracked = flat_each(&tracked, |(_, pods)| of_jobs(pods, facts));
    let drafts = drafts(target, Cause::Finalizer, &others, facts);
    let ((), tracked, drafts, fresh) = (besides, tracked, drafts, fresh).all()?;
    for (draft, (_, pods)) in drafts.into_iter().zip(&others) {
        found.add(over(draft, pods));
    }
    found.add_all(tracked);
    found.add_all(fresh);
    Ok(())
}

/// Reports finalizers that also hold overdue pods which still wait for their kubelet. The Job controller
/// waits for the kubelet before it removes its own.
fn held_besides(target: &Target<'_>, pods: &[Seen<'_>], facts: &Facts<'_>, found: &mut Findings) -> Known {
    let overdue =
        |pod: &Object| pod.metadata.deletion_timestamp.is_some_and(|end| since(end, facts.now()) > SETTLE * 2);
    let waiting = pods.iter().filter(|pod| !kubelet_is_done(pod.object) && overdue(pod.object));
    let mut groups = by_finalizer(waiting.copied(), facts);
    groups.retain(|(finalizer, _)| *finalizer != TRACKING);
    for (draft, (_, pods)) in drafts(target, Cause::Finalizer, &groups, facts)?.into_iter().zip(&groups) {
        let phase = pods[0].object.text("/status/phase").unwrap_or("unknown");
        let text = format!("it also waits for its kubelet (phase {phase}); this finalizer would hold it after that");
        let state = draft.finding.controller.as_ref().map(|controller| controller.state);
        let draft = draft.evidence(text, &pods[0].into(), "metadata.deletionGracePeriodSeconds");
        // Many controllers wait until the containers have ended: only a missing one is late already.
        let absent = matches!(state, Some(ControllerState::Gone | ControllerState::Down));
        found.add(if absent { draft } else { draft.underway() });
    }
    Ok(())
}

fn over(draft: Draft, pods: &[Seen<'_>]) -> Draft {
    let phase = pods[0].object.text("/status/phase").unwrap_or("unknown");
    let scheduled = pods[0].object.text("/spec/nodeName").is_some_and(|node| !node.is_empty());
    let text = if scheduled {
        format!("the deletion no longer waits for the kubelet (phase {phase}): only finalizers hold it")
    } else {
        format!("it has no node (phase {phase}), so there is no kubelet to wait for: only finalizers hold it")
    };
    draft.evidence(text, &pods[0].into(), "metadata.deletionGracePeriodSeconds")
}

/// The owner of a pod, as the Job controller sees it (kubernetes/kubernetes:
/// `pkg/controller/job/job_controller.go`, handleSingleOrphanPod).
#[derive(Debug, PartialEq, Eq, Hash)]
enum PodOwner {
    /// The pod belongs to a Job that does not exist: the Job controller releases it.
    JobGone(Ref),
    /// The pod has no owner: the Job controller releases it.
    Nobody,
    /// The pod belongs to a Job that exists: the Job controller counts it, and then releases it.
    Job(Ref),
    /// The pod belongs to a Job that another controller manages.
    Managed(Ref, String),
    /// The pod belongs to another kind of owner: the Job controller ignores it.
    Other(String),
}

fn of_jobs(pods: &[Seen<'_>], facts: &Facts<'_>) -> Known<Vec<Draft>> {
    let whose = each(pods, |pod| whose(pod.object, facts).if_readable())?;
    let mut groups: IndexMap<Option<PodOwner>, Vec<Seen<'_>>> = IndexMap::new();
    for (pod, whose) in pods.iter().zip(whose) {
        groups.entry(whose).or_default().push(*pod);
    }
    each(&groups, |(whose, pods)| tracked(whose.as_ref(), pods, facts))
}

fn whose(pod: &Object, facts: &Facts<'_>) -> Known<PodOwner> {
    let is_controller = |owner: &&OwnerReference| owner.controller == Some(true);
    let Some(owner) = pod.metadata.owner_references.iter().find(is_controller) else { return Ok(PodOwner::Nobody) };
    let jobs = facts.preferred("batch", "jobs").filter(|_| owner.kind == "Job" && owner.api_version == "batch/v1");
    let Some(jobs) = jobs else { return Ok(PodOwner::Other(format!("{} {}", owner.kind, owner.name))) };
    let namespace = pod.metadata.namespace.as_deref().map(ToOwned::to_owned);
    let job = facts.get(&jobs.id, namespace.as_deref(), &owner.name, Form::Whole)?;
    let named = Ref::named(jobs, &TargetName { resource: jobs.id.clone(), namespace, name: owner.name.clone() });
    Ok(match job.filter(|job| job.uid() == owner.uid) {
        None => PodOwner::JobGone(named.missing()),
        Some(job) => {
            let named = named.with_uid(job.uid());
            match job.text("/spec/managedBy").filter(|by| *by != "kubernetes.io/job-controller") {
                Some(by) => PodOwner::Managed(named, by.to_owned()),
                None => PodOwner::Job(named),
            }
        }
    })
}

fn tracked(whose: Option<&PodOwner>, pods: &[Seen<'_>], facts: &Facts<'_>) -> Known<Draft> {
    let refs: Vec<Ref> = pods.iter().map(|pod| (*pod).into()).collect();
    let held = HeldObjects::read_whole(pods, facts)?;
    let ours = matches!(whose, Some(PodOwner::JobGone(_) | PodOwner::Nobody | PodOwner::Job(_)));
    let again = tries_again(pods, facts).filter(|_| ours);
    let cause = if again.is_some() { Cause::Progressing } else { Cause::Finalizer };
    let draft = begin(cause, TRACKING, &refs, Some(because(whose).into())).needs_accepted(Verb::Update);
    let draft = over(draft, pods);
    let mut draft = describe(draft, TRACKING, &held, &refs[0], facts);
    if ours {
        draft = draft.controller(Controller {
            workload: None,
            state: ControllerState::Unknown,
            evidence: vec!["the Job controller, a part of kube-controller-manager, releases it".into()],
        });
        // Only this finalizer is removed: without the flag, all of them would be.
        let removal = steps::remove_finalizer::step(&refs[0], &pods[0].object.metadata.finalizers, TRACKING);
        draft = controller_manager(draft, facts)?.remedy(Remedy::command(
            "check what keeps the Job controller from removing it",
            format_args!("{} --dry-run=server --as={JOB_CONTROLLER}", removal.command),
            "nothing is lost: a Job controller that runs and may write releases it within seconds",
        ));
    }
    if matches!(whose, Some(PodOwner::JobGone(_) | PodOwner::Nobody)) {
        draft = draft.with_each(ORPHANS_GIVEN_UP.words(facts), Draft::remark).remedy(wake(&refs[0]));
    }
    draft = match whose {
        Some(PodOwner::JobGone(job)) => draft.waits_for(job.clone()).evidence("not found", job, ""),
        Some(PodOwner::Job(job)) => draft.waits_for(job.clone()).works().evidence("exists", job, ""),
        Some(PodOwner::Managed(job, by)) => draft
            .waits_for(job.clone())
            .evidence(format!("managed by {by}"), job, "spec.managedBy")
            .remedy(Remedy::manual(
                format!("check {by}, which manages {job}"),
                "nothing is lost: it counts the pod and releases it",
            )),
        Some(PodOwner::Other(_) | PodOwner::Nobody) => draft,
        None => draft.likely(),
    };
    if let Some(until) = again {
        let wait = Remedy::manual(format!("wait until {}", clock(until)), "nothing is lost");
        return Ok(draft
            .likely()
            .remark(format!(
                "after a failure the Job controller tries again within a minute, so it is late only after {}",
                clock(until)
            ))
            .remedy_first(wait)
            .objects(refs));
    }
    Ok(draft.remedies(removal_at((Risk::Leaks, loss(whose)), TRACKING, pods, &refs)).objects(refs))
}

/// When the Job controller has certainly tried again; `None` if that time is over.
fn tries_again(pods: &[Seen<'_>], facts: &Facts<'_>) -> Option<Timestamp> {
    let over = pods.iter().filter_map(|pod| pod.object.status_field_written(None).max(pod.object.deletion_asked()));
    let until = over.max()?.checked_add(BACK_OFF + SETTLE).ok()?;
    (facts.now() < until).then_some(until)
}

fn because(whose: Option<&PodOwner>) -> String {
    match whose {
        Some(PodOwner::JobGone(job)) => format!("its {job} is gone, and the Job controller does not release it"),
        Some(PodOwner::Nobody) => "no Job owns it, and the Job controller does not release it".to_owned(),
        Some(PodOwner::Job(job)) => format!("{job} has not counted it"),
        Some(PodOwner::Managed(job, by)) => format!("{job} is managed by {by}, which has not released it"),
        Some(PodOwner::Other(owner)) => {
            format!("its owner {owner} is not a Job, so the Job controller ignores it")
        }
        None => "could not read whether its Job exists".to_owned(),
    }
}

/// The consequence of removing the finalizer, for the controller that counts the pods.
fn loss(whose: Option<&PodOwner>) -> &'static str {
    match whose {
        Some(PodOwner::JobGone(_) | PodOwner::Nobody) => "no controller will count the pod any more",
        Some(PodOwner::Other(_)) => {
            "the owner of the pod may run the work again, if it counts its pods by this \
            finalizer"
        }
        _ => "the Job may count again and start another pod, and the work would run twice",
    }
}
