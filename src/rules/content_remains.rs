//! Objects in a terminating namespace are not being deleted, though no pod has to be deleted before
//! them: their deletion was refused, or the namespace controller has not begun.

use crate::facts::{Facts, Known, Sweep, Target, asked_ago, is_late};
use crate::findings::controller_manager::controller_manager;
use crate::kubernetes::admission::{Deletions, deletions};
use crate::kubernetes::aggregation::{self, available_groups};
use crate::kubernetes::control_plane::stopped;
use crate::kubernetes::definitions::versions;
use crate::kubernetes::messages::admission::is_about_admission;
use crate::kubernetes::namespaces::{
    controller, culprits, has_begun, is_about_more_than_pods, is_kept_from_listing, says_too_large,
};
use crate::kubernetes::past_obstacle::{NAMESPACE_CONTROLLER, PastObstacle};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::{full_name, steps};
use crate::report::{Cause, Need, Ref, Remedy, Risk, Sentence};
use crate::survey::{Condition, Reason, Seen};
use jiff::SignedDuration;
use std::collections::BTreeSet;

pub(super) const RULE: Rule =
    Rule::new("content-remains", include_str!("content_remains.md"), &[Explains::Deleted(diagnose)]);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let Some(namespace) = target.namespace_being_emptied() else { return Ok(()) };
    if !target.is_settled(facts) {
        return Ok(());
    }
    let content = facts.sweep(namespace)?;
    // A kind that cannot be listed prevents the controller from trying the rest.
    if is_kept_from_listing(target, facts)? || stopped(target, facts)?.is_some() {
        return Ok(());
    }
    let pods: Vec<Ref> = content.pods().filter(|pod| !pod.object.is_deleting()).map(Into::into).collect();
    let failure = target.object().condition("NamespaceDeletionContentFailure");
    let failed = failure.filter(|condition| condition.status() == "True");
    // Objects of an aggregated API wait for the server there, not for the controller.
    let came_back = mended_api(target, facts)?;
    let aggregated = if failed.is_some() && came_back.is_none() { available_groups(facts)? } else { BTreeSet::new() };
    let rest = content.rest().filter(|seen| !seen.object.is_deleting());
    let rest = rest.filter(|seen| !aggregated.contains(&seen.resource.id.api_version()));
    let rest: Vec<Ref> = rest.map(Into::into).collect();
    // While a pod remains, the controller does not try the rest, unless an older server without that order
    // has tried it and failed.
    let has_pods = content.pods().next().is_some() || failed.is_some() && content.may_have_pods();
    let pods_alone = has_pods && !failed.is_some_and(is_about_more_than_pods);
    let left = if pods_alone { pods } else { pods.into_iter().chain(rest).collect() };
    let Some(first) = left.first().cloned() else { return Ok(()) };
    let counted = Sweep::count(&left);
    let admission = deletions(target, facts)?;
    // A refused deletion waits for the webhook or policy that refuses it.
    if !admission.obstacles.is_empty() {
        return Ok(());
    }
    let draft = match (failed, failure) {
        (Some(condition), _) => match what_is_mended(target, condition, &admission, came_back, facts)? {
            Some(it) => mended(target, condition, it, facts),
            None if says_too_large(condition.message()) => {
                too_large(target, &counted, condition, &culprits(content.rest()))
            }
            None => refused(target, &counted, condition),
        },
        // Nothing refuses the deletion: the controller has not tried again since it became possible.
        (None, Some(_)) => return Ok(()),
        // The controller waits a minute for each kind that does not answer, and reports nothing meanwhile.
        (None, None) if content.unread.iter().any(|(_, why)| why.reason == Reason::TimedOut) => return Ok(()),
        (None, None) => match mended_unsaid(target, came_back, facts)? {
            Some(it) => first_look(target, &counted, &it),
            None => unattended(target, &counted, has_begun(&content, target), facts)?,
        },
    };
    found.add(draft.evidence("is not being deleted yet", &first, "metadata.deletionTimestamp").objects(left));
    Ok(())
}

/// A failure that the controller met in its last pass, and would not meet now.
enum Past {
    /// A refusal, and when it ended, if that is known.
    Refusal(Option<PastObstacle>),
    /// Any other failure.
    Failure(PastObstacle),
}

/// The failure of the last pass, if it has ended since.
fn what_is_mended(
    target: &Target<'_>,
    condition: Condition<'_>,
    admission: &Deletions<'_>,
    came_back: Option<PastObstacle>,
    facts: &Facts<'_>,
) -> Known<Option<Past>> {
    if is_about_admission(condition.message()) {
        let by = admission.mended_by.map(|gate| gate.mended(facts)).transpose()?;
        return Ok(admission.mended.then(|| Past::Refusal(by.flatten())));
    }
    Ok(versions::mended(target, facts)?.or(came_back).map(Past::Failure))
}

/// The aggregated API that became available only a moment ago, so that the controller need not have checked
/// again.
fn mended_api(target: &Target<'_>, facts: &Facts<'_>) -> Known<Option<PastObstacle>> {
    let Some(asked) = target.object().deletion_asked() else { return Ok(None) };
    let back = aggregation::back_since(asked, facts)?;
    Ok(back.filter(|back| back.is_fresh(asked, NAMESPACE_CONTROLLER, facts)))
}

/// An obstacle that may have kept the controller from ending its first pass. It was removed only a moment
/// ago, so that the pass need not have ended yet.
fn mended_unsaid(
    target: &Target<'_>,
    came_back: Option<PastObstacle>,
    facts: &Facts<'_>,
) -> Known<Option<PastObstacle>> {
    let Some(asked) = target.object().deletion_asked() else { return Ok(None) };
    let last = versions::mended(target, facts)?.into_iter().chain(came_back).max_by_key(|it| it.until);
    Ok(last.filter(|it| it.is_fresh(asked, NAMESPACE_CONTROLLER, facts)))
}

/// The finding for a first pass that has not ended: the controller writes conditions only after it has
/// tried all kinds.
fn first_look(target: &Target<'_>, counted: &str, mended: &PastObstacle) -> Draft {
    let namespace = target.reference();
    let summary =
        format!("the first pass over namespace {} has not ended: {counted} left; {}", namespace.name, mended.says());
    Draft::new(Cause::Progressing, namespace.clone(), summary)
        .likely()
        .evidence("no conditions yet", &namespace, "status.conditions")
        .remedy(Remedy::manual("wait, and check again in a minute", "nothing is lost"))
}

/// A draft with the failure that the controller reports.
fn failed(cause: Cause, namespace: &Ref, summary: String, condition: Condition<'_>) -> Draft {
    Draft::new(cause, namespace.clone(), summary).likely().message(
        &condition.says(),
        namespace,
        "status.conditions[NamespaceDeletionContentFailure]",
    )
}

/// The finding for deletions that the server would accept now: the controller must check again.
fn mended(target: &Target<'_>, condition: Condition<'_>, past: Past, facts: &Facts<'_>) -> Draft {
    let namespace = target.reference();
    let (what, since) = match past {
        Past::Refusal(since) => ("what refused the deletion", since),
        Past::Failure(since) => ("what failed", Some(since)),
    };
    let asked = target.object().deletion_asked().unwrap_or_default();
    let is_fresh = since.as_ref().is_some_and(|it| it.is_fresh(asked, NAMESPACE_CONTROLLER, facts));
    let until = since.map(|it| format!(": {}", it.says())).unwrap_or_default();
    let summary = format!(
        "{what} in namespace {} is fixed, but the namespace controller has not checked again yet{until}",
        namespace.name
    );
    let cause = if is_fresh { Cause::Progressing } else { Cause::NamespaceController };
    let draft = failed(cause, &namespace, summary, condition);
    let draft = if what == "what failed" {
        draft
    } else {
        draft.remark(
            "a dry run of the deletion is accepted, or the webhook or policy that refused it is no longer registered",
        )
    };
    draft
        .remedy(Remedy::manual("wait: the namespace controller checks again within 60 seconds", "nothing is lost"))
        .remedy(Remedy::new(
            steps::nudge_namespace::step(&namespace),
            Risk::Harmless,
            "its controller checks it within 5 seconds and continues",
        ))
}

/// The finding for an object that is too large to be marked as being deleted, before others of its kind.
fn too_large(target: &Target<'_>, counted: &str, condition: Condition<'_>, culprits: &[Seen<'_>]) -> Draft {
    let namespace = target.reference();
    let named: Vec<Ref> = culprits.iter().map(|seen| (*seen).into()).collect();
    let which = match &named[..] {
        [] => "an object".to_owned(),
        [only] => only.to_string(),
        [first, ..] => format!("{first}, or another of {} objects,", named.len()),
    };
    let summary = format!(
        "{counted} left in namespace {}: {which} is too large for etcd to be marked as being deleted, and the rest \
        waits behind it",
        namespace.name
    );
    let draft = failed(Cause::NamespaceController, &namespace, summary, condition);
    let draft = match named.first() {
        Some(first) => draft.waits_for(first.clone()),
        None => draft.remark("the objects that are not being deleted yet have no finalizers"),
    };
    let draft = named.iter().take(MAX_CULPRITS).fold(draft, |draft, culprit| {
        draft.evidence(
            "this is the first object with a finalizer: to mark it as being deleted, the API server must write it",
            culprit,
            "metadata.finalizers",
        )
    });
    named.iter().take(MAX_CULPRITS).fold(draft, |draft, culprit| {
        let name = full_name(culprit);
        draft.remedy(Remedy::manual(
            Sentence::from(format!(
                "make {culprit} smaller: remove its managedFields and other data that nothing needs; the deletion \
                    then continues by itself"
            ))
            .by(format_args!(
                "kubectl patch {name} --type=json -p '[{{\"op\": \"replace\", \"path\": \"/metadata/managedFields\", \"value\": [{{}}]}}]'"
            ))
            .by(format_args!("kubectl annotate {name} kubectl.kubernetes.io/last-applied-configuration-"))
            .aside("to see its size")
            .by(format_args!("kubectl get {name} -o json | wc -c")),
            "its managedFields are lost",
        ))
    })
}

/// How many of the objects that may be too large are named.
const MAX_CULPRITS: usize = 2;

/// The finding for deletions that the controller tried, with the server's reason.
fn refused(target: &Target<'_>, counted: &str, condition: Condition<'_>) -> Draft {
    let namespace = target.reference();
    let message = condition.message();
    let admission = is_about_admission(message);
    let cause = if admission { Cause::Admission } else { Cause::NamespaceController };
    let by = if admission { "admission refuses their deletion" } else { "their deletion fails" };
    let advice = if admission {
        Sentence::from("repair the webhook or policy that the message names, or its backend").by("kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations,validatingadmissionpolicybindings")
    } else {
        "repair what the message names; the namespace controller tries again within 60 seconds".into()
    };
    let summary = format!("{counted} left in namespace {}: {by}", namespace.name);
    failed(cause, &namespace, summary, condition).remedy(Remedy::manual(advice, "nothing is lost"))
}

/// How long the first pass over a large namespace may take before it is reported.
const FIRST_PASS: SignedDuration = SignedDuration::from_mins(10);

/// The finding without any condition: the controller has never ended a pass.
fn unattended(target: &Target<'_>, counted: &str, begun: bool, facts: &Facts<'_>) -> Known<Draft> {
    let namespace = target.reference();
    if begun && !is_late(target.object(), facts, FIRST_PASS) {
        let summary = format!("the namespace controller is deleting the content of {}: {counted} left", namespace.name);
        return Ok(Draft::new(Cause::Progressing, namespace.clone(), summary)
            .likely()
            .evidence("no conditions yet, and some of the content is gone", &namespace, "status.conditions")
            .remedy(Remedy::manual("wait, and check again in a minute", "nothing is lost")));
    }
    let asked = asked_ago(target.object(), facts);
    let draft = Draft::new(
        Cause::NamespaceController,
        namespace.clone(),
        format!("the namespace controller has not started to empty {}: {counted} left", namespace.name),
    )
    .likely()
    .rests_on(Need::acting(&controller()))
    .evidence(format!("no conditions, {asked} after the deletion was requested"), &namespace, "status.conditions")
    .remedy(Remedy::command(
        "check whether kube-controller-manager is running",
        "kubectl -n kube-system get lease kube-controller-manager",
        "nothing is lost",
    ));
    controller_manager(draft, facts)
}
