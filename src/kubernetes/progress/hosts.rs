//! The Services whose DNS names a spec holds, and that do not exist: `redpanda.streaming.svc`
//! (<https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/>).

use crate::facts::{Facts, Known, flat_each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::progress::references::{Absent, MAX_REFERENCES, Part, is_made_later, walk};
use crate::report::Ref;
use crate::survey::{Seen, is_name};
use serde_json::Value;

/// The Services that held objects call by their DNS names, and that are not there.
pub(super) fn absent(held: &HeldObjects<'_>, facts: &Facts<'_>, gaps: &mut Gaps) -> Known<Vec<Absent>> {
    let Some(services) = facts.preferred("", "services") else { return Ok(Vec::new()) };
    let mut named: Vec<(String, String, String)> = Vec::new();
    held.read().flat_map(hosts).for_each(|(place, name, field)| {
        if named.len() < MAX_REFERENCES && !named.iter().any(|known| known.0 == place && known.1 == name) {
            named.push((place, name, field));
        }
    });
    flat_each(named, |(place, name, field)| {
        let read = gaps.pass(facts.metadata(&services.id, Some(&place), &name))?;
        Ok((read == Some(None)).then(|| Absent {
            what: Ref::absent(services, Some(place), &name),
            field,
            named: false,
            part: Part::Source,
            is_childs: false,
        }))
    })
}

/// The namespace and the name of each Service that the spec of `seen` calls, and the field.
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

/// The namespace and the name in `https://name.namespace.svc.cluster.local:443/path`. A pod behind a
/// Service has its own name before the Service's.
fn service(address: &str) -> Option<(&str, &str)> {
    let host = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host).split(['/', ':']).next()?;
    let labels: Vec<&str> = host.split('.').collect();
    let end = labels.iter().position(|label| *label == "svc").filter(|end| *end >= 2)?;
    let (place, name) = (labels[end - 1], labels[end - 2]);
    (is_name(place) && is_name(name)).then_some((place, name))
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
