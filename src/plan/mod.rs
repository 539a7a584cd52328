//! What can be done: remedies made of typed steps. Pure: a step says which
//! request it is, what must still be true before it and what must be true after
//! it; `cluster` carries it out.

mod image;
mod restore;
mod step;
pub mod steps;
mod write;

pub use crate::report::{Step, StepKind};
pub use image::{before_image, lacks_something};
pub use restore::{Restore, Undo};
pub use step::{Class, Guard, Identity, Verdict, WriteRequest, in_namespace, quote};
pub use write::{Needs, Write};

use crate::report::{Remedy, Risk};

impl Remedy {
    /// One step.
    #[must_use]
    pub fn new(step: Step, risk: Risk, consequence: impl Into<String>) -> Self {
        Self {
            id: String::new(),
            title: step.title(),
            risk,
            consequence: consequence.into(),
            undo: step.kind.can_be_undone(),
            by_name: false,
            steps: vec![step],
        }
    }

    /// The same, for objects that must be named by hand.
    #[must_use]
    pub fn by_name(self) -> Self {
        Self { by_name: true, ..self }
    }

    /// The steps up to one after which everything is looked at again.
    pub fn steps_until_a_new_look(&self) -> impl Iterator<Item = &Step> {
        let last = self.steps.iter().position(Step::creates).unwrap_or(self.steps.len());
        self.steps.iter().take(last + 1)
    }

    /// Something that a person has to do.
    #[must_use]
    pub fn manual(title: impl Into<String>, consequence: impl Into<String>) -> Self {
        Self {
            id: String::new(),
            title: title.into(),
            risk: Risk::Manual,
            consequence: consequence.into(),
            undo: false,
            by_name: false,
            steps: Vec::new(),
        }
    }
}
