//! A pod waits for the kubelet of a node that is not Ready: only that kubelet may confirm the end of the
//! containers. If the node was declared out of service, the pod garbage collector deletes the pods
//! (kubernetes/kubernetes: `pkg/controller/podgc/gc_controller.go`).

use crate::facts::{Facts, Known, SETTLE, Target, ago, each, for_each, is_late, since};
use crate::findings::controller_manager::controller_manager;
use crate::findings::kubelet::force::{by_finalizers, only_force_delete, with_finalizers_first, with_force_delete};
use crate::findings::kubelet::holdings::with_phase;
use crate::findings::kubelet::machine::{gone_for_good, with_certificates, with_nature};
use crate::findings::kubelet::virtual_node::completed;
use crate::kubernetes::kubelet::foreseen::{self, PodsOnNode};
use crate::kubernetes::kubelet::maintenance::maintenance;
use crate::kubernetes::kubelet::node_facts::NodeFacts;
use crate::kubernetes::kubelet::out_of_service::out_of_service_taint;
use crate::kubernetes::kubelet::pods::{NodeOfPod, WaitingPod, by_node, node_ref, pods_wait, waiting_for_kubelet};
use crate::needs::{Draft, Explains, Findings, Outlook, Rule, World};
use crate::plan::one;
use crate::plan::steps::taint_out_of_service;
use crate::report::{Cause, Ref, Remedy, Risk, Sentence, counted, refs};
use crate::survey::{Condition, Object};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

pub(super) const RULE: Rule = Rule::new(
    "pod-node-not-ready",
    include_str!("pod_node_not_ready.md"),
    &[Explains::Deleted(diagnose), Explains::Foreseen(foresee)],
);

/// A check every 20 s, and the time for the requests.
const COLLECTED_WITHIN: SignedDuration = SignedDuration::from_secs(60);

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    let waiting = waiting_for_kubelet(target, facts)?;
    // This includes pods within their grace period: no kubelet ends their containers.
    let late = waiting.into_iter().filter(|waiting| is_late(waiting.pod.object, facts, SETTLE));
    let groups = by_node(late.filter(|waiting| matches!(waiting.node, NodeOfPod::NotReady(_))));
    let groups = groups.iter().filter_map(|pods| match pods[0].node {
        NodeOfPod::NotReady(node) => Some((pods, node)),
        NodeOfPod::Gone | NodeOfPod::Ready(_) => None,
    });
    let looked = each(groups, |(pods, node)| Ok((pods, node, NodeFacts::at(node, facts)?)))?;
    for_each(looked, |(pods, node, looked)| {
        found.add(match out_of_service_taint(node).filter(|_| looked.kubelet.is_none()) {
            Some(taint) => out_of_service(pods, taint, facts)?,
            None => not_ready(pods, node, &looked, facts)?,
        });
        Ok(())
    })
}

fn not_ready(pods: &[WaitingPod<'_>], node: &Object, looked: &NodeFacts<'_>, facts: &Facts<'_>) -> Known<Draft> {
    let refs: Vec<Ref> = pods.iter().map(|waiting| waiting.pod.into()).collect();
    let named = node_ref(&pods[0]);
    let (says, since) = node.condition("Ready").map_or(("no Ready condition".into(), None), |ready| {
        let says = Sentence::quoted(ready.says(), format_args!("{named} status.conditions[Ready]"));
        (Sentence::from(format!("Ready is {} (", ready.status())).then(says).then(")"), ready.since())
    });
    let since = since
        .map_or_else(|| "is not Ready".to_owned(), |since| format!("has not been Ready for {}", ago(since, facts)));
    let maintenance = maintenance(node);
    let is = if maintenance.is_some() { "is under maintenance and " } else { "" };
    let summary = format!("{} for node {}, which {is}{since}", pods_wait(&refs), named.name);
    let mut draft = Draft::new(Cause::Kubelet, refs[0].clone(), summary)
        .waits_for(named.clone())
        .evidence(format!("runs on node {}", named.name), &refs[0], "spec.nodeName")
        .in_summary()
        .quoted(says, &named, "status.conditions[Ready]")
        .with_each(maintenance, |draft, begun| draft.message(&begun.says(), &named, &field(begun)));
    let alive = looked.heard.as_ref().is_some_and(|heard| !heard.silent);
    if let Some(heard) = &looked.heard {
        let but = if alive { ": the kubelet runs but reports a problem" } else { "" };
        draft = draft.evidence(
            format!("its kubelet last reported {} ago{but}", heard.ago(facts)),
            &heard.lease,
            "spec.renewTime",
        );
    }
    let mut owners = pods[0].pod.object.metadata.owner_references.iter();
    draft = draft.with_each(owners.find(|owner| owner.kind == "StatefulSet"), |draft, set| {
        let text = format!("StatefulSet {} creates no second pod of this name while this one exists", set.name);
        draft.evidence(text, &refs[0], "metadata.ownerReferences")
    });
    draft = with_phase(draft, pods);
    if let Some(kubelet) = &looked.kubelet {
        return Ok(completed(draft, &refs, &named, kubelet, None, facts)?.objects(refs));
    }
    let back = match maintenance {
        Some(_) => format!("wait until the maintenance of node {} is over, or ask who maintains it", named.name),
        None => format!("bring node {} back", named.name),
    };
    draft = with_certificates(draft, &looked.requests)
        .remedy(Remedy::manual(format!("{back}: its kubelet then ends the pod properly"), "nothing is lost"));
    draft = with_finalizers_first(draft, pods);
    let force = only_force_delete(pods, facts)?;
    // A kubelet that reports runs its containers: the machine must not be declared dead.
    if alive {
        return Ok(draft.remedies(force).objects(refs));
    }
    let draft = with_nature(draft, node, &named, &looked.nature, facts)?;
    let declare = declare_out(pods, node, &named);
    // The machine of a node under maintenance comes back.
    let gone = maintenance.is_none().then(|| gone_for_good(&named, &looked.nature));
    Ok(draft.remedies(gone).remedies(mild_first(declare, force)).objects(refs))
}

/// The field with a condition of a node.
fn field(condition: Condition<'_>) -> String {
    format!("status.conditions[{}]", condition.kind())
}

/// The taint and the force deletion, the milder one first. The taint comes first at the same risk: the control
/// plane then also detaches the volumes, and it can be undone.
fn mild_first(declare: Remedy, force: Option<Remedy>) -> Vec<Remedy> {
    let mut ways: Vec<Remedy> = [declare].into_iter().chain(force).collect();
    ways.sort_by_key(|way| way.risk);
    ways
}

/// The taint of a node whose machine is off for good.
fn declare_out(pods: &[WaitingPod<'_>], node: &Object, named: &Ref) -> Remedy {
    let off = is_known_to_be_off(node);
    let (held, free) = by_finalizers(pods);
    // The taint cannot suffice if finalizers hold all pods.
    if free.is_empty() {
        return Remedy::command(
            "declare the node out of service, once the finalizers of its pods are removed and if the machine is off \
                for good",
            taint_out_of_service::step(named).command,
            "the control plane then removes its pods and detaches its volumes; data is corrupted if the node is in \
            fact still running",
        );
    }
    let (risk, consequence) = if off {
        (
            Risk::Disruptive,
            "the cloud says that the machine is off: its pods are deleted and its volumes detached, so that they can \
            start elsewhere",
        )
    } else {
        (
            Risk::LosesData,
            "all its pods are deleted and its volumes detached, so that they can start elsewhere; make sure first that \
            the machine is off, otherwise two nodes may write to one volume",
        )
    };
    let stays = held
        .first()
        .map_or_else(String::new, |first| format!("; {} stays until its finalizer is removed", Ref::from(first.pod)));
    Remedy::new(taint_out_of_service::step(named), risk, format!("{consequence}{stays}"))
}

/// The taint of a node whose machine is shut down according to the cloud
/// (kubernetes/kubernetes:
/// `staging/src/k8s.io/cloud-provider/controllers/nodelifecycle/node_lifecycle_controller.go`).
const SHUT_DOWN: &str = "node.cloudprovider.kubernetes.io/shutdown";

fn is_known_to_be_off(node: &Object) -> bool {
    node.array("/spec/taints").iter().any(|taint| taint.get("key").and_then(Value::as_str) == Some(SHUT_DOWN))
}

/// The finding for a node that was declared out of service: its pods are deleted, unless the pod garbage
/// collector has an obstacle.
fn out_of_service(pods: &[WaitingPod<'_>], taint: &Value, facts: &Facts<'_>) -> Known<Draft> {
    let refs: Vec<Ref> = pods.iter().map(|waiting| waiting.pod.into()).collect();
    let node = node_ref(&pods[0]);
    let tainted = taint.get("timeAdded").and_then(Value::as_str).and_then(|time| time.parse::<Timestamp>().ok());
    let asked = pods.iter().filter_map(|waiting| waiting.pod.object.deletion_asked()).min();
    let from = tainted.max(asked).unwrap_or_else(|| facts.now());
    let overdue = since(from, facts.now()) > COLLECTED_WITHIN;
    let summary = format!("{} for node {}, which is out of service", pods_wait(&refs), node.name);
    let draft = Draft::new(if overdue { Cause::Kubelet } else { Cause::Progressing }, refs[0].clone(), summary)
        .waits_for(node.clone())
        .evidence(format!("runs on node {}", node.name), &refs[0], "spec.nodeName")
        .in_summary()
        .evidence("is declared out of service and is not Ready", &node, "spec.taints")
        .remark("the pod garbage collector removes such pods within 20s");
    if !overdue {
        let wait = Remedy::manual("wait: the pod garbage collector removes it within 20 seconds", "nothing is lost");
        return Ok(draft.remedy(wait).objects(refs));
    }
    // Not every taint has the time at which it was added.
    let draft = if tainted.is_some() { draft } else { draft.likely() };
    let draft = controller_manager(with_phase(draft, pods), facts)?.remedy(Remedy::manual(
        "check why the pod garbage collector of kube-controller-manager does not delete it: a webhook or policy on \
        pods, or the manager itself",
        "nothing is lost",
    ));
    Ok(with_force_delete(draft, pods, facts)?.objects(refs))
}

/// Foresees pods on a node whose kubelet does not answer.
fn foresee(target: &Target<'_>, world: &World<'_>, facts: &Facts<'_>, out: &mut Outlook) -> Known {
    for PodsOnNode { pods, node } in foreseen::by_node(target, world.content()?, facts)? {
        let ready = node.object.condition("Ready");
        let is_ready = ready.map(Condition::status) == Some("True");
        // The control plane itself deletes the pods of a node that is out of service.
        if is_ready || out_of_service_taint(node.object).is_some() {
            continue;
        }
        let named = Ref::from(node);
        let says = ready.map_or_else(|| "it has no Ready condition".to_owned(), Condition::says);
        let begun = maintenance(node.object);
        let is = if begun.is_some() { "is under maintenance" } else { "does not answer" };
        let summary = format!("{} would wait for the kubelet of node {}, which {is}", counted(&pods), named.name);
        let draft = Draft::new(Cause::Kubelet, Ref::from(pods[0]), summary)
            .waits_for(named.clone())
            .message(&says, &named, "status.conditions[Ready]")
            .with_each(begun, |draft, begun| draft.message(&begun.says(), &named, &field(begun)))
            .likely()
            .remedy(Remedy::command(
                format!("bring node {} back before you delete, or delete the node for good", named.name),
                format_args!("kubectl describe {}", one("node", &named.name)),
                "checking loses nothing",
            ))
            .objects(refs(&pods));
        out.hangs(draft);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::steps::force_delete_pod;
    use crate::report::{Named, StepKind};

    #[test]
    fn the_taint_comes_before_a_force_deletion_that_is_no_milder() {
        let of = |kind: &str| Ref::from(Named { kind: kind.into(), name: "a".into(), ..Named::default() });
        let firsts = |taint: Risk, force: Option<Risk>| {
            let declare = Remedy::new(taint_out_of_service::step(&of("Node")), taint, "");
            let force = force.map(|risk| Remedy::new(force_delete_pod::step(&of("Pod")), risk, ""));
            let ways = mild_first(declare, force);
            ways.iter().map(|way| way.steps[0].kind()).collect::<Vec<_>>()
        };
        let (taint, force) = (StepKind::TaintOutOfService, StepKind::ForceDeletePod);
        // Nothing says that the machine is off: a pod without an identity, and one with it.
        assert_eq!(firsts(Risk::LosesData, Some(Risk::Disruptive)), [force, taint]);
        assert_eq!(firsts(Risk::LosesData, Some(Risk::LosesData)), [taint, force]);
        // The cloud says that it is off.
        assert_eq!(firsts(Risk::Disruptive, Some(Risk::Disruptive)), [taint, force]);
        assert_eq!(firsts(Risk::Disruptive, Some(Risk::LosesData)), [taint, force]);
        assert_eq!(firsts(Risk::LosesData, None), [taint]);
    }
}
