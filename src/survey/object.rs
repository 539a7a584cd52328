//! One object as the API server showed it: its metadata in full, the rest only
//! where a rule asked for the whole object.

use super::resource::Resource;
use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// An object. `body` is empty when only metadata was asked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Object {
    /// `group/version`, or `version` for the core group; empty in lists, where
    /// the resource of the listing says it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub api_version: String,
    /// The kind; empty in lists.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// The object's metadata.
    #[serde(default)]
    pub metadata: Metadata,
    /// Everything else: spec, status and what a kind has besides.
    #[serde(flatten)]
    pub body: Map<String, Value>,
}

/// The metadata that diagnosis reads. Most objects of a list have nothing but what
/// stands here; what few of them have (`More`) is read as if it stood here, too.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Metadata {
    /// The name.
    pub name: String,
    /// The namespace; absent on cluster-scoped objects.
    pub namespace: Option<String>,
    /// The identity: another object of the same name has another one.
    pub uid: String,
    /// The version of the stored row.
    pub resource_version: Option<String>,
    /// When the object came into being.
    pub creation_timestamp: Option<Timestamp>,
    more: Option<Box<More>>,
}

/// The metadata that few objects have.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct More {
    /// Counts the changes of what is wanted; a DELETE that is accepted is one too.
    pub generation: Option<i64>,
    /// When the object was asked to go; for pods that time plus the grace
    /// period (kubernetes/kubernetes: staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go).
    pub deletion_timestamp: Option<Timestamp>,
    /// The grace period in seconds; 0 once nothing but finalizers holds the object.
    pub deletion_grace_period_seconds: Option<i64>,
    /// The keys that must be removed before the row may go.
    pub finalizers: Vec<String>,
    /// The owners.
    pub owner_references: Vec<OwnerReference>,
    /// The labels.
    pub labels: BTreeMap<String, String>,
    /// The annotations, less `last-applied-configuration`, which repeats the
    /// whole object and may carry secrets.
    pub annotations: BTreeMap<String, String>,
    /// Who wrote which field, unparsed. Most bytes of a list are these, so they
    /// are skipped while parsing; [`Object::single`] keeps them.
    pub managed_fields: Value,
}

/// What an object has that has none of it.
static NO_MORE: More = More {
    generation: None,
    deletion_timestamp: None,
    deletion_grace_period_seconds: None,
    finalizers: Vec::new(),
    owner_references: Vec::new(),
    labels: BTreeMap::new(),
    annotations: BTreeMap::new(),
    managed_fields: Value::Null,
};

impl Deref for Metadata {
    type Target = More;

    fn deref(&self) -> &More {
        self.more.as_deref().unwrap_or(&NO_MORE)
    }
}

impl DerefMut for Metadata {
    fn deref_mut(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }
}

impl PartialEq for Metadata {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.namespace == other.namespace
            && self.uid == other.uid
            && self.resource_version == other.resource_version
            && self.creation_timestamp == other.creation_timestamp
            && **self == **other
    }
}

/// Metadata as the API server writes it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    #[serde(default)]
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    uid: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    generation: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resource_version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    creation_timestamp: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deletion_timestamp: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deletion_grace_period_seconds: Option<i64>,
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Vec::is_empty")]
    finalizers: Vec<String>,
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Vec::is_empty")]
    owner_references: Vec<OwnerReference>,
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "BTreeMap::is_empty")]
    labels: BTreeMap<String, String>,
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "BTreeMap::is_empty")]
    annotations: BTreeMap<String, String>,
    #[serde(skip_deserializing, skip_serializing_if = "Value::is_null")]
    managed_fields: Value,
}

impl From<Written> for Metadata {
    fn from(written: Written) -> Self {
        let more = More {
            generation: written.generation,
            deletion_timestamp: written.deletion_timestamp,
            deletion_grace_period_seconds: written.deletion_grace_period_seconds,
            finalizers: written.finalizers,
            owner_references: written.owner_references,
            labels: written.labels,
            annotations: written.annotations,
            managed_fields: written.managed_fields,
        };
        Self {
            name: written.name,
            namespace: written.namespace,
            uid: written.uid,
            resource_version: written.resource_version,
            creation_timestamp: written.creation_timestamp,
            more: (more != NO_MORE).then(|| Box::new(more)),
        }
    }
}

impl From<Metadata> for Written {
    fn from(metadata: Metadata) -> Self {
        let more = metadata.more.map(|more| *more).unwrap_or_default();
        Self {
            name: metadata.name,
            namespace: metadata.namespace,
            uid: metadata.uid,
            generation: more.generation,
            resource_version: metadata.resource_version,
            creation_timestamp: metadata.creation_timestamp,
            deletion_timestamp: more.deletion_timestamp,
            deletion_grace_period_seconds: more.deletion_grace_period_seconds,
            finalizers: more.finalizers,
            owner_references: more.owner_references,
            labels: more.labels,
            annotations: more.annotations,
            managed_fields: more.managed_fields,
        }
    }
}

/// Who set a field, as far as managedFields tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldManager {
    /// The manager's name: a `fieldManager` option or the client's program name.
    pub name: String,
    /// When this entry's set of fields changed last: not when the field came.
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
        let managers = value
            .get_mut("metadata")
            .and_then(Value::as_object_mut)
            .and_then(|metadata| metadata.remove("managedFields"));
        let mut object: Self = serde_json::from_value(value)?;
        if let Some(managers) = managers {
            object.metadata.managed_fields = managers;
        }
        Ok(object)
    }

    /// The identity.
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

    /// When deletion was asked for: the deletionTimestamp, less the grace
    /// period that pods have added to it.
    #[must_use]
    pub fn deletion_asked(&self) -> Option<Timestamp> {
        let grace = self.metadata.deletion_grace_period_seconds.unwrap_or(0).clamp(0, i64::from(i32::MAX));
        let at = self.metadata.deletion_timestamp?;
        at.checked_sub(jiff::SignedDuration::from_secs(grace)).ok()
    }

    /// A value by JSON pointer below the object's body, such as `/status/phase`.
    #[must_use]
    pub fn at(&self, pointer: &str) -> Option<&Value> {
        let rest = pointer.strip_prefix('/')?;
        let (first, below) = rest.split_once('/').map_or((rest, ""), |(first, below)| (first, below));
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

    /// A condition of `status.conditions` by type.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<Condition<'_>> {
        self.array("/status/conditions").iter().map(Condition).find(|condition| condition.kind() == kind)
    }

    /// Who set `finalizer`, from managedFields. `None` proves nothing: keys set
    /// by a DELETE, by mutating admission or by a registry strategy have no
    /// entry (kubernetes/kubernetes:
    /// staging/src/k8s.io/apiserver/pkg/endpoints/handlers/create.go).
    #[must_use]
    pub fn finalizer_set_by(&self, finalizer: &str) -> Option<FieldManager> {
        let key = format!("v:{}", Value::from(finalizer));
        let sets = |entry: &Value| {
            let finalizers = entry.get("fieldsV1").and_then(|fields| fields.get("f:metadata")?.get("f:finalizers"));
            finalizers.is_some_and(|finalizers| finalizers.get(&key).is_some())
        };
        self.managed_fields().find(|entry| sets(entry)).map(manager)
    }

    /// Everybody who wrote to it.
    pub fn managers(&self) -> impl Iterator<Item = FieldManager> {
        self.managed_fields().map(manager)
    }

    /// Those who wrote its status: mostly its controller.
    pub fn status_written_by(&self) -> impl Iterator<Item = FieldManager> {
        let of_status = |entry: &&Value| entry.get("fieldsV1").is_some_and(|fields| fields.get("f:status").is_some());
        self.managed_fields().filter(of_status).map(manager)
    }

    /// Who wrote its spec last.
    #[must_use]
    pub fn spec_written_by(&self) -> Option<FieldManager> {
        let of_spec = |entry: &&Value| entry.get("fieldsV1").is_some_and(|fields| fields.get("f:spec").is_some());
        self.managed_fields().filter(of_spec).map(manager).max_by_key(|manager| manager.time)
    }

    /// When a field of its status was written last, such as `f:conditions`; with
    /// `None`, any.
    #[must_use]
    pub fn status_field_written(&self, field: Option<&str>) -> Option<Timestamp> {
        let writes = |entry: &&Value| {
            let status = entry.get("fieldsV1").and_then(|fields| fields.get("f:status"));
            status.is_some_and(|status| field.is_none_or(|field| status.get(field).is_some()))
        };
        self.managed_fields().filter(writes).filter_map(|entry| manager(entry).time).max()
    }

    fn managed_fields(&self) -> impl Iterator<Item = &Value> {
        self.metadata.managed_fields.as_array().into_iter().flatten()
    }

    /// Takes out what must not leave the cluster or only costs room. Annotations
    /// of `private` objects go altogether: several tools keep the whole object,
    /// data included, in one.
    pub fn strip(&mut self, private: bool) {
        let Some(more) = &mut self.metadata.more else { return };
        if private {
            more.annotations.clear();
        }
        more.annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
        if **more == NO_MORE {
            self.metadata.more = None;
        }
    }

    /// Takes out what tells nothing of an object that nobody deletes, holds or owns: what
    /// it is called, and when it came into being, stays.
    pub fn thin_out(&mut self) {
        let metadata = &mut self.metadata;
        if metadata.deletion_timestamp.is_none()
            && metadata.finalizers.is_empty()
            && metadata.owner_references.is_empty()
        {
            (metadata.more, metadata.resource_version) = (None, None);
        }
    }
}

/// An object together with the resource it was read from.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'s> {
    /// The resource.
    pub resource: &'s Resource,
    /// The object.
    pub object: &'s Object,
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

    /// When the status changed last; messages are rewritten without a new time.
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

fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Object {
        Object::single(value).unwrap()
    }

    #[test]
    fn what_nobody_holds_is_thinned_out_to_its_name() {
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
        assert!(size_of::<Object>() <= 208, "{}", size_of::<Object>());
        let mut bare = object(json!({"metadata": {"name": "a", "annotations":
            {"kubectl.kubernetes.io/last-applied-configuration": "{}"}}}));
        bare.strip(false);
        assert!(bare.metadata.more.is_none());
    }

    #[test]
    fn a_pods_deletion_was_asked_for_before_its_grace_period() {
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
    fn the_manager_of_one_finalizer_is_told_from_that_of_another() {
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
