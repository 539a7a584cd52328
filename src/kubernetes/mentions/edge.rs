//! An edge from an object to another one that it names.

use crate::survey::{Resource, Seen};

/// How many names of one sort are followed.
pub(crate) const MAX_EDGES: usize = 8;

/// An object that another one names.
#[derive(Debug, Clone)]
pub(crate) struct Edge<'s> {
    pub(crate) from: Seen<'s>,
    pub(crate) resource: &'s Resource,
    pub(crate) namespace: Option<String>,
    pub(crate) name: String,
    pub(crate) how: How,
    pub(crate) clarity: Clarity,
    /// The field with the name.
    pub(crate) field: String,
}

/// The part of an object that names another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Owner,
    Label,
    Annotation,
    Spec,
    Status,
    /// A message about the object.
    Message,
    /// An entry among the finalizers.
    Entry,
    /// A DNS name in the spec.
    Host,
    /// A list of objects, or a whole object in the spec or the status.
    Inventory,
}

/// How clearly an edge names an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Clarity {
    /// A reference, or a field that can only contain such a name.
    Explicit,
    /// The field is called after a kind of the same group, or of the same product.
    Called,
    /// The value may be something else than a name.
    Bare,
}

impl<'s> Edge<'s> {
    /// An explicit edge to an object in `namespace`, or else in the namespace of `from`; `None` if no
    /// namespace is known for a kind that has some.
    pub(super) fn to(from: Seen<'s>, resource: &'s Resource, namespace: Option<&str>, name: &str) -> Option<Self> {
        let namespace = namespace.or(from.object.metadata.namespace.as_deref()).filter(|_| resource.namespaced);
        (resource.namespaced == namespace.is_some()).then(|| Self {
            from,
            resource,
            namespace: namespace.map(ToOwned::to_owned),
            name: name.to_owned(),
            how: How::Spec,
            clarity: Clarity::Explicit,
            field: String::new(),
        })
    }
}

/// An object for which another one waits.
#[derive(Debug, Clone, Copy)]
pub struct InTheWay<'s> {
    /// The object that waits.
    pub waiting: Seen<'s>,
    /// The object for which that one waits.
    pub blocker: Seen<'s>,
    /// Whether no other kind has the name by which the blocker is called.
    pub sure: bool,
}
