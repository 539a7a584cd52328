//! The statuses that the server and its controllers write on healthy objects.

use serde_json::{Value, json};

/// The object with the status that it has when all is well.
pub(super) fn at_work(manifest: &Value) -> Value {
    let condition = |kind: &str| json!({"type": kind, "status": "True"});
    let count = manifest["spec"]["replicas"].as_u64().unwrap_or(1);
    let status = match manifest["kind"].as_str().unwrap_or_default() {
        "APIService" => json!({"conditions": [condition("Available")]}),
        "CustomResourceDefinition" => {
            let all = manifest["spec"]["versions"].as_array().into_iter().flatten();
            let stored: Vec<&Value> =
                all.filter(|version| version["storage"] == true).map(|version| &version["name"]).collect();
            json!({"acceptedNames": manifest["spec"]["names"], "storedVersions": stored,
                "conditions": [condition("NamesAccepted"), condition("Established")]})
        }
        "Deployment" => json!({"replicas": count, "readyReplicas": count, "availableReplicas": count,
            "updatedReplicas": count, "conditions": [condition("Available")]}),
        "StatefulSet" => json!({"replicas": count, "readyReplicas": count, "availableReplicas": count,
            "updatedReplicas": count}),
        "DaemonSet" => json!({"desiredNumberScheduled": 1, "currentNumberScheduled": 1, "numberReady": 1,
            "numberAvailable": 1}),
        "Namespace" => json!({"phase": "Active"}),
        _ => return manifest.clone(),
    };
    let mut object = manifest.clone();
    object["status"] = status;
    object
}
