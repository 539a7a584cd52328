//! In which order to delete, as a preflight tells it.

use super::{Risk, Sentence, Step};
use serde::Serialize;

/// One turn of a deletion: the objects to delete now. The commands wait until they are gone.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// What is done, in the imperative.
    pub title: Sentence,
    /// Why it comes now; empty for the targets themselves.
    #[serde(skip_serializing_if = "Sentence::is_empty")]
    pub why: Sentence,
    /// Its risk.
    pub risk: Risk,
    /// What follows from it.
    pub consequence: Sentence,
    /// For how many minutes this usually takes at most, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usual_minutes: Option<u8>,
    /// The kubectl commands, each of which waits for its effect.
    pub commands: Vec<String>,
    /// The same as steps; none where a person has to do it.
    pub steps: Vec<Step>,
}
