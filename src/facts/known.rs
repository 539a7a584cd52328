//! The result of reading a fact that may be unknown.

use crate::report::NoteSubject;
use crate::survey::Unread;

/// Why a rule cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// A fact was not surveyed yet; it has become a want.
    NotSurveyed,
    /// A fact cannot be read.
    Unread {
        /// The fact that cannot be read.
        what: NoteSubject,
        /// The reason.
        why: Unread,
    },
}

/// A rule's result: a finding, or why there is none.
///
/// A function that returns this fails when something that it reads was not surveyed yet, which has then become a
/// want, or could not be read. Its documentation names only other errors.
pub type Known<T = ()> = Result<T, Unknown>;
