//! Pods whose containers were never created, because their image is still being pulled: the kubelet
//! ends such a pod only after the pull (kubernetes/kubernetes: `pkg/kubelet/pod_workers.go`,
//! `pkg/kubelet/images/image_manager.go`).

use crate::kubernetes::kubelet::PodEvent;
use crate::kubernetes::workloads::health::statuses;
use crate::survey::Object;
use serde_json::Value;

/// Whether none of the pod's containers was ever created, according to its status.
pub(crate) fn never_began(pod: &Object) -> bool {
    let mut statuses = statuses(pod).peekable();
    let was_made = |status: &Value| {
        let text = |pointer: &str| status.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        status.pointer("/state/waiting").is_none() || !text("/containerID").is_empty() || {
            status.pointer("/lastState/terminated").is_some()
        }
    };
    pod.text("/status/phase") == Some("Pending") && statuses.peek().is_some() && !statuses.any(was_made)
}

/// Whether an image of the pod is still being pulled, according to its events.
pub(crate) fn is_pulling(pod: &Object, told: &[PodEvent]) -> bool {
    let last = |reasons: &[&str]| {
        told.iter().filter(|told| reasons.contains(&told.reason.as_str())).filter_map(|told| told.last).max()
    };
    let (begun, over) = (last(&["Pulling"]), last(&["Pulled", "Failed", "BackOff"]));
    never_began(pod) && begun.is_some() && over < begun
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use serde_json::json;

    fn pod(status: &Value) -> Object {
        Object::single(
            json!({"metadata": {"name": "p"}, "status": {"phase": "Pending", "containerStatuses": [status]}}),
        )
        .unwrap()
    }

    fn event(reason: &str, second: i64) -> PodEvent {
        let last = Timestamp::from_second(second).ok();
        PodEvent { reason: reason.into(), message: String::new(), last, warns: false }
    }

    #[test]
    fn an_unfinished_image_pull_is_recognized() {
        let waits = pod(&json!({"name": "c", "state": {"waiting": {"reason": "ContainerCreating"}}}));
        assert!(is_pulling(&waits, &[event("Pulling", 5), event("Scheduled", 1)]));
        assert!(is_pulling(&waits, &[event("Pulling", 9), event("BackOff", 5)]));
        assert!(!is_pulling(&waits, &[event("Pulled", 5), event("Pulling", 5)]));
        assert!(!is_pulling(&waits, &[event("Scheduled", 1)]));
    }

    #[test]
    fn a_created_container_has_its_image() {
        for status in [
            json!({"name": "c", "state": {"running": {}}, "containerID": "containerd://1"}),
            json!({"name": "c", "state": {"waiting": {"reason": "CrashLoopBackOff"}}, "containerID": "containerd://1"}),
        ] {
            assert!(!is_pulling(&pod(&status), &[event("Pulling", 5)]), "{status}");
        }
    }
}
