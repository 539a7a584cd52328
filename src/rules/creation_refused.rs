//! The pods of a workload cannot be created, because admission refuses them: so the controller that
//! should release an object, or the server behind an API or a webhook, does not run.

use crate::facts::{Facts, Known};
use crate::findings::admission::refusal;
use crate::kubernetes::admission::{Obstacle, creation};
use crate::kubernetes::kubelet;
use crate::kubernetes::messages::admission::{Words, is_about_admission};
use crate::kubernetes::services::Backend;
use crate::needs::{Draft, Explains, Rule};
use crate::plan::quote;
use crate::report::{Link, LinkState, Ref, Sentence};
use crate::survey::{Condition, Form, Seen};
use jiff::SignedDuration;

pub(super) const RULE: Rule =
    Rule::new("creation-refused", include_str!("creation_refused.md"), &[Explains::HasPods(finding)]);

/// Events that are older than this are outdated: a controller that creates pods retries after 1000 s at the
/// latest (kubernetes/client-go: `util/workqueue/default_rate_limiters.go`).
const LATELY: SignedDuration = SignedDuration::from_mins(20);

/// The finding that admission refuses the pods of `workload`, which has none.
fn finding(workload: &Ref, facts: &Facts<'_>) -> Known<Option<Draft>> {
    let Some(seen) = read(workload, facts)? else { return Ok(None) };
    let Some((message, field)) = told(seen, facts)? else { return Ok(None) };
    let Some(obstacle) = creation(seen, &message, field, facts)? else { return Ok(None) };
    let draft = refusal::draft(&obstacle, facts)?;
    let again = Sentence::from("its pods are retried at growing intervals of up to 17 minutes, and at once after").by(
        format_args!(
            "kubectl -n {} rollout restart {}",
            quote(workload.namespace.as_deref().unwrap_or_default()),
            quote(&workload.kubectl())
        ),
    );
    Ok(Some(draft.remark(again).chain(chain(seen, &obstacle))))
}

fn read<'s>(workload: &Ref, facts: &Facts<'s>) -> Known<Option<Seen<'s>>> {
    let Some(resource) = facts.discovery().by_kind(&workload.api_version, &workload.kind) else { return Ok(None) };
    let all = facts.list(&resource.id, workload.namespace.as_deref(), Form::Whole)?;
    let found = all.iter().find(|object| object.name() == workload.name);
    Ok(found.map(|object| Seen { resource, object }))
}

/// The error of the controller that creates the pods, and its field. For a `StatefulSet` or `DaemonSet`
/// only events contain it.
fn told(workload: Seen<'_>, facts: &Facts<'_>) -> Known<Option<(String, &'static str)>> {
    if workload.resource.kind == "Deployment" {
        let failure = workload.object.condition("ReplicaFailure").filter(|condition| condition.status() == "True");
        let message = failure.map(Condition::message).filter(|message| is_about_admission(message));
        return Ok(message.map(|message| (message.to_owned(), "status.conditions[ReplicaFailure]")));
    }
    let from = facts.now().checked_sub(LATELY).ok();
    let mut events = kubelet::told_of(workload, from, facts)?.into_iter();
    let failed = events.find(|event| event.reason == "FailedCreate" && is_about_admission(&event.message));
    Ok(failed.map(|event| (event.message, "events")))
}

fn chain(workload: Seen<'_>, obstacle: &Obstacle<'_>) -> Vec<Link> {
    let words = obstacle.words.iter().map(Words::in_short).collect::<String>();
    let behind = obstacle.backend.as_ref().filter(|backend| backend.broken().is_some());
    let state = if behind.is_some() { LinkState::Affected } else { LinkState::Broken };
    let gate = obstacle.gate.map(|gate| Link::new(gate.reference(), state, words));
    let behind = behind.map(|backend: &Backend<'_>| backend.chain.clone()).unwrap_or_default();
    let workload = Link::new(workload.into(), LinkState::Affected, "has no pod: admission refuses them");
    std::iter::once(workload).chain(gate).chain(behind).collect()
}
