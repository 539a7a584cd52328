//! Finalizers that nobody can remove, because admission refuses the update.

use crate::facts::{Facts, Gap, Known, Readable, SETTLE, Target, is_late, is_pod};
use crate::kubernetes::admission::obstacle::{joined, named, note_untold, perhaps, silent, with_backends};
use crate::kubernetes::admission::parts::of_definition;
use crate::kubernetes::admission::trials::TrialGroup;
use crate::kubernetes::admission::{
    Admission, Gate, GateKey, INVALID, Obstacle, Operation, Proof, is_about_a_change, kind, place_of, trials,
};
use crate::kubernetes::control_plane::releases;
use crate::kubernetes::definitions::Definition;
use crate::kubernetes::messages::admission::{Words, read};
use crate::kubernetes::namespaces::is_older_than;
use crate::survey::{Object, Probe, Probed, Seen};

/// The webhooks and policies that prevent the removal of finalizers from objects of the target that
/// are being deleted.
pub fn removals<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Obstacle<'s>>> {
    let held = held(target, facts)?;
    if held.is_empty() {
        return Ok(Vec::new());
    }
    let admission = Admission::read(facts)?;
    let keys = |seen: Seen<'s>| seen.object.metadata.finalizers.iter().map(String::as_str).collect();
    let found = by_trial(&held, keys, &admission, facts)?;
    with_backends(joined(found.into_iter().chain(of_definition(target, facts)?)), facts)
}

/// The webhooks and policies that refuse the removal of finalizers from `objects`, which are not
/// being deleted yet: found by dry runs, if their answer does not depend on the deletion.
pub fn trial_removals<'s>(
    objects: &[Seen<'s>],
    admission: &Admission<'s>,
    facts: &Facts<'s>,
) -> Known<Vec<Obstacle<'s>>> {
    let keys = |seen: Seen<'s>| {
        let keys = seen.object.metadata.finalizers.iter().map(String::as_str);
        keys.filter(|key| !releases(key)).collect()
    };
    let refused = |obstacle: &Obstacle<'s>| {
        let said_no = matches!(obstacle.words, Some(Words::Denied { .. } | Words::Policy { .. }));
        said_no && !obstacle.gate.is_some_and(|gate| gate.names_the_deletion())
    };
    Ok(joined(by_trial(objects, keys, admission, facts)?.into_iter().filter(refused)))
}

/// Tries by dry run the removal of the finalizers that `keys` returns for each object.
fn by_trial<'s>(
    objects: &[Seen<'s>],
    keys: impl Fn(Seen<'s>) -> Vec<&'s str>,
    admission: &Admission<'s>,
    facts: &Facts<'s>,
) -> Known<Vec<Obstacle<'s>>> {
    let groups = trials::groups(objects, Operation::Update, keys, admission, facts)?;
    trials::run(groups, "trial removal of the finalizers", |group| judge(group, admission, facts), facts)
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

/// Evaluates a dry run with one object of a group.
fn judge<'s>(group: &TrialGroup<'s>, admission: &Admission<'s>, facts: &Facts<'s>) -> Known<Vec<Obstacle<'s>>> {
    let Some(first) = group.example() else { return Ok(Vec::new()) };
    let mut hangs = Vec::new();
    let said = match facts.probe(first, Probe::RemoveFinalizer(group.finalizer.to_owned())).surveyed()? {
        Ok(Some(Probed::Refused(refused))) => Some(refused),
        Ok(Some(Probed::PutBack)) => return Ok(put_back(group, first, admission)),
        Ok(Some(Probed::Passed) | None) => return Ok(Vec::new()),
        Err(Gap { what, why }) => {
            note_untold(what, &why, &perhaps(&group.asked, facts)?, facts);
            hangs = silent(&group.asked, &why);
            None
        }
    };
    let mut found: Vec<Obstacle<'s>> = Vec::new();
    let mut spoken_for: Vec<GateKey<'s>> = Vec::new();
    if let Some(refused) = said {
        let mut words = read(&refused.message);
        if words.is_empty() && is_changed(first, &refused.message, &group.asked, facts)? {
            words.push(Words::Changed { message: refused.message.clone() });
        }
        for words in words {
            let proof = Proof::Tried { object: first.into(), message: refused.message.clone() };
            let mut gates = named(&words, &group.asked, admission.gates()).into_iter();
            let gate = gates.next();
            let changed = matches!(words, Words::Changed { .. });
            if changed && gate.is_none() {
                continue;
            }
            spoken_for.extend(gate.map(|gate| gate.key()));
            found.push(Obstacle {
                heard: changed || gate.is_some_and(|gate| group.hears(&refused.message, first, gate)),
                others: gates.collect(),
                words: Some(words),
                proof,
                ..group.obstacle(gate)
            });
        }
    }
    found.extend(group.unheard(&hangs, &spoken_for, facts)?);
    Ok(found)
}

/// The mutating webhooks and policies that may have put the finalizer back. No gate is needed if
/// the object had the finalizer twice, which the API server permits: it still has it once.
fn put_back<'s>(group: &TrialGroup<'s>, first: Seen<'s>, admission: &Admission<'s>) -> Vec<Obstacle<'s>> {
    if first.object.metadata.finalizers.iter().filter(|key| *key == group.finalizer).count() > 1 {
        return Vec::new();
    }
    let mut gates = named(&Words::PutBack, &group.asked, admission.gates()).into_iter();
    let gate = gates.next();
    let proof = Proof::Tried { object: first.into(), message: String::new() };
    vec![Obstacle { heard: true, others: gates.collect(), words: Some(Words::PutBack), proof, ..group.obstacle(gate) }]
}

/// Whether the server's answer that an object is invalid without one of its finalizers is about a
/// change by a gate, and not about the object itself.
pub fn is_changed_on_the_way(seen: Seen<'_>, message: &str, facts: &Facts<'_>) -> Known<bool> {
    if !message.contains(INVALID) {
        return Ok(false);
    }
    let admission = Admission::read(facts)?;
    let update = kind(seen.resource, Operation::Update);
    let gates = admission.about(update, facts);
    let asked = Admission::asked(&gates, update, seen.object, place_of(seen.object, facts)?, facts);
    is_changed(seen, message, &asked, facts)
}

/// Like [`is_changed_on_the_way`], with the gates that match. An object that was valid once still
/// is, unless the definition of its kind has changed: then any message that is not about a change
/// is about the object.
fn is_changed(seen: Seen<'_>, message: &str, asked: &[Gate<'_>], facts: &Facts<'_>) -> Known<bool> {
    if !message.contains(INVALID) || !asked.iter().any(Gate::mutates) {
        return Ok(false);
    }
    if is_about_a_change(message) {
        return Ok(true);
    }
    Ok(match Definition::metadata_of(seen.resource, facts).if_readable()? {
        Some(Some(definition)) => {
            definition_changes(definition.object) == Some(0) && !is_older_than(seen.object, definition.object)
        }
        Some(None) => true,
        None => false,
    })
}

/// How often a definition was changed; the request for its deletion is not counted
/// (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go`).
#[must_use]
pub fn definition_changes(definition: &Object) -> Option<i64> {
    Some(definition.metadata.generation? - 1 - i64::from(definition.is_deleting()))
}
