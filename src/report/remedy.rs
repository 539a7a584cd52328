//! A way to resolve one cause, and its risk.

use super::{Ref, Sentence, Step};
use jiff::Timestamp;
use serde::Serialize;
use std::fmt;

/// A way to resolve one cause.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[must_use]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the remedy")]
pub struct Remedy {
    /// `r1`, `r2`, … within a report.
    pub id: String,
    /// The digest of exactly these steps at this risk, for `--approve-plan`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub digest: String,
    /// The step to take, in the imperative.
    pub title: Sentence,
    /// The risk, apart from deletions that were already requested.
    pub risk: Risk,
    /// The consequence of the remedy.
    pub consequence: Sentence,
    /// The deletions that it also finishes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirms: Option<Confirms>,
    /// Whether it warns of something that must not be done once the deletion is requested.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub warns: bool,
    /// Whether it only lets a controller finish what that controller reports to be unable to do.
    #[serde(skip)]
    pub mends_its_work: bool,
    /// Whether it can be undone.
    pub undo: bool,
    /// Whether a person must name each object, because nothing proves that the step is right.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_name: bool,
    /// The steps. There are none if a person does it by hand.
    pub steps: Vec<Step>,
}

/// Deletions that were already requested and that a step also finishes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Confirms {
    /// The lowest level that `--approve` must have.
    pub level: Risk,
    /// The number of these deletions.
    pub deletions: usize,
    /// The number of those that are not of targets of this report.
    pub elsewhere: usize,
    /// The first of those that are not of targets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<Deletion>,
    /// The kinds that could not be read: more deletions may wait there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

/// A deletion that was requested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Deletion {
    /// The object.
    pub object: Ref,
    /// When the deletion was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub since: Option<Timestamp>,
}

impl Remedy {
    /// The level that must be approved: the risk, or a higher one for deletions that it also finishes.
    #[must_use]
    pub fn level(&self) -> Risk {
        self.confirms.as_ref().map_or(self.risk, |confirms| confirms.level.max(self.risk))
    }

    /// Merges the confirmation that another finding needs for the same steps: the higher level stays.
    pub(crate) fn confirm_also(&mut self, other: Option<Confirms>) {
        let level = |confirms: &Option<Confirms>| confirms.as_ref().map(|confirms| confirms.level);
        if level(&other) > level(&self.confirms) {
            self.confirms = other;
        }
    }
}

/// The possible cost of a remedy, least first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Risk {
    /// A person does it; the program writes nothing.
    #[default]
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
    /// The word on the command line.
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

    /// The flag that approves steps up to this risk.
    #[must_use]
    pub fn flag(self) -> String {
        match self {
            Self::Manual | Self::Harmless => "--yes".to_owned(),
            risk => format!("--approve {risk}"),
        }
    }

    /// Whether the person must type the object's name instead of `y`.
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
