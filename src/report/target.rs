//! What was asked about, and how it stands.

use super::{Ref, Sentence};
use jiff::Timestamp;
use serde::Serialize;

/// One thing that was asked about.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// The thing.
    pub object: Ref,
    /// How it stands.
    pub state: State,
    /// Since when it is being deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub since: Option<Timestamp>,
    /// One line.
    pub summary: Sentence,
}

/// How a target stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum State {
    /// Something holds it that will not let go by itself in its usual time.
    Stuck,
    /// Nobody can say: facts that matter were not readable.
    Unknown,
    /// It is going, within its time.
    Progressing,
    /// Nobody has asked for its deletion.
    NotDeleting,
    /// It does not exist.
    Gone,
    /// Nobody has asked for its deletion; deleted as it stands, it would get stuck.
    WouldHang,
    /// Nobody has asked for its deletion; nothing would hold it.
    WouldGo,
}
