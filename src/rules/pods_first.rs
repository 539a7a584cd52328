//! Ordered deletion: while a pod remains in a terminating namespace, nothing else in it is being
//! deleted, and its conditions read as if it were empty (kubernetes/kubernetes:
//! `pkg/controller/namespace/deletion/namespaced_resources_deleter.go`).

use crate::facts::{Facts, Known, Sweep, Target, is_late};
use crate::kubernetes::namespaces::is_about_more_than_pods;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::reasons::next_layer;
use crate::report::{Cause, Ref, Sentence};
use jiff::SignedDuration;

pub(super) const RULE: Rule = Rule::new("pods-first", include_str!("pods_first.md"), &[Explains::Deleted(diagnose)]);

/// A namespace that has waited longer than this for its pods may have other obstacles.
const SHORT: SignedDuration = SignedDuration::from_mins(1);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let Some(namespace) = target.namespace_being_emptied() else { return Ok(()) };
    if !target.is_settled(facts) {
        return Ok(());
    }
    let content = facts.sweep(namespace)?;
    let pods: Vec<Ref> = content.pods().filter(|pod| pod.object.is_deleting()).map(Into::into).collect();
    let (going, untried): (Vec<_>, Vec<_>) = content.rest().partition(|seen| seen.object.is_deleting());
    // Objects that were deleted before the namespace say nothing about its controller.
    let asked = target.object().deletion_asked();
    let tried = going.iter().any(|seen| seen.object.deletion_asked() > asked);
    if pods.is_empty() || untried.is_empty() {
        return Ok(());
    }
    let is_late = is_late(target.object(), facts, SHORT);
    let next = if is_late { next_layer::troubles(target, &untried, facts)? } else { Vec::new() };
    let untried: Vec<Ref> = untried.into_iter().map(Into::into).collect();
    let waiting = Sentence::from(match untried.len() {
        1 => format!("1 object in namespace {namespace} waits: pods are deleted first"),
        count => format!("{count} objects in namespace {namespace} wait: pods are deleted first"),
    });
    let mut draft = Draft::new(
        Cause::Dependents,
        target.reference(),
        next.iter()
            .take(1)
            .fold(waiting, |waiting, next| waiting.then("; then ").then(next.waiting.in_short(next.who()))),
    )
    .waits_for(pods[0].clone())
    .underway()
    .evidence("being deleted, still exists", &pods[0], "metadata.deletionTimestamp")
    .evidence(format!("not being deleted yet: {}", Sweep::count(&untried)), &untried[0], "metadata.deletionTimestamp")
    .remark("until the last pod is gone, the conditions of the namespace do not show what else is left in it");
    let failure = target.object().condition("NamespaceDeletionContentFailure");
    let failed = failure.is_some_and(|condition| condition.status() == "True" && is_about_more_than_pods(condition));
    if tried || failed {
        draft = draft.likely();
    }
    let then = |draft: Draft, next: Draft| draft.remark(Sentence::from("after that, ").then(next.finding.summary));
    let draft = next.into_iter().fold(draft, then);
    found.add(draft);
    Ok(())
}
