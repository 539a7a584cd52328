//! Nodes that somebody has taken out of service for a while
//! (kubernetes/kubernetes: `staging/src/k8s.io/api/core/v1/types.go`, `NodeConditionType`; alpha in 1.37).

use crate::survey::{Condition, Object};

/// The conditions of a node whose maintenance has begun. A planned one explains nothing yet.
const BEGUN: [&str; 4] = ["MaintenanceInProgress", "GracefulNodeShutdownInProgress", "Drained", "DrainInProgress"];

/// The condition that says that a node is under maintenance.
pub(crate) fn maintenance(node: &Object) -> Option<Condition<'_>> {
    let mut begun = BEGUN.iter().filter_map(|kind| node.condition(kind));
    begun.find(|condition| condition.status() == "True")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_has_begun_is_a_maintenance() {
        let says = |conditions: serde_json::Value| {
            let node = json!({"metadata": {"name": "n"}, "status": {"conditions": conditions}});
            let node: Object = serde_json::from_value(node).unwrap();
            maintenance(&node).map(|condition| condition.kind().to_owned())
        };
        let of = |kind: &str, status: &str| json!({"type": kind, "status": status});
        assert_eq!(says(json!([of("Drained", "True"), of("MaintenanceInProgress", "True")])).unwrap(), BEGUN[0]);
        assert_eq!(
            says(json!([of("MaintenanceInProgress", "False"), of("DrainInProgress", "True")])).unwrap(),
            BEGUN[3]
        );
        assert!(says(json!([of("MaintenancePlanned", "True"), of("Drained", "Unknown")])).is_none());
    }
}
