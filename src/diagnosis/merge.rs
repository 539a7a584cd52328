//! One finding per cause: merging, ordering and numbering.

use crate::facts::Facts;
use crate::kubernetes::garbage_collection;
use crate::report::{Cause, ControllerState, Draft, Finding, Ref, Remedy, Step, StepKind};
use std::collections::HashSet;
use std::hash::Hash;

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

/// What Kubernetes itself takes off once something else is gone: never a root
/// beside what that something is stuck on.
const FOLLOWS: [&str; 3] =
    ["customresourcecleanup.apiextensions.k8s.io", "kubernetes.io/pv-protection", "kubernetes.io/pvc-protection"];

/// Takes the root mark off what goes away with another finding of the same
/// target; nothing harsh is offered for it then.
pub(super) fn demote_followers(drafts: &mut [Draft]) {
    // Whoever refuses to have it taken off does not go away with anything.
    let follows = |finding: &Finding| {
        finding.cause != Cause::Admission && finding.finalizer.as_deref().is_some_and(|key| FOLLOWS.contains(&key))
    };
    let leads = |finding: &&Finding| finding.root && finding.is_trouble() && !follows(finding);
    let led: HashSet<Ref> =
        drafts.iter().map(|draft| &draft.finding).filter(leads).flat_map(|finding| finding.blocks.clone()).collect();
    for draft in drafts.iter_mut().filter(|draft| follows(&draft.finding)) {
        if draft.finding.blocks.iter().all(|target| led.contains(target)) {
            draft.finding.root = false;
            draft.remedies.retain(|remedy| remedy.steps.is_empty());
        }
    }
}

/// What admission keeps from happening, by the names of the rules that say so.
struct Refused {
    /// Objects that cannot be deleted.
    deletion: HashSet<Ref>,
    /// Objects that cannot be updated, so that no finalizer comes off.
    update: HashSet<Ref>,
}

/// Takes the root mark off what only waits because admission refuses it to whoever
/// is at work there; nothing that would be refused as well is offered for it.
pub(super) fn demote_hindered(drafts: &mut [Draft]) {
    let objects = |rule: &str| -> HashSet<Ref> {
        let by_rule = drafts.iter().map(|draft| &draft.finding).filter(|finding| finding.rule == rule && finding.root);
        by_rule.flat_map(|finding| finding.objects.clone()).collect()
    };
    let refused = Refused { deletion: objects("deletion-refused"), update: objects("finalizer-removal-refused") };
    if refused.deletion.is_empty() && refused.update.is_empty() {
        return;
    }
    for draft in drafts.iter_mut().filter(|draft| draft.finding.cause != Cause::Admission) {
        match hindered(&draft.finding, &refused) {
            Hindered::No => {}
            Hindered::Worker => {
                draft.finding.root = false;
                // A workload that holds a finalizer may have more to say; parts of
                // Kubernetes just wait.
                let holder = draft.finding.controller.as_ref().is_some_and(|holder| holder.workload.is_some());
                draft.remedies.retain(|remedy| holder && remedy.steps.is_empty());
            }
            Hindered::ForceOnly => {
                draft.remedies.retain(|remedy| remedy.steps.iter().all(|step| step.kind != StepKind::ForceDeletePod));
            }
        }
    }
}

/// How admission hinders what a finding waits for.
enum Hindered {
    /// It does not.
    No,
    /// Whoever should act is there, and is refused.
    Worker,
    /// A forced deletion would be refused as well.
    ForceOnly,
}

fn hindered(finding: &Finding, refused: &Refused) -> Hindered {
    let all_in = |set: &HashSet<Ref>| finding.objects.iter().all(|object| set.contains(object));
    let waits_in = |set: &HashSet<Ref>| finding.waits_for.as_ref().is_some_and(|object| set.contains(object));
    match finding.rule {
        "pod-node-gone" | "kubelet-does-not-confirm" | "namespace-controller-waits" if all_in(&refused.deletion) => {
            Hindered::Worker
        }
        "pod-node-not-ready" | "kubelet-silent" if all_in(&refused.deletion) => Hindered::ForceOnly,
        "crd-waits-for-instances" if all_in(&refused.update) => Hindered::Worker,
        // Nothing uses them: their controllers are parts of Kubernetes.
        "claim-in-use" | "resource-claim-in-use" | "volume-still-bound"
            if finding.waits_for.is_none() && all_in(&refused.update) =>
        {
            Hindered::Worker
        }
        "garbage-collector-idle" | "orphan-not-handled" if waits_in(&refused.deletion) || all_in(&refused.update) => {
            Hindered::Worker
        }
        "held-by-finalizer" | "finished-pod-held" | "namespace-held-by-finalizer" | "volume-still-attached"
            if all_in(&refused.update) && is_at_work(finding) =>
        {
            Hindered::Worker
        }
        _ => Hindered::No,
    }
}

/// Whether somebody is there who would release it, if that were accepted: its
/// controller runs, or is a part of Kubernetes that does.
fn is_at_work(finding: &Finding) -> bool {
    let of_kubernetes = || {
        let domain = finding.finalizer.as_deref().and_then(|key| key.split_once('/')).map_or("", |(domain, _)| domain);
        domain == "kubernetes.io" || domain == "batch.kubernetes.io"
    };
    let Some(controller) = &finding.controller else { return of_kubernetes() };
    match controller.state {
        ControllerState::Alive => true,
        ControllerState::Failing => crate::kubernetes::admission::is_about_admission(&finding.summary),
        ControllerState::Unknown => of_kubernetes(),
        ControllerState::Gone | ControllerState::Down => false,
    }
}

/// Roots before what goes away with them; otherwise in the order of the rules.
pub(super) fn roots_first(mut drafts: Vec<Draft>) -> Vec<Draft> {
    let place = |rule: &str| crate::rules::RULES.iter().position(|known| known.name == rule);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Controller, Risk};

    fn object(name: &str) -> Ref {
        Ref { kind: "Pod".into(), name: name.into(), uid: name.into(), ..Ref::default() }
    }

    fn held(rule: &'static str, cause: Cause, key: &str) -> Draft {
        let mut draft = Draft::new(cause, object("a"), "waits").finalizer(key).objects(vec![object("a")]);
        draft.finding.rule = rule;
        let step = crate::plan::steps::remove_finalizer::step(&object("a"), &[key.to_owned()], key);
        draft.remedy(Remedy::manual("look", "")).remedy(Remedy::new(step, Risk::Disruptive, ""))
    }

    #[test]
    fn what_a_part_of_kubernetes_would_release_waits_for_the_webhook_alone() {
        let refused = |key: &str| {
            let mut draft = held("finalizer-removal-refused", Cause::Admission, key);
            draft.remedies.clear();
            draft
        };
        let job = |state| {
            let controller = Controller { workload: None, state, evidence: Vec::new() };
            held("finished-pod-held", Cause::Finalizer, "batch.kubernetes.io/job-tracking").controller(controller)
        };
        let claim = || held("claim-in-use", Cause::Storage, "kubernetes.io/pvc-protection");
        for hindered in [job(ControllerState::Unknown), claim()] {
            let key = hindered.finding.finalizer.clone().unwrap();
            let mut drafts = vec![refused(&key), hindered];
            demote_hindered(&mut drafts);
            let roots: Vec<&str> =
                drafts.iter().filter(|draft| draft.finding.root).map(|draft| draft.finding.rule).collect();
            assert_eq!((roots, drafts[1].remedies.len()), (vec!["finalizer-removal-refused"], 0));
        }
        // Of a controller that is gone nobody would release it.
        let mut drafts = vec![refused("batch.kubernetes.io/job-tracking"), job(ControllerState::Gone)];
        demote_hindered(&mut drafts);
        assert!(drafts[1].finding.root);
        // Nothing refuses it.
        let mut drafts = vec![claim()];
        demote_hindered(&mut drafts);
        assert_eq!((drafts[0].finding.root, drafts[0].remedies.len()), (true, 2));
    }
}
