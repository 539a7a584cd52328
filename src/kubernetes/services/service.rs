//! The Service and its ready addresses.

use crate::facts::{Facts, Known};
use crate::kubernetes::services::{Backend, ServiceName, Verdict, named, noted, pods, with_uid};
use crate::report::{LinkState, Ref};
use crate::survey::{Form, Object, ResourceId};
use serde_json::Value;

/// By this label an `EndpointSlice` says whose it is (kubernetes/kubernetes:
/// `staging/src/k8s.io/api/discovery/v1/well_known_labels.go`).
const SERVICE_NAME: &str = "kubernetes.io/service-name";

pub(crate) fn look<'s>(name: &ServiceName<'_>, facts: &Facts<'s>) -> Known<Backend<'s>> {
    let reference = named("v1", "Service", "services", Some(name.namespace), name.name);
    let mut backend = Backend::new(reference.clone());
    // The API server knows its own Service and does not dial it
    // (kubernetes/kubernetes: staging/src/k8s.io/kube-aggregator/pkg/apiserver/resolvers.go).
    if (name.namespace, name.name) == ("default", "kubernetes") {
        backend.link(reference, LinkState::Fine, "the API server's own");
        return Ok(backend.with(Verdict::Answers));
    }
    let services = ResourceId::new("", "v1", "services");
    let service = facts.get(&services, Some(name.namespace), name.name, Form::Whole);
    let slices = slices(name, facts);
    let Some(service) = noted(service, facts)? else {
        backend.link(reference, LinkState::Unknown, "cannot be read");
        return Ok(backend.with(Verdict::Unknown));
    };
    let Some(service) = service else { return missing(backend, name, facts) };
    let reference = with_uid(reference, service);
    backend.service = reference.clone();
    if let Some(host) = external(service) {
        let text = format!("stands for the host {host}: whether anything answers there does not show in the cluster");
        backend.link(reference, LinkState::Unknown, text);
        return Ok(backend.with(Verdict::Unknown));
    }
    let Some(port) = port(service, name.port) else {
        backend.is_wanted = true;
        backend.link(reference, LinkState::Broken, format!("does not listen on port {}{}", name.port, has(service)));
        return Ok(backend);
    };
    let text = format!("listens on port {}", name.port);
    backend.link(reference.clone(), LinkState::Fine, text);
    let slices_ref = named("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", Some(name.namespace), name.name);
    let Some(slices) = noted(slices, facts)? else {
        backend.link(slices_ref, LinkState::Unknown, "cannot be read");
        return Ok(backend.with(Verdict::Unknown));
    };
    let slices = Slices::of(&slices, port.get("name").and_then(Value::as_str).unwrap_or_default());
    if slices.ready > 0 {
        let plural = if slices.ready == 1 { "" } else { "es" };
        backend.link(slices_ref, LinkState::Fine, format!("{} ready address{plural}", slices.ready));
        backend.ready_pods = slices.ready_pods;
        return Ok(backend.with(Verdict::Answers));
    }
    pods::look(backend, slices_ref, &slices, service, port, facts)
}

/// The name that a Service of type `ExternalName` stands for.
fn external(service: &Object) -> Option<&str> {
    (service.text("/spec/type") == Some("ExternalName")).then(|| service.text("/spec/externalName").unwrap_or("?"))
}

/// The Service's entry for the port that is dialled.
fn port(service: &Object, number: i64) -> Option<&Value> {
    service.array("/spec/ports").iter().find(|port| port.get("port").and_then(Value::as_i64) == Some(number))
}

/// ` (it has 80, 8443)`
fn has(service: &Object) -> String {
    let ports: Vec<String> =
        service.array("/spec/ports").iter().filter_map(|port| port.get("port")).map(ToString::to_string).collect();
    if ports.is_empty() { " or any other".into() } else { format!(", only on {}", ports.join(", ")) }
}

/// A Service that does not exist: its namespace says whether it can come back.
fn missing<'s>(mut backend: Backend<'s>, name: &ServiceName<'_>, facts: &Facts<'s>) -> Known<Backend<'s>> {
    let namespaces = ResourceId::new("", "v1", "namespaces");
    let place = facts.metadata(&namespaces, None, name.namespace);
    backend.service = backend.service.missing();
    let reference = backend.service.clone();
    let Some(place) = noted(place, facts)? else {
        backend.link(reference, LinkState::Broken, "does not exist");
        return Ok(backend);
    };
    let namespace = named("v1", "Namespace", "namespaces", None, name.namespace);
    match place {
        None => {
            backend.left_over = Some(format!("namespace {} does not exist", name.namespace));
            backend.link(reference, LinkState::Affected, "does not exist");
            backend.link(namespace.missing(), LinkState::Broken, "does not exist");
        }
        Some(place) if place.is_deleting() => {
            backend.left_over = Some(format!("namespace {} is itself being deleted", name.namespace));
            backend.link(reference, LinkState::Affected, "does not exist");
            backend.link(with_uid(namespace, place), LinkState::Broken, "is itself being deleted");
        }
        Some(_) => {
            let behind = pods::would_be_behind(name, facts)?;
            let text = match behind {
                pods::Behind::Nobody => {
                    backend.left_over =
                        Some("its Service does not exist, and nothing is left that ran behind it".into());
                    "does not exist".to_owned()
                }
                pods::Behind::Unread => "does not exist".to_owned(),
                pods::Behind::Workload(workload) => {
                    backend.is_wanted = true;
                    format!("does not exist, though {workload} is still there")
                }
            };
            backend.link(reference, LinkState::Broken, text);
        }
    }
    Ok(backend)
}

/// The slices of one Service.
fn slices<'s>(name: &ServiceName<'_>, facts: &Facts<'s>) -> Known<Vec<&'s Object>> {
    let id = ResourceId::new("discovery.k8s.io", "v1", "endpointslices");
    let all = facts.list(&id, Some(name.namespace), Form::Whole)?;
    Ok(all.iter().filter(|slice| slice.metadata.labels.get(SERVICE_NAME).is_some_and(|of| of == name.name)).collect())
}

/// What the slices of a Service say of one of its ports.
pub(crate) struct Slices<'s> {
    /// So many slices there are.
    pub(crate) count: usize,
    /// So many addresses are ready for this port.
    pub(crate) ready: usize,
    /// So many are there and not ready.
    pub(crate) not_ready: usize,
    /// So many are ready, but for other ports.
    pub(crate) other_ports: usize,
    /// The pods that are ready for this port.
    pub(crate) ready_pods: Vec<&'s str>,
}

impl<'s> Slices<'s> {
    /// An address counts when it is not said to be unready, in a slice that has the
    /// Service's port by its name (kubernetes/kubernetes:
    /// `staging/src/k8s.io/kube-aggregator/pkg/controllers/status/remote/remote_available_controller.go`).
    fn of(slices: &[&'s Object], port: &str) -> Self {
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

fn pod_of(endpoint: &Value) -> Option<&str> {
    let target = endpoint.get("targetRef")?;
    (target.get("kind")?.as_str()? == "Pod").then_some(target.get("name")?.as_str()?)
}

/// The selector of a Service; empty when it has none.
pub(crate) fn selector(service: &Object) -> Vec<(&str, &str)> {
    let selector = service.at("/spec/selector").and_then(Value::as_object);
    selector.into_iter().flatten().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?))).collect()
}

/// What a port is called in a pod: `targetPort`.
pub(crate) fn target_port(port: &Value) -> String {
    match port.get("targetPort") {
        Some(Value::String(name)) => name.clone(),
        Some(other) => other.to_string(),
        None => port.get("port").map(ToString::to_string).unwrap_or_default(),
    }
}

/// Names a pod.
pub(crate) fn pod_ref(namespace: &str, name: &str) -> Ref {
    named("v1", "Pod", "pods", Some(namespace), name)
}
