//! Remarks.

use super::{Ref, Sentence};
use serde::Serialize;

/// A remark that is not about an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Note {
    /// The subject of the remark.
    pub what: String,
    /// The reason for the remark.
    pub why: Sentence,
    /// The server's words, if the caller has no right to read it.
    #[serde(skip)]
    pub forbidden: Option<String>,
}

impl Note {
    /// The kind that was not read: `kind` in `kind`, `kind in namespace shop` and
    /// `dependents in all namespaces: kind`.
    #[must_use]
    pub fn unread_kind(&self) -> &str {
        let what = self.what.rsplit_once(": ").map_or(self.what.as_str(), |(_, kind)| kind);
        what.split_once(" in namespace ").map_or(what, |(kind, _)| kind)
    }
}

/// A remark about an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ObjectNote {
    /// The object.
    pub object: Ref,
    /// The reason why the object is mentioned.
    pub why: Sentence,
}
