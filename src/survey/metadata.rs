//! The metadata of an object, in little room: of a large cluster's objects there is
//! nothing else, and there are many.

use super::texts::Texts;
use super::uid::Uid;
use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// The metadata that diagnosis reads. Most objects of a list have nothing but what
/// stands here; what few of them have (`More`) is read as if it stood here, too.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Metadata {
    /// The name.
    pub name: Box<str>,
    /// The namespace; absent on cluster-scoped objects. The objects of a list share it.
    pub namespace: Option<Arc<str>>,
    /// The identity: another object of the same name has another one.
    pub uid: Uid,
    /// The version of the stored row.
    pub resource_version: Option<Box<str>>,
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
    pub labels: Texts,
    /// The annotations, less `last-applied-configuration`, which repeats the
    /// whole object and may carry secrets.
    pub annotations: Texts,
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
    labels: Texts::new(),
    annotations: Texts::new(),
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
            namespace: written.namespace.map(Arc::from),
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
        }
    }
}

impl Metadata {
    /// Takes the namespace of `other` for its own where both are the same.
    pub fn share_with(&mut self, other: &Self) {
        if self.namespace == other.namespace {
            self.namespace.clone_from(&other.namespace);
        }
    }

    pub(super) fn strip(&mut self, private: bool) {
        let Some(more) = &mut self.more else { return };
        if private {
            more.annotations.clear();
        }
        more.annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
        if **more == NO_MORE {
            self.more = None;
        }
    }

    /// Takes out the annotations but for those that are to stay; how many these were.
    pub(super) fn keep_annotations(&mut self, stays: impl Fn(&str) -> bool) -> usize {
        let Some(more) = &mut self.more else { return 0 };
        let gone = more.annotations.retain(stays);
        if **more == NO_MORE {
            self.more = None;
        }
        gone
    }

    /// The texts of the annotations, to be changed.
    pub(super) fn annotation_texts(&mut self) -> impl Iterator<Item = &mut String> {
        self.more.iter_mut().flat_map(|more| more.annotations.values_mut())
    }

    pub(super) fn thin_out(&mut self) {
        if self.deletion_timestamp.is_none() && self.finalizers.is_empty() && self.owner_references.is_empty() {
            (self.more, self.resource_version) = (None, None);
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

    fn metadata(value: Value) -> Metadata {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn what_is_stripped_of_all_that_few_have_takes_no_room_for_it() {
        let note = json!({"kubectl.kubernetes.io/last-applied-configuration": "{}"});
        let mut bare = metadata(json!({"name": "a", "annotations": note}));
        bare.strip(false);
        assert!(bare.more.is_none());
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
