//! Pods whose eviction a `PodDisruptionBudget` refuses (kubernetes/kubernetes:
//! `pkg/registry/core/pod/storage/eviction.go`).

use crate::facts::{Facts, Known, Readable};
use crate::kubernetes::admission::selects;
use crate::kubernetes::eviction::Drain;
use crate::kubernetes::eviction::node_content::stays;
use crate::survey::{Condition, Form, Object, Seen};
use serde_json::Value;
use std::collections::BTreeMap;

/// The pods of a node whose eviction the same budgets refuse.
#[derive(Debug)]
pub(crate) struct EvictionRefusal<'s> {
    /// The pods; at least one.
    pub(crate) pods: Vec<Seen<'s>>,
    /// The budgets; at least one.
    pub(crate) budgets: Vec<Seen<'s>>,
}

/// The pods that prevent a node from being drained, grouped by the budgets that cover them. Budgets
/// and pods that cannot be read are noted and left out.
pub(crate) fn refusals<'s>(drain: &Drain<'_>, facts: &Facts<'s>) -> Known<Vec<EvictionRefusal<'s>>> {
    let (Some(kind), Some(pods)) = (facts.preferred("policy", "poddisruptionbudgets"), facts.preferred("", "pods"))
    else {
        return Ok(Vec::new());
    };
    let all = facts.list(&kind.id, None, Form::Whole).or_note(facts)?.unwrap_or_default();
    let mut by_namespace: BTreeMap<&str, Vec<Seen<'_>>> = BTreeMap::new();
    for object in all {
        let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
        by_namespace.entry(namespace).or_default().push(Seen { resource: kind, object });
    }
    // Keep namespaces with a budget that refuses, or with two that may cover the same pod.
    by_namespace.retain(|_, budgets| budgets.len() > 1 || budgets.iter().any(|budget| refuses(budget.object)));
    if by_namespace.is_empty() {
        return Ok(Vec::new());
    }
    let mut refusals: Vec<EvictionRefusal<'_>> = Vec::new();
    let on_node = facts.pods_on(&pods.id, drain.node.name()).or_note(facts)?.unwrap_or_default();
    for object in on_node.into_iter().filter(|pod| is_evicted(pod)) {
        let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
        let budgets = by_namespace.get(namespace).map_or(&[][..], Vec::as_slice);
        let over: Vec<Seen<'_>> = budgets.iter().copied().filter(|budget| covers(budget.object, object)).collect();
        if !(over.len() > 1 || over.iter().any(|budget| refuses(budget.object) && !is_exempt(object, budget.object))) {
            continue;
        }
        let uids = |budgets: &[Seen<'_>]| budgets.iter().map(|seen| seen.object.uid().to_owned()).collect::<Vec<_>>();
        let pod = Seen { resource: pods, object };
        match refusals.iter_mut().find(|known| uids(&known.budgets) == uids(&over)) {
            Some(known) => known.pods.push(pod),
            None => refusals.push(EvictionRefusal { pods: vec![pod], budgets: over }),
        }
    }
    Ok(refusals)
}

/// A number in the status of a budget; 0 if it is missing.
pub(crate) fn count_of(budget: &Object, field: &str) -> i64 {
    budget.at(&format!("/status/{field}")).and_then(Value::as_i64).unwrap_or_default()
}

/// Whether a budget allows no eviction now.
fn refuses(budget: &Object) -> bool {
    count_of(budget, "disruptionsAllowed") == 0
}

/// Whether a budget can prevent a drain from evicting the pod. Mirror pods and pods of a `DaemonSet`
/// are not evicted, and a pod that is being deleted, has ended or has not started is evicted
/// whatever a budget says.
fn is_evicted(pod: &Object) -> bool {
    let begun = pod.text("/status/phase").is_some_and(|phase| phase != "Pending");
    begun && !pod.is_deleting() && !stays(pod)
}

/// Whether the budget allows the eviction of an unhealthy pod anyway.
fn is_exempt(pod: &Object, budget: &Object) -> bool {
    let healthy = pod.condition("Ready").map(Condition::status) == Some("True");
    let enough = count_of(budget, "desiredHealthy") > 0
        && count_of(budget, "currentHealthy") >= count_of(budget, "desiredHealthy");
    !healthy && (enough || budget.text("/spec/unhealthyPodEvictionPolicy") == Some("AlwaysAllow"))
}

/// Whether a budget's selector matches the pod; without a selector it matches none.
fn covers(budget: &Object, pod: &Object) -> bool {
    budget.at("/spec/selector").is_some_and(|selector| selects(Some(selector), &pod.metadata.labels))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Object {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn selectors_match_as_in_the_api() {
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
    fn pods_that_a_drain_ignores_are_not_evicted() {
        let pod = |metadata: Value, phase: &str| {
            object(json!({"metadata": metadata, "spec": {"nodeName": "n"}, "status": {"phase": phase}}))
        };
        assert!(is_evicted(&pod(json!({}), "Running")));
        assert!(!is_evicted(&pod(json!({}), "Succeeded")));
        assert!(!is_evicted(&pod(json!({}), "Pending")));
        let daemon =
            json!({"ownerReferences": [{"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "d", "uid": "u"}]});
        assert!(!is_evicted(&pod(daemon, "Running")));
    }
}
