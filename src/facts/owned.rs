//! The finalizers that only one rule reports.

use crate::survey::Resource;

/// A finalizer of one kind of object that only one rule reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnedFinalizer {
    /// The kind: `persistentvolumes`, `servicecidrs.networking.k8s.io`.
    resource: &'static str,
    /// The finalizer, or a prefix that ends with `/` and stands for all finalizers that begin with it.
    finalizer: &'static str,
}

impl OwnedFinalizer {
    /// The finalizer `finalizer` on objects of `resource`.
    #[must_use]
    pub const fn new(resource: &'static str, finalizer: &'static str) -> Self {
        Self { resource, finalizer }
    }

    /// The finalizer, without the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.finalizer
    }

    /// Whether it is this finalizer on an object of this kind.
    #[must_use]
    pub fn is(self, resource: &Resource, finalizer: &str) -> bool {
        let id = &resource.id;
        let group = self.resource.strip_prefix(id.plural.as_str());
        let is_kind = group.is_some_and(|group| group.strip_prefix('.').unwrap_or(group) == id.group);
        let is_key =
            finalizer == self.finalizer || (self.finalizer.ends_with('/') && finalizer.starts_with(self.finalizer));
        is_kind && is_key
    }
}
