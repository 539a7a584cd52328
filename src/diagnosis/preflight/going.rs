//! What goes with the targets.

use crate::report::Ref;
use crate::survey::{Cascade, Object, Seen};
use std::collections::BTreeSet;

/// What goes with the targets.
pub(crate) struct Going<'s> {
    /// The namespaces among them.
    pub(crate) namespaces: BTreeSet<&'s str>,
    /// The uids of all.
    pub(crate) uids: BTreeSet<&'s str>,
    /// How dependents are dealt with.
    pub(crate) cascade: Cascade,
}

impl Going<'_> {
    /// Whether what lives in this namespace goes.
    pub(crate) fn holds(&self, namespace: Option<&str>) -> bool {
        namespace.is_some_and(|namespace| self.namespaces.contains(namespace))
    }

    /// Whether an object goes: by itself or with its namespace.
    pub(crate) fn takes(&self, object: &Ref) -> bool {
        self.holds(object.namespace.as_deref()) || (!object.uid.is_empty() && self.uids.contains(object.uid.as_str()))
    }
}

/// `Widget shop/a`, or `3 widgets.acme.io` where there are several of a kind.
pub(crate) fn in_words(objects: &[Seen<'_>]) -> String {
    match objects {
        [only] => Ref::from(*only).to_string(),
        [first, ..] if objects.iter().all(|seen| seen.resource.id == first.resource.id) => {
            format!("{} {}", objects.len(), first.resource.id.short())
        }
        several => format!("{} objects", several.len()),
    }
}

pub(crate) fn refs(objects: &[Seen<'_>]) -> Vec<Ref> {
    objects.iter().map(|seen| (*seen).into()).collect()
}

pub(crate) fn has_finalizers(object: &Object) -> bool {
    !object.metadata.finalizers.is_empty()
}
