//! Jobs and other workloads that a controller has created for a clean-up, since the deletion or
//! with the uid of the object in their names. The controller waits until they are complete, without
//! reporting them.

use crate::facts::{All, Facts, Known, ago, flat_each, since};
use crate::kubernetes::ownership::candidates::workloads_in;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::statements::events;
use crate::kubernetes::workloads::health;
use crate::report::Ref;
use crate::survey::{Condition, Form, Object, Resource, Seen};
use jiff::SignedDuration;

/// How many Jobs are checked.
const MAX_JOBS: usize = 3;
/// How long a Job may run for a clean-up.
const MAX_RUNNING: SignedDuration = SignedDuration::from_hours(24);
/// How many events about a Job are read.
const MAX_EVENTS: usize = 4;

/// A Job for a clean-up that is not complete.
#[derive(Debug, Clone)]
pub struct CleanupJob {
    /// The Job.
    pub job: Ref,
    /// Its state.
    pub state: JobState,
    /// The evidence that it was made for the object.
    pub mark: MadeForMark,
}

/// The evidence that something was made for an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MadeForMark {
    /// It was created since the deletion, and the object owns it or is named by its labels.
    SinceDeletion,
    /// Its name or a label contains the object's uid.
    Uid,
}

/// The state of a Job that is not complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobState {
    /// A pod of the Job runs without problems.
    Runs,
    /// The Job has failed and makes no further attempt.
    Failed(String),
    /// The Job has no pod that works.
    Hangs(String),
}

/// Finds the Jobs and workloads made in `namespace` for the clean-up of the held objects; those that hang come first.
pub(crate) fn find(namespace: &str, inquiry: Inquiry<'_, '_>) -> Known<Vec<CleanupJob>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let (Some(jobs), Some(pods)) = (facts.preferred("batch", "jobs"), facts.preferred("", "pods")) else {
        return Ok(Vec::new());
    };
    let all = gaps.pass(facts.list(&jobs.id, Some(namespace), Form::Whole))?.unwrap_or_default();
    let its = all.iter().filter(|job| held.objects.iter().any(|seen| is_made_for(job, *seen))).take(MAX_JOBS);
    let in_jobs = flat_each(its, |object| state(Seen { resource: jobs, object }, pods, namespace, inquiry));
    let (mut found, workloads) = (in_jobs, workloads(namespace, inquiry)).all()?;
    found.extend(workloads);
    found.sort_by_key(|job| job.state == JobState::Runs);
    Ok(found)
}

/// Finds workloads that were created for the clean-up: one on each node, for example.
fn workloads(namespace: &str, inquiry: Inquiry<'_, '_>) -> Known<Vec<CleanupJob>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let listed = workloads_in(namespace, facts, gaps)?;
    let its = listed.into_iter().filter(|it| held.objects.iter().any(|seen| is_made_for(it.object, *seen)));
    flat_each(its.take(MAX_JOBS), |it| {
        let Some(pods) = gaps.pass(health::pods_of(it.object, namespace, facts))? else { return Ok(None) };
        let hangs = match pods.iter().find(|pod| !health::says_ready(pod) && !health::is_starting(pod, facts.now())) {
            Some(pod) => Some(health::why_not_ready(pod)),
            None if pods.is_empty() => Some(format!("it {}", health::why_no_pod(it.object, facts)?)),
            None => None,
        };
        let (job, mark) = (it.into(), MadeForMark::SinceDeletion);
        Ok(hangs.map(|why| CleanupJob { job, state: JobState::Hangs(why), mark }))
    })
}

/// Whether a Job belongs to a held object, by an owner reference or a label of the product, and was
/// created since that object's deletion.
fn is_made_for(job: &Object, held: Seen<'_>) -> bool {
    let Some(asked) = held.object.deletion_asked() else { return false };
    let group = held.resource.id.group.as_str();
    let names_it = |(key, value): (&String, &String)| {
        value == held.object.name() && key.split_once('/').is_some_and(|(domain, _)| domain == group)
    };
    // Times are whole seconds.
    job.metadata.creation_timestamp.is_some_and(|made| made >= asked)
        && (job.is_owned_by(held.object) || job.metadata.labels.iter().any(names_it))
}

fn state(seen: Seen<'_>, pods: &Resource, namespace: &str, inquiry: Inquiry<'_, '_>) -> Known<Option<CleanupJob>> {
    let Inquiry { facts, gaps, .. } = inquiry;
    let job = seen.object;
    let holds = |kind: &str| job.condition(kind).filter(|condition| condition.status() == "True");
    if holds("Complete").is_some() {
        return Ok(None);
    }
    let listed = facts.list(&pods.id, Some(namespace), Form::Whole);
    let told = events::about(seen, MAX_EVENTS, facts);
    let (listed, told) = (gaps.pass(listed), gaps.pass(told)).all()?;
    let its: Vec<&Object> = listed.unwrap_or_default().iter().filter(|pod| pod.is_owned_by(job)).collect();
    let last = its.iter().max_by_key(|pod| pod.metadata.creation_timestamp);
    let of_pod = || last.map(|pod| health::why_not_ready(pod));
    let warned = || {
        let told = told.as_ref()?.iter().filter(|event| event.text("/type") == Some("Warning"));
        told.max_by_key(|event| events::last_seen(event))?.text("/message").map(ToOwned::to_owned)
    };
    let state = match holds("Failed").map(Condition::says) {
        Some(failed) => JobState::Failed([Some(failed), of_pod()].into_iter().flatten().collect::<Vec<_>>().join("; ")),
        None if its.iter().any(|pod| health::says_ready(pod)) => running(job, facts),
        None => {
            match of_pod().filter(|_| last.is_some_and(|pod| !health::is_starting(pod, facts.now()))).or_else(warned) {
                Some(why) => JobState::Hangs(why),
                None => JobState::Runs,
            }
        }
    };
    Ok(Some(CleanupJob { job: seen.into(), state, mark: MadeForMark::SinceDeletion }))
}

/// Finds the pods in `namespace` with the uid of a held object in their names: if a controller works in a
/// namespace of its own, no owner reference leads back.
pub(crate) fn called_after(namespace: &str, inquiry: Inquiry<'_, '_>) -> Known<Vec<CleanupJob>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let Some(kind) = facts.preferred("", "pods") else { return Ok(Vec::new()) };
    let all = gaps.pass(facts.list(&kind.id, Some(namespace), Form::Whole))?.unwrap_or_default();
    let its = all.iter().filter(|pod| held.objects.iter().any(|seen| is_called_after(pod, seen.object)));
    let found = its.filter_map(|pod| {
        let state = state_of_pod(pod, facts)?;
        Some(CleanupJob { job: Ref::of(kind, pod), state, mark: MadeForMark::Uid })
    });
    let mut found: Vec<CleanupJob> = found.take(MAX_JOBS).collect();
    found.sort_by_key(|job| job.state == JobState::Runs);
    Ok(found)
}

/// Whether a pod has the uid of `held` in its name or in a label, without being owned by `held`.
fn is_called_after(pod: &Object, held: &Object) -> bool {
    let uid = held.uid();
    !uid.is_empty()
        && !pod.is_owned_by(held)
        && (pod.name().contains(uid) || pod.metadata.labels.values().any(|it| *it == uid))
}

/// The state of a pod that works for an object; `None` if it has ended, or runs without end.
fn state_of_pod(pod: &Object, facts: &Facts<'_>) -> Option<JobState> {
    match pod.text("/status/phase") {
        _ if pod.is_deleting() => None,
        Some("Succeeded") => None,
        Some("Failed") => Some(JobState::Failed(health::why_not_ready(pod))),
        // A pod that is always restarted serves something, and is not waited for.
        _ if health::says_ready(pod) => {
            (pod.text("/spec/restartPolicy") != Some("Always")).then(|| running(pod, facts))
        }
        _ if health::is_starting(pod, facts.now()) => Some(JobState::Runs),
        _ => Some(JobState::Hangs(health::why_not_ready(pod))),
    }
}

/// The state of a Job whose pod runs: a clean-up does not last for ever.
fn running(job: &Object, facts: &Facts<'_>) -> JobState {
    let made = job.metadata.creation_timestamp.filter(|made| since(*made, facts.now()) > MAX_RUNNING);
    made.map_or(JobState::Runs, |made| JobState::Hangs(format!("it has been running for {}", ago(made, facts))))
}
