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

/// Runs `read` on each item, collecting what is known; when something was not
/// surveyed yet, every item has left its wants first.
///
/// # Errors
/// [`Unknown::NotSurveyed`] when any item said so. Items that cannot be read
/// give `None`.
pub fn for_each_known<T, R>(items: impl IntoIterator<Item = T>, read: impl Fn(T) -> Known<R>) -> Known<Vec<Option<R>>> {
    let answers: Vec<Known<R>> = items.into_iter().map(read).collect();
    answers
        .into_iter()
        .map(|answer| match answer {
            Ok(known) => Ok(Some(known)),
            Err(Unknown::Unread { .. }) => Ok(None),
            Err(Unknown::NotSurveyed) => Err(Unknown::NotSurveyed),
        })
        .collect()
}
