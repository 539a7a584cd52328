//! What can be done: remedies made of typed steps. Pure: a step says which
//! request it is, what must still be true before it and what must be true after
//! it; `cluster` carries it out.

mod image;
mod restore;
mod step;
pub mod steps;
mod write;

pub use image::{before_image, lacks_something};
pub use restore::{Restore, Undo};
pub use step::{Class, Guard, Identity, Step, StepKind, Verdict, WriteRequest, in_namespace, quote};
pub use write::{Needs, Write};

use serde::Serialize;
use std::fmt;

/// A way to let go of one cause.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Remedy {
    /// `r1`, `r2`, … within a report.
    pub id: String,
    /// What is done, in the imperative.
    pub title: String,
    /// What it may cost.
    pub risk: Risk,
    /// What follows from it.
    pub consequence: String,
    /// Whether it can be undone.
    pub undo: bool,
    /// Whether each object must be named by hand, as a target or in the answer: what
    /// would prove the step right is not known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_name: bool,
    /// The steps; none where a person has to do it.
    pub steps: Vec<Step>,
}

/// What a remedy may cost, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Risk {
    /// A person does it; the program writes nothing.
    Manual,
    /// Nothing is lost.
    Harmless,
    /// Something stops working for a while.
    Disruptive,
    /// Something outside the cluster stays behind.
    Leaks,
    /// Data may be lost.
    LosesData,
}

impl Risk {
    /// As the command line spells it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Harmless => "harmless",
            Self::Disruptive => "disruptive",
            Self::Leaks => "leaks",
            Self::LosesData => "loses-data",
        }
    }

    /// Whether the object's name is asked for, not a `y`.
    #[must_use]
    pub fn is_harsh(self) -> bool {
        matches!(self, Self::Leaks | Self::LosesData)
    }
}

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

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
