//! The objects that wait for a finalizer: what they are called, which groups they belong to,
//! and what of them could not be read.

pub(crate) mod gaps;
pub(crate) mod groups;
pub(crate) mod late;
pub(crate) mod names;
mod objects;

pub use objects::HeldObjects;
