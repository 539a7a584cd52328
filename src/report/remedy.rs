//! A way to let go of one cause, and what it may cost.

use super::{Ref, Sentence, Step};
use jiff::Timestamp;
use serde::Serialize;
use std::fmt;

/// A way to let go of one cause.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Remedy {
    /// `r1`, `r2`, … within a report.
    pub id: String,
    /// Of exactly these steps at this risk, for `--approve-plan`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub digest: String,
    /// What is done, in the imperative.
    pub title: Sentence,
    /// What it may cost, beyond what was already asked to be deleted.
    pub risk: Risk,
    /// What follows from it.
    pub consequence: Sentence,
    /// What it also finishes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirms: Option<Confirms>,
    /// Whether it says what not to do, once the deletion is asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub warns: bool,
    /// Whether it can be undone.
    pub undo: bool,
    /// Whether a person has to name each object: what would prove the step right is not known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_name: bool,
    /// The steps; none where a person has to do it.
    pub steps: Vec<Step>,
}

/// What a step also finishes: deletions that were asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Confirms {
    /// What `--approve` must cover at least.
    pub level: Risk,
    /// How many in all.
    pub deletions: usize,
    /// How many of these the report is not about.
    pub elsewhere: usize,
    /// The first of those.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<Deletion>,
    /// Where more may wait: what could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

/// A deletion that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Deletion {
    /// Of what.
    pub object: Ref,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub since: Option<Timestamp>,
}

impl Remedy {
    /// What must be agreed to: its risk, or more for what it also finishes.
    #[must_use]
    pub fn level(&self) -> Risk {
        self.confirms.as_ref().map_or(self.risk, |confirms| confirms.level.max(self.risk))
    }

    /// Has what must be confirmed of the same steps for another finding confirmed, too.
    pub(crate) fn confirm_also(&mut self, other: Option<Confirms>) {
        let level = |confirms: &Option<Confirms>| confirms.as_ref().map(|confirms| confirms.level);
        if level(&other) > level(&self.confirms) {
            self.confirms = other;
        }
    }
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
