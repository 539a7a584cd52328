//! A target as rules see it.

use super::{Facts, SETTLE, is_late, is_namespace};
use crate::report::Ref;
use crate::survey::{Object, Seen};

/// A target that exists.
#[derive(Debug, Clone, Copy)]
pub struct Target<'s> {
    /// The whole object, with its resource.
    pub seen: Seen<'s>,
}

impl<'s> Target<'s> {
    /// The object.
    #[must_use]
    pub fn object(&self) -> &'s Object {
        self.seen.object
    }

    /// A reference to it.
    #[must_use]
    pub fn reference(&self) -> Ref {
        self.seen.into()
    }

    /// Whether it is being deleted.
    #[must_use]
    pub fn is_deleting(&self) -> bool {
        self.object().is_deleting()
    }

    /// Whether it is a Namespace.
    #[must_use]
    pub fn is_namespace(&self) -> bool {
        is_namespace(self.seen.resource)
    }

    /// The name, if it is a namespace that the namespace controller is still emptying: one that is
    /// being deleted and has an entry in `spec.finalizers`. The controller ignores any other
    /// (kubernetes/kubernetes:
    /// `pkg/controller/namespace/deletion/namespaced_resources_deleter.go`).
    #[must_use]
    pub fn namespace_being_emptied(&self) -> Option<&'s str> {
        let object = self.object();
        let held = !object.array("/spec/finalizers").is_empty();
        (self.is_namespace() && object.is_deleting() && held).then(|| object.name())
    }

    /// Whether the deletion was requested long enough ago for anything to be late. A namespace is settled as soon as
    /// its controller has written conditions.
    #[must_use]
    pub fn is_settled(&self, facts: &Facts<'_>) -> bool {
        let looked = self.is_namespace() && self.object().condition("NamespaceDeletionContentFailure").is_some();
        looked || is_late(self.object(), facts, if self.is_namespace() { SETTLE * 3 } else { SETTLE })
    }
}
