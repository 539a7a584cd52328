//! Installers, and the marks that they leave.

use super::inventory::Inventory;
use crate::survey::{Metadata, Object, ResourceId, Seen};

/// The name by which an installer knows a product.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Mark {
    /// The namespace of the release or of the installer's own object; `None` where the name alone
    /// tells it.
    pub(crate) namespace: Option<String>,
    /// The name.
    pub(crate) name: String,
    /// The kind of the installer's own object, where it has several.
    pub(crate) kind: &'static str,
}

impl Mark {
    pub(super) fn new(namespace: Option<&str>, name: &str) -> Self {
        Self { namespace: namespace.filter(|it| !it.is_empty()).map(Into::into), name: name.into(), kind: "" }
    }

    pub(super) fn of_kind(self, kind: &'static str) -> Self {
        Self { kind, ..self }
    }
}

/// What the deletion of one of an installer's own objects does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It removes what is installed.
    Removes,
    /// It removes nothing: why not. Without it nothing is installed again.
    Asks(&'static str),
    /// It removes what is installed, and is made again as long as what made it is there.
    Follows,
    /// It removes nothing: the object counts what is there, and is made again as long as something is.
    Counts,
}

/// How one installer works.
pub(crate) struct Installer {
    /// What stands before the name: `helm` of `helm/shop`.
    pub(crate) word: &'static str,
    /// What it calls a product: `Helm release`.
    pub(crate) title: &'static str,
    /// To which product an object belongs, by its marks.
    pub(super) mark: fn(Seen<'_>) -> Option<Mark>,
    /// Its own objects, by group and plural name; their deletion removes what they list.
    pub(super) own: &'static [(&'static str, &'static str)],
    /// What the deletion of such an object does.
    pub(super) role: fn(&ResourceId) -> Role,
    /// What such an object lists.
    pub(super) inventory: fn(&Object) -> Inventory<'_>,
    /// Whether it has signed an object, where it signs what it makes.
    pub(super) signed: Option<fn(Seen<'_>) -> bool>,
    /// Why it would leave an object where it is.
    pub(super) keeps: fn(&Metadata) -> Option<&'static str>,
    /// Whether it leaves an object that its own object does not take along.
    pub(crate) leaves: fn(Seen<'_>) -> bool,
    /// Whether the marks prove that it has installed something.
    pub(crate) is_sure: bool,
    /// What goes wrong when it removes a product itself.
    pub(crate) by_itself: &'static str,
}

impl Installer {
    /// What the deletion of one of its own objects does.
    pub(crate) fn role_of(&self, own: Seen<'_>) -> Role {
        (self.role)(&own.resource.id)
    }

    /// Whether an object is one of its own.
    pub(super) fn is_own(&self, seen: Seen<'_>) -> bool {
        self.place_of(seen).is_some()
    }

    /// The place of an object's kind among its own: what takes everything along comes last.
    pub(super) fn place_of(&self, seen: Seen<'_>) -> Option<usize> {
        let id = &seen.resource.id;
        self.own.iter().position(|(group, plural)| id.group == *group && id.plural == *plural)
    }
}

pub(super) fn removes(_: &ResourceId) -> Role {
    Role::Removes
}

pub(super) fn no_inventory(_: &Object) -> Inventory<'_> {
    Inventory::default()
}

pub(super) fn keeps_nothing(_: &Metadata) -> Option<&'static str> {
    None
}

pub(super) fn leaves_nothing(_: Seen<'_>) -> bool {
    false
}

pub(super) fn label<'m>(metadata: &'m Metadata, key: &str) -> Option<&'m str> {
    metadata.labels.get(key).map(String::as_str).filter(|text| !text.is_empty())
}

pub(super) fn annotation<'m>(metadata: &'m Metadata, key: &str) -> Option<&'m str> {
    metadata.annotations.get(key).map(String::as_str).filter(|text| !text.is_empty())
}
