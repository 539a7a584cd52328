//! An object as the API server returned it: its metadata, and the rest only if a rule asked for the
//! whole object.

use super::metadata::Metadata;
use super::resource::Resource;
use super::weight::weight_of;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

/// An object. Most objects of a list have only metadata. The fields in `Rest` can be accessed as if
/// they were here.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "WireObject", into = "WireObject")]
pub struct Object {
    /// The object's metadata.
    pub metadata: Metadata,
    rest: Option<Box<Rest>>,
}

/// The part of an object besides its metadata, if the whole object was requested.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rest {
    /// `group/version`, or `version` for the core group. Empty in lists, where the listed resource
    /// is known.
    pub api_version: String,
    /// The kind; empty in lists.
    pub kind: String,
    /// Everything else: the spec, the status and other fields of the kind.
    pub body: Map<String, Value>,
}

/// Used for objects that have only metadata.
static NO_REST: LazyLock<Rest> = LazyLock::new(Rest::default);

impl Deref for Object {
    type Target = Rest;

    fn deref(&self) -> &Rest {
        self.rest.as_deref().unwrap_or(&NO_REST)
    }
}

impl DerefMut for Object {
    fn deref_mut(&mut self) -> &mut Rest {
        self.rest.get_or_insert_default()
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.metadata == other.metadata && **self == **other
    }
}

impl From<Metadata> for Object {
    fn from(metadata: Metadata) -> Self {
        Self { metadata, rest: None }
    }
}

/// An object in the API server's format.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireObject {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    api_version: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    kind: String,
    #[serde(default)]
    metadata: Metadata,
    #[serde(flatten)]
    body: Map<String, Value>,
}

impl From<WireObject> for Object {
    fn from(written: WireObject) -> Self {
        let WireObject { api_version, kind, metadata, body } = written;
        let rest = Rest { api_version, kind, body };
        Self { metadata, rest: (rest != *NO_REST).then(|| Box::new(rest)) }
    }
}

impl From<Object> for WireObject {
    fn from(object: Object) -> Self {
        let Rest { api_version, kind, body } = object.rest.map(|rest| *rest).unwrap_or_default();
        Self { api_version, kind, metadata: object.metadata, body }
    }
}

/// The manager that set a field, according to managedFields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldManager {
    /// The manager's name: a `fieldManager` option or the client's program name.
    pub name: String,
    /// The time when this entry's set of fields last changed, not when the field was added.
    pub time: Option<Timestamp>,
    /// `Update` or `Apply`.
    pub operation: String,
}

impl Object {
    /// An object read by itself, with its managedFields.
    ///
    /// # Errors
    /// When the value is no object of the Kubernetes API.
    pub fn single(mut value: Value) -> Result<Self, serde_json::Error> {
        let managers = value.pointer_mut("/metadata/managedFields").map(Value::take);
        let mut object: Self = serde_json::from_value(value)?;
        if let Some(managers) = managers {
            object.metadata.managed_fields = managers;
        }
        Ok(object)
    }

    /// Checks that the object's names, and those in its references, are no longer than stored names
    /// can be.
    ///
    /// # Errors
    /// A sentence about the name that is too long.
    pub(crate) fn is_in_bounds(&self) -> Result<(), String> {
        let metadata = &self.metadata;
        let owners = metadata.owner_references.iter().flat_map(|owner| [&owner.name, &owner.kind, &owner.api_version]);
        let texts = owners.chain(&metadata.finalizers).map(String::as_str);
        let own = [&*metadata.name, metadata.namespace.as_deref().unwrap_or_default(), &*metadata.uid];
        texts.chain(own).try_for_each(is_short)
    }

    /// Leaves out metadata that does not fit into `room` bytes, and that no real object has.
    pub(crate) fn bound(&mut self, room: usize) {
        self.metadata.bound(room);
    }

    /// The memory that it takes, roughly.
    pub(crate) fn weight(&self) -> usize {
        size_of::<Self>() + self.metadata.weight() + weight_of(&self.body)
    }

    /// The uid.
    #[must_use]
    pub fn uid(&self) -> &str {
        &self.metadata.uid
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.metadata.name
    }

    /// Whether a DELETE has been accepted for it.
    #[must_use]
    pub fn is_deleting(&self) -> bool {
        self.metadata.deletion_timestamp.is_some()
    }

    /// The time when deletion was requested: the deletionTimestamp, minus the grace period that
    /// pods have added to it.
    pub(crate) fn deletion_asked(&self) -> Option<Timestamp> {
        let grace = self.metadata.deletion_grace_period_seconds.unwrap_or(0).clamp(0, i64::from(i32::MAX));
        let at = self.metadata.deletion_timestamp?;
        at.checked_sub(jiff::SignedDuration::from_secs(grace)).ok()
    }

    /// Whether `owner` is among its ownerReferences.
    #[must_use]
    pub fn is_owned_by(&self, owner: &Self) -> bool {
        self.metadata.owner_references.iter().any(|reference| reference.uid == owner.uid())
    }

    /// The value at a JSON pointer in the object's body, such as `/status/phase`.
    #[must_use]
    pub fn at(&self, pointer: &str) -> Option<&Value> {
        let rest = pointer.strip_prefix('/')?;
        let (first, below) = rest.split_once('/').unwrap_or((rest, ""));
        let value = self.body.get(first)?;
        if below.is_empty() { Some(value) } else { value.pointer(&format!("/{below}")) }
    }

    /// A string by JSON pointer.
    #[must_use]
    pub fn text(&self, pointer: &str) -> Option<&str> {
        self.at(pointer)?.as_str()
    }

    /// An array by JSON pointer; empty when absent.
    #[must_use]
    pub fn array(&self, pointer: &str) -> &[Value] {
        self.at(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The conditions in `status.conditions`.
    pub fn conditions(&self) -> impl Iterator<Item = Condition<'_>> {
        self.array("/status/conditions").iter().map(Condition)
    }

    /// A condition of `status.conditions` by type.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<Condition<'_>> {
        self.conditions().find(|condition| condition.kind() == kind)
    }

    /// The manager that set `finalizer`, from managedFields. `None` proves nothing: keys set by a
    /// DELETE, by mutating admission or by a registry strategy have no entry
    /// (kubernetes/kubernetes: staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go).
    pub(crate) fn finalizer_set_by(&self, finalizer: &str) -> Option<FieldManager> {
        let key = format!("v:{}", Value::from(finalizer));
        let sets =
            |entry: &&Value| written(entry, "f:metadata").is_some_and(|it| it["f:finalizers"].get(&key).is_some());
        self.managed_fields().find(sets).map(manager)
    }

    /// All managers that wrote to the object.
    pub fn managers(&self) -> impl Iterator<Item = FieldManager> {
        self.managed_fields().map(manager)
    }

    /// The managers that wrote its status, usually its controller.
    pub(crate) fn status_written_by(&self) -> impl Iterator<Item = FieldManager> {
        self.managed_fields().filter(|entry| written(entry, "f:status").is_some()).map(manager)
    }

    /// The managers that wrote its status through the subresource, which needs a right of its own.
    pub(crate) fn status_written_apart_by(&self) -> impl Iterator<Item = FieldManager> {
        let apart = |entry: &&Value| entry.get("subresource").and_then(Value::as_str) == Some("status");
        self.managed_fields().filter(apart).map(manager)
    }

    /// The manager that last wrote its spec.
    pub(crate) fn spec_written_by(&self) -> Option<FieldManager> {
        let writers = self.managed_fields().filter(|entry| written(entry, "f:spec").is_some()).map(manager);
        writers.max_by_key(|manager| manager.time)
    }

    /// The time when a field of its spec, such as `f:conversion`, was last written with its current
    /// value.
    pub(crate) fn spec_field_written(&self, field: &str) -> Option<Timestamp> {
        self.last_written("f:spec", Some(field))
    }

    /// The time when a field of its status, such as `f:conditions`, was last written; with `None`,
    /// any field.
    pub(crate) fn status_field_written(&self, field: Option<&str>) -> Option<Timestamp> {
        self.last_written("f:status", field)
    }

    /// The time when a part of it, or a field of that part, was last written.
    fn last_written(&self, part: &str, field: Option<&str>) -> Option<Timestamp> {
        let writes = |entry: &&Value| {
            written(entry, part).is_some_and(|fields| field.is_none_or(|field| fields.get(field).is_some()))
        };
        self.managed_fields().filter(writes).filter_map(|entry| manager(entry).time).max()
    }

    fn managed_fields(&self) -> impl Iterator<Item = &Value> {
        self.metadata.managed_fields.as_array().into_iter().flatten()
    }

    /// Removes data that must not leave the cluster or only takes up memory. Private objects keep
    /// no annotations but the marks of installers: some tools store the whole object, data
    /// included, in an annotation.
    pub(crate) fn strip(&mut self, private: bool) {
        self.metadata.strip(private);
    }

    /// Reduces an object that nobody deletes, holds or owns to its name and creation time.
    pub(crate) fn thin_out(&mut self) {
        self.metadata.thin_out();
    }
}

/// An object with its resource.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'s> {
    /// The resource.
    pub resource: &'s Resource,
    /// The object.
    pub object: &'s Object,
}

/// The fields of a part, such as `f:spec`, in an entry of managedFields.
fn written<'e>(entry: &'e Value, part: &str) -> Option<&'e Value> {
    entry.get("fieldsV1")?.get(part)
}

fn manager(entry: &Value) -> FieldManager {
    let text = |field: &str| entry.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    FieldManager { name: text("manager"), time: text("time").parse().ok(), operation: text("operation") }
}

/// One entry of `status.conditions`.
#[derive(Debug, Clone, Copy)]
pub struct Condition<'a>(&'a Value);

impl<'a> Condition<'a> {
    fn field(self, name: &str) -> &'a str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// The type.
    #[must_use]
    pub fn kind(self) -> &'a str {
        self.field("type")
    }

    /// `True`, `False` or `Unknown`.
    #[must_use]
    pub fn status(self) -> &'a str {
        self.field("status")
    }

    /// The reason in one word.
    #[must_use]
    pub fn reason(self) -> &'a str {
        self.field("reason")
    }

    /// The message.
    #[must_use]
    pub fn message(self) -> &'a str {
        self.field("message")
    }

    /// The time when the status last changed. The message may be newer.
    #[must_use]
    pub fn since(self) -> Option<Timestamp> {
        self.field("lastTransitionTime").parse().ok()
    }

    /// `reason: message`, as evidence.
    #[must_use]
    pub fn says(self) -> String {
        match (self.reason(), self.message()) {
            ("", message) => message.to_owned(),
            (reason, "") => reason.to_owned(),
            (reason, message) => format!("{reason}: {message}"),
        }
    }
}

/// The maximum length of names, kinds and finalizers. Most are limited to 63 or 253 characters; the
/// names of roles must fit into a path.
const MAX_NAME: usize = 4096;

/// Checks the length of a name.
///
/// # Errors
/// A sentence, if it is longer than any stored name can be.
pub fn is_short(name: &str) -> Result<(), String> {
    if name.len() > MAX_NAME { Err(format!("a name of {} bytes", name.len())) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Object {
        Object::single(value).unwrap()
    }

    #[test]
    fn objects_that_nothing_holds_are_reduced_to_their_names() {
        let plain = json!({"metadata": {"name": "a", "namespace": "n", "uid": "u", "resourceVersion": "7",
            "creationTimestamp": "2026-01-01T00:00:00Z", "labels": {"app": "a"}, "generation": 1}});
        let mut thin = object(plain.clone());
        thin.thin_out();
        let left = json!({"name": "a", "namespace": "n", "uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z"});
        assert_eq!(serde_json::to_value(&thin.metadata).unwrap(), left);
        for (field, value) in [
            ("finalizers", json!(["a.io/x"])),
            ("deletionTimestamp", json!("2026-01-01T00:00:00Z")),
            ("ownerReferences", json!([{"apiVersion": "v1", "kind": "K", "name": "o", "uid": "u"}])),
        ] {
            let mut held = plain.clone();
            held["metadata"][field] = value;
            let whole = object(held);
            let mut kept = whole.clone();
            kept.thin_out();
            assert_eq!(kept, whole, "{field}");
        }
    }

    #[test]
    fn an_object_of_a_list_takes_little_room() {
        assert!(size_of::<Object>() <= 136, "{}", size_of::<Object>());
        let mut bare = object(json!({"metadata": {"name": "a", "annotations":
            {"kubectl.kubernetes.io/last-applied-configuration": "{}"}}}));
        bare.strip(false);
        assert!(bare.rest.is_none());
    }

    #[test]
    fn the_grace_period_is_subtracted_from_a_pods_deletion_time() {
        let pod = object(json!({"metadata": {
            "deletionTimestamp": "2026-01-01T00:01:00Z", "deletionGracePeriodSeconds": 60 }}));
        assert_eq!(pod.deletion_asked(), Some("2026-01-01T00:00:00Z".parse().unwrap()));
    }

    #[test]
    fn pointers_reach_below_the_body() {
        let pod = object(json!({"metadata": {"name": "p"}, "spec": {"nodeName": "n"}, "status": {"phase": "Running"}}));
        assert_eq!(pod.text("/spec/nodeName"), Some("n"));
        assert_eq!(pod.text("/status/phase"), Some("Running"));
        assert_eq!(pod.text("/status/none"), None);
    }

    #[test]
    fn the_manager_of_each_finalizer_is_found() {
        let fields = |key: &str| json!({"f:metadata": {"f:finalizers": {".": {}, format!("v:\"{key}\""): {}}}});
        let object = object(json!({"metadata": {"managedFields": [
            {"manager": "first", "operation": "Update", "time": "2026-01-01T00:00:00Z", "fieldsV1": fields("a.io/x")},
            {"manager": "second", "operation": "Apply", "fieldsV1": fields("b.io/y")}]}}));
        assert_eq!(object.finalizer_set_by("b.io/y").unwrap().name, "second");
        assert_eq!(object.finalizer_set_by("a.io/x").unwrap().time, Some("2026-01-01T00:00:00Z".parse().unwrap()));
        assert_eq!(object.finalizer_set_by("c.io/z"), None);
    }

    #[test]
    fn malformed_managed_fields_are_no_evidence_and_no_panic() {
        for odd in [json!(null), json!("x"), json!([{}]), json!([null, {"fieldsV1": 3}])] {
            assert_eq!(object(json!({"metadata": {"managedFields": odd}})).finalizer_set_by("a"), None);
        }
    }

    #[test]
    fn nulls_in_lists_and_maps_are_empty() {
        let object = object(json!({"metadata": {"finalizers": null, "labels": null, "ownerReferences": null}}));
        assert!(object.metadata.finalizers.is_empty() && object.metadata.labels.is_empty());
    }
}
