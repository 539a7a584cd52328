//! Finds the root causes among the findings, in the graph of needs.

use crate::kubernetes::messages::mentions;
use crate::kubernetes::workloads::is_pod_of;
use crate::needs::{Draft, Graph, Reached, Settled};
use crate::report::{Cause, Certainty, ControllerState, Finding, Need, Ref, Remedy, Step, Why};
use std::collections::{HashMap, HashSet};

/// The graph of the findings' needs and their dependencies.
pub(super) fn graph(drafts: &[Draft]) -> Graph {
    let mut graph = Graph::default();
    for draft in drafts {
        draft.enter(&mut graph);
    }
    link_namespaces(&mut graph, drafts);
    graph.complete();
    graph
}

/// Adds the objects in a namespace below the namespace, if something else waits for it.
pub(super) fn link_namespaces(graph: &mut Graph, drafts: &[Draft]) {
    for (namespace, object) in within_waited_for(drafts) {
        graph.rests(Need::Deleted(namespace), Need::Deleted(object));
    }
}

/// The namespaces that something waits for and that are no targets, each with every finding's object in
/// it.
fn within_waited_for(drafts: &[Draft]) -> Vec<(Ref, Ref)> {
    let further = drafts.iter().flat_map(Draft::further).filter_map(Need::deleted).filter(|on| on.is_namespace());
    let asked: HashSet<&Ref> = drafts.iter().flat_map(|draft| &draft.finding.blocks).collect();
    let waited_for: HashSet<&Ref> = further.filter(|namespace| !asked.contains(namespace)).collect();
    let objects = || drafts.iter().flat_map(|draft| &draft.finding.objects);
    let within = |namespace: &Ref| {
        let all = objects().filter(|object| object.namespace.as_deref() == Some(namespace.name.as_str()));
        all.map(|object| (namespace.clone(), object.clone())).collect::<Vec<_>>()
    };
    waited_for.into_iter().flat_map(within).collect()
}

/// Removes the root mark from findings that only wait for another broken need, and the remedies that
/// would not suffice.
pub(super) fn read_off(drafts: &mut [Draft], settled: &Settled<'_>) {
    for draft in drafts {
        let needs = draft.needs();
        // A finding that itself says that another object must be deleted first has nothing to repair while
        // that deletion is under way.
        let waits = |need: &Need| draft.further().iter().any(|on| on.deleted().is_some()) && settled.waits(need);
        if !needs.is_empty() && needs.iter().all(|need| settled.follows(need) || waits(need)) {
            draft.finding.root = false;
            // A workload that should remove a finalizer may have other reasons not to; parts of
            // Kubernetes just wait.
            let holder = draft.finding.controller.as_ref().is_some_and(|holder| holder.workload.is_some());
            let more_to_say = holder || !draft.only_waits();
            draft.remedies.retain(|remedy| more_to_say && remedy.steps.is_empty());
        } else {
            draft.remedies.retain(|remedy| may_suffice(remedy, settled));
        }
    }
}

/// Makes a finding likely if no way to it from a target is proven: a finding behind a likely one is only
/// likely itself.
pub(super) fn weigh(drafts: &mut [Draft], settled: &Settled<'_>, tops: &[Need], in_the_way: &Reached<'_>) {
    let told = |proven: bool| -> HashSet<Need> {
        let as_sure = |draft: &&Draft| (draft.finding.why == Why::Proven) == proven;
        drafts.iter().filter(as_sure).flat_map(Draft::needs).collect()
    };
    let likely = told(false);
    if likely.is_empty() {
        return;
    }
    let proven = told(true);
    let reached = settled.below(tops, |need| proven.contains(need) || !likely.contains(need));
    for draft in drafts {
        let needs = draft.needs();
        if needs.iter().any(|need| in_the_way.contains(need)) && !needs.iter().any(|need| reached.contains(need)) {
            draft.finding.certainty = Certainty::Likely;
            draft.finding.why = draft.finding.why.max(Why::Likely);
        }
    }
}

/// Removes the root mark from a finding without a known reason if others have one for all of its objects.
/// A controller does not release an object while it is held up elsewhere, and a refused removal of the
/// finalizer is reason enough: even the finding of a missing object yields to that, if a reference names
/// the object and no message does, or if the refusal itself names it.
pub(super) fn yield_to_what_is_known(drafts: &mut [Draft]) {
    let known = drafts.iter().filter(|draft| draft.finding.root && draft.finding.why != Why::Unknown);
    let (mut held_up, mut refused) = (HashSet::new(), HashMap::new());
    for draft in known {
        let Finding { cause, finalizer, controller, objects, says, .. } = &draft.finding;
        let holder = controller.as_ref().and_then(|it| it.workload.as_ref());
        held_up.extend(objects.iter().filter_map(|object| Some((holder?.clone(), object.clone()))));
        let finalizer = finalizer.as_ref().filter(|_| *cause == Cause::Admission);
        let words = says.as_ref().map(|said| said.words.to_string()).unwrap_or_default();
        refused.extend(objects.iter().filter_map(|object| Some(((finalizer?.clone(), object.clone()), words.clone()))));
    }
    for draft in drafts.iter_mut().filter(|draft| draft.finding.root) {
        let is_unknown = draft.finding.why == Why::Unknown;
        let lacked = draft.finding.waits_for.as_ref().filter(|what| what.missing);
        let is_likely = draft.finding.why == Why::Likely;
        if !is_unknown && lacked.is_none() {
            continue;
        }
        let Finding { finalizer: Some(finalizer), controller: Some(controller), objects, .. } = &draft.finding else {
            continue;
        };
        let Some(workload) = &controller.workload else { continue };
        let is_told = |object: &Ref| {
            let refusal = refused.get(&(finalizer.clone(), object.clone()));
            let names = |words: &String| lacked.is_some_and(|what| mentions(words, &what.name));
            refusal.is_some_and(|words| is_unknown || is_likely || names(words))
                || is_unknown && held_up.contains(&(workload.clone(), object.clone()))
        };
        if !objects.is_empty() && objects.iter().all(is_told) {
            draft.give_way();
        }
    }
}

/// Removes the root mark from a refusal whose backend is a pod of the workload that its objects need
/// anyway: the repair of that workload fixes both, and nothing less does.
pub(super) fn yield_to_their_workload(drafts: &mut [Draft]) {
    let down = drafts.iter().filter(|draft| draft.finding.is_root_cause());
    let needed: Vec<(Ref, HashSet<Ref>)> = down
        .filter_map(|draft| {
            let Finding { controller, objects, .. } = &draft.finding;
            let down = controller.as_ref().filter(|it| it.state == ControllerState::Down)?;
            Some((down.workload.clone()?, objects.iter().cloned().collect()))
        })
        .collect();
    for draft in drafts.iter_mut().filter(|draft| draft.finding.root && draft.finding.cause == Cause::Admission) {
        let Finding { broken_link: Some(pod), objects, .. } = &draft.finding else { continue };
        let its: Vec<&HashSet<Ref>> =
            needed.iter().filter(|(workload, _)| is_pod_of(pod, workload)).map(|(_, by)| by).collect();
        if !objects.is_empty() && objects.iter().all(|object| its.iter().any(|by| by.contains(object))) {
            draft.give_way();
        }
    }
}

/// Whether the needs of the remedy's own steps are met. Other remedies repair the obstacles first.
fn may_suffice(remedy: &Remedy, settled: &Settled<'_>) -> bool {
    !remedy.steps.iter().filter_map(Step::rests_on).any(|need| settled.is_broken(&need))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::steps::{force_delete_pod, remove_finalizer};
    use crate::report::{Controller, Link, LinkState, Named, Risk, Verb};

    const KEY: &str = "batch.kubernetes.io/job-tracking";

    fn object(name: &str) -> Ref {
        Ref::from(Named { kind: "Pod".into(), name: name.into(), uid: name.into(), ..Named::default() })
    }

    fn held(names: &[&str]) -> Draft {
        let objects: Vec<Ref> = names.iter().map(|name| object(name)).collect();
        let removal = remove_finalizer::step(&objects[0], &[KEY.to_owned()], KEY);
        Draft::new(Cause::Finalizer, objects[0].clone(), "waits")
            .finalizer(KEY)
            .objects(objects)
            .remedy(Remedy::manual("look", ""))
            .remedy(Remedy::new(removal, Risk::Disruptive, ""))
    }

    fn refusal(verb: Verb) -> Draft {
        Draft::new(Cause::Admission, object("a"), "refuses").objects(vec![object("a")]).refuses(verb)
    }

    /// Whether each is a root, and how many remedies it offers.
    fn read(drafts: &[Draft]) -> Vec<(bool, usize)> {
        let (mut drafts, graph) = (drafts.to_vec(), graph(drafts));
        read_off(&mut drafts, &graph.settled());
        drafts.iter().map(|draft| (draft.finding.root, draft.remedies.len())).collect()
    }

    #[test]
    fn a_working_controller_waits_only_for_the_webhook() {
        let at_work = held(&["a"]).needs_accepted(Verb::Update);
        assert_eq!(read(&[refusal(Verb::Update), at_work.clone()]), [(true, 0), (false, 0)]);
        assert_eq!(read(&[refusal(Verb::Delete), at_work.clone()]), [(true, 0), (true, 2)]);
        assert_eq!(read(&[at_work]), [(true, 2)]);
    }

    #[test]
    fn a_refusal_does_not_hide_a_missing_controller() {
        assert_eq!(read(&[refusal(Verb::Update), held(&["a"])]), [(true, 0), (true, 2)]);
    }

    #[test]
    fn a_finding_that_also_holds_unrefused_objects_stays_a_root() {
        let at_work = held(&["a", "b"]).needs_accepted(Verb::Update);
        assert_eq!(read(&[refusal(Verb::Update), at_work]), [(true, 0), (true, 2)]);
    }

    #[test]
    fn waiting_for_a_progressing_object_is_no_root() {
        let waiting = held(&["a"]).rests_on(Need::Deleted(object("b")));
        let going = Draft::new(Cause::Progressing, object("b"), "is alive").finalizer(KEY).objects(vec![object("b")]);
        assert_eq!(read(&[waiting.clone(), going]), [(false, 1), (true, 0)]);
        // With unknown reasons, that cannot be said.
        assert_eq!(read(std::slice::from_ref(&waiting)), [(true, 2)]);
        assert_eq!(read(&[waiting, held(&["b"])]), [(false, 1), (true, 2)]);
    }

    #[test]
    fn findings_behind_a_likely_one_are_likely() {
        let judged = |drafts: &[Draft]| {
            let (mut drafts, graph) = (drafts.to_vec(), graph(drafts));
            let (settled, tops) = (graph.settled(), [Need::Deleted(object("a"))]);
            weigh(&mut drafts, &settled, &tops, &settled.below(&tops, |_| true));
            drafts.iter().map(|draft| draft.finding.why).collect::<Vec<_>>()
        };
        let front = held(&["a"]).rests_on(Need::Deleted(object("b")));
        assert_eq!(judged(&[front.clone(), held(&["b"])]), [Why::Proven, Why::Proven]);
        assert_eq!(judged(&[front.clone().likely(), held(&["b"])]), [Why::Likely, Why::Likely]);
        // Another way to it is proven.
        let other = held(&["a"]).finalizer("acme.io/x").rests_on(Need::Deleted(object("b")));
        let both = [front.likely(), other, held(&["b"])];
        assert_eq!(judged(&both), [Why::Likely, Why::Proven, Why::Proven]);
    }

    #[test]
    fn an_unknown_reason_yields_to_a_known_one_of_the_same_controller() {
        let by = |draft: Draft, workload: &str, why: Why| {
            let workload = Some(object(workload));
            draft.controller(Controller { workload, state: ControllerState::Alive, evidence: Vec::new() }).why(why)
        };
        let roots = |drafts: &[Draft]| {
            let mut drafts = drafts.to_vec();
            yield_to_what_is_known(&mut drafts);
            drafts.iter().map(|draft| draft.finding.root).collect::<Vec<_>>()
        };
        let second = |names: &[&str]| held(names).finalizer("acme.io/second");
        let known = by(held(&["a"]), "operator", Why::Likely);
        assert_eq!(roots(&[known.clone(), by(second(&["a"]), "operator", Why::Unknown)]), [true, false]);
        assert_eq!(roots(&[known.clone(), by(second(&["a"]), "another", Why::Unknown)]), [true, true]);
        assert_eq!(roots(&[known, by(second(&["a", "b"]), "operator", Why::Unknown)]), [true, true]);
        let refusal = refusal(Verb::Update).finalizer(KEY);
        assert_eq!(roots(&[refusal.clone(), by(held(&["a"]), "operator", Why::Unknown)]), [true, false]);
        assert_eq!(roots(&[refusal.clone(), by(second(&["a"]), "operator", Why::Unknown)]), [true, true]);
        let lacks = |why: Why| by(held(&["a"]).waits_for(object("source").missing()), "operator", why);
        assert_eq!(roots(&[refusal.clone(), lacks(Why::Likely)]), [true, false]);
        assert_eq!(roots(&[refusal, lacks(Why::Proven)]), [true, true]);
    }

    #[test]
    fn a_refusal_behind_the_needed_workload_is_no_root() {
        let named =
            |kind: &str, name: &str| Ref::from(Named { kind: kind.into(), name: name.into(), ..Named::default() });
        let by = |name: &str, state: ControllerState| {
            let workload = Some(named("Deployment", name));
            held(&["a"]).controller(Controller { workload, state, evidence: Vec::new() })
        };
        let roots = |holder: Draft| {
            let pod = named("Pod", "operator-5d6fdd7847-p84qz");
            let mut drafts = [refusal(Verb::Update).chain(vec![Link::new(pod, LinkState::Broken, "crashes")]), holder];
            yield_to_their_workload(&mut drafts);
            drafts.map(|draft| draft.finding.root)
        };
        assert_eq!(roots(by("operator", ControllerState::Down)), [false, true]);
        assert_eq!(roots(by("operator", ControllerState::Alive)), [true, true]);
        assert_eq!(roots(by("other", ControllerState::Down)), [true, true]);
    }

    #[test]
    fn a_forced_deletion_that_would_be_refused_is_not_offered() {
        let step = force_delete_pod::step(&object("a"));
        let pod = Draft::new(Cause::Kubelet, object("a"), "waits for its node").remedy(Remedy::new(
            step,
            Risk::Disruptive,
            "",
        ));
        assert_eq!(read(&[refusal(Verb::Delete), pod.clone()]), [(true, 0), (true, 0)]);
        assert_eq!(read(&[pod]), [(true, 1)]);
    }
}
