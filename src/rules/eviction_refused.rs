//! A node is drained before it is deleted, and a `PodDisruptionBudget` refuses the eviction of a pod
//! on it (kubernetes/kubernetes: `pkg/registry/core/pod/storage/eviction.go`).

use crate::facts::{All, Facts, Known, Target, each, for_each};
use crate::findings::drains::{hooked, of_drain, still_there, unused, unwilling};
use crate::kubernetes::eviction::{self, Drain, EvictionRefusal, count_of, hooks, hooks_of, left, refusals};
use crate::kubernetes::kubelet::pods::pods_in_words;
use crate::needs::{Draft, Explains, Findings, Outlook, Rule, World};
use crate::plan::{in_namespace, one};
use crate::reasons::drains::{drains, foreseen};
use crate::report::{Cause, Ref, Remedy, Sentence};
use crate::survey::Seen;

pub(super) const RULE: Rule = Rule::new(
    "eviction-refused",
    include_str!("eviction_refused.md"),
    &[Explains::Deleted(diagnose), Explains::Foreseen(foresee)],
);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let (drains, hooks) = (drains(target, facts), hooks(target, facts)).all()?;
    found.add_all(each(&hooks, |hook| hooked(hook, facts))?);
    for_each(drains, |drain| {
        let (refusals, left) = (refusals(&drain, facts), left(&drain, facts)).all()?;
        for refusal in refusals {
            found.add(draft(&drain, &refusal));
        }
        let drafts = still_there(&drain, &left, facts, found);
        found.add_all(drafts);
        Ok(())
    })
}

/// Foresees obstacles to the drain of a node that is deleted, or whose machine is.
fn foresee(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    let further = world.further()?.iter().map(|further| further.seen);
    let all: Vec<Seen<'_>> = std::iter::once(target.seen).chain(further).collect();
    let (drains, hooks) = (foreseen(&all, facts), hooks_of(all.clone(), facts)).all()?;
    let held = hooks.iter().filter(|hook| !hook.held.object.metadata.finalizers.is_empty());
    for draft in each(held, |hook| hooked(hook, facts))? {
        out.hangs(draft.likely());
    }
    for_each(drains, |drain| {
        let read = (refusals(&drain, facts), left(&drain, facts), eviction::unused(&drain, facts)).all()?;
        let (refusals, left, attachments) = read;
        let would_stay = refusals.iter().map(|refusal| would_stay(&drain, refusal));
        let further = unwilling(&drain, &left).into_iter().chain(unused(&drain, &attachments));
        for draft in would_stay.chain(further.map(|draft| of_drain(draft, &drain))) {
            let draft = draft.without("spec.taints").without("status").likely();
            out.hangs(draft.evidence("represents the node, which is drained first", &drain.held.into(), "status"));
        }
        Ok(())
    })
}

/// The finding for a node that is not being drained yet.
fn would_stay(drain: &Drain<'_>, refusal: &EvictionRefusal<'_>) -> Draft {
    let refs: Vec<Ref> = refusal.pods.iter().map(|pod| (*pod).into()).collect();
    let budget = Ref::from(refusal.budgets[0]);
    let why = match refusal.budgets.len() {
        1 => Sentence::from(&budget).then(" allows no eviction"),
        count => format!("{count} PodDisruptionBudgets cover the same pod, so the API does not evict it").into(),
    };
    let summary =
        Sentence::from(format!("{} could not be evicted from node {}: ", pods_in_words(&refs), drain.named.name));
    draft(drain, refusal).says(summary.then(why))
}

fn draft(drain: &Drain<'_>, refusal: &EvictionRefusal<'_>) -> Draft {
    let refs: Vec<Ref> = refusal.pods.iter().map(|pod| (*pod).into()).collect();
    let budget = Ref::from(refusal.budgets[0]);
    let held = Ref::from(drain.held);
    let several = refusal.budgets.len() > 1;
    let why = if several {
        format!("{} PodDisruptionBudgets cover the same pod, so the API does not evict it", refusal.budgets.len())
    } else {
        format!("{budget} allows no eviction")
    };
    let summary = format!("{} cannot be evicted from node {}: {why}", pods_in_words(&refs), drain.named.name);
    let mut draft = Draft::new(Cause::Eviction, refs[0].clone(), summary)
        .waits_for(budget.clone())
        .evidence(format!("runs on node {}", drain.named.name), &refs[0], "spec.nodeName")
        .in_summary()
        .evidence("takes no new pods: it is being drained", &drain.named, "spec.taints");
    if held != drain.named {
        draft = draft.evidence("is being deleted and represents the node", &held, "status");
    }
    for budget in refusal.budgets.iter().take(3) {
        let count = |field| count_of(budget.object, field);
        draft = draft.evidence(
            format!(
                "{} of {} pods are healthy, {} must be: {} may be evicted",
                count("currentHealthy"),
                count("expectedPods"),
                count("desiredHealthy"),
                count("disruptionsAllowed")
            ),
            &(*budget).into(),
            "status.disruptionsAllowed",
        );
    }
    remedies(of_drain(draft, drain), &refs[0], &budget, several).objects(refs)
}

fn remedies(draft: Draft, pod: &Ref, budget: &Ref, several: bool) -> Draft {
    let (namespace, name) = (in_namespace(pod), one("pdb", &budget.name));
    let draft = if several {
        draft.remedy(Remedy::command(
            "keep one PodDisruptionBudget for each pod",
            format_args!("kubectl get pdb{namespace}"),
            "the other budget no longer protects its pods",
        ))
    } else {
        draft.remedy(Remedy::command(
            format!("make more of its pods Ready, or add one replica, until {budget} allows an eviction"),
            format_args!("kubectl describe {name}{namespace}"),
            "nothing is lost: the drain continues by itself",
        ))
    };
    draft.remedy(Remedy::command(
        "delete the pod, if a short downtime is acceptable",
        format_args!("kubectl delete {}{namespace}", one("pod", &pod.name)),
        "a deletion ignores the budget: fewer pods run than it requires until another one has started",
    ))
}
