//! The zone of an object: its controller may be responsible for one zone only.

use crate::survey::{Object, last_word};
use serde_json::Value;

/// The fields in which objects name their zone.
const FIELDS: [&str; 3] = ["/spec/zone", "/spec/availabilityZone", "/spec/failureDomain"];

/// The label of nodes with their zone
/// (<https://kubernetes.io/docs/reference/labels-annotations-taints/#topologykubernetesiozone>).
pub(crate) const ZONE_LABEL: &str = "topology.kubernetes.io/zone";

/// The field with the zone of an object, and the zone.
pub(crate) fn zone_of(object: &Object) -> Option<(String, String)> {
    let fields = FIELDS.iter().find_map(|pointer| {
        let zone = object.text(pointer)?.to_owned();
        Some((pointer.trim_start_matches('/').replace('/', "."), zone))
    });
    let is_zone = |key: &str| last_word(key) == "zone";
    let label = || object.metadata.labels.iter().find(|(key, _)| is_zone(key));
    let label = || label().map(|(key, zone)| (format!("metadata.labels[{key}]"), zone.clone()));
    let affinity = || kept_to(object, is_zone).map(|(zone, key)| (format!("its node affinity ({key})"), zone));
    fields.or_else(label).or_else(affinity)
}

/// The value of a node label, and the key of the label, if the affinity of a volume or the
/// allocation of a device claim requires exactly this value.
pub(crate) fn kept_to(object: &Object, is_it: impl Fn(&str) -> bool) -> Option<(String, String)> {
    let terms = ["/spec/nodeAffinity/required/nodeSelectorTerms", "/status/allocation/nodeSelector/nodeSelectorTerms"];
    let [term] = terms.iter().map(|pointer| object.array(pointer)).find(|terms| !terms.is_empty())? else {
        return None;
    };
    let all = |field: &str| term.get(field).and_then(Value::as_array).into_iter().flatten();
    all("matchExpressions").chain(all("matchFields")).find_map(|requirement| {
        let key = requirement.get("key")?.as_str()?;
        let [Value::String(value)] = requirement.get("values")?.as_array()?.as_slice() else { return None };
        (is_it(key) && requirement.get("operator")? == "In").then(|| (value.clone(), key.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn zone(object: Value) -> Option<(String, String)> {
        zone_of(&serde_json::from_value(object).unwrap())
    }

    #[test]
    fn an_object_names_its_zone_by_a_field_a_label_or_its_affinity() {
        let pair = |field: &str| Some((field.to_owned(), "eu-1b".to_owned()));
        assert_eq!(zone(json!({"metadata": {"name": "v"}, "spec": {"zone": "eu-1b"}})), pair("spec.zone"));
        let labelled = json!({"metadata": {"name": "v", "labels": {"topology.kubernetes.io/zone": "eu-1b"}}});
        assert_eq!(zone(labelled), pair("metadata.labels[topology.kubernetes.io/zone]"));
        let requirement = |values: Value| json!({"key": "topology.acme.io/zone", "operator": "In", "values": values});
        let volume = |values: Value| {
            let affinity = json!({"required": {"nodeSelectorTerms": [{"matchExpressions": [requirement(values)]}]}});
            zone(json!({"metadata": {"name": "v"}, "spec": {"nodeAffinity": affinity}}))
        };
        assert_eq!(volume(json!(["eu-1b"])), pair("its node affinity (topology.acme.io/zone)"));
        assert_eq!(volume(json!(["eu-1a", "eu-1b"])), None, "any of two zones will do");
        assert_eq!(zone(json!({"metadata": {"name": "v"}, "spec": {"time": {"zone": "UTC"}}})), None);
    }
}
