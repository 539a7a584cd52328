//! An owner in foreground deletion waits for a dependent that the garbage collector cannot judge,
//! because another owner is of a kind that the server does not serve: usually its CRD was deleted.
//! The collector retries again and again, without any event (kubernetes/kubernetes:
//! `pkg/controller/garbagecollector/garbagecollector.go`, `restMappingError`).

use crate::facts::{Dependent, Facts, Known, Target, for_each};
use crate::findings::owner_references::drop_reference_step;
use crate::kubernetes::garbage_collection::{Hindrance, hindered, served_as, waiting};
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::steps::drop_garbage_collector_finalizer as drop_finalizer;
use crate::plan::{self, full_name};
use crate::report::{Cause, Named, Ref, Remedy, Risk, objects_in_words};
use crate::survey::{FOREGROUND, Object};
use std::collections::BTreeMap;

pub(super) const RULE: Rule =
    Rule::new("garbage-collector-blind", include_str!("garbage_collector_blind.md"), &[Explains::Deleted(diagnose)]);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let mut kinds: BTreeMap<(String, String), Vec<StoppedAt<'_>>> = BTreeMap::new();
    for_each(&waiting(target, facts)?, |owner| {
        for (dependent, why) in hindered(owner, facts)? {
            if let Hindrance::UnknownKind(kind) = why {
                let of_kind = kinds.entry((kind.api_version.clone(), kind.kind.clone())).or_default();
                of_kind.push(StoppedAt {
                    owner: owner.owner.into(),
                    object: owner.owner.object,
                    dependent,
                    named: kind,
                });
            }
        }
        Ok(())
    })?;
    found.add_all(kinds.values().map(|held| draft(held, facts)));
    Ok(())
}

/// An owner, one of its dependents, and the reference at which the collector stops.
struct StoppedAt<'s> {
    owner: Ref,
    object: &'s Object,
    dependent: Dependent<'s>,
    named: Ref,
}

fn draft(held: &[StoppedAt<'_>], facts: &Facts<'_>) -> Draft {
    let first = &held[0];
    let dependent = Ref::from(first.dependent.seen);
    let mut owners: Vec<Ref> = held.iter().map(|held| held.owner.clone()).collect();
    owners.dedup();
    let verb = if owners.len() == 1 { "waits" } else { "wait" };
    let Named { api_version, kind, name, .. } = &*first.named;
    let served_as = served_as(&first.named, facts);
    let what = match &served_as {
        Some(other) => format!("its owner {kind} {name} is named in {api_version}, which is not served ({other} is)"),
        None => format!("it has an owner of kind {kind}, which is not served"),
    };
    let summary = format!(
        "{} {verb} for {dependent}, which the garbage collector cannot handle: {what}",
        objects_in_words(&owners)
    );
    let mut draft = Draft::new(Cause::GarbageCollector, owners[0].clone(), summary)
        .finalizer(FOREGROUND)
        .waits_for(dependent.clone())
        .evidence(format!("names {kind} {name} of {api_version} as an owner"), &dependent, "metadata.ownerReferences")
        .evidence("is not being deleted yet", &dependent, "metadata.deletionTimestamp")
        .remark(format!("the server serves no kind {kind} in {api_version}"));
    if facts.discovery().stale.contains(api_version) {
        draft = draft.likely().remark("the server could not list that version just now; it may come back");
    }
    draft = draft.remedy(match &served_as {
        Some(other) => Remedy::command(
            format!("change its reference to name {kind} in {other}"),
            rename_version(first, other),
            "nothing is lost: the garbage collector then finds the owner and handles the dependent",
        ),
        None => Remedy::manual(
            format!("bring kind {kind} back"),
            "nothing is lost: the garbage collector then handles the dependent",
        ),
    });
    if !drop_finalizer::would_do_nothing(&first.owner, first.object) {
        // With the version that is served, it can be deleted with its owner.
        let risk = if served_as.is_some() { Risk::Leaks } else { Risk::Harmless };
        let mut remedy = Remedy::new(
            drop_finalizer::step(&first.owner, FOREGROUND),
            risk,
            format!(
                "{dependent} stays: the garbage collector does not delete it while it names an owner {}",
                if served_as.is_some() { format!("in {api_version}") } else { format!("of kind {kind}") }
            ),
        );
        remedy.steps.extend(owners[1..].iter().map(|owner| drop_finalizer::step(owner, FOREGROUND)));
        draft = draft.remedy(remedy);
    }
    // If the version may come back, or if the kind is served in another version, the owner may still exist.
    if !facts.discovery().stale.contains(api_version)
        && served_as.is_none()
        && let Some(remedy) = cut(held)
    {
        draft = draft.remedy(remedy);
    }
    draft.objects(owners)
}

/// The command that sets the served version of the owner's kind in a dependent's reference.
fn rename_version(stopped: &StoppedAt<'_>, version: &str) -> String {
    let dependent = Ref::from(stopped.dependent.seen);
    let references = &stopped.dependent.seen.object.metadata.owner_references;
    let place = references.iter().position(|reference| reference.uid == stopped.named.uid).unwrap_or_default();
    let entry = format!("/metadata/ownerReferences/{place}");
    let patch = serde_json::json!([
        {"op": "test", "path": format!("{entry}/uid"), "value": stopped.named.uid},
        {"op": "replace", "path": format!("{entry}/apiVersion"), "value": version},
    ]);
    plan::patch(&full_name(&dependent), &patch)
}

/// Removes the references that cannot be resolved: the collector then uses the other owners, which are
/// being deleted.
fn cut(held: &[StoppedAt<'_>]) -> Option<Remedy> {
    let step = |held: &StoppedAt<'_>| {
        drop_reference_step(held.dependent.seen.object, &held.dependent.seen.into(), &held.named.uid)
    };
    let first = step(held.first()?)?;
    let mut remedy = Remedy::new(
        first,
        Risk::Disruptive,
        "the garbage collector then deletes the dependent with its other owner, as requested",
    );
    for step in held[1..].iter().filter_map(step) {
        if !remedy.steps.iter().any(|known| known.identity() == step.identity()) {
            remedy.steps.push(step);
        }
    }
    Some(remedy)
}
