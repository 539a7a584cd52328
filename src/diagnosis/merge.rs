//! One finding per cause: merging, ordering and numbering.

use crate::facts::Facts;
use crate::kubernetes::garbage_collection;
use crate::needs::Draft;
use crate::report::{Cause, Finding, Ref, Remedy, Step};
use crate::rules::RULES;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// Findings, one for each cause, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Merged {
    drafts: Vec<Draft>,
    places: HashMap<CauseKey, usize>,
}

/// Waiting for the same finalizer, or for the same thing, is one cause; where
/// neither is known, being the same thing.
type CauseKey = (&'static str, Cause, Option<String>, Option<Ref>, Option<Ref>);

impl Merged {
    /// Adds a draft, or joins it to the one of the same cause.
    pub(super) fn add(&mut self, draft: Draft) {
        match self.places.entry(key(&draft.finding)) {
            Entry::Occupied(place) => join(&mut self.drafts[*place.get()], draft),
            Entry::Vacant(place) => {
                place.insert(self.drafts.len());
                self.drafts.push(draft);
            }
        }
    }

    /// All of them.
    pub(super) fn into_drafts(self) -> Vec<Draft> {
        self.drafts
    }
}

fn key(finding: &Finding) -> CauseKey {
    let Finding { rule, cause, finalizer, waits_for, .. } = finding;
    let alone = (finalizer.is_none() && waits_for.is_none()).then(|| finding.subject.clone());
    (rule, *cause, finalizer.clone(), waits_for.clone(), alone)
}

fn join(into: &mut Draft, from: Draft) {
    add_new(&mut into.finding.blocks, from.finding.blocks);
    let known = into.finding.objects.len();
    add_new(&mut into.finding.objects, from.finding.objects);
    if into.finding.objects.len() == known {
        return;
    }
    let count = into.finding.objects.len();
    if let Some(finalizer) = &into.finding.finalizer {
        let because = into.finding.summary.split_once(finalizer.as_str()).map_or("", |(_, because)| because);
        // Of what is only foreseen it stays so.
        let verb = ["would wait", "may wait"].into_iter().find(|verb| into.finding.summary.contains(verb));
        let verb = verb.unwrap_or("wait");
        into.finding.summary = format!("{count} objects {verb} for finalizer {finalizer}{because}");
    }
    add_new(&mut into.finding.evidence, from.finding.evidence);
    for remedy in from.remedies {
        join_remedy(&mut into.remedies, remedy);
    }
}

/// Adds the steps of the same kind, and a remedy that was not there before its
/// harsher ones. What it may cost is what the worse of both costs.
fn join_remedy(into: &mut Vec<Remedy>, from: Remedy) {
    let kind = |remedy: &Remedy| remedy.steps.first().map(|step| step.kind);
    let same =
        |remedy: &&mut Remedy| kind(remedy) == kind(&from) && (kind(&from).is_some() || remedy.title == from.title);
    let Some(remedy) = into.iter_mut().find(same) else {
        let place = into.iter().position(|remedy| remedy.risk > from.risk).unwrap_or(into.len());
        return into.insert(place, from);
    };
    if from.risk > remedy.risk {
        (remedy.risk, remedy.consequence) = (from.risk, from.consequence);
    }
    let known: HashSet<Step> = remedy.steps.iter().cloned().collect();
    remedy.steps.extend(from.steps.into_iter().filter(|step| !known.contains(step)));
    if let (Some(step), more @ 2..) = (remedy.steps.first(), remedy.steps.len()) {
        remedy.title = format!("{} and {} more", step.title(), more - 1);
    }
}

fn add_new<T: Clone + Eq + Hash>(into: &mut Vec<T>, from: Vec<T>) {
    let known: HashSet<T> = into.iter().cloned().collect();
    into.extend(from.into_iter().filter(|item| !known.contains(item)));
}

/// Roots before what goes away with them; otherwise in the order of the rules.
pub(super) fn roots_first(mut drafts: Vec<Draft>) -> Vec<Draft> {
    let place = |rule: &str| RULES.iter().position(|known| known.name == rule);
    drafts.sort_by_key(|draft| (!draft.finding.root, place(draft.finding.rule)));
    drafts
}

/// Adds a remedy, unless another finding has brought the same steps: what mends
/// both is offered once, at what the worse of both may cost. Gives its id.
fn offer_once(remedies: &mut Vec<Remedy>, mut remedy: Remedy) -> String {
    let same = |other: &&mut Remedy| !remedy.steps.is_empty() && other.steps == remedy.steps;
    if let Some(other) = remedies.iter_mut().find(same) {
        if remedy.risk > other.risk {
            other.risk = remedy.risk;
        }
        if !other.consequence.contains(&remedy.consequence) {
            other.consequence = format!("{}; {}", other.consequence, remedy.consequence);
        }
        return other.id.clone();
    }
    remedy.id = format!("r{}", remedies.len() + 1);
    remedies.push(remedy);
    remedies[remedies.len() - 1].id.clone()
}

/// Gives findings and remedies their ids, and findings their owners.
pub(super) fn number(drafts: Vec<Draft>, facts: &Facts<'_>) -> (Vec<Finding>, Vec<Remedy>) {
    let (mut findings, mut remedies) = (Vec::new(), Vec::new());
    for (index, draft) in drafts.into_iter().enumerate() {
        let mut finding = draft.finding;
        finding.id = format!("f{}", index + 1);
        finding.owners = garbage_collection::of(&finding.objects, facts);
        for remedy in draft.remedies {
            finding.remedies.push(offer_once(&mut remedies, remedy));
        }
        findings.push(finding);
    }
    (findings, remedies)
}
