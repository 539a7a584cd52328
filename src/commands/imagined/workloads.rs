//! Running workloads: their pods, the addresses of the Services, and the statuses of both.

use super::cluster::Imagined;
use crate::survey::Object;
use serde_json::{Value, json};

/// The node of all pods, and its address.
const NODE: &str = "imagined";
const ADDRESS: &str = "10.0.0.1";

/// Starts one pod of each workload, and puts them behind the Services that select them.
pub(super) fn start(imagined: &mut Imagined) {
    let now = imagined.cluster.now.to_string();
    let ready = json!([{"type": "Ready", "status": "True", "lastTransitionTime": now, "lastHeartbeatTime": now}]);
    let node = json!({"metadata": {"name": NODE}, "spec": {}, "status": {"conditions": ready}});
    imagined.add_own("", "nodes", None, node);
    let lease = json!({"metadata": {"name": NODE}, "spec": {"holderIdentity": NODE, "renewTime": now, "leaseDurationSeconds": 40}});
    imagined.add_own("coordination.k8s.io", "leases", Some("kube-node-lease"), lease);
    for (plural, kind) in [("deployments", "Deployment"), ("statefulsets", "StatefulSet"), ("daemonsets", "DaemonSet")]
    {
        for workload in imagined.all("apps", plural) {
            imagined.add_pod(&workload, kind, &ready);
        }
    }
    let pods = imagined.all("", "pods");
    for service in imagined.all("", "services") {
        imagined.add_endpoints(&service, &pods);
    }
}

impl Imagined {
    /// Adds the pod of a workload unless it has 0 replicas, as a `ReplicaSet` with a hash in its
    /// name would create it.
    fn add_pod(&mut self, workload: &Object, kind: &str, ready: &Value) {
        if workload.at("/spec/replicas").and_then(Value::as_i64) == Some(0) {
            return;
        }
        let template = workload.at("/spec/template").cloned().unwrap_or_default();
        let owner = json!([{"apiVersion": "apps/v1", "kind": kind, "name": workload.name(), "uid": workload.uid(),
            "controller": true, "blockOwnerDeletion": true}]);
        let mut spec = Some(template["spec"].clone()).filter(Value::is_object).unwrap_or_else(|| json!({}));
        spec["nodeName"] = json!(NODE);
        let containers = spec["containers"].as_array().into_iter().flatten().map(|container| {
            json!({"name": container["name"], "image": container["image"], "imageID": "", "ready": true, "restartCount": 0,
                "state": {"running": {"startedAt": self.cluster.now.to_string()}}})
        });
        let status = json!({"phase": "Running", "conditions": ready, "podIP": ADDRESS,
            "containerStatuses": containers.collect::<Vec<_>>()});
        let metadata = json!({"name": format!("{}-0", workload.name()), "labels": template["metadata"]["labels"],
            "ownerReferences": owner});
        let pod = json!({"metadata": metadata, "spec": spec, "status": status});
        self.add_own("", "pods", workload.metadata.namespace.as_deref(), pod);
    }

    /// Adds the `EndpointSlice` of a Service, with the pods that it selects.
    fn add_endpoints(&mut self, service: &Object, pods: &[Object]) {
        let Some(selector) = service.at("/spec/selector").and_then(Value::as_object) else { return };
        let is_selected = |pod: &&Object| {
            pod.metadata.namespace == service.metadata.namespace
                && selector
                    .iter()
                    .all(|(key, value)| pod.metadata.labels.get(key).map(String::as_str) == value.as_str())
        };
        let endpoints = pods.iter().filter(is_selected).map(|pod| {
            let target =
                json!({"kind": "Pod", "name": pod.name(), "namespace": pod.metadata.namespace, "uid": pod.uid()});
            json!({"addresses": [ADDRESS], "conditions": {"ready": true}, "nodeName": NODE, "targetRef": target})
        });
        let ports = service.array("/spec/ports").iter().map(|port| json!({"name": port["name"], "port": port["port"]}));
        let slice = json!({"metadata": {"name": format!("{}-0", service.name()),
                "labels": {"kubernetes.io/service-name": service.name()}},
            "addressType": "IPv4", "endpoints": endpoints.collect::<Vec<_>>(), "ports": ports.collect::<Vec<_>>()});
        self.add_own("discovery.k8s.io", "endpointslices", service.metadata.namespace.as_deref(), slice);
    }
}
