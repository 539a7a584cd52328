//! Dry runs, as few as suffice: one for all objects of a kind that the same gates match, and a
//! bounded number in total.

use crate::facts::{Facts, Gap, Known, Readable, flat_each, for_each};
use crate::kubernetes::admission::changed::is_changed;
use crate::kubernetes::admission::obstacle::{
    dead, dead_of_any, is_said_of, named, no_answer, note_untold, perhaps, silent,
};
use crate::kubernetes::admission::{Admission, Gate, GateKey, Obstacle, Operation, Proof, kind};
use crate::kubernetes::messages::admission::{Words, read};
use crate::survey::{Probe, Probed, Refused, ResourceId, Seen};
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
    fn example(&self, facts: &Facts<'s>) -> Known<Option<Seen<'s>>> {
        let longest = self.objects.iter().min_by_key(|seen| seen.object.metadata.deletion_timestamp);
        let Some(longest) = longest.copied() else { return Ok(None) };
        let gates: Vec<GateKey<'s>> = self.asked.iter().map(Gate::key).collect();
        facts.example(&format!("{:?} {} {gates:?}", self.operation, self.finalizer), longest).map(Some)
    }

    /// Whether the removal of a finalizer is tried, and not a deletion.
    fn is_removal(&self) -> bool {
        !self.finalizer.is_empty()
    }

    fn probe(&self) -> Probe {
        if self.is_removal() { Probe::RemoveFinalizer(self.finalizer.to_owned()) } else { Probe::Delete }
    }

    /// Evaluates a dry run with one object of the group.
    fn judge(&self, admission: &Admission<'_, 's>) -> Known<Vec<Obstacle<'s>>> {
        let facts = admission.facts;
        let Some(first) = self.example(facts)? else { return Ok(Vec::new()) };
        let (mut found, mut hangs) = (Vec::new(), Vec::new());
        match facts.probe(first, self.probe()).surveyed()? {
            Ok(Some(Probed::PutBack)) if self.is_removal() => return Ok(self.put_back(first, admission)),
            Ok(Some(Probed::Passed | Probed::PutBack)) => return Ok(found),
            Ok(Some(Probed::Refused(refused))) => found = self.refused(first, refused, admission)?,
            Ok(None) if self.is_removal() => return Ok(found),
            // Objects that are not being deleted are not tried: only gates that do not answer can be found.
            Ok(None) => {}
            Err(Gap { what, why }) => {
                note_untold(what, &why, &perhaps(&self.asked, facts)?, facts);
                hangs = silent(&self.asked, &why);
            }
        }
        let spoken_for: Vec<GateKey<'s>> = found.iter().filter_map(|it| Some(it.gate?.key())).collect();
        found.extend(self.unheard(&hangs, &spoken_for, facts)?);
        Ok(found)
    }

    /// The gates that the server's refusal of the dry run names.
    fn refused(&self, first: Seen<'s>, refused: &Refused, admission: &Admission<'_, 's>) -> Known<Vec<Obstacle<'s>>> {
        let message = &refused.message;
        let mut said = read(message);
        if self.is_removal() && said.is_empty() && is_changed(first, message, &self.asked, admission.facts)? {
            said.push(Words::Changed { message: message.clone() });
        }
        let obstacle = |words: Words| {
            let mut gates = named(&words, &self.asked, admission.gates()).into_iter();
            let gate = gates.next();
            let changed = self.is_removal() && matches!(words, Words::Changed { .. });
            let is_asked = |gate: &Gate<'s>| self.asked.iter().any(|asked| asked.key() == gate.key());
            let is_heard = gate.is_some_and(|gate| is_asked(&gate) && is_said_of(message, first, &gate));
            (gate.is_some() || !changed).then(|| Obstacle {
                heard: changed || is_heard,
                others: if self.is_removal() { gates.collect() } else { Vec::new() },
                words: Some(words),
                proof: Proof::Tried { object: first.into(), message: message.clone() },
                ..self.obstacle(gate)
            })
        };
        Ok(said.into_iter().filter_map(obstacle).collect())
    }

    /// The mutating webhooks and policies that may have put the finalizer back. No gate is needed if
    /// the object had the finalizer twice, which the API server permits: it still has it once.
    fn put_back(&self, first: Seen<'s>, admission: &Admission<'_, 's>) -> Vec<Obstacle<'s>> {
        if first.object.metadata.finalizers.iter().filter(|key| *key == self.finalizer).count() > 1 {
            return Vec::new();
        }
        let (words, proof) = (Words::PutBack, Proof::Tried { object: first.into(), message: String::new() });
        let mut gates = named(&words, &self.asked, admission.gates()).into_iter();
        let of_first = self.obstacle(gates.next());
        vec![Obstacle { heard: true, others: gates.collect(), words: Some(words), proof, ..of_first }]
    }

    /// The gates that do not answer: those whose backend does not answer, without those in
    /// `spoken_for`; or, if no backend is dead, those in `hangs`, among which one has kept the server
    /// waiting.
    fn unheard(&self, hangs: &[Gate<'s>], spoken_for: &[GateKey<'s>], facts: &Facts<'s>) -> Known<Vec<Obstacle<'s>>> {
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
    admission: &Admission<'_, 's>,
) -> Known<Vec<TrialGroup<'s>>> {
    let mut about: HashMap<&ResourceId, Vec<Gate<'s>>> = HashMap::new();
    let mut groups: IndexMap<TrialKey<'s>, TrialGroup<'s>> = IndexMap::new();
    for_each(objects, |seen| {
        let asking = kind(seen.resource, operation);
        let gates = about.entry(&seen.resource.id).or_insert_with(|| admission.about(asking));
        let asked = admission.asked_among(gates, asking, seen.object)?;
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
    admission: &Admission<'_, 's>,
) -> Known<Vec<Obstacle<'s>>> {
    let facts = admission.facts;
    if groups.len() > MAX_PROBES {
        let dead = dead_of_any(groups.iter().map(|group| &group.asked[..]), facts)?;
        groups.sort_by_key(|group| !group.asked.iter().any(|gate| dead.contains(&gate.key())));
    }
    let (tried, untried) = groups.split_at(groups.len().min(MAX_PROBES));
    let mut found = flat_each(tried, |group| group.judge(admission))?;
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
