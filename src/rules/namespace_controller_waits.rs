//! Nothing blocks a terminating namespace, and its controller waits for its next pass: up to a
//! minute after an error, up to half the longest grace period after pods. Any change to the
//! namespace wakes it.

use crate::facts::{Facts, Known, SETTLE, Sweep, Target, ago, asked_ago, is_late};
use crate::kubernetes::aggregation::{self, unavailable_groups};
use crate::kubernetes::control_plane::stopped;
use crate::kubernetes::definitions::versions;
use crate::kubernetes::namespaces::{controller, is_kept_from_listing};
use crate::kubernetes::past_obstacle::{NAMESPACE_CONTROLLER, PastObstacle};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::steps;
use crate::report::{Cause, Need, Ref, Remedy, Risk, Verb};
use crate::survey::Condition;

pub(super) const RULE: Rule = Rule::new(
    "namespace-controller-waits",
    include_str!("namespace_controller_waits.md"),
    &[Explains::Deleted(diagnose)],
);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let Some(namespace) = target.namespace_being_emptied() else { return Ok(()) };
    // Other entries do not concern the controller.
    if !steps::finalize_namespace::has(target.object(), "kubernetes") {
        return Ok(());
    }
    let content = facts.sweep(namespace)?;
    let reachable = unavailable_groups(facts)?.is_empty() && facts.discovery().stale.is_empty();
    if !reachable || !content.unread.is_empty() || !is_late(target.object(), facts, SETTLE * 3) {
        return Ok(());
    }
    if is_kept_from_listing(target, facts)? || stopped(target, facts)?.is_some() {
        return Ok(());
    }
    let untried: Vec<Ref> = content.rest().filter(|seen| !seen.object.is_deleting()).map(Into::into).collect();
    let asked = target.object().deletion_asked().unwrap_or_default();
    let (api, conversion) = (aggregation::back_since(asked, facts), versions::mended(target, facts));
    let mended = api?.into_iter().chain(conversion?).max_by_key(|mended| mended.until);
    let mended = mended.filter(|it| it.is_fresh(asked, NAMESPACE_CONTROLLER, facts));
    let draft = if content.pods().next().is_none() && content.rest().next().is_none() {
        nothing_left(target, mended, facts)
    } else if content.deleting().next().is_none() && !untried.is_empty() && tried_without_failure(target) {
        not_tried(target, &untried, mended, facts)
    } else {
        return Ok(());
    };
    found.add(
        draft
            .remedy(Remedy::manual(
                "wait: the namespace controller checks again in at most 60 seconds, or half the longest grace period \
                    of the pods that were in the namespace",
                "nothing is lost",
            ))
            .remedy(Remedy::new(
                steps::nudge_namespace::step(&target.reference()),
                Risk::Harmless,
                "its controller checks it within 5 seconds and continues",
            )),
    );
    Ok(())
}

/// Whether the last pass met no failure: the remaining objects were not refused.
fn tried_without_failure(target: &Target<'_>) -> bool {
    target.object().condition("NamespaceDeletionContentFailure").map(Condition::status) == Some("False")
}

fn nothing_left(target: &Target<'_>, mended: Option<PastObstacle>, facts: &Facts<'_>) -> Draft {
    let namespace = target.reference();
    let summary = format!(
        "nothing is left in namespace {}, but the namespace controller has not checked again yet",
        namespace.name
    );
    let is_mended = mended.is_some();
    let draft = waiting(target, mended, facts, &summary)
        .remark("every kind in the namespace was listed: nothing is left in it")
        .evidence(
            format!(
                "spec.finalizers still contains kubernetes, {} after the deletion was requested",
                asked_ago(target.object(), facts)
            ),
            &namespace,
            "spec.finalizers",
        );
    let (draft, text) = match target.object().condition("NamespaceDeletionContentFailure").and_then(Condition::since) {
        Some(since) => (draft, format!("conditions last changed {} ago", ago(since, facts))),
        None if is_mended => (draft.likely(), "no conditions: its first pass has not ended".to_owned()),
        None => (
            draft.likely().rests_on(Need::acting(&controller())),
            "no conditions: the controller has never processed it; is kube-controller-manager running?".to_owned(),
        ),
    };
    draft.evidence(text, &namespace, "status.conditions")
}

/// The finding for objects that were not tried: pods are deleted first, and the last one went after the last pass.
fn not_tried(target: &Target<'_>, untried: &[Ref], mended: Option<PastObstacle>, facts: &Facts<'_>) -> Draft {
    let namespace = target.reference();
    let summary = format!(
        "no pod is left in namespace {}: the namespace controller has not continued with the rest yet",
        namespace.name
    );
    waiting(target, mended, facts, &summary)
        .remark("the last pod is gone; before that, the namespace controller did not try to delete anything else")
        .evidence(
            format!("not being deleted yet: {}", Sweep::count(untried)),
            &untried[0],
            "metadata.deletionTimestamp",
        )
        .quoted("its last attempt had no failure", &namespace, "status.conditions[NamespaceDeletionContentFailure]")
}

/// A finding that is not late within the controller's usual pause: after the deletion, and after the last
/// obstacle ended. Pods with a long grace period make longer pauses.
fn waiting(target: &Target<'_>, mended: Option<PastObstacle>, facts: &Facts<'_>, summary: &str) -> Draft {
    let late = is_late(target.object(), facts, NAMESPACE_CONTROLLER) && mended.is_none();
    let cause = if late { Cause::NamespaceController } else { Cause::Progressing };
    let summary = mended.map_or_else(|| summary.to_owned(), |it| format!("{summary}; {}", it.says()));
    Draft::new(cause, target.reference(), summary).needs_accepted(Verb::Delete)
}
