//! An object whose namespace does not exist, left behind by a forced finalize. The API server accepts
//! no UPDATE of it, so not even its own controller can remove a finalizer; it accepts a DELETE
//! (kubernetes/kubernetes:
//! staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go).

use crate::facts::{Facts, Known, Readable, Sweep, Target, ago, is_pod};
use crate::findings::loss::{loss, loss_of};
use crate::findings::removal::cost_of_removal;
use crate::knowledge::catalogue;
use crate::kubernetes::namespaces::{is_default_content, namespace_of};
use crate::needs::{Draft, Explains, Findings, NamespacedObjects, Rule};
use crate::plan::{Property, quote, steps};
use crate::plugin::COMMAND;
use crate::report::{Cause, Ref, Remedy, Risk, refs};
use crate::survey::Seen;
use indexmap::IndexSet;
use std::collections::BTreeMap;

pub(super) const RULE: Rule = Rule::new(
    "stranded-in-missing-namespace",
    include_str!("stranded_in_missing_namespace.md"),
    &[Explains::Deleted(diagnose), Explains::NamespaceExists(|inside, facts| Ok(findings(inside, facts)))],
);

/// How many finalizers the evidence names; the others are counted.
const MAX_NAMED: usize = 6;

/// How many different costs a plan names, the worst first.
const MAX_COSTS: usize = 3;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let Some(name) = target.object().metadata.namespace.as_deref() else { return Ok(()) };
    // A namespace that cannot be read is no reason to call anything stranded: the dry run of a step shows
    // whether it is.
    if namespace_of(target.object(), facts).if_readable()? != Some(None) {
        return Ok(());
    }
    if steps::delete_object::suffices(target.object()) && !waits_for_kubelet(&target.seen) {
        found.add(deletable(name, &[target.seen], facts));
    } else {
        found.add(held(name, &[target.seen], facts).remedy(Remedy::command(
            format!("create namespace {name} again, release its content, then delete it again"),
            format_args!("{COMMAND} orphans -n {}", quote(name)),
            "the question shows everything that is deleted with it, before anything is written",
        )));
    }
    Ok(())
}

/// The findings for objects in a namespace that does not exist: those that a DELETE removes, by its
/// cost, and those that must be released. The namespace is created again only if all objects in it are
/// known: live ones would come to life.
fn findings(inside: &NamespacedObjects<'_>, facts: &Facts<'_>) -> Vec<Draft> {
    let NamespacedObjects { name, objects: rows, .. } = *inside;
    if inside.namespace.is_some() {
        return Vec::new();
    }
    let (easy, hard): (Vec<Seen<'_>>, Vec<Seen<'_>>) = rows
        .iter()
        .partition(|seen| !inside.no_delete && steps::delete_object::suffices(seen.object) && !waits_for_kubelet(seen));
    let mut classes: BTreeMap<Risk, Vec<Seen<'_>>> = BTreeMap::new();
    for seen in easy {
        classes.entry(loss_of(&seen).0).or_default().push(seen);
    }
    let mut drafts: Vec<Draft> = classes.values().map(|class| deletable(name, class, facts)).collect();
    if !hard.is_empty() {
        let remedy = if inside.complete { whole_plan(inside) } else { see_the_rest_first(name) };
        let mut draft = held(name, &hard, facts);
        if inside.no_delete {
            draft = draft.remark("admission refuses DELETE, too: a webhook or policy selects by namespace");
        }
        drafts.push(draft.remedy(remedy));
    }
    drafts
}

/// Whether an object is a pod on a node, whose kubelet must confirm the end by an UPDATE. A pod whose node
/// is unknown counts as one.
fn waits_for_kubelet(seen: &Seen<'_>) -> bool {
    let unscheduled = !seen.object.body.is_empty() && seen.object.text("/spec/nodeName").is_none_or(str::is_empty);
    is_pod(seen.resource) && !unscheduled && seen.object.metadata.deletion_grace_period_seconds != Some(0)
}

/// A draft about stranded objects; `what` describes several: `3 objects with a finalizer are stranded …`
fn stranded(namespace: &str, rows: &[Seen<'_>], what: &str, facts: &Facts<'_>) -> Draft {
    let refs = refs(rows);
    let gone = steps::recreate_namespace::namespace(namespace).missing();
    let summary = match refs.as_slice() {
        [only] => format!("{only} is stranded: namespace {namespace} does not exist"),
        _ => format!("{} objects {what} are stranded: namespace {namespace} does not exist", refs.len()),
    };
    let first = refs[0].clone();
    let mut draft = Draft::new(Cause::Stranded, first.clone(), summary).waits_for(gone.clone()).evidence(
        "the server says that it does not exist",
        &gone,
        "",
    );
    if refs.len() > 1 {
        draft = draft.remark(Sweep::count(&refs));
    }
    let asked: Vec<_> = rows.iter().filter_map(|seen| seen.object.deletion_asked()).collect();
    let text = match (asked.iter().min(), rows.len() - asked.len()) {
        (None, _) => "no deletion was requested".to_owned(),
        (Some(first), 0) => format!("deletion was requested {} ago", ago(*first, facts)),
        (Some(first), alive) => {
            format!("deletion was requested {} ago; {alive} of them not being deleted", ago(*first, facts))
        }
    };
    draft.evidence(text, &first, "metadata.deletionTimestamp").objects(refs)
}

/// The finding for objects that a DELETE removes, even without their namespace.
fn deletable(namespace: &str, rows: &[Seen<'_>], facts: &Facts<'_>) -> Draft {
    let (risk, consequence) = loss(rows);
    let draft = stranded(namespace, rows, "without a finalizer", facts).remark(
        "a DELETE is enough, because it has no finalizers; admission accepts it unless a webhook needs the \
            namespace",
    );
    let steps = rows.iter().map(|seen| steps::delete_object::step(&(*seen).into()));
    let several = format!("delete {} in namespace {namespace}", Sweep::count(&refs(rows)));
    draft.with_each(Remedy::of_all(steps, several, risk, consequence), |draft, mut remedy| {
        remedy.undo = remedy.steps.iter().all(|step| step.has(Property::CanBeUndone));
        draft.remedy(remedy)
    })
}

/// The finding for objects that cannot be released while the namespace is gone.
fn held(namespace: &str, rows: &[Seen<'_>], facts: &Facts<'_>) -> Draft {
    let mut draft = stranded(namespace, rows, "that need their finalizers removed", facts);
    let finalizers = finalizers(rows);
    if let ([only], false) = (finalizers.keys().copied().collect::<Vec<_>>().as_slice(), rows.len() > 1) {
        draft = draft.finalizer(only);
    }
    let more = finalizers.len().saturating_sub(MAX_NAMED);
    for (key, (count, object)) in finalizers.into_iter().take(MAX_NAMED) {
        let guards = catalogue::lookup(key).map(|entry| format!("; the finalizer guards: {}", entry.guards));
        let on = if rows.len() > 1 { format!(" on {count} of them") } else { String::new() };
        let text = format!("finalizer {key}{on}{}", guards.unwrap_or_default());
        draft = draft.evidence(text, &object, "metadata.finalizers");
    }
    if more > 0 {
        draft = draft.remark(format!("and {more} more"));
    }
    if rows.iter().any(waits_for_kubelet) {
        draft = draft.remark("the kubelet of a pod cannot report that the pod has ended");
    }
    draft.remark("without the namespace every update is refused, even one from its controllers")
}

/// Each finalizer, with the number of its objects and the first of them.
fn finalizers<'s>(rows: &[Seen<'s>]) -> BTreeMap<&'s str, (usize, Ref)> {
    let mut finalizers = BTreeMap::new();
    for seen in rows {
        for key in &seen.object.metadata.finalizers {
            finalizers.entry(key.as_str()).or_insert_with(|| (0, Ref::from(*seen))).0 += 1;
        }
    }
    finalizers
}

/// The only remedy: create the namespace again, release the objects, and delete it. Live objects are
/// deleted first, so that none comes to life with the namespace. After the namespace exists, everything
/// is checked again: live controllers may release their objects themselves.
fn whole_plan(inside: &NamespacedObjects<'_>) -> Remedy {
    let NamespacedObjects { name: namespace, objects: rows, no_delete, .. } = *inside;
    let alive = rows
        .iter()
        .filter(|seen| !no_delete && steps::delete_object::changes(seen.object) && !is_default_content(seen));
    let mut plan: Vec<_> = alive.map(|seen| steps::delete_object::step(&(*seen).into())).collect();
    plan.push(steps::recreate_namespace::step(namespace));
    for seen in rows.iter().filter(|seen| !steps::delete_object::suffices(seen.object)) {
        let keys = seen.object.metadata.finalizers.iter().filter(|key| !steps::delete_object::takes_off(key));
        let keys: Vec<String> = keys.cloned().collect();
        plan.extend(steps::remove_finalizer::one_by_one(&(*seen).into(), &keys));
    }
    plan.push(steps::delete_object::step(&steps::recreate_namespace::namespace(namespace)));
    let (risk, mut consequence) = cost_of_all(rows);
    if no_delete {
        consequence = format!("{consequence}; live objects in it work again until the namespace is deleted");
    }
    let title = format!(
        "create namespace {namespace} again, remove the finalizers that no controller removes, then delete it again \
            with {}",
        Sweep::count(&refs(rows))
    );
    Remedy { risk, steps: plan, ..Remedy::manual(title, consequence) }
}

fn see_the_rest_first(namespace: &str) -> Remedy {
    Remedy::command(
        "repair what prevents the listing, then run this again",
        format_args!("{COMMAND} orphans -n {}", quote(namespace)),
        "everything in the namespace would come back with it, and some kinds could not be read",
    )
}

/// The whole cost: the objects, the removal of their finalizers by hand, and the destruction by
/// controllers that can continue.
fn cost_of_all(rows: &[Seen<'_>]) -> (Risk, String) {
    let mut costs: Vec<(Risk, String)> = rows.iter().map(loss_of).filter(|(risk, _)| *risk > Risk::Harmless).collect();
    for key in finalizers(rows).keys() {
        let (risk, consequence) = cost_of_removal(key);
        costs.push((risk, format!("{key}: {consequence}")));
        if let Some(finished) = catalogue::lookup(key).and_then(|entry| entry.if_finished) {
            costs.push((Risk::LosesData, format!("{key}: its controller finishes its work: {finished}")));
        }
    }
    costs.sort_by_key(|(risk, _)| std::cmp::Reverse(*risk));
    let risk = costs.first().map_or(Risk::Harmless, |(risk, _)| *risk);
    let named: IndexSet<String> = costs.into_iter().map(|(_, text)| text).collect();
    let text = named.into_iter().take(MAX_COSTS).collect::<Vec<_>>().join("; ");
    (risk, if text.is_empty() { "the deletion of all of it had already been requested".into() } else { text })
}
