//! What must become true before a target can go.

use super::Ref;
use crate::survey::ResourceId;

/// One thing that must become true before a target can go. Equal needs are one, however
/// many objects and targets rest on it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Need {
    /// The object is gone from the store.
    Deleted(Ref),
    /// The finalizer is off the object.
    Released(Ref, String),
    /// Admission lets the request for the object pass.
    Accepted(Verb, Ref),
    /// The kind can be listed as controllers list it, in all namespaces: from the cache of
    /// the API server.
    Readable(ResourceId),
    /// The workload runs, and gets on with its work.
    Acting(Ref),
}

impl Need {
    /// The object that must be gone; `None` of any other need.
    #[must_use]
    pub fn deleted(&self) -> Option<&Ref> {
        match self {
            Self::Deleted(object) => Some(object),
            _ => None,
        }
    }
}

/// What is asked of the API server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// To change an object, as whoever takes a finalizer off does.
    Update,
    /// To delete it.
    Delete,
}
