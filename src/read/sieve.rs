//! Decides which items of a list are kept; the others are dropped while the list is read.

use crate::survey::{Form, Metadata, Object, Want, read_object};
use crate::transport::protobuf;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Selects the items of a list to keep, and how much of each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sieve {
    pub only: KeptObjects,
    pub keep: Keep,
    /// Whether the annotations of these objects may contain their data.
    pub private: bool,
}

/// How much of each item is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Keep {
    #[default]
    Metadata,
    Whole,
    /// Metadata, only of objects that have owners.
    Owned,
    /// Metadata of objects that are being deleted, have finalizers or owners; only the names of the
    /// others.
    Thin,
}

/// The objects to keep.
#[derive(Debug, Clone, Default)]
pub(crate) enum KeptObjects {
    #[default]
    All,
    /// Objects in these namespaces.
    In(BTreeSet<String>),
    /// Objects in these namespaces, and objects that are being deleted anywhere.
    InOrDeleting(BTreeSet<String>),
    /// These objects, by namespace and name, with managedFields as in reads of single objects.
    Named(BTreeSet<(String, String)>),
}

/// Parses only the metadata, without buffering the rest of the object.
#[derive(Deserialize)]
struct OnlyMetadata {
    metadata: Metadata,
}

/// The fields that decide whether an item is kept.
#[derive(Deserialize)]
struct Glance<'i> {
    #[serde(borrow)]
    metadata: GlanceAtMetadata<'i>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GlanceAtMetadata<'i> {
    #[serde(borrow, default)]
    name: Cow<'i, str>,
    #[serde(borrow, default)]
    namespace: Cow<'i, str>,
    owner_references: Option<IgnoredAny>,
    deletion_timestamp: Option<IgnoredAny>,
}

/// An unparsed item of a list.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ListItem<'i> {
    Json(&'i [u8]),
    /// Only the metadata.
    Protobuf(&'i [u8]),
}

impl ListItem<'_> {
    fn metadata(self) -> Result<Metadata, String> {
        match self {
            Self::Json(text) => json::<OnlyMetadata>(text).map(|item| item.metadata),
            Self::Protobuf(bytes) => protobuf::metadata(bytes, false),
        }
    }

    /// The object with its managedFields, as in the read of a single object.
    fn single(self, room: usize) -> Result<Object, String> {
        match self {
            Self::Json(text) => read_object(text, true, room).map_err(|error| error.to_string()),
            Self::Protobuf(bytes) => protobuf::metadata(bytes, true).map(Object::from),
        }
    }

    fn whole(self, room: usize) -> Result<Object, String> {
        match self {
            Self::Json(text) => read_object(text, false, room).map_err(|error| error.to_string()),
            Self::Protobuf(_) => Err("nothing but metadata".into()),
        }
    }
}

fn json<'i, T: Deserialize<'i>>(text: &'i [u8]) -> Result<T, String> {
    serde_json::from_slice(text).map_err(|error| error.to_string())
}

impl Sieve {
    /// The sieve for the list that `want` asks for.
    pub(crate) fn of(want: &Want) -> Self {
        Self {
            only: if want.form == Form::Deleting {
                KeptObjects::InOrDeleting(BTreeSet::new())
            } else {
                KeptObjects::All
            },
            keep: match want.form {
                Form::Whole => Keep::Whole,
                Form::Owned => Keep::Owned,
                Form::Metadata | Form::Stored | Form::Deleting => Keep::Metadata,
                // Only whether the list can be read matters, not its content.
                Form::Cached => Keep::Thin,
            },
            private: want.resource.is_private(),
        }
    }

    /// The sieve for a list outside of a sweep. There are many `ConfigMap`s, Secrets, events and
    /// leases in all namespaces, and no rule uses their labels.
    pub(crate) fn of_list(want: &Want) -> Self {
        let id = &want.resource;
        let is_plain = id.is_private() || matches!(id.plural.as_str(), "events" | "leases") && id.is_built_in();
        let sieve = Self::of(want);
        let thin = is_plain && want.namespace.is_none() && want.form == Form::Metadata;
        Self { keep: if thin { Keep::Thin } else { sieve.keep }, ..sieve }
    }

    /// Parses the item if it is kept, as far as it fits into `room` bytes.
    ///
    /// # Errors
    /// When it is not an object of the Kubernetes API.
    pub(crate) fn sift(&self, item: ListItem<'_>, room: usize) -> Result<Option<Object>, String> {
        if (self.keep == Keep::Owned || !matches!(self.only, KeptObjects::All)) && self.drops(item) {
            return Ok(None);
        }
        let mut object = match &self.only {
            KeptObjects::Named(_) => item.single(room)?,
            _ if self.keep == Keep::Whole => item.whole(room)?,
            _ => item.metadata()?.into(),
        };
        object.is_in_bounds()?;
        object.bound(room);
        object.strip(self.private);
        if self.keep == Keep::Thin {
            object.thin_out();
        }
        let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
        let is_owned = !object.metadata.owner_references.is_empty();
        let kept = self.keeps(namespace, object.name(), is_owned, object.is_deleting());
        Ok(kept.then_some(object))
    }

    /// Whether the object is kept only because it is being deleted.
    pub(crate) fn is_elsewhere(&self, object: &Object) -> bool {
        let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
        matches!(&self.only, KeptObjects::InOrDeleting(inside) if !inside.contains(namespace))
    }

    /// From now on keeps only objects in the namespaces.
    pub(crate) fn leave_elsewhere(&mut self) {
        if let KeptObjects::InOrDeleting(inside) = &mut self.only {
            self.only = KeptObjects::In(std::mem::take(inside));
        }
    }

    /// Whether a glance is enough to drop the item.
    fn drops(&self, item: ListItem<'_>) -> bool {
        match item {
            ListItem::Json(text) => serde_json::from_slice::<Glance<'_>>(text).is_ok_and(|Glance { metadata: it }| {
                !self.keeps(&it.namespace, &it.name, it.owner_references.is_some(), it.deletion_timestamp.is_some())
            }),
            ListItem::Protobuf(bytes) => {
                protobuf::glance(bytes).is_ok_and(|it| !self.keeps(it.namespace, it.name, it.is_owned, it.is_deleting))
            }
        }
    }

    fn keeps(&self, namespace: &str, name: &str, is_owned: bool, is_deleting: bool) -> bool {
        let place = match &self.only {
            KeptObjects::All => true,
            KeptObjects::In(namespaces) => namespaces.contains(namespace),
            KeptObjects::InOrDeleting(namespaces) => is_deleting || namespaces.contains(namespace),
            KeptObjects::Named(names) => names.contains(&(namespace.to_owned(), name.to_owned())),
        };
        place && (is_owned || self.keep != Keep::Owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::ResourceId;

    fn names(sieve: &Sieve) -> Vec<String> {
        let items = [
            r#"{"metadata":{"name":"a","namespace":"x","managedFields":[{"manager":"m"}]},"data":{"k":"v"}}"#,
            r#"{"metadata":{"name":"a","namespace":"y","ownerReferences":[]}}"#,
            r#"{"metadata":{"name":"\u0062","namespace":"\u0078","ownerReferences":
                [{"apiVersion":"v1","kind":"K","name":"n","uid":"u"}]},"spec":{"metadata":{"namespace":"y"}}}"#,
            r#"{"metadata":{"name":"c","namespace":null}}"#,
            r#"{"metadata":{"name":"d","namespace":"y","deletionTimestamp":"2026-01-02T03:04:05Z"}}"#,
        ];
        let kept = items.iter().filter_map(|item| sieve.sift(ListItem::Json(item.as_bytes()), usize::MAX).unwrap());
        kept.map(|object| format!("{}/{}", object.metadata.namespace.as_deref().unwrap_or("-"), object.name()))
            .collect()
    }

    #[test]
    fn only_what_was_asked_for_is_kept() {
        assert_eq!(names(&Sieve::default()), ["x/a", "y/a", "x/b", "-/c", "y/d"]);
        assert_eq!(names(&Sieve { keep: Keep::Owned, ..Sieve::default() }), ["x/b"]);
        let only = KeptObjects::In(["x".to_owned()].into());
        assert_eq!(names(&Sieve { only: only.clone(), ..Sieve::default() }), ["x/a", "x/b"]);
        assert_eq!(names(&Sieve { only, keep: Keep::Owned, ..Sieve::default() }), ["x/b"]);
        let deleting = Sieve::of(&Want::list(&ResourceId::new("", "v1", "pods"), None, Form::Deleting));
        assert_eq!(names(&deleting), ["y/d"]);
        let only = KeptObjects::InOrDeleting(["x".to_owned()].into());
        assert_eq!(names(&Sieve { only, ..Sieve::default() }), ["x/a", "x/b", "y/d"]);
    }

    #[test]
    fn objects_wanted_by_name_keep_their_managers() {
        let only = KeptObjects::Named([("x".to_owned(), "a".to_owned())].into());
        let sieve = Sieve { only, keep: Keep::Whole, ..Sieve::default() };
        let item = r#"{"metadata":{"name":"a","namespace":"x","managedFields":[{"manager":"m"}]},"spec":{"k":"v"}}"#;
        let object = sieve.sift(ListItem::Json(item.as_bytes()), usize::MAX).unwrap().unwrap();
        assert_eq!(object.managers().map(|manager| manager.name).collect::<Vec<_>>(), ["m"]);
        assert_eq!(object.text("/spec/k"), Some("v"));
        assert!(sieve.sift(ListItem::Json(item.replace("\"a\"", "\"b\"").as_bytes()), usize::MAX).unwrap().is_none());
    }

    #[test]
    fn only_data_in_all_namespaces_is_thinned_out() {
        let thin = |group: &str, plural: &str, namespace, form| {
            Sieve::of_list(&Want::list(&ResourceId::new(group, "v1", plural), namespace, form)).keep == Keep::Thin
        };
        assert!(
            thin("", "secrets", None, Form::Metadata) && thin("coordination.k8s.io", "leases", None, Form::Metadata)
        );
        assert!(!thin("", "secrets", Some("shop"), Form::Metadata), "installers leave their marks on these");
        assert!(!thin("", "pods", None, Form::Metadata) && !thin("", "events", None, Form::Whole));
        assert!(!thin("acme.io", "events", None, Form::Metadata));
        assert!(thin("", "pods", Some("shop"), Form::Cached) && !thin("", "pods", Some("shop"), Form::Stored));
        let item = br#"{"metadata":{"name":"a","labels":{"k":"v"}}}"#;
        let sift = |keep| {
            Sieve { keep, ..Sieve::default() }
                .sift(ListItem::Json(item), usize::MAX)
                .unwrap()
                .unwrap()
                .metadata
                .labels
                .len()
        };
        assert_eq!((sift(Keep::Metadata), sift(Keep::Thin)), (1, 0));
    }

    #[test]
    fn items_that_are_no_objects_are_refused() {
        for item in
            ["null", "3", "{}", r#"{"metadata":null}"#, r#"{"metadata":{"name":3}}"#, r#"{"metadata":{"name":"a"}"#]
        {
            for sieve in [Sieve::default(), Sieve { keep: Keep::Owned, ..Sieve::default() }] {
                assert!(sieve.sift(ListItem::Json(item.as_bytes()), usize::MAX).is_err(), "{item}");
            }
        }
    }
}
