//! The entries of `managedFields`, reduced to who wrote which part of an object, and when.
//!
//! The names of written fields may be many, and may contain users' data. Rules read only those listed
//! below.

use serde_json::{Map, Value};
use std::collections::HashSet;

/// The fields of an entry that are kept.
const OF_AN_ENTRY: [&str; 6] = ["manager", "operation", "time", "apiVersion", "subresource", "fieldsV1"];

/// The parts of an object that are kept, each with the field in it that rules read.
const PARTS: [(&str, &str); 3] =
    [("f:metadata", "f:finalizers"), ("f:spec", "f:conversion"), ("f:status", "f:conditions")];

/// Reduces the entries in place. A value of another shape becomes null.
pub(super) fn reduce(entries: &mut Value) {
    let Some(all) = entries.as_array_mut() else {
        *entries = Value::Null;
        return;
    };
    for entry in all.iter_mut().filter_map(Value::as_object_mut) {
        entry.retain(|key, _| OF_AN_ENTRY.contains(&key.as_str()));
        if let Some(fields) = entry.get_mut("fieldsV1") {
            reduce_fields(fields);
        }
    }
}

/// Removes all `entries` but the first `most`. Where an entry that stays lists more finalizers than that, those that are
/// not in `finalizers` are removed, too. Returns how many entries were removed.
pub(super) fn bound(entries: &mut Value, most: usize, finalizers: &[String]) -> usize {
    let Some(all) = entries.as_array_mut() else { return 0 };
    let gone = all.len().saturating_sub(most);
    all.truncate(most);
    let kept: HashSet<String> = finalizers.iter().map(|kept| format!("v:{}", Value::from(&**kept))).collect();
    for entry in all {
        let written = entry.pointer_mut("/fieldsV1/f:metadata/f:finalizers").and_then(Value::as_object_mut);
        if let Some(written) = written.filter(|written| written.len() > most) {
            written.retain(|key, _| key == "." || kept.contains(key));
        }
    }
    gone
}

fn reduce_fields(fields: &mut Value) {
    let fields = as_map(fields);
    fields.retain(|part, _| PARTS.iter().any(|(kept, _)| kept == part));
    for (part, field) in PARTS {
        let Some(written) = fields.get_mut(part).map(as_map) else { continue };
        written.retain(|name, _| name == field);
        // Each finalizer is a key below its field. The other fields only show that they were
        // written.
        if part != "f:metadata" {
            written.values_mut().for_each(|value| *value = Map::new().into());
        }
    }
}

/// The value as a map. A value of any other shape is replaced by an empty map.
fn as_map(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = Map::new().into();
    }
    value.as_object_mut().expect("it is a map")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_rules_ask_for_is_left() {
        let mut entries = json!([{"manager": "acme", "time": "2026-01-01T00:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": {
            "f:data": {"f:password": {}},
            "f:metadata": {"f:labels": {"f:a": {}}, "f:finalizers": {".": {}, "v:\"a.io/x\"": {}}},
            "f:spec": {"f:replicas": {}, "f:conversion": {"f:webhook": {}}},
            "f:status": {"f:phase": {}}}}]);
        reduce(&mut entries);
        assert_eq!(
            entries,
            json!([{"manager": "acme", "time": "2026-01-01T00:00:00Z", "fieldsV1": {
                "f:metadata": {"f:finalizers": {".": {}, "v:\"a.io/x\"": {}}},
                "f:spec": {"f:conversion": {}},
                "f:status": {}}}])
        );
    }

    #[test]
    fn malformed_entries_are_no_panic() {
        for mut entries in
            [json!("x"), json!([1, {"fieldsV1": 2}, {"fieldsV1": {"f:spec": "x", "f:status": {"f:conditions": 3}}}])]
        {
            reduce(&mut entries);
            assert!(!entries.to_string().contains('x'), "{entries}");
        }
    }
}
