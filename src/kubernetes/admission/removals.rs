//! Finalizers that nobody can remove, because admission refuses the update.

use crate::facts::{Facts, Known, SETTLE, Target, is_late, is_pod};
use crate::kubernetes::admission::obstacle::{joined, with_backends};
use crate::kubernetes::admission::parts::of_definition;
use crate::kubernetes::admission::{Admission, Obstacle, Operation, trials};
use crate::kubernetes::control_plane::releases;
use crate::kubernetes::messages::admission::Words;
use crate::survey::Seen;

/// The webhooks and policies that prevent the removal of finalizers from objects of the target that
/// are being deleted.
pub fn removals<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Obstacle<'s>>> {
    let held = held(target, facts)?;
    if held.is_empty() {
        return Ok(Vec::new());
    }
    let admission = Admission::read(facts)?;
    let keys = |seen: Seen<'s>| seen.object.metadata.finalizers.iter().map(String::as_str).collect();
    let found = by_trial(&held, keys, &admission)?;
    with_backends(joined(found.into_iter().chain(of_definition(target, facts)?)), facts)
}

/// The webhooks and policies that refuse the removal of finalizers from `objects`, which are not
/// being deleted yet: found by dry runs, if their answer does not depend on the deletion.
pub fn trial_removals<'s>(objects: &[Seen<'s>], admission: &Admission<'_, 's>) -> Known<Vec<Obstacle<'s>>> {
    let keys = |seen: Seen<'s>| {
        let keys = seen.object.metadata.finalizers.iter().map(String::as_str);
        keys.filter(|key| !releases(key)).collect()
    };
    let refused = |obstacle: &Obstacle<'s>| {
        let said_no = matches!(obstacle.words, Some(Words::Denied { .. } | Words::Policy { .. }));
        said_no && !obstacle.gate.is_some_and(|gate| gate.names_the_deletion())
    };
    Ok(joined(by_trial(objects, keys, admission)?.into_iter().filter(refused)))
}

/// Tries by dry run the removal of the finalizers that `keys` returns for each object.
fn by_trial<'s>(
    objects: &[Seen<'s>],
    keys: impl Fn(Seen<'s>) -> Vec<&'s str>,
    admission: &Admission<'_, 's>,
) -> Known<Vec<Obstacle<'s>>> {
    let groups = trials::groups(objects, Operation::Update, keys, admission)?;
    trials::run(groups, "trial removal of the finalizers", admission)
}

/// The objects of the target that are being deleted, are late and have finalizers. A pod that still
/// waits for its kubelet is left out: its finalizers are removed afterwards.
fn held<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let late = |seen: &Seen<'_>| {
        let kubelets = is_pod(seen.resource) && seen.object.metadata.deletion_grace_period_seconds != Some(0);
        !seen.object.metadata.finalizers.is_empty() && !kubelets && is_late(seen.object, facts, SETTLE)
    };
    let mut held: Vec<Seen<'s>> = target.deleting(facts)?.into_iter().filter(late).collect();
    if target.is_namespace() && target.is_deleting() && late(&target.seen) {
        held.push(target.seen);
    }
    Ok(held)
}
