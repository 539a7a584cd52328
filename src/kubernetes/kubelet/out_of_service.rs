//! The taint that declares a node out of service (kubernetes/kubernetes:
//! `staging/src/k8s.io/api/core/v1/well_known_taints.go`).

use crate::survey::Object;
use serde_json::Value;

/// The key of the taint.
pub const OUT_OF_SERVICE: &str = "node.kubernetes.io/out-of-service";
/// The field of a node that contains its taints.
pub const TAINTS: &str = "/spec/taints";

/// The taint, if the node has it.
pub(crate) fn out_of_service_taint(node: &Object) -> Option<&Value> {
    node.array(TAINTS).iter().find(|taint| taint.get("key").and_then(Value::as_str) == Some(OUT_OF_SERVICE))
}
