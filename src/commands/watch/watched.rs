//! A target of a watch, and its facts.

use crate::report::Ref;
use crate::screen::Gone;
use crate::survey::{Form, Object, TargetName, Want};
use tokio::time::Instant;

/// A target.
#[derive(Debug)]
pub struct Watched {
    /// Its name.
    pub name: TargetName,
    /// The object in the first diagnosis.
    pub object: Ref,
    /// Set once a read has confirmed that it is gone.
    pub gone: Option<Gone>,
    /// The current object, once an update contained it.
    pub(super) now: Option<Object>,
    /// Whether another object with its name was seen.
    pub(super) replaced: bool,
    /// The time when it last changed during the watch.
    pub(super) changed_at: Option<Instant>,
    /// The most objects that were seen in it.
    pub(super) most: usize,
}

impl Watched {
    /// The want whose fact is the current object.
    pub(super) fn place(&self) -> Want {
        let form = if self.is_namespace() { Form::Whole } else { Form::Metadata };
        Want::get(&self.name.resource, self.name.namespace.as_deref(), &self.name.name, form)
    }

    /// Whether it is a core namespace.
    pub(super) fn is_namespace(&self) -> bool {
        self.object.kind == "Namespace" && self.name.resource.group.is_empty()
    }

    /// Whether the namespace controller works on it.
    pub(super) fn is_being_emptied(&self) -> bool {
        let Some(object) = self.now.as_ref().filter(|_| self.is_namespace()) else { return false };
        object.is_deleting() && object.array("/spec/finalizers").iter().any(|entry| entry == "kubernetes")
    }

    /// Whether `place` belongs to the content of the target.
    pub(super) fn holds(&self, place: &Want) -> bool {
        if self.is_namespace() {
            place.namespace.as_deref() == Some(self.name.name.as_str())
        } else {
            place.namespace.is_none() && self.name.name == place.resource.short()
        }
    }
}
