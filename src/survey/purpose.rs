//! What a survey is taken for: objects that were named, stranded ones, or a deletion to
//! foresee.

use super::object::Object;
use super::resource::ResourceId;
use super::want::{Form, Want};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An object that somebody asked about.
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

    /// The read that shows the target whole.
    #[must_use]
    pub fn want(&self) -> Want {
        Want::get(&self.resource, self.namespace.as_deref(), &self.name, Form::Whole)
    }
}

/// What a survey of everything that is being deleted is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Scan {
    /// The one namespace to look into; `None` is the whole cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The label selector that what is looked at must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
}

/// What a survey of stranded objects is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Scope {
    /// The one namespace to look into; `None` is the whole cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The uids of what an earlier look found without owners. What is collected
    /// in time is not in both looks; `None` in the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_owners_before: Option<BTreeSet<String>>,
    /// The missing namespaces in which the server has refused a DELETE because
    /// they are missing: a webhook or policy selects namespaces.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub no_delete_in: BTreeSet<String>,
}

impl Scope {
    /// Whether an object in this namespace, or in none, is looked at.
    #[must_use]
    pub fn holds(&self, namespace: Option<&str>) -> bool {
        self.namespace.is_none() || self.namespace.as_deref() == namespace
    }
}

/// What becomes of the dependents of what is deleted, as `kubectl delete --cascade` has it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Cascade {
    /// The garbage collector deletes them afterwards.
    #[default]
    Background,
    /// They are deleted first.
    Foreground,
    /// They stay.
    Orphan,
}

impl Cascade {
    /// As the API calls it.
    #[must_use]
    pub fn policy(self) -> &'static str {
        match self {
            Self::Background => "Background",
            Self::Foreground => "Foreground",
            Self::Orphan => "Orphan",
        }
    }

    /// As kubectl's flag spells it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Background => "background",
            Self::Foreground => "foreground",
            Self::Orphan => "orphan",
        }
    }
}
