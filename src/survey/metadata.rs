//! The metadata of an object, stored compactly: most objects of a large cluster consist of nothing
//! else.

use super::texts::Texts;
use super::uid::Uid;
use super::weight::weight_of_value;
use super::{managers, marks};
use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, LazyLock};

/// The metadata that the diagnosis reads. The fields in `More` are used by few objects and can be
/// accessed as if they were here.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "WireMetadata", into = "WireMetadata")]
pub struct Metadata {
    /// The name.
    pub name: Box<str>,
    /// The namespace; `None` if cluster-scoped. The objects of a list share the text.
    pub namespace: Option<Arc<str>>,
    /// The uid. A new object with the same name has another uid.
    pub uid: Uid,
    /// The version of the stored row.
    pub resource_version: Option<Box<str>>,
    /// The creation time.
    pub creation_timestamp: Option<Timestamp>,
    more: Option<Box<More>>,
}

/// The metadata that only few objects have.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct More {
    /// The number of changes of the spec. An accepted DELETE counts, too.
    pub generation: Option<i64>,
    /// The time when the deletion was requested, for pods plus the grace period
    /// (kubernetes/kubernetes: staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go).
    pub deletion_timestamp: Option<Timestamp>,
    /// The grace period in seconds; 0 once only finalizers hold the object.
    pub deletion_grace_period_seconds: Option<i64>,
    /// The finalizers, which must be removed before the object disappears.
    pub finalizers: Vec<String>,
    /// The owners.
    pub owner_references: Vec<OwnerReference>,
    /// The labels.
    pub labels: Texts,
    /// The annotations, except `last-applied-configuration`, which repeats the whole object and may
    /// contain secrets.
    pub annotations: Texts,
    /// The managedFields, unparsed: who wrote which field. They make up most of a list, so lists
    /// skip them; [`Object::single`] keeps them.
    pub managed_fields: Value,
    /// How many values of the object were left out because it is larger than what is read of one: these
    /// are unread, not absent.
    pub left_out: usize,
}

/// How many finalizers and how many owners of an object are kept in any case. Real ones have a few.
const FINALIZERS: usize = 32;
const OWNERS: usize = 64;
/// How many entries of managedFields are kept: one for each program that has written the object.
const MAX_MANAGERS: usize = 64;
/// The room that each finalizer and each owner beyond these takes, with all that is found and said about it.
const FINALIZER_ROOM: usize = 3 << 10;
const OWNER_ROOM: usize = 512;
/// How many bytes of an object's labels, and of its annotations, are kept in any case. The API server accepts
/// 256 KiB of annotations.
const TEXTS: usize = 16 << 10;
/// The part of the room that these may take.
const TEXTS_SHARE: usize = 8;
/// Repeats the whole object, and may contain secrets.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Used for objects that have none of these.
static NO_MORE: LazyLock<More> = LazyLock::new(More::default);

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

/// Metadata in the API server's format.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireMetadata {
    #[serde(default)]
    name: Box<str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    namespace: Option<Box<str>>,
    #[serde(default, skip_serializing_if = "Uid::is_empty")]
    uid: Uid,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    generation: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resource_version: Option<Box<str>>,
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
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Texts::is_empty")]
    labels: Texts,
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Texts::is_empty")]
    annotations: Texts,
    #[serde(skip_deserializing, skip_serializing_if = "Value::is_null")]
    managed_fields: Value,
    #[serde(default, skip_serializing_if = "is_zero")]
    left_out: usize,
}

impl From<WireMetadata> for Metadata {
    fn from(written: WireMetadata) -> Self {
        let more = More {
            generation: written.generation,
            deletion_timestamp: written.deletion_timestamp,
            deletion_grace_period_seconds: written.deletion_grace_period_seconds,
            finalizers: written.finalizers,
            owner_references: written.owner_references,
            labels: written.labels,
            annotations: written.annotations,
            managed_fields: written.managed_fields,
            left_out: written.left_out,
        };
        Self {
            name: written.name,
            namespace: written.namespace.map(Arc::from),
            uid: written.uid,
            resource_version: written.resource_version,
            creation_timestamp: written.creation_timestamp,
            more: (more != *NO_MORE).then(|| Box::new(more)),
        }
    }
}

impl From<Metadata> for WireMetadata {
    fn from(metadata: Metadata) -> Self {
        let more = metadata.more.map(|more| *more).unwrap_or_default();
        Self {
            name: metadata.name,
            namespace: metadata.namespace.as_deref().map(Box::from),
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
            left_out: more.left_out,
        }
    }
}

impl More {
    /// Drops the annotation that repeats the whole object, and the fields of managedFields that no rule reads.
    fn drop_what_nothing_reads(&mut self) {
        self.annotations.remove(LAST_APPLIED);
        managers::reduce(&mut self.managed_fields);
    }
}

impl Metadata {
    /// Shares the namespace's text with `other` if it is the same.
    pub(crate) fn share_with(&mut self, other: &Self) {
        if self.namespace == other.namespace {
            self.namespace.clone_from(&other.namespace);
        }
    }

    /// Leaves out what does not fit into `room` bytes, but not what real objects have. The store takes
    /// objects of 1.5 MiB, and whoever may create one may fill its lists.
    pub(super) fn bound(&mut self, room: usize) {
        let Some(more) = &mut self.more else { return };
        more.drop_what_nothing_reads();
        let texts = TEXTS.max(room / TEXTS_SHARE);
        let cut = [
            cut(&mut more.finalizers, FINALIZERS.max(room / FINALIZER_ROOM)),
            cut(&mut more.owner_references, OWNERS.max(room / OWNER_ROOM)),
            more.labels.bound(texts),
            more.annotations.bound(texts),
            managers::bound(&mut more.managed_fields, MAX_MANAGERS, &more.finalizers),
        ];
        more.left_out += cut.into_iter().sum::<usize>();
    }

    /// The memory that it takes, roughly.
    pub(super) fn weight(&self) -> usize {
        let owners = self.owner_references.iter().map(|it| 200 + it.name.len() + it.kind.len());
        let finalizers = self.finalizers.iter().map(|finalizer| 48 + finalizer.len());
        let texts = self.labels.iter().chain(self.annotations.iter()).map(|(key, text)| 80 + key.len() + text.len());
        let beyond = self.finalizers.len().saturating_sub(FINALIZERS) * FINALIZER_ROOM
            + self.owner_references.len().saturating_sub(OWNERS) * OWNER_ROOM;
        finalizers.chain(owners).chain(texts).sum::<usize>() + beyond + weight_of_value(&self.managed_fields)
    }

    pub(super) fn strip(&mut self, private: bool) {
        let Some(more) = &mut self.more else { return };
        if private {
            more.annotations.retain(marks::is_annotation);
        }
        more.drop_what_nothing_reads();
        if **more == *NO_MORE {
            self.more = None;
        }
    }

    /// Removes annotations except those for which `stays` is true. Returns how many were removed.
    pub(super) fn keep_annotations(&mut self, stays: impl Fn(&str) -> bool) -> usize {
        let Some(more) = &mut self.more else { return 0 };
        let gone = more.annotations.retain(stays);
        if **more == *NO_MORE {
            self.more = None;
        }
        gone
    }

    /// The values of the annotations, to be modified.
    pub(super) fn annotation_texts(&mut self) -> impl Iterator<Item = &mut String> {
        self.more.iter_mut().flat_map(|more| more.annotations.values_mut())
    }

    pub(super) fn thin_out(&mut self) {
        let is_marked = self.annotations.keys().any(|key| marks::is_annotation(key))
            || self.labels.keys().any(|key| marks::is_label(key));
        let is_plain =
            self.deletion_timestamp.is_none() && self.finalizers.is_empty() && self.owner_references.is_empty();
        if is_plain && !is_marked {
            (self.more, self.resource_version) = (None, None);
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Shortens a list. Returns how many items are gone.
fn cut<T>(list: &mut Vec<T>, most: usize) -> usize {
    let gone = list.len().saturating_sub(most);
    if gone > 0 {
        list.truncate(most);
        list.shrink_to_fit();
    }
    gone
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

    fn metadata(value: Value) -> Metadata {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn rare_metadata_takes_no_memory_once_stripped() {
        let note = json!({LAST_APPLIED: "{}"});
        let mut bare = metadata(json!({"name": "a", "annotations": note}));
        bare.strip(false);
        assert!(bare.more.is_none());
    }

    #[test]
    fn what_no_real_object_has_is_left_out_and_counted() {
        let keys: Vec<String> = (0..1_000).map(|number| format!("acme.io/f{number}")).collect();
        let texts: serde_json::Map<String, Value> =
            keys.iter().map(|key| (key.clone(), "x".repeat(90).into())).collect();
        let owner = json!({"apiVersion": "v1", "kind": "K", "name": "o", "uid": "u"});
        let mut large = metadata(json!({"name": "a", "finalizers": keys, "labels": texts, "annotations": texts,
            "ownerReferences": vec![owner; 1_000]}));
        let marks: serde_json::Map<String, Value> =
            keys.iter().map(|key| (format!("v:\"{key}\""), json!({}))).collect();
        let entry = json!({"manager": "m", "fieldsV1": {"f:metadata": {"f:finalizers": marks}}});
        large.managed_fields = vec![entry; 100].into();
        let mut alone = large.clone();
        alone.bound((3 << 20) + (16 << 10));
        assert_eq!((alone.finalizers.len(), alone.owner_references.len()), (1_000, 1_000));
        assert!(alone.weight() > 3 << 20, "{}", alone.weight());
        large.bound(16 << 10);
        assert_eq!((large.finalizers.len(), large.owner_references.len()), (32, 64));
        assert_eq!(large.managed_fields[0]["fieldsV1"]["f:metadata"]["f:finalizers"].as_object().unwrap().len(), 32);
        assert!(large.labels.contains_key("acme.io/f0") && large.labels.len() < 200);
        assert!(large.left_out > 968 + 936 + 1_600, "{}", large.left_out);
        let written = serde_json::to_value(&large).unwrap();
        assert_eq!(metadata(written).left_out, large.left_out, "a survey file says so, too");
        let applied = json!({LAST_APPLIED: "x".repeat(200_000)});
        let mut usual =
            metadata(json!({"name": "a", "finalizers": ["a.io/x"], "labels": {"a": "b"}, "annotations": applied}));
        usual.bound(0);
        assert_eq!(usual.left_out, 0);
    }

    #[test]
    fn objects_of_one_namespace_share_its_name() {
        let [mut a, mut b, c] = ["x", "x", "y"].map(|namespace| metadata(json!({"name": "a", "namespace": namespace})));
        b.share_with(&a);
        a.share_with(&c);
        let place = |metadata: &Metadata| metadata.namespace.clone().unwrap();
        assert!(Arc::ptr_eq(&place(&a), &place(&b)));
        assert_eq!(&*place(&a), "x");
    }
}
