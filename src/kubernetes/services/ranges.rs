//! Ranges of Service addresses, and the Services with addresses in them.

use crate::facts::{All, Facts, Known, Readable};
use crate::survey::{Form, Object, Resource, Seen};
use serde_json::Value;
use std::net::IpAddr;

/// The label of addresses that the API server itself has allocated (kubernetes/kubernetes:
/// `staging/src/k8s.io/api/networking/v1/well_known_labels.go`).
const GIVEN_BY: (&str, &str) = ("ipaddress.kubernetes.io/managed-by", "ipallocator.k8s.io");

/// A range of addresses: `10.96.0.0/12`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    first: IpAddr,
    bits: u32,
}

impl Range {
    fn of(text: &str) -> Option<Self> {
        let (first, bits) = text.split_once('/')?;
        Some(Self { first: first.parse().ok()?, bits: bits.parse().ok()? })
    }

    fn holds(&self, address: IpAddr) -> bool {
        let same = match (self.first, address) {
            (IpAddr::V4(first), IpAddr::V4(address)) => (first.to_bits() ^ address.to_bits()).leading_zeros(),
            (IpAddr::V6(first), IpAddr::V6(address)) => (first.to_bits() ^ address.to_bits()).leading_zeros(),
            _ => return false,
        };
        same >= self.bits
    }

    fn covers(&self, other: &Self) -> bool {
        self.bits <= other.bits && self.holds(other.first)
    }
}

fn ranges(object: &Object) -> Vec<Range> {
    object.array("/spec/cidrs").iter().filter_map(Value::as_str).filter_map(Range::of).collect()
}

/// The addresses that are in no other range, so that the range's controller keeps it.
pub(crate) fn only_in<'s>(range: &Object, kind: &Resource, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let Some(addresses) = facts.preferred("networking.k8s.io", "ipaddresses") else { return Ok(Vec::new()) };
    let (all, given) = (facts.list(&kind.id, None, Form::Whole), facts.list(&addresses.id, None, Form::Whole)).all()?;
    let others: Vec<Range> = all.iter().filter(|other| other.uid() != range.uid()).flat_map(ranges).collect();
    let own = ranges(range);
    if own.iter().all(|own| others.iter().any(|other| other.covers(own))) {
        return Ok(Vec::new());
    }
    let is_kept = |object: &&Object| {
        let Ok(address) = object.name().parse() else { return false };
        object.metadata.labels.get(GIVEN_BY.0).is_some_and(|by| by == GIVEN_BY.1)
            && own.iter().any(|range| range.holds(address))
            && !others.iter().any(|range| range.holds(address))
    };
    Ok(given.iter().filter(is_kept).map(|object| Seen { resource: addresses, object }).collect())
}

/// The Service with an address, if it exists.
pub(crate) fn service_of<'s>(address: Seen<'_>, facts: &Facts<'s>) -> Known<Option<Seen<'s>>> {
    let of = |field: &str| address.object.text(&format!("/spec/parentRef/{field}"));
    let (Some(services), Some("services"), Some(name)) = (facts.preferred("", "services"), of("resource"), of("name"))
    else {
        return Ok(None);
    };
    let service = facts.metadata(&services.id, of("namespace"), name).or_note(facts)?.flatten();
    Ok(service.map(|object| Seen { resource: services, object }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_in_a_range_of_its_own_family() {
        let range = |text: &str| Range::of(text).unwrap();
        let holds = |text: &str, address: &str| range(text).holds(address.parse().unwrap());
        assert!(holds("10.99.0.0/24", "10.99.0.255") && !holds("10.99.0.0/24", "10.99.1.0"));
        assert!(holds("fd00:1::/112", "fd00:1::7") && !holds("fd00:1::/112", "10.99.0.1"));
        assert!(holds("0.0.0.0/0", "10.99.0.1") && holds("10.99.0.7/32", "10.99.0.7"));
        assert!(range("10.0.0.0/8").covers(&range("10.99.0.0/24")));
        assert!(!range("10.99.0.0/24").covers(&range("10.0.0.0/8")));
        assert_eq!((Range::of("10.99.0.0"), Range::of("a/24"), Range::of("10.0.0.0/x")), (None, None, None));
    }
}
