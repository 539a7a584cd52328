//! One finding per cause: merging, ordering and numbering.

use super::draft::Draft;
use super::facts::Facts;
use super::ownership;
use super::report::{Finding, Ref};
use crate::plan::Remedy;

/// Adds a draft, or joins it to the one of the same cause.
pub(super) fn into(drafts: &mut Vec<Draft>, draft: Draft) {
    match drafts.iter_mut().find(|other| same_cause(&other.finding, &draft.finding)) {
        Some(other) => join(other, draft),
        None => drafts.push(draft),
    }
}

/// Waiting for the same finalizer, or for the same thing, is one cause; where
/// neither is known, being the same thing.
fn same_cause(a: &Finding, b: &Finding) -> bool {
    if a.rule != b.rule || a.cause != b.cause || a.finalizer != b.finalizer || a.waits_for != b.waits_for {
        return false;
    }
    let named = a.finalizer.is_some() || a.waits_for.is_some();
    named || a.subject == b.subject
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
        into.finding.summary = format!("{count} objects wait for finalizer {finalizer}");
    }
    add_new(&mut into.finding.evidence, from.finding.evidence);
    for (remedy, more) in into.remedies.iter_mut().zip(from.remedies) {
        remedy.risk = remedy.risk.max(more.risk);
        add_new(&mut remedy.steps, more.steps);
        if let (Some(step), true) = (remedy.steps.first(), remedy.steps.len() > 1) {
            remedy.title = format!("{} and {} more, each asked for", step.title(), remedy.steps.len() - 1);
        }
    }
}

fn add_new<T: PartialEq>(into: &mut Vec<T>, from: Vec<T>) {
    for item in from {
        if !into.contains(&item) {
            into.push(item);
        }
    }
}

/// Roots before what goes away with them; otherwise in the order of the rules.
pub(super) fn roots_first(mut drafts: Vec<Draft>) -> Vec<Draft> {
    let place = |rule: &str| crate::rules::RULES.iter().position(|known| known.name == rule);
    drafts.sort_by_key(|draft| (!draft.finding.root, place(draft.finding.rule)));
    drafts
}

/// Gives findings and remedies their ids, and findings their owners.
pub(super) fn number(drafts: Vec<Draft>, facts: &Facts<'_>) -> (Vec<Finding>, Vec<Remedy>) {
    let (mut findings, mut remedies) = (Vec::new(), Vec::new());
    for (index, draft) in drafts.into_iter().enumerate() {
        let mut finding = draft.finding;
        finding.id = format!("f{}", index + 1);
        finding.owners = ownership::of(&finding.objects, facts);
        for mut remedy in draft.remedies {
            remedy.id = format!("r{}", remedies.len() + 1);
            finding.remedies.push(remedy.id.clone());
            remedies.push(remedy);
        }
        findings.push(finding);
    }
    (findings, remedies)
}

impl Finding {
    /// The objects besides the subject that are named on a screen: three at most.
    pub fn named_objects(&self) -> impl Iterator<Item = &Ref> {
        self.objects.iter().take(3)
    }
}
