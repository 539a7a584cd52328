//! Remedies, made of typed steps. This module is pure: a step defines its request, its guard and its
//! verification; `write` carries it out. Each kind of step is defined in its own file in
//! [`steps`], and nowhere else.

mod approval;
mod behaviour;
mod command_sequence;
pub(crate) mod deletion;
pub mod digest;
mod identity;
mod image;
mod recreation;
mod remedy;
mod restore;
mod reversal;
mod shape;
mod shell;
mod step;
pub mod steps;
mod turn;
mod write;

pub use crate::report::{Step, StepKind};
pub use approval::{Approval, By};
pub use behaviour::Property;
pub use command_sequence::CommandSequence;
pub use identity::WriteIdentity;
pub use restore::Restore;
pub use reversal::{NoWayBack, Reversal};
pub use shell::{alone, arguments, create, full_name, in_namespace, one, patch, quote};
pub use step::StepClass;
pub use write::{Guard, Needs, StepVerdict, Write, WriteRequest};

pub(in crate::plan) use behaviour::Behaviour;
pub(in crate::plan) use image::Saved;
pub(in crate::plan) use reversal::{Back, DoneStep, WayBack};
pub(in crate::plan) use shape::{Delete, ListEntry, Setting, Shape, as_shown, webhook};
pub(in crate::plan) use shell::named;
