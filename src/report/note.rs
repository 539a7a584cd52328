//! Remarks.

use super::{Ref, Sentence};
use crate::survey::ResourceId;
use serde::Serialize;
use std::fmt;

/// The subject of a note: a remark is about it, or it could not be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NoteSubject {
    text: String,
    /// The kind, if it is a list of objects of one kind.
    kind: Option<String>,
}

impl NoteSubject {
    /// A list of objects of the kind `kind`, in words.
    pub(crate) fn list(kind: &ResourceId, text: impl Into<String>) -> Self {
        Self { text: text.into(), kind: Some(kind.to_string()) }
    }
}

impl From<String> for NoteSubject {
    fn from(text: String) -> Self {
        Self { text, kind: None }
    }
}

impl From<&str> for NoteSubject {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl fmt::Display for NoteSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

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
    /// The kind whose objects were not listed, if it is about such a list.
    #[serde(skip)]
    pub kind: Option<String>,
}

impl Note {
    /// A remark about `subject`.
    pub(crate) fn about(subject: impl Into<NoteSubject>, why: impl Into<Sentence>) -> Self {
        let NoteSubject { text, kind } = subject.into();
        Self { what: text, why: why.into(), forbidden: None, kind }
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
