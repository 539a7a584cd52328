//! Services whose DNS names a spec contains, and that do not exist or have no backend: `redpanda.streaming.svc`
//! (<https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/>).

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::progress::absent::{Absent, if_absent, is_made_later};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::references::{MAX_REFERENCES, walk};
use crate::kubernetes::services::{self, ServiceName, Verdict};
use crate::report::{Ref, Sentence};
use crate::survey::{CalledService, Form, Object, Seen, called_services, service_of_host};
use indexmap::IndexMap;
use serde_json::Value;

/// The Services that held objects name by DNS, and that do not exist.
pub(super) fn absent(inquiry: Inquiry<'_, '_>) -> Known<Vec<Absent>> {
    let Some(services) = inquiry.facts.preferred("", "services") else { return Ok(Vec::new()) };
    let mut named: IndexMap<(String, String), String> = IndexMap::new();
    for (place, name, field) in inquiry.held.read().flat_map(hosts) {
        if named.len() < MAX_REFERENCES {
            named.entry((place, name)).or_insert(field);
        }
    }
    flat_each(named, |((place, name), field)| {
        Ok(if_absent(services, Some(&place), &name, inquiry)?.map(|what| Absent::source(what, field)))
    })
}

/// The first missing Service that a variable of a workload names, with the variable.
///
/// # Errors
/// When something was not surveyed yet.
pub(super) fn called_by(workload: &Object, inquiry: Inquiry<'_, '_>) -> Known<Option<(Ref, String)>> {
    let Some(services) = inquiry.facts.preferred("", "services") else { return Ok(None) };
    let containers = workload.array("/spec/template/spec/containers").iter();
    let called = containers.flat_map(called_services).take(MAX_REFERENCES);
    let absent = flat_each(called, |CalledService { variable, namespace, name, .. }| {
        let place = namespace.as_deref().or(workload.metadata.namespace.as_deref());
        Ok(if_absent(services, place, &name, inquiry)?.map(|what| (what, variable)))
    })?;
    Ok(absent.into_iter().next())
}

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
///
/// # Errors
/// When something was not surveyed yet.
pub(super) fn unserved(held: &HeldObjects<'_>, facts: &Facts<'_>) -> Known<Option<UnansweredService>> {
    let custom = held.read().filter(|seen| is_custom(&seen.resource.id.group));
    let named = custom.flat_map(hosts).take(MAX_REFERENCES);
    let found = flat_each(named, |(place, name, field)| behind(&place, &name, field, facts))?;
    Ok(found.into_iter().next())
}

/// The Service of the DNS name or URL in `field`, if nothing answers behind it.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn unserved_address(address: &str, field: &str, facts: &Facts<'_>) -> Known<Option<UnansweredService>> {
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

/// The namespace and name of each Service that the spec of `seen` names, and the field.
fn hosts(seen: Seen<'_>) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    let Some(spec) = seen.object.at("/spec") else { return found };
    walk(spec, "spec", 0, &mut |field, _, value| {
        let several = value.as_array().into_iter().flatten();
        let texts = several.chain([value]).filter_map(Value::as_str);
        let hosts = texts.filter(|_| !is_made_later(field)).filter_map(service);
        found.extend(hosts.map(|(place, name)| (place.to_owned(), name.to_owned(), field.to_owned())));
    });
    found
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
