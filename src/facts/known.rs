//! What a fact is when it is not known.

use crate::survey::Unread;

/// Why a rule cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// It was asked for just now.
    NotSurveyed,
    /// It cannot be read.
    Unread {
        /// What.
        what: String,
        /// Why.
        why: Unread,
    },
}

/// What a rule gives: something it knows, or why it does not.
pub type Known<T = ()> = Result<T, Unknown>;
