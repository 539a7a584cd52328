//! Nothing is left in a terminating namespace, and its controller sleeps until
//! its next look: up to a minute after an error, up to half the longest grace
//! period after pods. Any change to the namespace wakes it.

use super::Rule;
use super::support::ago;
use crate::diagnosis::{Cause, Draft, Facts, Findings, Known, SETTLE, Target, is_late};
use crate::plan::{Remedy, Risk, steps};

pub(super) const RULE: Rule =
    Rule { name: "namespace-controller-waits", explanation: include_str!("namespace_controller_waits.md"), diagnose };

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let Some(namespace) = target.namespace_being_emptied() else { return Ok(()) };
    let content = facts.sweep(namespace)?;
    let empty = content.objects.iter().all(|seen| seen.resource.kind == "Event") && content.unread.is_empty();
    let reachable = super::apiservice_unavailable::groups(facts)?.is_empty() && facts.discovery().stale.is_empty();
    if !empty || !reachable || !is_late(target.object(), facts, SETTLE * 3) {
        return Ok(());
    }
    let reference = target.reference();
    let asked = target.object().deletion_asked().map(|asked| ago(asked, facts)).unwrap_or_default();
    let looked = target.object().condition("NamespaceDeletionContentFailure");
    let mut draft = Draft::new(
        Cause::NamespaceController,
        reference.clone(),
        format!("nothing is left in namespace {namespace}: its controller has yet to look again"),
    )
    .remark("every kind in the namespace was listed: nothing is left in it")
    .evidence(
        format!("still holds kubernetes, {asked} after the deletion was asked for"),
        &reference,
        "spec.finalizers",
    );
    draft = match looked.and_then(crate::survey::Condition::since) {
        Some(since) => {
            draft.evidence(format!("last changed {} ago", ago(since, facts)), &reference, "status.conditions")
        }
        None => draft.likely().evidence(
            "none: the controller never looked; is kube-controller-manager running?",
            &reference,
            "status.conditions",
        ),
    };
    let nudge = steps::nudge_namespace::step(&reference);
    found.add(
        draft
            .remedy(Remedy::manual(
                "wait: it looks again within 60 seconds, or half the longest grace period of its pods",
                "nothing is lost",
            ))
            .remedy(Remedy::new(
                nudge,
                Risk::Harmless,
                "its controller looks within 5 seconds and lets the namespace go",
            )),
    );
    Ok(())
}
