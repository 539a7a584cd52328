//! Finalizers that nobody could take off, because admission refuses the update.

use super::obstacle::{add, dead, named, no_answer, silent, with_backends};
use super::{Admission, Gate, GateKey, Obstacle, Operation, Proof, Words, kind, place_of, read};
use crate::diagnosis::facts::{Facts, Known, Unknown, is_pod};
use crate::diagnosis::target::{SETTLE, Target, is_late};
use crate::survey::{Probe, Probed, ResourceId, Seen};
use std::collections::HashMap;

/// So many dry runs are sent for one target.
const PROBES: usize = 10;

/// Objects of one kind that wait for one finalizer and of which the same are asked.
struct Group<'s> {
    finalizer: &'s str,
    asked: Vec<Gate<'s>>,
    objects: Vec<Seen<'s>>,
}

/// Who keeps the finalizers of what is being deleted here from being taken off.
///
/// # Errors
/// When something was not surveyed yet.
pub fn removals<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Obstacle<'s>>> {
    let held = held(target, facts)?;
    if held.is_empty() {
        return Ok(Vec::new());
    }
    let admission = Admission::read(facts)?;
    let groups = groups(&held, &admission, facts)?;
    let mut found = Vec::new();
    let mut waits = false;
    for group in groups.iter().take(PROBES) {
        match judge(group, &admission, facts) {
            Ok(obstacles) => obstacles.into_iter().for_each(|obstacle| add(&mut found, obstacle)),
            Err(Unknown::NotSurveyed) => waits = true,
            Err(unread) => return Err(unread),
        }
    }
    if waits {
        return Err(Unknown::NotSurveyed);
    }
    for obstacle in super::parts::of_definition(target, facts)? {
        add(&mut found, obstacle);
    }
    with_backends(&mut found, facts)?;
    Ok(found)
}

/// What is being deleted here, is late and has finalizers. A pod that still waits
/// for its kubelet has them taken off afterwards.
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

/// By what objects are of one group.
type Key<'s> = (&'s str, &'s ResourceId, Vec<GateKey<'s>>);

/// Groups what is held; what nobody is asked about is left out.
fn groups<'s>(held: &[Seen<'s>], admission: &Admission<'s>, facts: &Facts<'s>) -> Known<Vec<Group<'s>>> {
    let mut about: HashMap<&ResourceId, Vec<Gate<'s>>> = HashMap::new();
    let mut places: HashMap<Key<'s>, usize> = HashMap::new();
    let mut groups: Vec<Group<'s>> = Vec::new();
    for seen in held {
        let update = kind(seen.resource, Operation::Update);
        let gates = about.entry(&seen.resource.id).or_insert_with(|| admission.about(update, facts));
        if gates.is_empty() {
            continue;
        }
        let asked = Admission::asked(gates, update, seen.object, place_of(seen.object, facts)?, facts);
        for finalizer in seen.object.metadata.finalizers.iter().filter(|_| !asked.is_empty()) {
            let key = (finalizer.as_str(), &seen.resource.id, asked.iter().map(Gate::key).collect());
            let at = *places.entry(key).or_insert_with(|| {
                groups.push(Group { finalizer, asked: asked.clone(), objects: Vec::new() });
                groups.len() - 1
            });
            groups[at].objects.push(*seen);
        }
    }
    Ok(groups)
}

/// What a dry run with the first of a group says.
fn judge<'s>(group: &Group<'s>, admission: &Admission<'s>, facts: &Facts<'s>) -> Known<Vec<Obstacle<'s>>> {
    // The one that waits longest shows best what keeps it.
    let first = group.objects.iter().min_by_key(|seen| seen.object.metadata.deletion_timestamp).copied();
    let Some(first) = first else { return Ok(Vec::new()) };
    let mut hangs = Vec::new();
    let said = match facts.probe(first, Probe::RemoveFinalizer(group.finalizer.to_owned())) {
        Ok(Some(Probed::Refused(refused))) => Some(refused),
        Ok(Some(Probed::Passed) | None) => return Ok(Vec::new()),
        Err(Unknown::NotSurveyed) => return Err(Unknown::NotSurveyed),
        Err(Unknown::Unread { what, why }) => {
            facts.note_unread(what, &why);
            hangs = silent(&group.asked, &why);
            None
        }
    };
    let mut found: Vec<Obstacle<'s>> = Vec::new();
    let mut spoken_for: Vec<GateKey<'s>> = Vec::new();
    if let Some(refused) = said {
        for words in read(&refused.message) {
            let proof = Proof::Tried { object: first.into(), message: refused.message.clone() };
            let mut gates = named(&words, &group.asked, admission.gates());
            if gates.is_empty() && matches!(words, Words::Changed { .. }) {
                continue;
            }
            let gate = if gates.is_empty() { None } else { Some(gates.remove(0)) };
            spoken_for.extend(gate.map(|gate| gate.key()));
            found.push(Obstacle { others: gates, words: Some(words), proof, ..obstacle(group, gate) });
        }
    }
    // Behind the one that spoke others may be silent.
    let dead = dead(&group.asked, facts)?;
    if let (true, Some((first, others))) = (dead.is_empty(), hangs.split_first()) {
        found.push(Obstacle {
            others: others.to_vec(),
            words: Some(no_answer(first)),
            ..obstacle(group, Some(*first))
        });
    }
    for gate in dead {
        if !spoken_for.contains(&gate.key()) {
            found.push(obstacle(group, Some(gate)));
        }
    }
    Ok(found)
}

fn obstacle<'s>(group: &Group<'s>, gate: Option<Gate<'s>>) -> Obstacle<'s> {
    Obstacle {
        gate,
        others: Vec::new(),
        operation: Operation::Update,
        part: "",
        words: None,
        proof: Proof::Dead,
        backend: None,
        objects: group.objects.clone(),
        finalizers: vec![group.finalizer.to_owned()],
    }
}
