//! What a survey was taken for: named objects, stranded objects, a scan, or a deletion to foresee.

use super::object::Object;
use super::resource::ResourceId;
use super::want::{Form, Want};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// An object that was asked about.
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

/// A product as it is asked about: `helm/shop`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ProductName {
    /// What the installer is called: `helm`.
    pub installer: String,
    /// What it calls the product.
    pub name: String,
    /// The namespace that was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The uids of its objects when its deletion began. While less and less of it is left, less tells what belongs to it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub members: BTreeSet<String>,
    /// The uids of objects that carried its marks then and were no part of it, and why.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub apart: BTreeMap<String, String>,
}

/// Which installed products a survey was taken for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Products {
    /// Whatever is installed; in one namespace, or anywhere.
    All(Option<String>),
    /// These.
    Named(Vec<ProductName>),
}

/// The scope of a survey of stranded objects.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Scope {
    /// The only namespace to read; `None` for the whole cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The uids of objects that an earlier look found without owners. What is garbage collected in
    /// time is in only one of the looks. `None` in the first look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_owners_before: Option<BTreeSet<String>>,
    /// The missing namespaces in which the server refuses DELETEs because they are missing: a
    /// webhook or policy selects namespaces.
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
