//! The shapes of writes: set a field, remove an entry from a list, or delete the object. Each of the other
//! shapes is used by one kind of step. All include the uid of the object, so that the API server refuses
//! another object of the same name.

use super::shell::{arguments, patch};
use super::write::{Guard, WriteRequest};
use crate::report::Ref;
use crate::survey::Object;
use jiff::Timestamp;
use serde_json::{Value, json};

/// The shape of a request.
#[derive(Debug)]
pub(super) enum Shape {
    /// Replaces the value of a field.
    Set(Setting),
    /// Removes an entry from a list.
    Remove(ListEntry),
    /// Removes an entry from a list that only this subresource changes.
    RemoveBy(&'static str, ListEntry),
    /// Deletes the object.
    Delete(Delete),
    /// Creates the object like this.
    Create(Value),
    /// Sets this annotation to the present time.
    Annotate(&'static str),
    /// Adds an entry to the list at this pointer, with the present time in this field.
    Add(&'static str, Value, &'static str),
}

impl Shape {
    /// The request for the object as it was read again just now: `raw` is its JSON, `at` the
    /// server's time.
    pub(super) fn request(&self, object: &Ref, raw: &Value, at: Timestamp) -> WriteRequest {
        match self {
            Self::Set(setting) => setting.request(object, raw),
            Self::Remove(entry) => json_patch(object, entry.operations(entry.index(raw))),
            Self::RemoveBy(subresource, entry) => entry.replacement(subresource, object, raw),
            Self::Delete(deletion) => deletion.request(object, raw),
            Self::Create(body) => creation(object, body),
            Self::Annotate(key) => annotation(object, key, at),
            Self::Add(list, entry, since) => addition(object, raw, list, &dated(entry, since, at)),
        }
    }

    /// The patch as a command, with an entry of a list at `place`; `called` are the arguments that name the
    /// object. `None` for other shapes.
    pub(super) fn command(&self, object: &Ref, called: &str, place: usize) -> Option<String> {
        let operations = match self {
            Self::Set(setting) => setting.operations(place),
            Self::Remove(entry) => entry.operations(place),
            _ => return None,
        };
        Some(patch(called, &json_patch(object, operations).body))
    }
}

/// The change of a field's value.
#[derive(Debug)]
pub(super) struct Setting {
    /// The name of the webhook with the field, at any index of the configuration; `None` for a field of the
    /// object itself.
    pub(super) webhook: Option<String>,
    /// The pointer of the field.
    pub(super) field: &'static str,
    pub(super) from: Value,
    pub(super) to: Value,
}

impl Setting {
    /// The present value.
    pub(super) fn now<'o>(&self, object: &'o Object) -> Option<&'o Value> {
        match &self.webhook {
            None => object.at(self.field),
            Some(name) => webhook(object, name)?.pointer(self.field),
        }
    }

    pub(super) fn request(&self, object: &Ref, raw: &Value) -> WriteRequest {
        json_patch(object, self.operations(self.index(raw)))
    }

    fn index(&self, raw: &Value) -> usize {
        let webhooks = raw["webhooks"].as_array().into_iter().flatten();
        position(webhooks, |webhook| webhook["name"].as_str() == self.webhook.as_deref())
    }

    fn operations(&self, index: usize) -> Vec<Value> {
        let within = self.webhook.as_ref().map(|_| format!("/webhooks/{index}")).unwrap_or_default();
        let same = self.webhook.iter().map(|name| test(&format!("{within}/name"), name));
        let path = format!("{within}{}", self.field);
        let set = json!({"op": "replace", "path": path, "value": self.to});
        same.chain([test(&path, &self.from), set]).collect()
    }

    /// The setting that restores the value which `request` has replaced, and the command for it. The patch
    /// tests a value and then replaces it, so it has both values, and the index of the webhook at that time.
    pub(super) fn turned_round(self, object: &Ref, request: &WriteRequest) -> Option<(Self, String)> {
        let operations = request.body.as_array()?;
        let replaced = operations.iter().find(|operation| operation["op"] == "replace")?;
        let path = replaced["path"].as_str()?;
        let tested = operations.iter().find(|operation| operation["op"] == "test" && operation["path"] == path)?;
        let place = path.split('/').nth(2).and_then(|place| place.parse().ok());
        let (from, to) = (replaced.get("value")?.clone(), tested.get("value")?.clone());
        let back = Self { from, to, ..self };
        let body = json_patch(object, back.operations(place.unwrap_or_default())).body;
        let command = patch(&arguments(object), &body);
        Some((back, command))
    }
}

/// The webhook of this name in a configuration.
pub(super) fn webhook<'o>(configuration: &'o Object, name: &str) -> Option<&'o Value> {
    configuration.array("/webhooks").iter().find(|webhook| webhook["name"] == name)
}

/// An entry of a list.
#[derive(Debug)]
pub(super) struct ListEntry {
    /// The pointer of the list.
    pub(super) list: &'static str,
    /// The pointer, within the entry, of the value that identifies it; empty for the entry as a whole.
    pub(super) key: &'static str,
    /// The identifying value.
    pub(super) value: Value,
}

impl ListEntry {
    pub(super) fn is(&self, other: &Value) -> bool {
        other.pointer(self.key) == Some(&self.value)
    }

    fn index(&self, raw: &Value) -> usize {
        let entries = raw.pointer(self.list).and_then(Value::as_array).into_iter().flatten();
        position(entries, |entry| self.is(entry))
    }

    fn operations(&self, index: usize) -> Vec<Value> {
        let path = format!("{}/{index}", self.list);
        vec![test(&format!("{path}{}", self.key), &self.value), json!({"op": "remove", "path": path})]
    }

    /// A patch that removes the entry from the list as it was read.
    pub(super) fn removal(&self, object: &Ref, raw: &Value) -> WriteRequest {
        let list = raw.pointer(self.list).cloned().unwrap_or_else(|| json!([]));
        let path = format!("{}/{}", self.list, self.index(raw));
        json_patch(object, vec![test(self.list, &list), json!({"op": "remove", "path": path})])
    }

    /// A PUT without the entry. With the resourceVersion in it, the server refuses it after any change.
    fn replacement(&self, subresource: &str, object: &Ref, raw: &Value) -> WriteRequest {
        let mut body = raw.clone();
        if let Some(Value::Array(entries)) = body.pointer_mut(self.list) {
            entries.retain(|entry| !self.is(entry));
        }
        WriteRequest::json("PUT", format!("{}/{subresource}", path(object)), body)
    }
}

/// The deletion of an object with its uid; `policy` decides about its dependents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Delete {
    pub(super) policy: &'static str,
    /// Whether the object must be as it was read.
    pub(super) as_read: bool,
    /// Whether the grace period is 0.
    pub(super) at_once: bool,
}

impl Delete {
    /// Deletes the dependents afterwards.
    pub(super) const BACKGROUND: Self = Self { policy: "Background", as_read: false, at_once: false };
    /// Like [`Self::BACKGROUND`], for an object that has not changed since it was read.
    pub(super) const AS_READ: Self = Self { as_read: true, ..Self::BACKGROUND };

    pub(super) fn request(self, object: &Ref, raw: &Value) -> WriteRequest {
        let mut preconditions = json!({"uid": object.uid});
        if self.as_read {
            preconditions["resourceVersion"] = raw["metadata"]["resourceVersion"].clone();
        }
        let mut body = json!({"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": self.policy,
            "preconditions": preconditions});
        if self.at_once {
            body["gracePeriodSeconds"] = json!(0);
        }
        WriteRequest::json("DELETE", path(object), body)
    }
}

/// A POST, so that the server refuses a second object of the name.
pub(super) fn creation(object: &Ref, body: &Value) -> WriteRequest {
    let path = object.target().resource.path(object.namespace.as_deref(), None);
    WriteRequest::json("POST", path, body.clone())
}

/// A merge patch: a JSON patch would have to replace all annotations if there are none yet. The uid in it
/// makes the server refuse another object.
fn annotation(object: &Ref, key: &str, at: Timestamp) -> WriteRequest {
    let body = json!({"metadata": {"uid": object.uid, "annotations": {key: at.to_string()}}});
    WriteRequest { method: "PATCH", path: path(object), content_type: "application/merge-patch+json", body }
}

fn dated(entry: &Value, since: &str, at: Timestamp) -> Value {
    let mut entry = entry.clone();
    entry[since] = at.strftime("%FT%TZ").to_string().into();
    entry
}

/// A patch that adds an entry to the list as it was just read, so that entries of others are not lost.
fn addition(object: &Ref, raw: &Value, list: &str, entry: &Value) -> WriteRequest {
    let version = "/metadata/resourceVersion";
    let operations = match raw.pointer(list).filter(|entries| entries.is_array()) {
        Some(entries) => [test(list, entries), json!({"op": "add", "path": format!("{list}/-"), "value": entry})],
        None => [test(version, &raw.pointer(version)), json!({"op": "add", "path": list, "value": [entry]})],
    };
    json_patch(object, operations.into())
}

/// A JSON patch with `operations` that applies only to the object with this uid.
fn json_patch(object: &Ref, operations: Vec<Value>) -> WriteRequest {
    let mut body = vec![test("/metadata/uid", &object.uid)];
    body.extend(operations);
    let content_type = "application/json-patch+json";
    WriteRequest { method: "PATCH", path: path(object), content_type, body: Value::Array(body) }
}

fn test(path: &str, value: &impl serde::Serialize) -> Value {
    json!({"op": "test", "path": path, "value": value})
}

/// The index of an entry. If there is none, it is 0, and the test in the patch fails.
fn position<'v>(mut entries: impl Iterator<Item = &'v Value>, is_it: impl Fn(&Value) -> bool) -> usize {
    entries.position(is_it).unwrap_or_default()
}

fn path(object: &Ref) -> String {
    object.target().want().path()
}

/// Holds while a value is the one that was `shown`.
pub(super) fn as_shown(object: &Ref, shown: &Value, now: Option<&Value>) -> Guard {
    if now == Some(shown) {
        Guard::Holds
    } else {
        Guard::Changed(format!("{object} has changed in what this step writes"))
    }
}
