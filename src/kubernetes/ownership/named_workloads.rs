//! Workloads by their names: those that contain a word, and those that an object names.

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::kubernetes::ownership::candidates::kinds;
use crate::survey::{Form, Object, Seen};
use serde_json::Value;

/// How deep an object is searched for a name.
const MAX_DEPTH: usize = 6;

/// The workloads with `word` as a word of their name: `capi-k3s-control-plane` contains `k3s`. Lists
/// that cannot be read are left out.
pub(crate) fn called_after<'s>(word: &str, facts: &Facts<'s>) -> Known<Vec<Seen<'s>>> {
    let all = flat_each(kinds(facts), |resource| {
        let list = facts.list(&resource.id, None, Form::Metadata).if_readable()?.unwrap_or_default();
        Ok(list.iter().map(move |object| Seen { resource, object }))
    })?;
    let (own, within) = (format!("-{}-", word.to_lowercase()), |name: &str| format!("-{name}-"));
    Ok(all.into_iter().filter(|seen| !word.is_empty() && within(seen.object.name()).contains(&own)).collect())
}

/// Whether a field or a label of an object has `name` as its value: `status.agent: zonefs-agent-b`.
pub(crate) fn names(object: &Object, name: &str) -> bool {
    let mut labels = object.metadata.labels.values();
    let parts = ["/spec", "/status"].iter().filter_map(|part| object.at(part));
    labels.any(|value| value == name) || parts.into_iter().any(|part| has_value(part, name, MAX_DEPTH))
}

/// Whether a value, searched `depth` levels deep, has `name` as the value of a field.
pub(crate) fn has_value(value: &Value, name: &str, depth: usize) -> bool {
    match value {
        Value::String(text) => text == name,
        Value::Array(items) if depth > 0 => items.iter().any(|item| has_value(item, name, depth - 1)),
        Value::Object(fields) if depth > 0 => fields.values().any(|field| has_value(field, name, depth - 1)),
        _ => false,
    }
}
