//! Ordered deletion: while a pod remains in a terminating namespace, nothing
//! else in it has been asked to go, and its conditions read as if it were empty
//! (kubernetes/kubernetes:
//! `pkg/controller/namespace/deletion/namespaced_resources_deleter.go`).

use crate::facts::{Facts, Known, Sweep, Target};
use crate::kubernetes::namespaces::is_about_more_than_pods;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::report::{Cause, Ref};

pub(super) const RULE: Rule = Rule::new("pods-first", include_str!("pods_first.md"), &[Explains::Deleted(diagnose)]);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let Some(namespace) = target.namespace_being_emptied() else { return Ok(()) };
    if !target.is_settled(facts) {
        return Ok(());
    }
    let content = facts.sweep(namespace)?;
    let pods: Vec<Ref> = content.pods().filter(|pod| pod.object.is_deleting()).map(Into::into).collect();
    let (going, untried): (Vec<_>, Vec<_>) = content.rest().partition(|seen| seen.object.is_deleting());
    // What was deleted before the namespace says nothing of its controller.
    let asked = target.object().deletion_asked();
    let tried = going.iter().any(|seen| seen.object.deletion_asked() > asked);
    let untried: Vec<Ref> = untried.into_iter().map(Into::into).collect();
    if pods.is_empty() || untried.is_empty() {
        return Ok(());
    }
    let mut draft = Draft::new(
        Cause::Dependents,
        target.reference(),
        match untried.len() {
            1 => format!("1 object in namespace {namespace} waits: pods are deleted first"),
            count => format!("{count} objects in namespace {namespace} wait: pods are deleted first"),
        },
    )
    .waits_for(pods[0].clone())
    .underway()
    .evidence("being deleted, still exists", &pods[0], "metadata.deletionTimestamp")
    .evidence(format!("not being deleted yet: {}", Sweep::count(&untried)), &untried[0], "metadata.deletionTimestamp")
    .remark("until the last pod is gone, the namespace's conditions look as if it were empty");
    let failure = target.object().condition("NamespaceDeletionContentFailure");
    let failed = failure.is_some_and(|condition| condition.status() == "True" && is_about_more_than_pods(condition));
    if tried || failed {
        draft = draft.likely();
    }
    found.add(draft);
    Ok(())
}
