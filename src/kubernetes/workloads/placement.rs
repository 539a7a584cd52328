//! Why a `DaemonSet` leaves a node out: its selector, its affinity, or a taint that it does not
//! tolerate.

use crate::survey::Object;
use serde_json::Value;

/// Why a node is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exclusion {
    /// The node does not have this label.
    Selector(String),
    /// The node affinity does not match the node.
    Affinity,
    /// This taint is not tolerated.
    Taint(String),
}

/// Taints that every `DaemonSet` tolerates, since its controller adds the tolerations to the pods
/// (kubernetes/kubernetes: `pkg/controller/daemon/util/daemonset_util.go`).
const TOLERATED: [&str; 7] = [
    "node.kubernetes.io/disk-pressure",
    "node.kubernetes.io/memory-pressure",
    "node.kubernetes.io/network-unavailable",
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/pid-pressure",
    "node.kubernetes.io/unreachable",
    "node.kubernetes.io/unschedulable",
];

/// Why `workload` runs no pod on `node`; `None` if it should.
pub(crate) fn left_out(workload: &Object, node: &Object) -> Option<Exclusion> {
    let selector = workload.at("/spec/template/spec/nodeSelector").and_then(Value::as_object);
    let labels = &node.metadata.labels;
    let lacks = |(key, value): &(&String, &Value)| labels.get(key).map(String::as_str) != value.as_str();
    if let Some((key, value)) = selector.into_iter().flatten().find(lacks) {
        return Some(Exclusion::Selector(format!("{key}={}", value.as_str().unwrap_or_default())));
    }
    let required =
        "/spec/template/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms";
    let terms = workload.array(required);
    if !terms.is_empty() && !terms.iter().any(|term| matches(term, node)) {
        return Some(Exclusion::Affinity);
    }
    let tolerations = workload.array("/spec/template/spec/tolerations");
    let taint = node.array("/spec/taints").iter().find(|taint| {
        let text = |field: &str| taint.get(field).and_then(Value::as_str).unwrap_or_default();
        ["NoSchedule", "NoExecute"].contains(&text("effect"))
            && !TOLERATED.contains(&text("key"))
            && !tolerations.iter().any(|toleration| tolerates(toleration, taint))
    })?;
    let text = |field: &str| taint.get(field).and_then(Value::as_str).unwrap_or_default();
    let value = if text("value").is_empty() { String::new() } else { format!("={}", text("value")) };
    Some(Exclusion::Taint(format!("{}{value}:{}", text("key"), text("effect"))))
}

/// Decides as the scheduler does (kubernetes/kubernetes: `staging/src/k8s.io/api/core/v1/toleration.go`).
fn tolerates(toleration: &Value, taint: &Value) -> bool {
    let of = |value: &'_ Value, field: &str| value.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (effect, key) = (of(toleration, "effect"), of(toleration, "key"));
    let exists = of(toleration, "operator") == "Exists";
    (effect.is_empty() || effect == of(taint, "effect"))
        && (key == of(taint, "key") || (key.is_empty() && exists))
        && (exists || of(toleration, "value") == of(taint, "value"))
}

/// Whether a term of a node selector matches: all of its requirements must.
fn matches(term: &Value, node: &Object) -> bool {
    let all = |field: &str| term.get(field).and_then(Value::as_array).map_or(&[][..], Vec::as_slice).iter();
    let by_label = |it: &Value| {
        let key = it.get("key").and_then(Value::as_str).unwrap_or_default();
        meets(it, node.metadata.labels.get(key).map(String::as_str))
    };
    // The only field is metadata.name.
    all("matchExpressions").all(by_label) && all("matchFields").all(|it| meets(it, Some(node.name())))
}

fn meets(requirement: &Value, has: Option<&str>) -> bool {
    let values = requirement.get("values").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let values: Vec<&str> = values.collect();
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<i64>().ok());
    let bound = number(values.first().copied());
    match requirement.get("operator").and_then(Value::as_str).unwrap_or_default() {
        "In" => has.is_some_and(|has| values.contains(&has)),
        "NotIn" => has.is_none_or(|has| !values.contains(&has)),
        "Exists" => has.is_some(),
        "DoesNotExist" => has.is_none(),
        "Gt" => number(has).zip(bound).is_some_and(|(has, bound)| has > bound),
        "Lt" => number(has).zip(bound).is_some_and(|(has, bound)| has < bound),
        // An unknown operator excludes no node.
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn out(template: Value, node: Value) -> Option<Exclusion> {
        let mut workload = json!({"metadata": {"name": "agent"}, "spec": {"template": {}}});
        workload["spec"]["template"]["spec"] = template;
        left_out(&serde_json::from_value(workload).unwrap(), &serde_json::from_value(node).unwrap())
    }

    fn node(taints: Value) -> Value {
        let mut node = json!({"metadata": {"name": "n", "labels": {"zone": "a", "size": "3"}}, "spec": {}});
        node["spec"]["taints"] = taints;
        node
    }

    #[test]
    fn a_taint_excludes_a_node_unless_it_is_tolerated() {
        let gpu = || node(json!([{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]));
        let tolerating = |it: Value| out(json!({"tolerations": [it]}), gpu());
        assert_eq!(out(json!({}), gpu()), Some(Exclusion::Taint("gpu=yes:NoSchedule".into())));
        assert_eq!(tolerating(json!({"operator": "Exists"})), None);
        assert_eq!(tolerating(json!({"key": "gpu", "value": "yes"})), None);
        assert!(tolerating(json!({"key": "gpu", "value": "no"})).is_some());
        assert!(tolerating(json!({"key": "gpu", "operator": "Exists", "effect": "NoExecute"})).is_some());
        let own = node(json!([{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"},
            {"key": "soft", "effect": "PreferNoSchedule"}]));
        assert_eq!(out(json!({}), own), None);
    }

    #[test]
    fn node_selectors_and_affinity_choose_the_nodes() {
        let plain = || node(json!([]));
        assert_eq!(out(json!({"nodeSelector": {"zone": "a"}}), plain()), None);
        assert_eq!(out(json!({"nodeSelector": {"zone": "b"}}), plain()), Some(Exclusion::Selector("zone=b".into())));
        let affinity = |terms: Value| {
            let required = json!({"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}});
            out(json!({"affinity": {"nodeAffinity": required}}), plain())
        };
        let label = |key: &str, operator: &str, values: &[&str]| json!({"matchExpressions": [{"key": key, "operator": operator, "values": values}]});
        assert_eq!(affinity(json!([label("zone", "In", &["b"]), label("size", "Gt", &["2"])])), None);
        assert_eq!(affinity(json!([label("zone", "NotIn", &["a"])])), Some(Exclusion::Affinity));
        let field = json!([{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}]);
        assert_eq!(affinity(field), None);
    }
}
