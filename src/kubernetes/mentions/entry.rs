//! One object of an inventory, in the forms in which installers and controllers write them.

use crate::facts::{Facts, Known, Readable};
use crate::survey::{Resource, Seen};
use serde_json::Value;
use std::borrow::Cow;

/// One object of an inventory.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry<'o> {
    /// The group; `None` if the entry has none.
    pub(crate) group: Option<&'o str>,
    pub(crate) kind: &'o str,
    pub(crate) namespace: Option<&'o str>,
    pub(crate) name: Cow<'o, str>,
}

impl<'o> Entry<'o> {
    /// Parses `namespace_name_group_kind` (kubernetes-sigs/cli-utils: `pkg/object/objmetadata.go`). A
    /// colon in a name is written as two underscores.
    fn of_id(id: &'o str) -> Option<Self> {
        let (namespace, rest) = id.split_once('_')?;
        let mut ends = rest.rsplitn(3, '_');
        let (kind, group, name) = (ends.next()?, ends.next()?, ends.next()?);
        let namespace = Some(namespace).filter(|it| !it.is_empty());
        Some(Self { group: Some(group), kind, namespace, name: name.replace("__", ":").into() })
    }

    /// Parses an entry with a kind and a name, and a group or an apiVersion.
    pub(super) fn of_fields(entry: &'o Value) -> Option<Self> {
        let text = |field: &str| entry.get(field).and_then(Value::as_str).filter(|text| !text.is_empty());
        let (kind, name) = (text("kind")?, text("name")?);
        let of_version = text("apiVersion").map(|it| it.split_once('/').map_or("", |(group, _)| group));
        // An entry with a version alone means the core group.
        let group = text("group").or(of_version).or_else(|| text("version").map(|_| ""));
        Some(Self { group, kind, namespace: text("namespace"), name: name.into() })
    }

    /// Parses an entry of a list: its fields, or its id.
    pub(crate) fn of_item(item: &'o Value) -> Option<Self> {
        Self::of_fields(item).or_else(|| Self::by_id(item))
    }

    /// Parses an entry that has nothing but an id.
    pub(super) fn by_id(item: &'o Value) -> Option<Self> {
        Self::of_id(item.get("id")?.as_str()?)
    }

    /// Parses an entry that is a whole object.
    pub(crate) fn of_manifest(object: &'o Value) -> Option<Self> {
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
        let (version, kind, name) = (text("/apiVersion")?, text("/kind")?, text("/metadata/name")?);
        let group = Some(version.split_once('/').map_or("", |(group, _)| group));
        Some(Self { group, kind, namespace: text("/metadata/namespace"), name: name.into() })
    }

    /// The object, if it exists. If it cannot be read, this is noted.
    pub(crate) fn seen<'s>(&self, around: Option<&str>, facts: &Facts<'s>) -> Known<Option<Seen<'s>>> {
        let called = |kind: &&Resource| kind.kind == self.kind && self.group.is_none_or(|group| kind.id.group == group);
        let Some(resource) = facts.discovery().resources.iter().find(called) else { return Ok(None) };
        let namespace = self.namespace.or(around).filter(|_| resource.namespaced);
        if resource.namespaced && namespace.is_none() {
            return Ok(None);
        }
        let found = facts.metadata(&resource.id, namespace, &self.name).or_note(facts)?.flatten();
        Ok(found.map(|object| Seen { resource, object }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn entries_are_read_in_the_forms_that_they_have() {
        let widget = Entry { group: Some("acme.io"), kind: "Widget", namespace: Some("shop"), name: "w".into() };
        assert_eq!(Entry::of_id("shop_w_acme.io_Widget").unwrap(), widget);
        let fields = json!({"group": "acme.io", "version": "v1", "kind": "Widget", "namespace": "shop", "name": "w"});
        assert_eq!(Entry::of_fields(&fields).unwrap(), widget);
        let manifest =
            json!({"apiVersion": "acme.io/v1", "kind": "Widget", "metadata": {"name": "w", "namespace": "shop"}});
        assert_eq!(Entry::of_manifest(&manifest).unwrap(), widget);
        let core = json!({"version": "v1", "kind": "Namespace", "name": "shop"});
        assert_eq!(Entry::of_fields(&core).unwrap().group, Some(""));
        assert_eq!(Entry::of_id("x"), None);
        assert_eq!(Entry::of_id("_admin__role_rbac.authorization.k8s.io_ClusterRole").unwrap().name, "admin:role");
    }
}
