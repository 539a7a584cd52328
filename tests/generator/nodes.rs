//! Nodes without a kubelet, and the reports that a kubelet would write about them.

use crate::api::{now, now_micro};
use crate::draft::{Draft, Phase};
use crate::object::Id;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A node that stays healthy to the end.
pub fn ready(draft: &mut Draft, name: &str) -> Id {
    let id = make(draft, name, true);
    let node = id.clone();
    let lease = Id::of("Lease", Some("kube-node-lease"), name);
    let manifest = json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
        "metadata": {"name": name, "namespace": "kube-node-lease"},
        "spec": {"holderIdentity": name, "leaseDurationSeconds": 40, "renewTime": now_micro()}});
    draft.create_as(Phase::Ground, manifest, None, "kubelet");
    let mut last: Option<Instant> = None;
    draft.heartbeat(move |api| {
        if last.is_none_or(|last| last.elapsed() > Duration::from_secs(4)) {
            last = Some(Instant::now());
            // A failure is retried.
            let _ = api.patch(&lease, &json!({"spec": {"renewTime": now_micro()}}), "kubelet");
            // A kubelet that was late reports that it is back.
            if api.get(&node.path()).is_ok_and(|found| found.is_some_and(|node| !is_ready(&node))) {
                let _ = api.patch_status(&node, &status(true), "kubelet");
            }
        }
        false
    });
    id
}

/// A node whose kubelet has not reported for long.
pub fn not_ready(draft: &mut Draft, name: &str) -> Id {
    make(draft, name, false)
}

fn make(draft: &mut Draft, name: &str, is_ready: bool) -> Id {
    let manifest = json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}});
    let id = draft.create_as(Phase::Ground, manifest, None, "kubelet");
    let node = id.clone();
    draft.act(Phase::Things, move |api| api.patch_status(&node, &status(is_ready), "kubelet"));
    id
}

fn is_ready(node: &Value) -> bool {
    let conditions = node["status"]["conditions"].as_array().into_iter().flatten();
    conditions.into_iter().any(|condition| condition["type"] == "Ready" && condition["status"] == "True")
}

fn status(is_ready: bool) -> Value {
    let (status, reason, message) = if is_ready {
        ("True", "KubeletReady", "kubelet is posting ready status")
    } else {
        ("Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.")
    };
    json!({"conditions": [{"type": "Ready", "status": status, "reason": reason, "message": message,
        "lastHeartbeatTime": now(), "lastTransitionTime": now()}]})
}
