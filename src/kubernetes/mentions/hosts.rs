//! Services whose DNS names a spec contains: `redpanda.streaming.svc`
//! (<https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/>).

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::mentions::edge::{Edge, How, MAX_EDGES};
use crate::kubernetes::mentions::grammar::{is_made_later, walk};
use crate::kubernetes::services::{self, ServiceName, Verdict};
use crate::report::{Ref, Sentence};
use crate::survey::{CalledService, Discovery, Form, Resource, Seen, called_services, service_of_host};
use serde_json::Value;

/// A Service that is named by DNS, and behind which nothing answers.
#[derive(Debug, Clone)]
pub struct UnansweredService {
    /// The Service.
    pub service: Ref,
    /// The port that is dialled.
    pub port: i64,
    /// The field that names it.
    pub field: String,
    /// The broken link, in words.
    pub why: Sentence,
}

/// The first existing Service that a held object of a custom kind names, and behind which nothing answers.
pub(crate) fn unanswered_service<'s>(held: &HeldObjects<'s>, facts: &Facts<'s>) -> Known<Option<UnansweredService>> {
    let custom = held.read().filter(|seen| is_custom(&seen.resource.id.group));
    let named = custom.flat_map(|seen| host_edges(seen, facts.discovery())).take(MAX_EDGES);
    let found =
        flat_each(named, |edge| behind(edge.namespace.as_deref().unwrap_or_default(), &edge.name, edge.field, facts))?;
    Ok(found.into_iter().next())
}

/// The Service of the DNS name or URL in `field`, if nothing answers behind it.
pub(crate) fn unanswered_address(address: &str, field: &str, facts: &Facts<'_>) -> Known<Option<UnansweredService>> {
    let Some((place, name)) = service(address) else { return Ok(None) };
    behind(place, name, field.to_owned(), facts)
}

fn behind(place: &str, name: &str, field: String, facts: &Facts<'_>) -> Known<Option<UnansweredService>> {
    let Some(services) = facts.preferred("", "services") else { return Ok(None) };
    let read = facts.get(&services.id, Some(place), name, Form::Whole).if_readable()?.flatten();
    // Any port will do: the way to the pods is the same.
    let port = read.and_then(|service| service.array("/spec/ports").first()?.get("port")?.as_i64());
    let Some(port) = port else { return Ok(None) };
    let backend = services::of(&ServiceName { namespace: place, name, port, registration: None }, facts)?;
    if backend.verdict != Verdict::Broken {
        return Ok(None);
    }
    let why = backend.broken().map(|link| Sentence::from(&link.object).then(" ").then(link.text.clone()));
    Ok(Some(UnansweredService { service: backend.service.clone(), port, field, why: why.unwrap_or_default() }))
}

/// The Services whose DNS names the spec of `seen` contains.
pub(crate) fn host_edges<'s>(seen: Seen<'s>, discovery: &'s Discovery) -> Vec<Edge<'s>> {
    let mut found = Vec::new();
    let (Some(spec), Some(services)) = (seen.object.at("/spec"), services_kind(discovery)) else { return found };
    walk(spec, "spec", 0, &mut |field, _, value| {
        let several = value.as_array().into_iter().flatten();
        let texts = several.chain([value]).filter_map(Value::as_str);
        let hosts = texts.filter(|_| !is_made_later(field)).filter_map(service);
        let edges = hosts.filter_map(|(place, name)| Edge::to(seen, services, Some(place), name));
        found.extend(edges.map(|to| Edge { how: How::Host, field: field.to_owned(), ..to }));
    });
    found
}

/// The Services that variables of a workload name.
pub(crate) fn variable_edges<'s>(workload: Seen<'s>, discovery: &'s Discovery) -> Vec<Edge<'s>> {
    let Some(services) = services_kind(discovery) else { return Vec::new() };
    let containers = workload.object.array("/spec/template/spec/containers").iter();
    let edges =
        containers.flat_map(called_services).filter_map(|CalledService { variable, namespace, name, .. }| {
            Some(Edge { how: How::Host, field: variable, ..Edge::to(workload, services, namespace.as_deref(), &name)? })
        });
    edges.take(MAX_EDGES).collect()
}

fn services_kind(discovery: &Discovery) -> Option<&Resource> {
    discovery.resources.iter().find(|kind| kind.id.is("", "services"))
}

/// The namespace and the name in `https://name.namespace.svc.cluster.local:443/path`.
fn service(address: &str) -> Option<(&str, &str)> {
    let host = address.split_once("://").map_or(address, |(_, rest)| rest);
    service_of_host(host.rsplit_once('@').map_or(host, |(_, host)| host).split(['/', ':']).next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_read_from_its_dns_name() {
        assert_eq!(service("https://db.shop.svc:5432/orders"), Some(("shop", "db")));
        assert_eq!(service("broker-0.broker.streaming.svc.cluster.local:9093"), Some(("streaming", "broker")));
        assert_eq!(service("postgres://me:it@db.shop.svc/orders"), Some(("shop", "db")));
        assert_eq!(service("db.shop.svc.cluster.local."), Some(("shop", "db")));
        for other in ["db.shop.example.com", "svc", "shop.svc", "{{ .host }}.shop.svc", ""] {
            assert_eq!(service(other), None, "{other}");
        }
    }
}
