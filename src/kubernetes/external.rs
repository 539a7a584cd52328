//! External resources that an object represents: a load balancer, a disk, a machine. They stay
//! behind when nobody cleans up.

use crate::survey::{Object, brief};
use serde_json::Value;

/// How many resources are named for one object.
const MAX_NAMED: usize = 3;
/// The maximum length of a resource's name.
const MAX_LENGTH: usize = 200;

/// An external resource, and the field that names it.
#[derive(Debug, PartialEq, Eq)]
pub struct OutsideField {
    /// Its kind and name: `load balancer a1b2.elb.example`.
    pub what: String,
    /// Its name alone.
    pub id: String,
    /// The field.
    pub field: String,
}

/// Fields of Kubernetes' own kinds and of widely used ones, and the kind of resource that they name.
const FIELDS: [(&str, &str); 12] = [
    ("/spec/csi/volumeHandle", "volume"),
    ("/spec/awsElasticBlockStore/volumeID", "disk"),
    ("/spec/gcePersistentDisk/pdName", "disk"),
    ("/spec/azureDisk/diskURI", "disk"),
    ("/spec/nfs/path", "NFS export"),
    ("/status/snapshotHandle", "snapshot"),
    ("/spec/providerID", "machine"),
    ("/status/providerID", "machine"),
    ("/spec/targetGroupARN", "target group"),
    ("/status/atProvider/arn", "resource"),
    ("/status/ackResourceMetadata/arn", "resource"),
    ("/status/selfLink", "resource"),
];

/// Lists of addresses: the field, the keys of one entry, and the kind of resource.
const LISTS: [(&str, &[&str], &str); 3] = [
    ("/status/loadBalancer/ingress", &["hostname", "ip"], "load balancer"),
    ("/status/addresses", &["value"], "address"),
    ("/status/networkEndpointGroups", &["selfLink", "id"], "network endpoint group"),
];

/// Annotations by which controllers find the resources that they created.
const ANNOTATIONS: [(&str, &str); 3] = [
    ("crossplane.io/external-name", "resource"),
    ("cloud.google.com/neg-status", "network endpoint groups"),
    ("pv.kubernetes.io/provisioned-by", "volume of"),
];

/// The external resources that the fields of `object` name.
#[must_use]
pub fn of(object: &Object) -> Vec<OutsideField> {
    let text = |field: &str| object.text(field).filter(|text| !text.is_empty());
    let named_by_field = |(field, what): &(&str, &str)| Some(named(what, text(field)?, field));
    let mut found: Vec<OutsideField> = FIELDS.iter().filter_map(named_by_field).collect();
    // The addresses of a machine say less than its id.
    if found.is_empty() {
        found.extend(LISTS.iter().flat_map(|(field, keys, what)| {
            let texts = object.array(field).iter().filter_map(|entry| first_text(entry, keys));
            texts.map(|text| named(what, text, field)).collect::<Vec<_>>()
        }));
    }
    let annotations = ANNOTATIONS.iter().filter_map(|(key, what)| {
        let text = object.metadata.annotations.get(key)?;
        Some(OutsideField { field: format!("metadata.annotations[{key}]"), ..named(what, text, "") })
    });
    found.extend(annotations);
    found.truncate(MAX_NAMED);
    found
}

/// Like [`of`], as text without fields.
pub(crate) fn in_words(object: &Object) -> Vec<String> {
    of(object).into_iter().map(|found| found.what).collect()
}

fn first_text<'v>(entry: &'v Value, keys: &[&str]) -> Option<&'v str> {
    keys.iter().find_map(|key| entry.get(key).and_then(Value::as_str)).filter(|text| !text.is_empty())
}

fn named(what: &str, text: &str, pointer: &str) -> OutsideField {
    let text = brief(text, MAX_LENGTH);
    OutsideField { what: format!("{what} {text}"), id: text, field: pointer.trim_start_matches('/').replace('/', ".") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn load_balancers_disks_and_machines_are_named() {
        let of_json = |value: Value| of(&serde_json::from_value::<Object>(value).unwrap());
        let service = of_json(json!({"metadata": {"name": "web"},
            "status": {"loadBalancer": {"ingress": [{"hostname": "a.elb.example"}, {"ip": "192.0.2.1"}]}}}));
        assert_eq!(service[0].what, "load balancer a.elb.example");
        assert_eq!(service[1].field, "status.loadBalancer.ingress");
        let volume = of_json(json!({"metadata": {"name": "pv"}, "spec": {"csi": {"volumeHandle": "vol-1"}}}));
        assert_eq!(volume[0].what, "volume vol-1");
        let bucket =
            of_json(json!({"metadata": {"name": "b", "annotations": {"crossplane.io/external-name": "logs"}}}));
        assert_eq!(bucket[0].what, "resource logs");
        assert_eq!(of_json(json!({"metadata": {"name": "plain"}, "spec": {"providerID": 1}})), []);
        assert_eq!(of_json(json!({"metadata": {"name": "plain"}, "status": {"providerID": ""}})), []);
    }
}
