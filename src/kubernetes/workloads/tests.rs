use super::health::is_starting;
use crate::survey::Object;
use serde_json::{Value, json};

#[test]
fn a_young_pod_on_a_node_is_starting_until_something_shows_trouble() {
    let starts = |node: &str, status: &Value, age: i64| {
        let metadata = json!({"name": "web-1", "creationTimestamp": "2026-01-01T00:00:00Z"});
        let pod = json!({"metadata": metadata, "spec": {"nodeName": node}, "status": status});
        let pod: Object = serde_json::from_value(pod).unwrap();
        let made = pod.metadata.creation_timestamp.unwrap();
        is_starting(&pod, made + jiff::SignedDuration::from_secs(age))
    };
    let container = |restarts: u8, state: Value| json!({"name": "a", "restartCount": restarts, "state": state});
    let with = |container: Value| json!({"phase": "Pending", "containerStatuses": [container]});
    let (runs, waits) = (json!({"running": {}}), |why: &str| json!({"waiting": {"reason": why}}));
    for (starting, node, status, age) in [
        (true, "n", json!({"phase": "Pending"}), 10),
        (true, "n", with(container(0, waits("ContainerCreating"))), 120),
        (true, "n", with(container(0, runs.clone())), 10),
        (false, "n", with(container(0, runs.clone())), 121),
        (false, "n", with(container(1, runs)), 10),
        (false, "n", with(container(0, waits("ImagePullBackOff"))), 10),
        (false, "n", json!({"phase": "Failed"}), 10),
        (false, "n", json!({"phase": "Pending", "reason": "Evicted"}), 10),
        (false, "n", json!({"conditions": [{"type": "Ready", "status": "True"}]}), 10),
        (false, "", json!({"phase": "Pending"}), 10),
    ] {
        assert_eq!(starts(node, &status, age), starting, "{status} after {age} s");
    }
}
