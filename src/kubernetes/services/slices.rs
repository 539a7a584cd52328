//! The `EndpointSlice`s of a Service: the ready addresses, and their pods.

use crate::facts::{Facts, Known};
use crate::kubernetes::built_in::named;
use crate::kubernetes::services::backend::ServiceName;
use crate::report::Ref;
use crate::survey::{Form, Object, ResourceId};
use serde_json::Value;

/// The label with the name of an `EndpointSlice`'s Service (kubernetes/kubernetes:
/// `staging/src/k8s.io/api/discovery/v1/well_known_labels.go`).
pub(crate) const SERVICE_NAME: &str = "kubernetes.io/service-name";

/// The slices of one Service.
pub(crate) fn slices<'s>(name: &ServiceName<'_>, facts: &Facts<'s>) -> Known<Vec<&'s Object>> {
    let id = ResourceId::new("discovery.k8s.io", "v1", "endpointslices");
    let all = facts.list(&id, Some(name.namespace), Form::Whole)?;
    Ok(all.iter().filter(|slice| slice.metadata.labels.get(SERVICE_NAME).is_some_and(|of| of == name.name)).collect())
}

/// The addresses of a Service for one of its ports, according to its slices.
pub(crate) struct Slices<'s> {
    /// How many slices there are.
    pub(crate) count: usize,
    /// How many addresses are ready for this port.
    pub(crate) ready: usize,
    /// How many addresses are not ready.
    pub(crate) not_ready: usize,
    /// How many addresses are ready for other ports only.
    pub(crate) other_ports: usize,
    /// The pods that are ready for this port.
    pub(crate) ready_pods: Vec<&'s str>,
}

impl<'s> Slices<'s> {
    /// Counts the addresses. An address is ready for the port if its slice has a port of that name
    /// and does not say that the address is not ready (kubernetes/kubernetes:
    /// `staging/src/k8s.io/kube-aggregator/pkg/controllers/status/remote/remote_available_controller.go`).
    pub(crate) fn of(slices: &[&'s Object], port: &str) -> Self {
        let mut of = Self { count: slices.len(), ready: 0, not_ready: 0, other_ports: 0, ready_pods: Vec::new() };
        for slice in slices {
            let called = |entry: &Value| entry.get("name").and_then(Value::as_str).unwrap_or_default() == port;
            let has_port = slice.array("/ports").iter().any(called);
            for endpoint in slice.array("/endpoints") {
                let addresses = endpoint.get("addresses").and_then(Value::as_array).map_or(0, Vec::len);
                let ready = endpoint.pointer("/conditions/ready").and_then(Value::as_bool).unwrap_or(true);
                match (ready, has_port) {
                    (true, true) => {
                        of.ready += addresses;
                        of.ready_pods.extend(pod_of(endpoint));
                    }
                    (true, false) => of.other_ports += addresses,
                    (false, _) => of.not_ready += addresses,
                }
            }
        }
        of
    }
}

pub(crate) fn pod_of(endpoint: &Value) -> Option<&str> {
    let target = endpoint.get("targetRef")?;
    (target.get("kind")?.as_str()? == "Pod").then_some(target.get("name")?.as_str()?)
}

/// The selector of a Service; empty if it has none.
pub(crate) fn selector(service: &Object) -> Vec<(&str, &str)> {
    let selector = service.at("/spec/selector").and_then(Value::as_object);
    selector.into_iter().flatten().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?))).collect()
}

/// The name or number of a port in a pod: its `targetPort`.
pub(crate) fn target_port(port: &Value) -> String {
    match port.get("targetPort") {
        Some(Value::String(name)) => name.clone(),
        Some(other) => other.to_string(),
        None => port.get("port").map(ToString::to_string).unwrap_or_default(),
    }
}

/// A reference to a pod.
pub(crate) fn pod_ref(namespace: &str, name: &str) -> Ref {
    named("v1", "Pod", "pods", Some(namespace), name)
}
