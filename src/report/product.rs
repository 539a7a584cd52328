//! An installed product in a report.

use super::{Certainty, ObjectNote, Ref, Sentence, number_of, some_of};
use serde::Serialize;
use std::collections::BTreeSet;

/// A release, an operator or an application: everything that one installer made under one name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InstalledProduct {
    /// The installer, as it is typed: `helm`.
    pub installer: &'static str,
    /// The installer's word for the product: `Helm release`.
    pub title: &'static str,
    /// Its name.
    pub name: String,
    /// The namespace of the release, or of the installer's own object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Whether its marks prove that it was installed as one product.
    pub certainty: Certainty,
    /// How many objects it consists of.
    pub objects: usize,
    /// How many of those that are deleted are cluster-scoped or in another namespace than the product.
    pub outside: usize,
    /// The uid of the installer's own object that removes the product, and these objects.
    #[serde(skip)]
    pub taken_outside: Option<(String, Vec<Ref>)>,
    /// The uids of the objects that are deleted one by one; empty unless its deletion was asked about.
    #[serde(skip)]
    pub members: BTreeSet<String>,
    /// The kinds that it defines, with their objects.
    pub kinds: Vec<InstalledKind>,
    /// Whether it could be removed now.
    pub removable: Removable,
    /// The objects that its installer would leave behind, and why.
    pub keeps: Vec<ObjectNote>,
    /// Objects with its marks, or in its record, that apparently did not come with it. They are not deleted.
    pub apart: Vec<ObjectNote>,
    /// Objects of others that use its kinds.
    pub used_by: Vec<ObjectNote>,
    /// What goes wrong if the installer removes it.
    pub by_itself: Sentence,
    /// The command that removes the installer's record of it, which the deletion of its objects leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forget: Option<String>,
}

/// A kind that a product defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InstalledKind {
    /// `widgets.acme.io`.
    pub resource: String,
    /// How many objects of this kind exist; absent if they could not be listed.
    pub objects: Option<usize>,
    /// How many of them have a finalizer.
    pub held: usize,
    /// The namespaces of these objects.
    pub namespaces: Vec<String>,
    /// Whether the definition of the kind is part of the product.
    pub is_defined: bool,
    /// The uid of the object whose deletion deletes the definition: the definition, or the
    /// installer's own object. `None` if it stays.
    #[serde(skip)]
    pub deleted_with: Option<String>,
}

/// How many namespaces of a kind's objects are named in one line.
const MAX_NAMED: usize = 2;

impl InstalledKind {
    /// A kind that its product defines, for tests.
    #[cfg(debug_assertions)]
    #[doc(hidden)]
    #[must_use]
    pub fn tested(resource: &str, objects: Option<usize>) -> Self {
        let resource = resource.into();
        Self { resource, objects, held: 0, namespaces: Vec::new(), is_defined: true, deleted_with: None }
    }

    /// How many objects it has, where, and what happens to them: `3 objects in shop, 2 with a
    /// finalizer; …`.
    #[must_use]
    pub fn fate(&self) -> String {
        let Some(count) = self.objects else { return "its objects could not be listed".into() };
        let named = some_of(&self.namespaces, MAX_NAMED);
        let places = if named.is_empty() { named } else { format!(" in {named}") };
        let end = if self.is_defined {
            "; deleting its definition deletes every one: that loses data"
        } else {
            "; its definition is not included and stays"
        };
        format!("{}{places}, {} with a finalizer{end}", number_of(count, "object"), self.held)
    }

    /// Whether the deletion of these objects deletes the definition although the kind has objects,
    /// or may have some.
    #[must_use]
    pub fn is_lost_with(&self, mut uids: impl Iterator<Item = impl AsRef<str>>) -> bool {
        let with = self.deleted_with.as_deref().filter(|_| self.objects != Some(0));
        with.is_some_and(|with| uids.any(|uid| uid.as_ref() == with))
    }
}

/// Whether a product could be removed now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Removable {
    /// No object of its kinds has a finalizer.
    Yes,
    /// Its objects must be deleted first, while its operator runs.
    InOrder,
    /// Its objects have finalizers, and its operator does not run.
    No,
    /// Not everything could be read.
    Unknown,
}

impl Removable {
    /// The word shown on a screen.
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
    /// The Helm release `op` with these kinds, for tests.
    #[cfg(debug_assertions)]
    #[doc(hidden)]
    #[must_use]
    pub fn tested(kinds: Vec<InstalledKind>) -> Self {
        Self {
            installer: "helm",
            title: "Helm release",
            name: "op".into(),
            namespace: None,
            certainty: Certainty::Proven,
            objects: 1,
            outside: 0,
            taken_outside: None,
            members: BTreeSet::new(),
            kinds,
            removable: Removable::Unknown,
            keeps: Vec::new(),
            apart: Vec::new(),
            used_by: Vec::new(),
            by_itself: Sentence::default(),
            forget: None,
        }
    }

    /// `Helm release ops/op`.
    #[must_use]
    pub fn called(&self) -> String {
        let place = self.namespace.as_ref().map(|it| format!("{it}/")).unwrap_or_default();
        format!("{} {place}{}", self.title, self.name)
    }

    /// Whether objects with its marks are left in place.
    #[must_use]
    pub fn is_left(&self) -> bool {
        !self.apart.is_empty() || !self.keeps.is_empty()
    }

    /// `2 of 7 objects outside of namespace ops`, or `7 objects`.
    #[must_use]
    pub fn counted(&self) -> String {
        match &self.namespace {
            Some(home) if self.outside > 0 => {
                format!("{} of {} outside of namespace {home}", self.outside, number_of(self.objects, "object"))
            }
            _ => number_of(self.objects, "object"),
        }
    }
}
