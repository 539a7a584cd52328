//! The order of deletion in a preflight.

use super::{Risk, Sentence, Step};
use serde::Serialize;

/// One turn of a deletion: the objects to delete now. The commands wait until they are gone.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// The step, in the imperative.
    pub title: Sentence,
    /// The reason why it comes at this place; empty for the targets themselves.
    #[serde(skip_serializing_if = "Sentence::is_empty")]
    pub why: Sentence,
    /// The risk of this turn.
    pub risk: Risk,
    /// The consequence of this turn.
    pub consequence: Sentence,
    /// How many minutes it usually takes at most, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usual_minutes: Option<u8>,
    /// The kubectl commands; each waits until its objects are gone.
    pub commands: Vec<String>,
    /// The same as steps; empty if a person has to do it.
    pub steps: Vec<Step>,
}
