//! Installers, and the marks that they leave on objects.

use super::inventory::Inventory;
use crate::survey::{Metadata, Object, ResourceId, Seen};
use serde_json::Value;

/// The name by which an installer knows a product.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Mark {
    /// The namespace of the release or of the installer's own object; `None` if the name alone
    /// identifies the product.
    pub(crate) namespace: Option<String>,
    /// The name.
    pub(crate) name: String,
    /// The kind of the installer's own object, if there are several such kinds.
    pub(crate) kind: &'static str,
}

impl Mark {
    /// Whether it has the name of another mark; the namespaces may differ.
    pub(super) fn is_called(&self, other: &Self) -> bool {
        (&self.name, self.kind) == (&other.name, other.kind)
    }

    pub(super) fn new(namespace: Option<&str>, name: &str) -> Self {
        Self { namespace: namespace.filter(|it| !it.is_empty()).map(Into::into), name: name.into(), kind: "" }
    }

    pub(super) fn of_kind(self, kind: &'static str) -> Self {
        Self { kind, ..self }
    }
}

/// The effect of deleting one of an installer's own objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It removes the product.
    Removes,
    /// It removes nothing, for this reason; but without the object nothing is installed again.
    Asks(&'static str),
    /// It removes the product, but the object is created again while its creator exists.
    Follows,
    /// It removes nothing: the object counts the components, and is created again while there are any.
    Counts,
}

/// What identifies a product in the marks of an installer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// Its name.
    Name,
    /// A number; records in the cluster say which product has it.
    Number,
}

/// An installer and the way it works.
pub(crate) struct Installer {
    /// The word before the name: `helm` in `helm/shop`.
    pub(crate) word: &'static str,
    /// The installer's term for a product: `Helm release`.
    pub(crate) title: &'static str,
    /// The product that an object belongs to, by its marks.
    pub(super) mark: fn(Seen<'_>) -> Option<Mark>,
    /// What the marks contain.
    pub(super) naming: Naming,
    /// A mark that other programs write, too. It counts only on an object that the installer lists.
    pub(super) also: fn(&Metadata) -> Option<Mark>,
    /// Whether the name alone identifies a product: the installer's own objects are cluster-scoped.
    pub(super) by_name: bool,
    /// The product that one of its own objects is, or is a part of.
    pub(super) names: fn(Seen<'_>) -> Option<Mark>,
    /// The annotation by which the Namespaces are known that hold its own objects of a kind. No tenant writes in them.
    pub(super) place: fn(&ResourceId) -> Option<&'static str>,
    /// The `ServiceAccount` beside one of its own objects, as which the installer acts for that object.
    pub(super) account: fn(&Object) -> Option<&str>,
    /// The kinds of its own objects, as groups and plural names; their deletion removes the objects
    /// that they list.
    pub(super) own: &'static [(&'static str, &'static str)],
    /// The effect of deleting one of its own objects, by their kind.
    pub(super) role: fn(&ResourceId) -> Role,
    /// The objects that one of its own objects lists.
    pub(super) inventory: fn(&Object) -> Inventory<'_>,
    /// Whether it has signed an object, if it signs the objects that it creates.
    pub(super) signed: Option<fn(Seen<'_>) -> bool>,
    /// The reason why it would leave an object in place.
    pub(super) keeps: fn(&Metadata) -> Option<&'static str>,
    /// A mark that seems to keep an object in place, but does not when the product is removed.
    pub(crate) fails_to_keep: fn(&Metadata) -> Option<&'static str>,
    /// Whether it leaves an object in place when its own object is deleted.
    pub(crate) leaves: fn(Seen<'_>) -> bool,
    /// Whether the marks prove that it installed the object.
    pub(crate) is_sure: bool,
    /// The harm that is done if the installer removes a product itself.
    pub(crate) by_itself: &'static str,
    /// The command that removes the installer's own record of a product, if it keeps one that is not read here.
    pub(crate) forget: fn(&Mark) -> Option<String>,
}

/// An installer without objects of its own, which removes everything that it created.
pub(super) const PLAIN: Installer = Installer {
    word: "",
    title: "",
    mark: |_| None,
    naming: Naming::Name,
    also: |_| None,
    by_name: false,
    names: |seen| Some(Mark::new(seen.object.metadata.namespace.as_deref(), seen.object.name())),
    place: |_| None,
    account: |_| None,
    own: &[],
    role: |_| Role::Removes,
    inventory: |_| Inventory::default(),
    signed: None,
    keeps: |_| None,
    fails_to_keep: |_| None,
    leaves: |_| false,
    is_sure: true,
    by_itself: "",
    forget: |_| None,
};

impl Installer {
    /// The effect of deleting this one of its own objects.
    pub(crate) fn role_of(&self, own: Seen<'_>) -> Role {
        (self.role)(&own.resource.id)
    }

    /// Whether an object is one of its own.
    pub(super) fn is_own(&self, seen: Seen<'_>) -> bool {
        self.place_of(seen).is_some()
    }

    /// The index of an object's kind among its own kinds; the kind that removes everything is last.
    pub(super) fn place_of(&self, seen: Seen<'_>) -> Option<usize> {
        let id = &seen.resource.id;
        self.own.iter().position(|(group, plural)| id.is(group, plural))
    }
}

/// Whether an object is a definition. Some installers leave these, so that no custom resource is lost.
pub(super) fn is_definition(seen: Seen<'_>) -> bool {
    seen.resource.id.plural == "customresourcedefinitions"
}

/// Whether the field at this pointer is true.
pub(super) fn is_true(object: &Object, pointer: &str) -> bool {
    object.at(pointer).and_then(Value::as_bool) == Some(true)
}

pub(super) fn label<'m>(metadata: &'m Metadata, key: &str) -> Option<&'m str> {
    metadata.labels.get(key).map(String::as_str).filter(|text| !text.is_empty())
}

pub(super) fn annotation<'m>(metadata: &'m Metadata, key: &str) -> Option<&'m str> {
    metadata.annotations.get(key).map(String::as_str).filter(|text| !text.is_empty())
}
