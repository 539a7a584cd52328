//! The purpose of a survey: named objects, stranded objects, a scan, or the preview of a deletion.

use super::object::Object;
use super::resource::ResourceId;
use super::want::{Form, Want};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The name of a target.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TargetName {
    /// Its resource.
    pub resource: ResourceId,
    /// Its namespace; `None` when cluster-scoped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
}

impl TargetName {
    /// The name of an object of this resource.
    #[must_use]
    pub fn of(resource: &ResourceId, object: &Object) -> Self {
        Self {
            resource: resource.clone(),
            namespace: object.metadata.namespace.as_deref().map(Into::into),
            name: object.name().into(),
        }
    }

    /// The read that returns the whole object.
    #[must_use]
    pub fn want(&self) -> Want {
        Want::get(&self.resource, self.namespace.as_deref(), &self.name, Form::Whole)
    }
}

/// The purpose of a survey: it adds to the targets, or replaces them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Purpose {
    /// The scope of the search for stranded objects, if it was taken for these instead of targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orphans: Option<Scope>,
    /// The scope of a scan, if it was taken for that instead of targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scan: Option<Scan>,
    /// Whether it was taken for the aggregated APIs instead of targets.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub apis: bool,
    /// The cascade of the deletion, if it was taken to preview one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preflight: Option<Cascade>,
    /// The installed products that it was taken for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub products: Option<Products>,
}

impl Purpose {
    /// Whether it replaces the targets; products add to them.
    pub(crate) fn replaces_targets(&self) -> bool {
        self.orphans.is_some() || self.scan.is_some() || self.apis
    }

    /// The products that the user named.
    pub(crate) fn named_products(&self) -> &[ProductName] {
        if let Some(Products::Named(names)) = &self.products { names } else { &[] }
    }
}

/// The scope of a survey of everything that is being deleted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Scan {
    /// The only namespace to read; `None` for the whole cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// A label selector that the objects must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
}

/// The name of a product, as the user gives it: `helm/shop`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ProductName {
    /// The word for the installer: `helm`.
    pub installer: String,
    /// The installer's name for the product.
    pub name: String,
    /// The namespace, if the user gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The uids of its objects when its deletion began. As its objects disappear, so do the marks
    /// that tell what belongs to it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub members: BTreeSet<String>,
    /// The uids of objects that had its marks then without being part of it, and why.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub apart: BTreeMap<String, String>,
}

impl ProductName {
    /// Whether this name refers to the product. A product without a namespace matches any namespace.
    #[must_use]
    pub fn means(&self, installer: &str, name: &str, namespace: Option<&str>) -> bool {
        let is_installer = self.installer == installer || (self.installer == "olm" && installer == "olmv1");
        let asked = self.namespace.as_deref();
        is_installer && self.name == name && asked.is_none_or(|asked| namespace.is_none_or(|it| it == asked))
    }
}

/// `helm/shop`.
impl fmt::Display for ProductName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.installer, self.name)
    }
}

/// The installed products for which a survey was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Products {
    /// All installed products, in one namespace or anywhere.
    All(Option<String>),
    /// These products.
    Named(Vec<ProductName>),
}

/// The scope of a survey of stranded objects.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Scope {
    /// The only namespace to read; `None` for the whole cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The uids of objects that an earlier search found without owners. Objects that are garbage
    /// collected in time appear in only one of the searches. `None` in the first search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_owners_before: Option<BTreeSet<String>>,
    /// The namespaces that do not exist and in which the server therefore refuses DELETEs: a
    /// webhook or policy selects by namespace.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub no_delete_in: BTreeSet<String>,
}

impl Scope {
    /// Whether objects in this namespace, or cluster-scoped ones, are included.
    #[must_use]
    pub fn holds(&self, namespace: Option<&str>) -> bool {
        self.namespace.is_none() || self.namespace.as_deref() == namespace
    }
}

/// What happens to the dependents of deleted objects, as in `kubectl delete --cascade`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Cascade {
    /// The garbage collector deletes them afterwards.
    #[default]
    Background,
    /// They are deleted first.
    Foreground,
    /// They are kept.
    Orphan,
}

impl Cascade {
    /// The API's name.
    #[must_use]
    pub fn policy(self) -> &'static str {
        match self {
            Self::Background => "Background",
            Self::Foreground => "Foreground",
            Self::Orphan => "Orphan",
        }
    }

    /// The value of kubectl's flag.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Background => "background",
            Self::Foreground => "foreground",
            Self::Orphan => "orphan",
        }
    }
}
