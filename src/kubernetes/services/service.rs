//! The Service and its ready addresses.

use super::slices::{Slices, slices};
use crate::facts::{Facts, Known, Readable};
use crate::kubernetes::built_in::named;
use crate::kubernetes::services::backend::{Backend, ServiceName, Verdict};
use crate::kubernetes::services::pods;
use crate::report::LinkState;
use crate::survey::{Form, Object, ResourceId};
use serde_json::Value;

pub(crate) fn look<'s>(name: &ServiceName<'_>, facts: &Facts<'s>) -> Known<Backend<'s>> {
    let reference = named("v1", "Service", "services", Some(name.namespace), name.name);
    let mut backend = Backend::new(reference.clone());
    // The API server knows its own Service and does not call it
    // (kubernetes/kubernetes: staging/src/k8s.io/kube-aggregator/pkg/apiserver/resolvers.go).
    if (name.namespace, name.name) == ("default", "kubernetes") {
        backend.link(reference, LinkState::Fine, "the API server's own");
        return Ok(backend.with(Verdict::Answers));
    }
    let services = ResourceId::new("", "v1", "services");
    let service = facts.get(&services, Some(name.namespace), name.name, Form::Whole);
    let slices = slices(name, facts);
    let Some(service) = service.or_note(facts)? else {
        backend.link(reference, LinkState::Unknown, "cannot be read");
        return Ok(backend.with(Verdict::Unknown));
    };
    let Some(service) = service else { return missing(backend, name, facts) };
    let reference = reference.with_uid(service.uid());
    backend.service = reference.clone();
    if let Some(host) = external(service) {
        let text = format!("is the host {host}, outside the cluster; whether it answers cannot be seen from here");
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
    // Its own name if there is one: the API server adds letters to that of the Service.
    let first = slices.as_ref().ok().and_then(|slices| slices.first()).map_or(name.name, |slice| slice.name());
    let slices_ref = named("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", Some(name.namespace), first);
    let Some(slices) = slices.or_note(facts)? else {
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

/// The external name of a Service of type `ExternalName`.
fn external(service: &Object) -> Option<&str> {
    (service.text("/spec/type") == Some("ExternalName")).then(|| service.text("/spec/externalName").unwrap_or("?"))
}

/// The Service's entry for the port that is called.
fn port(service: &Object, number: i64) -> Option<&Value> {
    service.array("/spec/ports").iter().find(|port| port.get("port").and_then(Value::as_i64) == Some(number))
}

/// The ports of a Service, in words: `, only on 80, 8443`.
fn has(service: &Object) -> String {
    let ports: Vec<String> =
        service.array("/spec/ports").iter().filter_map(|port| port.get("port")).map(ToString::to_string).collect();
    if ports.is_empty() { " or any other".into() } else { format!(", only on {}", ports.join(", ")) }
}

/// The backend of a missing Service: its namespace shows whether it can come back.
fn missing<'s>(mut backend: Backend<'s>, name: &ServiceName<'_>, facts: &Facts<'s>) -> Known<Backend<'s>> {
    let namespaces = ResourceId::new("", "v1", "namespaces");
    let place = facts.metadata(&namespaces, None, name.namespace);
    backend.service = backend.service.missing();
    let reference = backend.service.clone();
    let Some(place) = place.or_note(facts)? else {
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
            backend.link(namespace.with_uid(place.uid()), LinkState::Broken, "is itself being deleted");
        }
        Some(_) => {
            let behind = pods::would_be_behind(name, facts)?;
            let text = match behind {
                pods::ExpectedBackend::Nobody => {
                    backend.left_over =
                        Some("its Service does not exist, and nothing that ran behind it is left".into());
                    "does not exist".to_owned()
                }
                pods::ExpectedBackend::Unread => "does not exist".to_owned(),
                pods::ExpectedBackend::Workload(workload) => {
                    backend.is_wanted = true;
                    format!("does not exist, though {workload} is still there")
                }
            };
            backend.link(reference, LinkState::Broken, text);
        }
    }
    Ok(backend)
}
