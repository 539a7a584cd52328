//! Merges two parts of one value.

use serde_json::{Map, Value};

/// Merges `other` into `value`, item by item.
pub(super) fn merge(value: &mut Value, other: Value) {
    match (value, other) {
        (Value::Object(fields), Value::Object(others)) => {
            for (key, other) in others {
                merge(fields.entry(key).or_insert(Value::Null), other);
            }
        }
        (Value::Array(items), Value::Array(others)) => {
            if items.len() < others.len() {
                items.resize(others.len(), Value::Null);
            }
            items.iter_mut().zip(others).for_each(|(item, other)| merge(item, other));
        }
        (value @ Value::Null, other) => *value = other,
        _ => {}
    }
}

/// Puts a value below the fields that the JSON pointer `place` names.
pub(super) fn below(place: &str, value: Value) -> Value {
    place.rsplit('/').filter(|key| !key.is_empty()).fold(value, |value, key| {
        let mut map = Map::new();
        map.insert(key.to_owned(), value);
        Value::Object(map)
    })
}
