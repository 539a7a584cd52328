//! The objects that were asked about, and their states.

use super::{Ref, Sentence};
use jiff::Timestamp;
use serde::Serialize;

/// A target.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Target"))]
#[serde(rename_all = "camelCase")]
pub struct TargetReport {
    /// The object.
    pub object: Ref,
    /// Its state.
    pub state: State,
    /// The time when its deletion was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub since: Option<Timestamp>,
    /// The state in one line.
    pub summary: Sentence,
}

impl TargetReport {
    /// A target whose state is not known yet.
    #[must_use]
    pub fn new(object: Ref) -> Self {
        Self { object, state: State::Unknown, since: None, summary: "".into() }
    }

    /// A target that does not exist.
    #[must_use]
    pub fn gone(object: Ref) -> Self {
        Self { state: State::Gone, summary: "not found".into(), ..Self::new(object.missing()) }
    }
}

/// The state of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum State {
    /// Something has held it for longer than a deletion usually takes.
    Stuck,
    /// Facts that matter could not be read.
    Unknown,
    /// It is being deleted, within the usual time.
    Progressing,
    /// It is not being deleted.
    NotDeleting,
    /// It does not exist.
    Gone,
    /// It is not being deleted; a deletion now would get stuck.
    WouldHang,
    /// It is not being deleted; nothing would hold a deletion.
    WouldGo,
}
