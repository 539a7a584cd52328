//! Owners and dependents, as the garbage collector sees them (kubernetes/kubernetes:
//! `pkg/controller/garbagecollector`): upward by ownerReferences, downward by an
//! index of everything that could be listed.

#![expect(clippy::missing_errors_doc, reason = "`Known` says when it fails")]

mod dangling;
mod hindered;
mod newcomers;
pub mod upward;
mod waiting;

pub(crate) use dangling::{Fate, OwnerNamespaces, OwnerStanding, owners_count};
pub(crate) use hindered::{MAX_DEPENDENTS, hindered, note_unread, unlisted_dependents};
pub(crate) use newcomers::{Newcomer, newcomers};
pub use upward::{elsewhere, of, standing};
pub(crate) use upward::{named, served_as};
pub use waiting::{Hindrance, WaitingOwner, Web, all_dependents, collectors, each_waiting, hindrance, waiting};
