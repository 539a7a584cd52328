//! The world after a deletion that nobody has asked for yet.

use crate::report::Ref;
use crate::survey::Cascade;
use std::collections::BTreeSet;

/// What goes with the targets.
#[derive(Debug)]
pub struct Going<'s> {
    /// The namespaces among them.
    pub(crate) namespaces: BTreeSet<&'s str>,
    /// The uids of all.
    pub(crate) uids: BTreeSet<&'s str>,
    /// How dependents are dealt with.
    pub(crate) cascade: Cascade,
}

impl Going<'_> {
    /// Whether what lives in this namespace goes.
    #[must_use]
    pub fn holds(&self, namespace: Option<&str>) -> bool {
        namespace.is_some_and(|namespace| self.namespaces.contains(namespace))
    }

    /// Whether an object goes: by itself or with its namespace.
    #[must_use]
    pub fn takes(&self, object: &Ref) -> bool {
        self.holds(object.namespace.as_deref()) || (!object.uid.is_empty() && self.uids.contains(object.uid.as_str()))
    }
}
