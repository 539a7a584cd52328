//! A node that is being deleted is drained first, and a `PodDisruptionBudget`
//! refuses the eviction of a pod on it (kubernetes/kubernetes:
//! `pkg/registry/core/pod/storage/eviction.go`).

use crate::facts::{Facts, Known, Target, Unknown};
use crate::knowledge::catalogue;
use crate::kubernetes::controllers::held_up::{by_finalizer, waiting};
use crate::kubernetes::controllers::pending::is_built_in;
use crate::kubernetes::controllers::{Held, Why, find};
use crate::kubernetes::kubelet::is_mirror;
use crate::kubernetes::kubelet::pods::pods_in_words;
use crate::kubernetes::storage::is_finished;
use crate::needs::{Draft, Explains, Findings, Rule};
use crate::plan::{in_namespace, quote};
use crate::report::{Cause, Ref, Remedy};
use crate::survey::{Condition, Form, Object, Resource, Seen};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const RULE: Rule = Rule {
    name: "eviction-refused",
    explanation: include_str!("eviction_refused.md"),
    explains: &[Explains::Deleted(diagnose)],
};

/// Of so many finalizers it is looked whether they wait for a drain, and in so many
/// namespaces for pods.
const GROUPS: usize = 5;
const NAMESPACES: usize = 20;

fn diagnose(target: &Target<'_>, facts: &Facts<'_>, found: &mut Findings) -> Known {
    for drain in drains(target, facts)? {
        for refusal in refusals(&drain, facts)? {
            found.add(draft(&drain, &refusal));
        }
    }
    Ok(())
}

/// The uids of what waits for an eviction that is refused.
pub(super) fn explains(target: &Target<'_>, facts: &Facts<'_>) -> Known<BTreeSet<String>> {
    let mut explained = BTreeSet::new();
    for drain in drains(target, facts)? {
        if !refusals(&drain, facts)?.is_empty() {
            explained.insert(drain.held.object.uid().to_owned());
        }
    }
    Ok(explained)
}

/// An object that goes when a node is drained.
struct Drain<'s> {
    held: Seen<'s>,
    node: &'s Object,
    named: Ref,
    /// Whether its finalizer is known to wait for a drain.
    known: bool,
}

/// What is being deleted and stands for a node: a Node, or an object whose status
/// names one, such as a Machine. Whoever drains it must be able to: where that
/// controller is gone or down, no budget is to blame.
fn drains<'s>(target: &Target<'s>, facts: &Facts<'s>) -> Known<Vec<Drain<'s>>> {
    let Some(nodes) = facts.discovery().preferred("", "nodes") else { return Ok(Vec::new()) };
    let may_be = |seen: &Seen<'_>| seen.resource.id == nodes.id || !is_built_in(seen.resource);
    let groups = by_finalizer(waiting(target, facts)?.into_iter().filter(may_be));
    let mut read = Vec::new();
    for (finalizer, objects) in groups.iter().take(GROUPS) {
        let held = Held::read_whole(objects, facts)?;
        for (seen, whole) in objects.iter().zip(&held.whole) {
            if let Some(name) = node_of(*seen, whole, nodes) {
                read.push((
                    *finalizer,
                    *seen,
                    facts.get(&nodes.id, None, &name, Form::Whole),
                    find(finalizer, &held, facts),
                ));
            }
        }
    }
    let mut drains: Vec<Drain<'_>> = Vec::new();
    for (finalizer, held, node, controller) in read {
        let node = match node {
            Err(Unknown::NotSurveyed) => return Err(Unknown::NotSurveyed),
            node => node.ok().flatten(),
        };
        let unable = matches!(
            controller?.why,
            Why::Gone { .. } | Why::ScaledToZero(_) | Why::Down { .. } | Why::LostRights { .. } | Why::Missing { .. }
        );
        let Some(node) = node.filter(|node| !unable && is_closed(node)) else { continue };
        let known = catalogue::lookup(finalizer).is_some_and(|entry| entry.guards.contains("drain"));
        drains.push(Drain { held, node, named: Ref::of(nodes, node), known });
    }
    Ok(drains)
}

fn node_of(seen: Seen<'_>, whole: &Object, nodes: &Resource) -> Option<String> {
    if seen.resource.id == nodes.id {
        return Some(whole.name().to_owned());
    }
    let named = ["/status/nodeRef/name", "/status/nodeName"].iter().find_map(|pointer| whole.text(pointer));
    named.filter(|name| !name.is_empty()).map(str::to_owned)
}

/// Whether no new pods are let on the node: every drain begins with that.
fn is_closed(node: &Object) -> bool {
    let closes = |taint: &Value| {
        let text = |field: &str| taint.get(field).and_then(Value::as_str).unwrap_or_default();
        let own = text("key").starts_with("node.kubernetes.io/") || text("key").starts_with("node-role.kubernetes.io/");
        !own && matches!(text("effect"), "NoSchedule" | "NoExecute")
    };
    node.at("/spec/unschedulable").and_then(Value::as_bool) == Some(true)
        || node.array("/spec/taints").iter().any(closes)
}

/// The pods of a node whose eviction the same budgets refuse.
struct Refusal<'s> {
    pods: Vec<Seen<'s>>,
    budgets: Vec<Seen<'s>>,
}

fn refusals<'s>(drain: &Drain<'_>, facts: &Facts<'s>) -> Known<Vec<Refusal<'s>>> {
    let (Some(kind), Some(pods)) =
        (facts.discovery().preferred("policy", "poddisruptionbudgets"), facts.discovery().preferred("", "pods"))
    else {
        return Ok(Vec::new());
    };
    let all = unread_is_none(facts.list(&kind.id, None, Form::Whole), facts)?;
    let mut by_namespace: BTreeMap<&str, Vec<Seen<'_>>> = BTreeMap::new();
    for object in all {
        let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
        by_namespace.entry(namespace).or_default().push(Seen { resource: kind, object });
    }
    // One that refuses, or two that may be over the same pod.
    by_namespace.retain(|_, budgets| budgets.len() > 1 || budgets.iter().any(|budget| refuses(budget.object)));
    let lists: Vec<(Vec<Seen<'_>>, Known<&[Object]>)> = by_namespace
        .into_iter()
        .take(NAMESPACES)
        .map(|(namespace, budgets)| (budgets, facts.list(&pods.id, Some(namespace), Form::Whole)))
        .collect();
    if lists.iter().any(|(_, list)| matches!(list, Err(Unknown::NotSurveyed))) {
        return Err(Unknown::NotSurveyed);
    }
    let mut refusals: Vec<Refusal<'_>> = Vec::new();
    for (budgets, list) in lists {
        for object in unread_is_none(list, facts)?.iter().filter(|pod| is_evicted(pod, drain.node.name())) {
            let over: Vec<Seen<'_>> = budgets.iter().copied().filter(|budget| covers(budget.object, object)).collect();
            if !(over.len() > 1
                || over.iter().any(|budget| refuses(budget.object) && !is_exempt(object, budget.object)))
            {
                continue;
            }
            let uids =
                |budgets: &[Seen<'_>]| budgets.iter().map(|seen| seen.object.uid().to_owned()).collect::<Vec<_>>();
            let pod = Seen { resource: pods, object };
            match refusals.iter_mut().find(|known| uids(&known.budgets) == uids(&over)) {
                Some(known) => known.pods.push(pod),
                None => refusals.push(Refusal { pods: vec![pod], budgets: over }),
            }
        }
    }
    Ok(refusals)
}

fn unread_is_none<'s>(list: Known<&'s [Object]>, facts: &Facts<'_>) -> Known<&'s [Object]> {
    match list {
        Err(Unknown::Unread { what, why }) => {
            facts.note_unread(what, &why);
            Ok(&[])
        }
        other => other,
    }
}

fn number(budget: &Object, pointer: &str) -> i64 {
    budget.at(pointer).and_then(Value::as_i64).unwrap_or_default()
}

/// Whether a budget lets no pod go now.
fn refuses(budget: &Object) -> bool {
    number(budget, "/status/disruptionsAllowed") == 0
}

/// Whether a drain evicts it: it runs on the node, and neither its node nor a
/// `DaemonSet` brings it back there. What is going, is over or has not begun is
/// evicted whatever a budget says.
fn is_evicted(pod: &Object, node: &str) -> bool {
    let daemon = pod.metadata.owner_references.iter().any(|owner| owner.kind == "DaemonSet");
    let begun = pod.text("/status/phase").is_some_and(|phase| phase != "Pending");
    pod.text("/spec/nodeName") == Some(node)
        && !pod.is_deleting()
        && !is_finished(pod)
        && begun
        && !daemon
        && !is_mirror(pod)
}

/// Whether the budget lets an unhealthy pod go all the same.
fn is_exempt(pod: &Object, budget: &Object) -> bool {
    let healthy = pod.condition("Ready").map(Condition::status) == Some("True");
    let enough = number(budget, "/status/desiredHealthy") > 0
        && number(budget, "/status/currentHealthy") >= number(budget, "/status/desiredHealthy");
    !healthy && (enough || budget.text("/spec/unhealthyPodEvictionPolicy") == Some("AlwaysAllow"))
}

/// Whether a budget's selector selects the pod; without one it selects none.
fn covers(budget: &Object, pod: &Object) -> bool {
    let Some(selector) = budget.at("/spec/selector") else { return false };
    let labels = &pod.metadata.labels;
    let plain = selector.get("matchLabels").and_then(Value::as_object);
    let plain = plain
        .is_none_or(|wanted| wanted.iter().all(|(key, value)| labels.get(key).map(String::as_str) == value.as_str()));
    let expressions = selector.get("matchExpressions").and_then(Value::as_array);
    plain && expressions.is_none_or(|all| all.iter().all(|expression| holds(expression, labels)))
}

fn holds(expression: &Value, labels: &BTreeMap<String, String>) -> bool {
    let text = |field: &str| expression.get(field).and_then(Value::as_str).unwrap_or_default();
    let label = labels.get(text("key"));
    let among = || {
        let values = expression.get("values").and_then(Value::as_array);
        let is = |value: &Value| label.map(String::as_str) == value.as_str();
        values.is_some_and(|values| values.iter().any(is))
    };
    match text("operator") {
        "In" => label.is_some() && among(),
        "NotIn" => label.is_none() || !among(),
        "Exists" => label.is_some(),
        "DoesNotExist" => label.is_none(),
        _ => false,
    }
}

fn draft(drain: &Drain<'_>, refusal: &Refusal<'_>) -> Draft {
    let refs: Vec<Ref> = refusal.pods.iter().map(|pod| (*pod).into()).collect();
    let budget = Ref::from(refusal.budgets[0]);
    let held = Ref::from(drain.held);
    let several = refusal.budgets.len() > 1;
    let why = if several {
        format!("{} budgets cover it, and then the API evicts nothing", refusal.budgets.len())
    } else {
        format!("{budget} lets none go")
    };
    let summary = format!("{} cannot be evicted from node {}: {why}", pods_in_words(&refs), drain.named.name);
    let mut draft = Draft::new(Cause::Eviction, refs[0].clone(), summary)
        .waits_for(budget.clone())
        .evidence(format!("runs on node {}", drain.named.name), &refs[0], "spec.nodeName")
        .evidence("takes no new pods: it is being drained", &drain.named, "spec.taints");
    if held != drain.named {
        draft = draft.evidence("is being deleted, and stands for the node", &held, "status");
    }
    for budget in refusal.budgets.iter().take(3) {
        let count = |field: &str| number(budget.object, &format!("/status/{field}"));
        draft = draft.evidence(
            format!(
                "{} of {} pods are healthy, {} must be: {} may be evicted",
                count("currentHealthy"),
                count("expectedPods"),
                count("desiredHealthy"),
                count("disruptionsAllowed")
            ),
            &(*budget).into(),
            "status.disruptionsAllowed",
        );
    }
    if !drain.known {
        draft = draft.likely().remark("whether its controller waits for the drain is not known");
    }
    remedies(draft, &refs[0], &budget, several).objects(refs)
}

fn remedies(draft: Draft, pod: &Ref, budget: &Ref, several: bool) -> Draft {
    let (namespace, name) = (in_namespace(pod), quote(&budget.name));
    let draft = if several {
        draft.remedy(Remedy::manual(
            format!("leave one budget over each pod: kubectl get pdb{namespace}"),
            "what the other budget was to keep up is no longer kept up",
        ))
    } else {
        draft.remedy(Remedy::manual(
            format!("get more pods of it healthy, or run one more replica, so that {budget} lets one go: kubectl describe pdb {name}{namespace}"),
            "nothing is lost: the drain goes on by itself",
        ))
    };
    draft.remedy(Remedy::manual(
        format!("if it may be down for a moment: kubectl delete pod {}{namespace}", quote(&pod.name)),
        "a delete asks no budget: fewer pods run than it wants until another has started",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Object {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn selectors_select_as_the_api_does() {
        let pod = object(json!({"metadata": {"labels": {"app": "web", "tier": "a"}}}));
        let covers = |selector: Value| covers(&object(json!({"spec": {"selector": selector}})), &pod);
        assert!(covers(json!({})));
        assert!(covers(json!({"matchLabels": {"app": "web"}})));
        assert!(!covers(json!({"matchLabels": {"app": "db"}})));
        assert!(covers(json!({"matchExpressions": [{"key": "tier", "operator": "In", "values": ["a", "b"]}]})));
        assert!(!covers(json!({"matchExpressions": [{"key": "tier", "operator": "NotIn", "values": ["a"]}]})));
        assert!(covers(json!({"matchExpressions": [{"key": "zone", "operator": "DoesNotExist"}]})));
        assert!(!super::covers(&object(json!({"spec": {}})), &pod));
    }

    #[test]
    fn what_a_drain_leaves_alone_is_not_evicted() {
        let pod = |metadata: Value, phase: &str| {
            object(json!({"metadata": metadata, "spec": {"nodeName": "n"}, "status": {"phase": phase}}))
        };
        assert!(is_evicted(&pod(json!({}), "Running"), "n"));
        assert!(!is_evicted(&pod(json!({}), "Running"), "m"));
        assert!(!is_evicted(&pod(json!({}), "Succeeded"), "n"));
        assert!(!is_evicted(&pod(json!({}), "Pending"), "n"));
        let daemon =
            json!({"ownerReferences": [{"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "d", "uid": "u"}]});
        assert!(!is_evicted(&pod(daemon, "Running"), "n"));
    }
}
