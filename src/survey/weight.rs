//! How much memory values take, roughly.

use serde_json::{Map, Value};

/// The memory that the first entry of a map takes: a node of a B-tree has room for eleven.
pub(super) const NODE: usize = 640;
/// The memory that each entry takes besides its text.
pub(super) const ENTRY: usize = 64;

/// The memory that a value takes, roughly.
pub(super) fn weight_of_value(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(|item| ENTRY + weight_of_value(item)).sum(),
        Value::Object(fields) => weight_of(fields),
        _ => 0,
    }
}

/// The memory that a map takes.
pub(super) fn weight_of(fields: &Map<String, Value>) -> usize {
    let node = if fields.is_empty() { 0 } else { NODE };
    node + fields.iter().map(|(key, value)| ENTRY + key.len() + weight_of_value(value)).sum::<usize>()
}
