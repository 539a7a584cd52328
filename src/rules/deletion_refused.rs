//! The deletion of objects is refused by admission: of what is left in a terminating
//! namespace, of pods that their kubelet or the pod garbage collector deletes in the
//! end, and of dependents that the garbage collector deletes.

use super::Rule;
use super::support::admission::draft;
use crate::diagnosis::admission::{Admission, Gate, Obstacle, deletions, removals};
use crate::diagnosis::backend::{Backend, Verdict};
use crate::diagnosis::{Draft, Facts, Findings, Known, Ref, Target};
use std::collections::{BTreeMap, HashSet};

pub(super) const RULE: Rule =
    Rule { name: "deletion-refused", explanation: include_str!("deletion_refused.md"), diagnose };

/// So many webhooks that have no part in it are looked at.
const OTHERS: usize = 10;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let deletions = deletions(target, facts)?;
    let drafts: Vec<Known<Draft>> = deletions.obstacles.iter().map(|obstacle| draft(obstacle, facts)).collect();
    for draft in drafts {
        found.add(draft?);
    }
    if target.namespace_being_emptied().is_some() && target.is_settled(facts) {
        let removals = removals(target, facts)?;
        for (object, why) in elsewhere(deletions.obstacles.iter().chain(&removals), facts)? {
            found.also_broken(object, why);
        }
    }
    Ok(())
}

/// Fail-closed webhooks that nobody answers for, and that are not in the way here.
fn elsewhere<'a, 's: 'a>(
    in_the_way: impl Iterator<Item = &'a Obstacle<'s>>,
    facts: &Facts<'s>,
) -> Known<Vec<(Ref, String)>> {
    let known: HashSet<Ref> =
        in_the_way.flat_map(|obstacle| obstacle.gate.iter().chain(&obstacle.others)).map(Gate::reference).collect();
    let admission = Admission::read(facts)?;
    let others = admission.gates().filter(|gate| gate.fails_closed() && !known.contains(&gate.reference()));
    let judged: Vec<(Gate<'s>, Known<Option<Backend<'s>>>)> = others
        .filter(|gate| matches!(gate, Gate::Webhook { .. }))
        .take(OTHERS)
        .map(|gate| (gate, gate.backend(facts)))
        .collect();
    let mut dead: BTreeMap<Ref, String> = BTreeMap::new();
    for (gate, backend) in judged {
        let Some(backend) = backend?.filter(|backend| backend.verdict == Verdict::Broken) else { continue };
        let broken = backend.broken().map(|link| format!("{} {}", link.object, link.text)).unwrap_or_default();
        let asked = if gate.is_conditional() { "; its matchConditions decide when it is asked" } else { "" };
        dead.entry(gate.reference())
            .or_insert_with(|| format!("webhook {} cannot be asked: {broken}{asked}", gate.name()));
    }
    Ok(dead.into_iter().collect())
}
