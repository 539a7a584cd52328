//! An installed product in a report.

use super::{Certainty, ObjectNote, Sentence};
use serde::Serialize;

/// A release, an operator, an application: what one installer has made under one name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InstalledProduct {
    /// Who has installed it, as it is typed: `helm`.
    pub installer: &'static str,
    /// What the installer calls it: `Helm release`.
    pub title: &'static str,
    /// Its name.
    pub name: String,
    /// The namespace of the release, or of the installer's own object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Whether its marks prove that it was installed as one.
    pub certainty: Certainty,
    /// How many objects it consists of.
    pub objects: usize,
    /// The kinds that it defines, and what there is of them.
    pub kinds: Vec<InstalledKind>,
    /// Whether it could be removed now.
    pub removable: Removable,
    /// What its installer would leave, and why.
    pub keeps: Vec<ObjectNote>,
    /// What carries its marks and did not come with it, as far as can be seen: it is not deleted.
    pub apart: Vec<ObjectNote>,
    /// What of others uses its kinds.
    pub used_by: Vec<ObjectNote>,
    /// What goes wrong when the installer removes it.
    pub by_itself: Sentence,
}

/// A kind that a product defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InstalledKind {
    /// `widgets.acme.io`.
    pub resource: String,
    /// How many objects there are of it; `None` where they could not be listed.
    pub objects: Option<usize>,
    /// How many of them have a finalizer.
    pub held: usize,
    /// The namespaces in which they are.
    pub namespaces: Vec<String>,
    /// Whether its definition is a part of the product.
    pub is_defined: bool,
}

/// Whether a product could be removed now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Removable {
    /// Nothing of its kinds has a finalizer.
    Yes,
    /// Its objects must go first, while its operator runs.
    InOrder,
    /// Its objects have finalizers, and nothing of it runs.
    No,
    /// Not everything could be read.
    Unknown,
}

impl Removable {
    /// The word on a screen.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::InOrder => "objects first",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

impl InstalledProduct {
    /// `Helm release ops/op`.
    #[must_use]
    pub fn called(&self) -> String {
        let place = self.namespace.as_ref().map(|it| format!("{it}/")).unwrap_or_default();
        format!("{} {place}{}", self.title, self.name)
    }
}
