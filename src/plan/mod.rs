//! What can be done: remedies made of typed steps. Pure: a step says which
//! request it is, what must still be true before it and what must be true after
//! it; `cluster` carries it out. What one kind of step says stands in its file in
//! [`steps`], and nowhere else.

mod approval;
mod behaviour;
mod change;
pub mod digest;
mod identity;
mod image;
mod in_turn;
mod recreation;
mod remedy;
mod restore;
mod reversal;
mod shell;
mod step;
pub mod steps;
mod turn;
mod write;

pub use crate::report::{Step, StepKind};
pub use approval::{Approval, By};
pub use behaviour::Property;
pub use identity::Identity;
pub use in_turn::InTurn;
pub use restore::{Restore, Undo};
pub use shell::{alone, create, in_namespace, one, quote};
pub use step::Class;
pub use write::{Guard, Needs, Verdict, Write, WriteRequest};

pub(in crate::plan) use behaviour::Behaviour;
pub(in crate::plan) use change::{Change, Deletion, Entry, Setting, as_shown, webhook};
pub(in crate::plan) use image::Kept;
pub(in crate::plan) use reversal::{Back, Done, NoWayBack, Reversal, WayBack};
pub(in crate::plan) use shell::{arguments, named};
