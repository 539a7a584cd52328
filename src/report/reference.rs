//! The name of an object in reports and steps.

use crate::survey::{Object, Resource, ResourceId, Seen, TargetName, one_of};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

/// Names one object. Reports name most objects many times: all copies share one allocation and keep
/// their hash, since with tens of thousands of objects each look at a name is a cache miss.
#[derive(Clone, PartialOrd, Ord, Deserialize)]
#[serde(from = "Named")]
pub struct Ref {
    named: Arc<Named>,
    /// The hash of the fields in which most references differ.
    hash: u64,
}

/// Names one object; absent fields are left out.
// A field that is left out when written is empty when read. The schema describes the written form.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Ref", !default))]
#[serde(rename_all = "camelCase", default)]
pub struct Named {
    /// `group/version`, or `version` for the core group.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// The plural resource name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub resource: String,
    /// The namespace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The name.
    pub name: String,
    /// The uid.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub uid: String,
    /// Whether the object does not exist.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub missing: bool,
}

impl Deref for Ref {
    type Target = Named;

    fn deref(&self) -> &Named {
        &self.named
    }
}

impl From<Named> for Ref {
    fn from(named: Named) -> Self {
        Self { hash: hash(&named), named: Arc::new(named) }
    }
}

impl Default for Ref {
    fn default() -> Self {
        Named::default().into()
    }
}

/// Hashes with random keys: strangers choose the names, so collisions must differ from run to run.
fn hash(named: &Named) -> u64 {
    static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    KEYS.hash_one((&named.name, &named.namespace, &named.kind))
}

impl PartialEq for Ref {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.named == other.named
    }
}

impl Eq for Ref {}

impl fmt::Debug for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.named.fmt(f)
    }
}

impl Serialize for Ref {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.named.serialize(serializer)
    }
}

#[cfg(test)]
impl schemars::JsonSchema for Ref {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Named::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Named::json_schema(generator)
    }
}

impl Hash for Ref {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Ref {
    /// Names an object of a resource.
    #[must_use]
    pub fn of(resource: &Resource, object: &Object) -> Self {
        let namespace = object.metadata.namespace.as_deref().map(Into::into);
        Named { uid: object.uid().into(), ..Named::in_kind(resource, namespace, object.name().into()) }.into()
    }

    /// Names an object that was not read.
    #[must_use]
    pub fn named(resource: &Resource, name: &TargetName) -> Self {
        Named::in_kind(resource, name.namespace.clone(), name.name.clone()).into()
    }

    /// Names an object that does not exist.
    #[must_use]
    pub(crate) fn absent(resource: &Resource, namespace: Option<String>, name: impl Into<String>) -> Self {
        Self::from(Named::in_kind(resource, namespace, name.into())).missing()
    }

    /// The fields of the name, to build another name from some of them.
    #[must_use]
    pub fn parts(&self) -> Named {
        Named::clone(self)
    }

    /// The name with which to ask for the object.
    #[must_use]
    pub fn target(&self) -> TargetName {
        let (group, version) = self.api_version.split_once('/').unwrap_or(("", &self.api_version));
        TargetName {
            resource: ResourceId::new(group, version, &self.resource),
            namespace: self.namespace.clone(),
            name: self.name.clone(),
        }
    }

    /// The same name, for an object with this uid.
    #[must_use]
    pub fn with_uid(mut self, uid: &str) -> Self {
        // A change makes its own copy.
        if self.uid != uid {
            uid.clone_into(&mut Arc::make_mut(&mut self.named).uid);
        }
        self
    }

    /// The same object, known not to exist.
    #[must_use]
    pub fn missing(self) -> Self {
        self.missing_if(true)
    }

    /// The same object, marked as missing or not.
    #[must_use]
    pub fn missing_if(mut self, missing: bool) -> Self {
        if self.missing != missing {
            Arc::make_mut(&mut self.named).missing = missing;
        }
        self
    }

    /// Whether it is a namespace.
    #[must_use]
    pub fn is_namespace(&self) -> bool {
        self.kind == "Namespace" && self.api_version == "v1"
    }

    /// Kind and name, as in a sentence: `Pod web-1`.
    #[must_use]
    pub fn spoken(&self) -> String {
        format!("{} {}", self.kind, self.name)
    }

    /// `resource.group/name` as kubectl prints it: `databases.acme.io/orders`. Without a name, all
    /// objects of the resource: `databases.acme.io`.
    #[must_use]
    pub fn kubectl(&self) -> String {
        let plural = if self.resource.is_empty() { self.kind.to_lowercase() } else { self.resource.clone() };
        let group = self.api_version.split_once('/').map(|(group, _)| format!(".{group}")).unwrap_or_default();
        let name = if self.name.is_empty() { String::new() } else { format!("/{}", self.name) };
        plural + &group + &name
    }

    /// The singular that kubectl uses for its resource: `database.acme.io`.
    #[must_use]
    pub fn singular(&self) -> String {
        one_of(&self.kind, self.api_version.split_once('/').map_or("", |(group, _)| group))
    }
}

impl Named {
    fn in_kind(resource: &Resource, namespace: Option<String>, name: String) -> Self {
        Self {
            api_version: resource.id.api_version(),
            kind: resource.kind.clone(),
            resource: resource.id.plural.clone(),
            namespace,
            name,
            uid: String::new(),
            missing: false,
        }
    }
}

/// `Deployment shop/web`, or `3 objects` for several.
pub(crate) fn objects_in_words(objects: &[Ref]) -> String {
    match objects {
        [only] => only.to_string(),
        several => format!("{} objects", several.len()),
    }
}

/// `Widget shop/a`, or `3 widgets.acme.io` for several of a kind.
pub(crate) fn counted(objects: &[Seen<'_>]) -> String {
    match objects {
        [only] => Ref::from(*only).to_string(),
        [first, ..] if objects.iter().all(|seen| seen.resource.id == first.resource.id) => {
            format!("{} {}", objects.len(), first.resource.id.short())
        }
        several => format!("{} objects", several.len()),
    }
}

/// `1 object`, `3 objects`: `one` is the singular.
pub(crate) fn number_of(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// ` and 3 more`, to follow the first ones; empty if there are no more.
pub(crate) fn and_more(more: usize) -> String {
    if more == 0 { String::new() } else { format!(" and {more} more") }
}

/// `a, b and 3 more`: at most the first `most` of these.
pub(crate) fn some_of<T: fmt::Display>(all: &[T], most: usize) -> String {
    // "and 1 more" is no shorter than the last name.
    let most = if all.len() == most.saturating_add(1) { all.len() } else { most };
    let named: Vec<String> = all.iter().take(most).map(T::to_string).collect();
    format!("{}{}", named.join(", "), and_more(all.len() - named.len()))
}

/// ` and 3 more kinds`, to follow the first kind; empty if there are no more.
pub(crate) fn and_more_kinds(more: usize) -> String {
    match more {
        0 => String::new(),
        1 => " and 1 more kind".into(),
        _ => format!(" and {more} more kinds"),
    }
}

/// The names of several objects.
pub(crate) fn refs(objects: &[Seen<'_>]) -> Vec<Ref> {
    objects.iter().map(|seen| (*seen).into()).collect()
}

impl From<Seen<'_>> for Ref {
    fn from(seen: Seen<'_>) -> Self {
        Self::of(seen.resource, seen.object)
    }
}

impl fmt::Display for Ref {
    /// `Kind namespace/name`, the shortest form that is unambiguous to a reader.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.namespace {
            Some(namespace) => write!(f, "{} {namespace}/{}", self.kind, self.name),
            None => write!(f, "{} {}", self.kind, self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_kinds_are_counted_in_words_that_fit() {
        assert_eq!([0, 1, 2].map(and_more_kinds), ["", " and 1 more kind", " and 2 more kinds"]);
    }

    #[test]
    fn absent_fields_are_left_out_of_a_reference() {
        let reference = Ref::from(Named { kind: "Pod".into(), name: "p".into(), ..Named::default() });
        assert_eq!(serde_json::to_value(reference).unwrap(), serde_json::json!({"kind": "Pod", "name": "p"}));
    }

    #[test]
    fn copies_share_memory_until_one_is_changed() {
        let one = Ref::from(Named { kind: "Pod".into(), name: "p".into(), ..Named::default() });
        let copy = one.clone();
        assert!(Arc::ptr_eq(&one.named, &copy.named));
        let gone = copy.clone().missing();
        assert!(gone.missing && !one.missing && !copy.missing);
    }
}
