//! Remarks.

use super::{Ref, Sentence};
use serde::Serialize;

/// A remark that is not about an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Note {
    /// What.
    pub what: String,
    /// Why.
    pub why: Sentence,
    /// The server's words, if the caller has no right to read it.
    #[serde(skip)]
    pub forbidden: Option<String>,
}

/// A remark about an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ObjectNote {
    /// The object.
    pub object: Ref,
    /// Why it is named.
    pub why: Sentence,
}
