//! The objects that wait for a finalizer: the names of its controller, the groups that belong
//! together, and the facts about them that could not be read.

pub(crate) mod gaps;
pub(crate) mod groups;
pub(crate) mod late;
pub(crate) mod names;
mod objects;

pub use objects::HeldObjects;
