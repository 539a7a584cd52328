//! Who owns whom, as the garbage collector sees it (kubernetes/kubernetes:
//! `pkg/controller/garbagecollector`): upward by ownerReferences, downward by an
//! index over everything that could be listed.

mod dangling;
mod hindered;
pub mod upward;
mod waiting;

pub(crate) use dangling::{Fate, OwnerNamespaces, OwnerStanding, owners_count};
pub(crate) use hindered::{MAX_DEPENDENTS, hindered, note_unread};
pub use upward::{elsewhere, of, standing};
pub use waiting::{Hindrance, WaitingOwner, Web, all_dependents, collectors, each_waiting, hindrance, waiting};
