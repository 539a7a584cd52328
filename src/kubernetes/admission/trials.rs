//! Dry runs, as few as suffice: one for all objects of a kind that the same gates match, and a
//! bounded number in total.

use crate::facts::{Facts, Known, flat_each, for_each};
use crate::kubernetes::admission::obstacle::{Obstacle, dead, dead_of_any, is_said_of, no_answer};
use crate::kubernetes::admission::{Admission, Gate, GateKey, Operation, kind, place_of};
use crate::survey::{ResourceId, Seen};
use indexmap::IndexMap;
use std::collections::{BTreeSet, HashMap};

/// How many dry runs are sent for one target and one kind of request.
pub(crate) const MAX_PROBES: usize = 20;

/// Objects of one kind that the same gates match.
pub(crate) struct TrialGroup<'s> {
    /// The finalizer that all of them wait for; empty if the dry run is a deletion.
    pub(crate) finalizer: &'s str,
    /// The operation that is tried.
    pub(crate) operation: Operation,
    /// The gates that match.
    pub(crate) asked: Vec<Gate<'s>>,
    /// The objects.
    pub(crate) objects: Vec<Seen<'s>>,
}

impl<'s> TrialGroup<'s> {
    /// The obstacle that `gate` is for these objects, before its answer is known.
    pub(crate) fn obstacle(&self, gate: Option<Gate<'s>>) -> Obstacle<'s> {
        let finalizer = Some(self.finalizer).filter(|key| !key.is_empty());
        let finalizers = finalizer.into_iter().map(str::to_owned).collect();
        Obstacle { finalizers, ..Obstacle::new(gate, self.operation, self.objects.clone()) }
    }

    /// The object to try: the one that has waited longest is the best example.
    pub(crate) fn example(&self) -> Option<Seen<'s>> {
        self.objects.iter().min_by_key(|seen| seen.object.metadata.deletion_timestamp).copied()
    }

    /// Whether the server's answer to a request for `seen` names `gate`, which matches it.
    pub(crate) fn hears(&self, message: &str, seen: Seen<'_>, gate: Gate<'s>) -> bool {
        self.asked.iter().any(|asked| asked.key() == gate.key()) && is_said_of(message, seen, &gate)
    }

    /// The gates that do not answer: those whose backend does not answer, without those in
    /// `spoken_for`; or, if no backend is dead, those in `hangs`, among which one has kept the server
    /// waiting.
    pub(crate) fn unheard(
        &self,
        hangs: &[Gate<'s>],
        spoken_for: &[GateKey<'s>],
        facts: &Facts<'s>,
    ) -> Known<Vec<Obstacle<'s>>> {
        let dead = dead(&self.asked, facts)?;
        if let (true, Some((first, others))) = (dead.is_empty(), hangs.split_first()) {
            let one = self.obstacle(Some(*first));
            return Ok(vec![Obstacle { others: others.to_vec(), words: Some(no_answer(first)), ..one }]);
        }
        let unheard = dead.into_iter().filter(|gate| !spoken_for.contains(&gate.key()));
        Ok(unheard.map(|gate| self.obstacle(Some(gate))).collect())
    }
}

/// Objects with equal keys are in one group.
type TrialKey<'s> = (&'s str, &'s ResourceId, Vec<GateKey<'s>>);

/// Groups `objects`, each by every finalizer that `finalizers` returns. Objects that no gate
/// matches are left out.
pub(crate) fn groups<'s>(
    objects: &[Seen<'s>],
    operation: Operation,
    finalizers: impl Fn(Seen<'s>) -> Vec<&'s str>,
    admission: &Admission<'s>,
    facts: &Facts<'s>,
) -> Known<Vec<TrialGroup<'s>>> {
    let mut about: HashMap<&ResourceId, Vec<Gate<'s>>> = HashMap::new();
    let mut groups: IndexMap<TrialKey<'s>, TrialGroup<'s>> = IndexMap::new();
    for_each(objects, |seen| {
        let asking = kind(seen.resource, operation);
        let gates = about.entry(&seen.resource.id).or_insert_with(|| admission.about(asking, facts));
        if gates.is_empty() {
            return Ok(());
        }
        let asked = Admission::asked(gates, asking, seen.object, place_of(seen.object, facts)?, facts);
        if asked.is_empty() {
            return Ok(());
        }
        for finalizer in finalizers(*seen) {
            let key = (finalizer, &seen.resource.id, asked.iter().map(Gate::key).collect());
            let new = || TrialGroup { finalizer, operation, asked: asked.clone(), objects: Vec::new() };
            groups.entry(key).or_insert_with(new).objects.push(*seen);
        }
        Ok(())
    })?;
    Ok(groups.into_values().collect())
}

/// Judges the first groups, those behind a dead webhook before the others. For the rest,
/// returns the dead webhooks, and notes that `what` was not tried.
pub(crate) fn run<'s>(
    mut groups: Vec<TrialGroup<'s>>,
    what: &str,
    judge: impl Fn(&TrialGroup<'s>) -> Known<Vec<Obstacle<'s>>>,
    facts: &Facts<'s>,
) -> Known<Vec<Obstacle<'s>>> {
    if groups.len() > MAX_PROBES {
        let dead = dead_of_any(groups.iter().map(|group| &group.asked[..]), facts)?;
        groups.sort_by_key(|group| !group.asked.iter().any(|gate| dead.contains(&gate.key())));
    }
    let (tried, untried) = groups.split_at(groups.len().min(MAX_PROBES));
    let mut found = flat_each(tried, judge)?;
    found.extend(flat_each(untried, |group| {
        Ok(dead(&group.asked, facts)?.into_iter().map(|gate| group.obstacle(Some(gate))).collect::<Vec<_>>())
    })?);
    note_untried(untried, what, facts);
    Ok(found)
}

/// Notes the groups that were not tried.
fn note_untried(untried: &[TrialGroup<'_>], what: &str, facts: &Facts<'_>) {
    if untried.is_empty() {
        return;
    }
    let kinds: BTreeSet<String> =
        untried.iter().filter_map(|group| Some(group.objects.first()?.resource.id.short())).collect();
    let kinds: Vec<String> = kinds.into_iter().collect();
    facts.note_unknown(
        format!("{what} of {}", kinds.join(", ")),
        format!("not tried: at most {MAX_PROBES} dry runs are sent"),
    );
}
