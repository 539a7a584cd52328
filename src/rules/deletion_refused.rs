//! Admission refuses the deletion of objects: of content in a terminating namespace, of pods whose
//! final deletion is up to their kubelet or the pod garbage collector, and of dependents that the
//! garbage collector deletes.

use crate::facts::{All, Facts, Known, Target, each, flat_each, for_each, since};
use crate::findings::admission::foreseen;
use crate::findings::admission::foreseen::TrialDeletion;
use crate::findings::admission::refusal::draft;
use crate::kubernetes::admission::{
    Admission, Gate, Obstacle, Operation, deletions, kind, removals, status_updates, trial_deletions,
};
use crate::kubernetes::kubelet::pods::{NodeOfPod, waiting_for_kubelet};
use crate::kubernetes::messages::admission::is_about_admission;
use crate::kubernetes::services::Verdict;
use crate::needs::{Draft, Explains, Findings, Outlook, Rule, World};
use crate::report::{Cause, Link, Ref, Remedy, Verb};
use crate::survey::Seen;
use jiff::SignedDuration;
use std::collections::{BTreeMap, HashSet};

pub(super) const RULE: Rule = Rule::new(
    "deletion-refused",
    include_str!("deletion_refused.md"),
    &[Explains::Deleted(diagnose), Explains::Foreseen(foresee)],
);

/// How many webhooks that are no obstacle here are checked.
const MAX_OTHERS: usize = 10;
/// How long after its grace period a pod should be gone, also if its node is gone: the pod garbage
/// collector checks every 20 s and waits for 40 s.
const ENDED: SignedDuration = SignedDuration::from_secs(60);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let deletions = deletions(target, facts)?;
    let drafts = each(&deletions.obstacles, |obstacle| draft(obstacle, facts))?;
    found.add_all(drafts.into_iter().map(|draft| draft.refuses(Verb::Delete)));
    let ends = status_updates(&unconfirmed(target, facts)?, facts)?;
    for draft in each(&ends, |obstacle| draft(obstacle, facts))? {
        // It is the update before the final deletion that is refused.
        found.add(draft.refuses(Verb::Delete).remark(
            "before a pod is deleted for good, the kubelet (or the pod garbage collector, if the node is gone) writes \
            to its status that it has ended",
        ));
    }
    if let Some(namespace) = target.namespace_being_emptied()
        && target.is_settled(facts)
    {
        let (removals, content) = (removals(target, facts), facts.sweep(namespace)).all()?;
        let in_the_way = deletions.obstacles.iter().chain(&ends).chain(&removals);
        for (object, why) in elsewhere(in_the_way, &content.objects, facts)? {
            found.also_broken(object, why);
        }
    }
    Ok(())
}

/// Overdue pods whose end is not confirmed: that takes an update of their status, before they are finally
/// deleted (kubernetes/kubernetes: `pkg/controller/podgc/gc_controller.go`,
/// `pkg/kubelet/status/status_manager.go`).
fn unconfirmed<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let told = |pod: &Seen<'_>| matches!(pod.object.text("/status/phase"), Some("Succeeded" | "Failed"));
    let overdue =
        |pod: &Seen<'_>| pod.object.metadata.deletion_timestamp.is_some_and(|ended| since(ended, facts.now()) > ENDED);
    let waiting = waiting_for_kubelet(target, facts)?.into_iter();
    let acting = waiting.filter(|waiting| !matches!(waiting.node, NodeOfPod::NotReady(_))).map(|waiting| waiting.pod);
    Ok(acting.filter(|pod| overdue(pod) && !told(pod)).collect())
}

/// Dead fail-closed webhooks that are no obstacle here, but would be called if one of these objects were
/// changed or deleted.
fn elsewhere<'a, 's: 'a>(
    in_the_way: impl Iterator<Item = &'a Obstacle<'s>>,
    content: &[Seen<'s>],
    facts: &Facts<'s>,
) -> Known<Vec<(Ref, String)>> {
    let known: HashSet<Ref> =
        in_the_way.flat_map(|obstacle| obstacle.gate.iter().chain(&obstacle.others)).map(Gate::reference).collect();
    let admission = Admission::read(facts)?;
    let others = admission.gates().filter(|gate| gate.fails_closed() && !known.contains(&gate.reference()));
    let others = others.filter(|gate| matches!(gate, Gate::Webhook { .. }));
    let others = flat_each(others, |gate| {
        let asked = |operation| gate.asked_about(content, |seen| kind(seen.resource, operation), facts);
        let (deleted, changed) = (asked(Operation::Delete), asked(Operation::Update)).all()?;
        Ok((!deleted.is_empty() || !changed.is_empty()).then_some(gate))
    })?;
    let mut dead: BTreeMap<Ref, String> = BTreeMap::new();
    for_each(others.into_iter().take(MAX_OTHERS), |gate| {
        let broken = gate.backend(facts)?.filter(|backend| backend.verdict == Verdict::Broken);
        let Some(backend) = broken else { return Ok(()) };
        let broken = backend.broken().map(Link::clause).unwrap_or_default();
        let asked = if gate.is_conditional() { "; its matchConditions decide when it is called" } else { "" };
        dead.entry(gate.reference())
            .or_insert_with(|| format!("webhook {} cannot be called: {broken}{asked}", gate.name()));
        Ok(())
    })?;
    Ok(dead.into_iter().collect())
}

/// Foresees the webhooks and policies that would refuse the deletion, or those that follow from it.
fn foresee(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let all = foreseen::asked_to_go(target, world)?;
    let admission = Admission::read(facts)?;
    let (tried, itself) = (trial_deletions(&all, &admission), itself(target, facts, out));
    let unanswered = tried.as_deref().map(foreseen::unanswered).unwrap_or_default();
    foreseen::without_backends(target, &all, &admission, &unanswered, world, facts, out)?;
    itself?;
    foreseen::add(&tried?, world, facts, out)
}

/// The server's answer to the deletion of the target: some namespaces can never be deleted
/// (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go`).
fn itself(target: &Target<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let object = target.reference();
    let refused = match foreseen::trial(target, facts)? {
        TrialDeletion::Passed => return Ok(()),
        TrialDeletion::Forbidden(why) => {
            out.consequence(object, format!("you may not delete it: {}", why.message));
            return Ok(());
        }
        TrialDeletion::Refused(refused) => refused,
    };
    // A webhook with side effects is not called in a dry run, which is refused for that reason.
    if refused.message.contains("does not support dry run") {
        facts.note_unknown(format!("whether {object} may be deleted"), refused.message.clone());
        return Ok(());
    }
    // Refusals by webhooks and policies are reported by name.
    if is_about_admission(&refused.message) {
        return Ok(());
    }
    let summary = format!("{object} cannot be deleted: the server refuses it: {}", refused.message);
    let draft = Draft::new(Cause::Admission, object.clone(), summary)
        .evidence(format!("a trial deletion (dry run) is refused: {}", refused.message), &object, "")
        .remedy(Remedy::manual("do not delete it, or delete its content instead", "nothing is lost"));
    out.hangs(draft);
    out.refused = true;
    Ok(())
}
