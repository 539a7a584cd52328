//! The entries of `managedFields`, reduced to who wrote which part of an object, and when.
//!
//! The field names of an object may be many, and contain names and values of users' data. Rules ask
//! for those below alone.

use serde_json::{Map, Value};

/// The fields of an entry that are kept.
const OF_AN_ENTRY: [&str; 6] = ["manager", "operation", "time", "apiVersion", "subresource", "fieldsV1"];

/// The written parts that are kept, with the field whose writing is asked for.
const PARTS: [(&str, &str); 3] =
    [("f:metadata", "f:finalizers"), ("f:spec", "f:conversion"), ("f:status", "f:conditions")];

/// Reduces the entries. What has another shape than `managedFields` becomes null.
pub(super) fn reduce(entries: &mut Value) {
    let Some(all) = entries.as_array_mut() else {
        *entries = Value::Null;
        return;
    };
    for entry in all.iter_mut().filter_map(Value::as_object_mut) {
        entry.retain(|key, _| OF_AN_ENTRY.contains(&key.as_str()));
        if let Some(fields) = entry.get_mut("fieldsV1") {
            *fields = reduced(fields).into();
        }
    }
}

fn reduced(fields: &mut Value) -> Map<String, Value> {
    let mut kept = Map::new();
    for (part, field) in PARTS {
        let Some(written) = fields.get_mut(part) else { continue };
        let inner = written.get_mut(field).map(|value| match part {
            // Each finalizer is one of the keys.
            "f:metadata" => value.take(),
            _ => Map::new().into(),
        });
        let inner: Map<String, Value> = inner.into_iter().map(|inner| (field.to_owned(), inner)).collect();
        kept.insert(part.to_owned(), inner.into());
    }
    kept
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
