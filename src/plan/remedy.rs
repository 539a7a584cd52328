//! How remedies are made of steps.

use crate::report::{Remedy, Risk, Step};

impl Remedy {
    /// One step.
    #[must_use]
    pub fn new(step: Step, risk: Risk, consequence: impl Into<String>) -> Self {
        Self {
            id: String::new(),
            title: step.title(),
            risk,
            consequence: consequence.into(),
            undo: step.can_be_undone(),
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
