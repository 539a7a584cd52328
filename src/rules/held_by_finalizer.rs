//! An object that is being deleted waits until somebody removes a finalizer.

use super::Rule;
use super::support::ago;
use crate::diagnosis::{Cause, Draft, Facts, Findings, Known, Ref, SETTLE, Target, for_each_known, is_late, is_pod};
use crate::knowledge::catalogue;
use crate::plan::{Remedy, Risk, in_namespace, quote, steps};
use crate::survey::{FieldManager, Form, Seen};

pub(super) const RULE: Rule =
    Rule { name: "held-by-finalizer", explanation: include_str!("held_by_finalizer.md"), diagnose };

/// Of so many objects that wait for one finalizer it is read who set it.
const READ_WHO_SET_IT: usize = 3;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let held = target.deleting(facts)?.into_iter().filter(|seen| {
        // A pod waits for its kubelet first; then finished_pod_held says so.
        !is_pod(seen.resource) && is_late(seen.object, facts, SETTLE)
    });
    for (finalizer, objects) in by_finalizer(held) {
        found.add(draft(Cause::Finalizer, finalizer, &objects, facts)?);
    }
    Ok(())
}

/// Groups objects by each of their finalizers, in order of first appearance.
pub(super) fn by_finalizer<'s>(held: impl Iterator<Item = Seen<'s>>) -> Vec<(&'s str, Vec<Seen<'s>>)> {
    let mut place = std::collections::HashMap::new();
    let mut groups: Vec<(&str, Vec<Seen<'s>>)> = Vec::new();
    for seen in held {
        for finalizer in &seen.object.metadata.finalizers {
            let at = *place.entry(finalizer.as_str()).or_insert_with(|| {
                groups.push((finalizer, Vec::new()));
                groups.len() - 1
            });
            groups[at].1.push(seen);
        }
    }
    groups
}

/// The finding that `objects` wait for `finalizer`.
pub(super) fn draft(cause: Cause, finalizer: &str, objects: &[Seen<'_>], facts: &Facts<'_>) -> Known<Draft> {
    let refs: Vec<Ref> = objects.iter().map(|seen| (*seen).into()).collect();
    let first = &refs[0];
    let setters = who_set_it(finalizer, objects, facts)?;
    let waiting = if refs.len() == 1 { first.to_string() } else { format!("{} objects", refs.len()) };
    let verb = if refs.len() == 1 { "waits" } else { "wait" };
    let mut draft = Draft::new(cause, first.clone(), format!("{waiting} {verb} for finalizer {finalizer}"))
        .finalizer(finalizer)
        .evidence(format!("finalizer {finalizer}, and deletion asked for"), first, "metadata.finalizers");
    draft = match setters.first() {
        Some(manager) => {
            let when = manager.time.map(|time| format!(", at least {} ago", ago(time, facts))).unwrap_or_default();
            draft.evidence(format!("set by {}{when}", manager.name), first, "metadata.managedFields")
        }
        None => draft.remark("who set it is not recorded in managedFields"),
    };
    draft = match catalogue::lookup(finalizer) {
        Some(entry) => draft
            .remark(format!("belongs to {}, released by {}", entry.product, entry.controller))
            .remark(format!("guards: {}", entry.guards)),
        None => draft.remark("not in the catalogue of known finalizers"),
    };
    // What is stranded is agreed to by class.
    let each = if cause == Cause::Stranded { "" } else { ", each asked for" };
    draft = with_remedies(draft, finalizer, objects, &refs, each);
    Ok(draft.objects(refs))
}

fn who_set_it(finalizer: &str, objects: &[Seen<'_>], facts: &Facts<'_>) -> Known<Vec<FieldManager>> {
    let read = for_each_known(objects.iter().take(READ_WHO_SET_IT), |seen| {
        let Seen { resource, object } = *seen;
        if !object.metadata.managed_fields.is_null() {
            return Ok(object.finalizer_set_by(finalizer));
        }
        let object = facts.get(&resource.id, object.metadata.namespace.as_deref(), object.name(), Form::Metadata)?;
        Ok(object.and_then(|object| object.finalizer_set_by(finalizer)))
    })?;
    Ok(read.into_iter().flatten().flatten().collect())
}

fn with_remedies(draft: Draft, finalizer: &str, objects: &[Seen<'_>], refs: &[Ref], each: &str) -> Draft {
    let entry = catalogue::lookup(finalizer);
    let draft = match entry {
        Some(entry) => draft.remedy(Remedy::manual(
            format!("let {} release it: {}", entry.controller, entry.way_out),
            format!("nothing is lost: it does its clean-up ({})", entry.guards),
        )),
        None => draft.remedy(Remedy::manual(
            format!("repair or bring back the controller that owns {finalizer}"),
            "nothing is lost: it does its own clean-up",
        )),
    };
    if let Some((title, consequence)) = front_door(finalizer, &refs[0]) {
        return draft.remedy(Remedy::manual(title, consequence));
    }
    let (risk, consequence) = entry
        .map_or((Risk::Leaks, "whatever its controller would have cleaned up stays behind".to_owned()), |entry| {
            (entry.risk.max(Risk::Harmless), entry.if_removed.to_owned())
        });
    let mut all = objects.iter().zip(refs);
    let step = |(seen, object): (&Seen<'_>, &Ref)| {
        steps::remove_finalizer::step(object, &seen.object.metadata.finalizers, finalizer)
    };
    let Some(first) = all.next() else { return draft };
    let mut remedy = Remedy::new(step(first), risk, consequence);
    remedy.steps.extend(all.map(step));
    if refs.len() > 1 {
        remedy.title = format!("remove finalizer {finalizer} from {} objects{each}", refs.len());
    }
    draft.remedy(remedy)
}

/// Finalizers of Kubernetes itself that are never taken off by a patch, because
/// the API has a way through its front door.
fn front_door(finalizer: &str, object: &Ref) -> Option<(String, &'static str)> {
    let name = quote(&object.kubectl());
    let namespace = in_namespace(object);
    match finalizer {
        "foregroundDeletion" | "orphan" => Some((
            format!("if its dependents cannot go: kubectl delete {name}{namespace} --cascade=background --wait=false"),
            "the API server drops its own finalizer; the dependents are collected afterwards",
        )),
        "customresourcecleanup.apiextensions.k8s.io" => Some((
            format!("release the instances first: kubectl get {} -A", quote(&object.name)),
            "taken off by hand, the instances would stay in the store and come back with the next install",
        )),
        "kubernetes.io/pv-protection" => Some((
            format!("delete the claim that is bound to it first: kubectl describe {name}"),
            "while the claim is bound the data is safe; taken off by hand, the claim would be lost",
        )),
        _ => None,
    }
}
