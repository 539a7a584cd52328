//! The kept part of any kind's spec: the names of other objects, whose existence a rule checks.

use super::merge::merge;
use crate::survey::Discovery;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The maximum depth of references.
const MAX_DEPTH: usize = 9;
/// How many items of a list are searched.
const MAX_ITEMS: usize = 20;
/// The maximum depth of lists of objects in a status.
const MAX_STATUS_DEPTH: usize = 4;
/// The endings of names of fields with a reference, and of fields with a name.
const REFERENCE_ENDS: [&str; 3] = ["Reference", "Ref", "Selector"];
const NAME_ENDS: [&str; 2] = ["Name", "Ref"];
/// Words before the ending for the part of the object that is meant: `secretKeyRef`.
const PARTS: [&str; 2] = ["Key", "Id"];
/// Words in names of status fields that count users.
const COUNTS_USERS: [&str; 10] =
    ["inuse", "usedby", "users", "usage", "references", "refcount", "consumers", "dependents", "reserving", "admitted"];
/// The ends of the names of fields with an id.
const ID_ENDS: [&str; 11] = ["ID", "Id", "_id", "Arn", "ARN", "arn", "Handle", "handle", "Identifier", "Uuid", "UUID"];
/// Words in the names of fields that contain secrets.
const SENSITIVE: [&str; 7] = ["auth", "cert", "credential", "key", "pass", "secret", "token"];

/// Adds the names of objects and the switches in the spec, the lists of objects in the status, and
/// all fields with one of the names in `held`.
pub(super) fn add(before: &Value, after: &mut Value, discovery: &Discovery, held: &BTreeSet<String>) {
    let kinds = discovery.resources.iter().map(|resource| resource.kind.to_lowercase()).collect();
    let words = after.get("status").map(Value::to_string).unwrap_or_default();
    let names = Referenced { kinds, words, held };
    if let Some(spec) = before.get("spec").and_then(|spec| names.of(spec, "spec", 0)) {
        merge(after, json!({ "spec": spec }));
    }
    // Switches, such as one that forbids the deletion.
    let switches = before.get("spec").and_then(Value::as_object).into_iter().flatten();
    for (key, _) in switches.filter(|(_, value)| value.as_bool() == Some(true)) {
        merge(after, json!({ "spec": { key: true } }));
    }
    let users = Referenced { kinds: BTreeSet::new(), words: String::new(), held };
    if let Some(status) = before.get("status").and_then(|status| users.of(status, "status", 0)) {
        merge(after, json!({ "status": status }));
    }
    for (key, count) in before.get("status").and_then(Value::as_object).into_iter().flatten() {
        if count.is_i64() && counts_users(key) {
            merge(after, json!({ "status": { key: count } }));
        }
    }
    let status = before.get("status");
    let (lists, words) = (status.and_then(|it| listed(it, 0)), status.and_then(|it| sentences(it, 0)));
    for status in lists.into_iter().chain(words).chain(status.and_then(|it| ids(it, 0))) {
        merge(after, json!({ "status": status }));
    }
}

struct Referenced<'h> {
    /// The kinds that the server serves, in lower case.
    kinds: BTreeSet<String>,
    /// The texts in the status.
    words: String,
    /// The names of the targets and of objects that are being deleted: a field with such a name may
    /// refer to the object.
    held: &'h BTreeSet<String>,
}

impl Referenced<'_> {
    /// The names in `value`, which is the value of the field `key`, with their paths.
    fn of(&self, value: &Value, key: &str, depth: usize) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        match value {
            Value::Object(fields) => {
                let mut kept: Map<String, Value> = fields
                    .iter()
                    .filter_map(|(key, value)| Some((key.clone(), self.of(value, key, depth + 1)?)))
                    .collect();
                if stem_of_reference(key).is_some() && !self.kinds.is_empty() {
                    kept.extend(reference(fields).unwrap_or_default());
                } else if kept.contains_key("name") || kept.contains_key("resourceRef") {
                    kept.extend(of_kind(fields));
                }
                kept.extend(manifest(fields).unwrap_or_default());
                (!kept.is_empty()).then_some(Value::Object(kept))
            }
            Value::Array(items) => {
                let key = key.trim_end_matches('s');
                let kept: Vec<Option<Value>> =
                    items.iter().take(MAX_ITEMS).map(|item| self.of(item, key, depth + 1)).collect();
                let some = kept.iter().any(Option::is_some);
                some.then(|| kept.into_iter().map(Option::unwrap_or_default).collect())
            }
            Value::String(name) if is_name(name) && self.may_name(key, name) => Some(value.clone()),
            Value::String(address) if !self.kinds.is_empty() && calls_a_service(address) => Some(value.clone()),
            Value::String(path) if !may_be_secret(key) && self.has_held_part(path) => Some(value.clone()),
            _ => None,
        }
    }

    /// Whether a text consists of names, with that of a held object among them: `pvc-7f21@snap-c0de`.
    fn has_held_part(&self, path: &str) -> bool {
        let parts = || path.split(['@', '/']);
        path.contains('@') && parts().all(is_name) && parts().any(|part| self.held.contains(part))
    }

    /// Whether a field called `key` may contain the name of an object.
    fn may_name(&self, key: &str, name: &str) -> bool {
        let by_name = stem_of_name(key);
        let kind = by_name.unwrap_or(key).to_lowercase();
        let is_kind = ["secret", "configmap", "serviceaccount", "class"].iter().any(|end| kind.ends_with(end))
            || (kind.len() >= 4 && self.kinds.iter().any(|known| known.ends_with(&kind)))
            || (by_name.is_some() && self.kinds.iter().any(|known| known.len() >= 4 && kind.ends_with(known.as_str())));
        // A text that the status repeats is not secret.
        let is_told = || !may_be_secret(&kind) || self.words.contains(name);
        let is_held = self.held.contains(name) && !may_be_secret(key);
        is_held || (is_kind && (by_name.is_some() || is_told()))
    }
}

/// Whether a text is the address of a Service, without a login.
fn calls_a_service(address: &str) -> bool {
    address.contains(".svc") && !address.contains(['@', '?', ' '])
}

/// The texts of several words in a status and its parts: they may describe an error.
fn sentences(value: &Value, depth: usize) -> Option<Value> {
    match value {
        Value::Object(fields) if depth < 2 => {
            let own = fields.iter().filter(|(key, _)| !may_be_secret(key));
            let kept: Map<String, Value> =
                own.filter_map(|(key, value)| Some((key.clone(), sentences(value, depth + 1)?))).collect();
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        Value::String(text) if text.contains(' ') => Some(value.clone()),
        _ => None,
    }
}

/// Whether a field of this name contains the id of something outside the cluster: `instanceId`.
pub(crate) fn is_of_an_id(key: &str) -> bool {
    let is_it = key == "id" || ID_ENDS.iter().any(|end| key.ends_with(end));
    is_it && !may_be_secret(&key.to_lowercase())
}

/// The ids in a status and its parts.
fn ids(value: &Value, depth: usize) -> Option<Value> {
    let fields = value.as_object().filter(|_| depth < MAX_STATUS_DEPTH)?;
    let kept = fields.iter().filter_map(|(key, value)| match value {
        Value::String(id) if is_of_an_id(key) && !id.contains(' ') => Some((key.clone(), value.clone())),
        Value::Object(_) => Some((key.clone(), ids(value, depth + 1)?)),
        _ => None,
    });
    let kept: Map<String, Value> = kept.collect();
    (!kept.is_empty()).then_some(Value::Object(kept))
}

/// The kind in the name of a field whose value refers to an object: `bucket` for `bucketRef`; empty for `ref`.
pub(crate) fn stem_of_reference(key: &str) -> Option<&str> {
    let stem = stem(key, &REFERENCE_ENDS)?;
    Some(PARTS.iter().find_map(|part| stem.strip_suffix(part)).unwrap_or(stem))
}

/// The kind in the name of a field whose value is the name of an object: `bucket` for `bucketName`.
pub(crate) fn stem_of_name(key: &str) -> Option<&str> {
    stem(key, &NAME_ENDS)
}

/// The kind in the name of a field or a label that may name objects, in lower case: `bucket` for `bucket-names`.
pub(crate) fn stem_in_lower_case(key: &str) -> String {
    let plain = key.to_lowercase().replace(['-', '_'], "");
    let ends = REFERENCE_ENDS.iter().chain(&NAME_ENDS).map(|end| end.to_lowercase());
    let stem =
        ends.into_iter().find_map(|end| plain.strip_suffix(&end).or_else(|| plain.strip_suffix(&format!("{end}s"))));
    stem.unwrap_or(&plain).to_owned()
}

fn stem<'k>(key: &'k str, ends: &[&str]) -> Option<&'k str> {
    let whole = ["ref", "reference"].contains(&key).then_some("");
    ends.iter().find_map(|end| key.strip_suffix(end)).or(whole)
}

/// The identifying fields of an object that is embedded in a spec.
fn manifest(fields: &Map<String, Value>) -> Option<Map<String, Value>> {
    let of_kind: Map<String, Value> = of_kind(fields).collect();
    let metadata = fields.get("metadata")?.as_object()?;
    let name = metadata.get("name").filter(|name| name.as_str().is_some_and(is_name))?;
    let mut named = Map::from_iter([("name".to_owned(), name.clone())]);
    let namespace = metadata.get("namespace").filter(|name| name.as_str().is_some_and(is_name));
    named.extend(namespace.map(|namespace| ("namespace".to_owned(), namespace.clone())));
    let is_one = of_kind.contains_key("apiVersion") && of_kind.contains_key("kind");
    is_one.then(|| of_kind.into_iter().chain([("metadata".to_owned(), Value::Object(named))]).collect())
}

/// The fields of a reference that name the object.
fn reference(fields: &Map<String, Value>) -> Option<Map<String, Value>> {
    let name = fields.get("name").filter(|name| name.as_str().is_some_and(is_name))?;
    let mut kept = Map::from_iter([("name".to_owned(), name.clone())]);
    kept.extend(of_kind(fields));
    let optional = fields.get("optional").filter(|optional| optional.is_boolean());
    kept.extend(optional.map(|optional| ("optional".to_owned(), optional.clone())));
    Some(kept)
}

/// The fields that name the kind, and the namespace.
fn of_kind(fields: &Map<String, Value>) -> impl Iterator<Item = (String, Value)> {
    type Test = (&'static str, fn(&str) -> bool);
    let tests: [Test; 6] = [
        ("kind", is_kind),
        ("namespace", is_name),
        ("group", is_name),
        ("apiGroup", is_name),
        ("apiVersion", is_version),
        ("version", is_version),
    ];
    tests.into_iter().filter_map(|(key, test)| {
        let value = fields.get(key).filter(|value| value.as_str().is_some_and(test))?;
        Some((key.to_owned(), value.clone()))
    })
}

/// The lists of objects in a status, with their paths.
fn listed(value: &Value, depth: usize) -> Option<Value> {
    match value {
        Value::Object(fields) if depth < MAX_STATUS_DEPTH => {
            let kept: Map<String, Value> =
                fields.iter().filter_map(|(key, value)| Some((key.clone(), listed(value, depth + 1)?))).collect();
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        Value::Array(items) => {
            let entry = |item: &Value| {
                let fields = item.as_object()?;
                fields.get("kind")?.as_str().filter(|kind| is_kind(kind))?;
                reference(fields).map(Value::Object)
            };
            let kept: Vec<Option<Value>> = items.iter().map(entry).collect();
            let some = kept.iter().any(Option::is_some);
            some.then(|| kept.into_iter().map(Option::unwrap_or_default).collect())
        }
        _ => None,
    }
}

/// Whether a field of a status counts the users of the object.
pub(crate) fn counts_users(key: &str) -> bool {
    let key = key.to_lowercase();
    COUNTS_USERS.iter().any(|word| key.contains(word))
}

/// Whether a field with this name may contain a secret itself, rather than the name of one.
pub(crate) fn may_be_secret(key: &str) -> bool {
    let key = key.to_lowercase();
    SENSITIVE.iter().any(|word| key.contains(word))
}

/// Whether a text can be the name of an object.
#[must_use]
pub fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.:".contains(c);
    (1..=253).contains(&text.len()) && text.chars().all(fits)
}

/// Whether a text can be the value of a label, or the part of a key behind its domain.
pub(crate) fn is_label_value(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    (1..=63).contains(&text.len()) && text.chars().all(fits)
}

/// Whether a text is a key of a label or annotation with a domain: `domain/name`.
pub(crate) fn is_key(text: &str) -> bool {
    text.split_once('/').is_some_and(|(domain, name)| is_name(domain) && is_label_value(name))
}

fn is_kind(text: &str) -> bool {
    (1..=63).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric())
}

fn is_version(text: &str) -> bool {
    text.split('/').count() <= 2 && text.split('/').all(is_name)
}
