//! Reading several facts, and going on without one.
//!
//! A fact that was not surveyed yet leaves a want and ends the rule for this round. What a rule
//! needs besides must leave its wants in the same round, or each costs a round trip of its own:
//! **all reads come before the first `?`**. [`All::all`] and [`each`] read everything first;
//! [`Readable`] tells what was not surveyed yet, which ends the round, from what cannot be read,
//! which is an answer.

use super::Facts;
use super::known::{Known, Unknown};
use crate::survey::Unread;

/// What cannot be read, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// What.
    pub what: String,
    /// Why.
    pub why: Unread,
}

/// Going on without what cannot be read. Only what was not surveyed yet ends a rule's round.
pub trait Readable<T>: Sized {
    /// What was read, or why it cannot be.
    ///
    /// # Errors
    /// When it was not surveyed yet.
    fn surveyed(self) -> Known<Result<T, Gap>>;

    /// What was read; `None` where it cannot be.
    ///
    /// # Errors
    /// When it was not surveyed yet.
    fn if_readable(self) -> Known<Option<T>> {
        Ok(self.surveyed()?.ok())
    }

    /// The same, and what cannot be read is on record.
    ///
    /// # Errors
    /// When it was not surveyed yet.
    fn or_note(self, facts: &Facts<'_>) -> Known<Option<T>> {
        Ok(self.surveyed()?.map_err(|Gap { what, why }| facts.note_unread(what, &why)).ok())
    }
}

impl<T> Readable<T> for Known<T> {
    fn surveyed(self) -> Known<Result<T, Gap>> {
        match self {
            Ok(value) => Ok(Ok(value)),
            Err(Unknown::Unread { what, why }) => Ok(Err(Gap { what, why })),
            Err(Unknown::NotSurveyed) => Err(Unknown::NotSurveyed),
        }
    }
}

/// Several facts at once: `(first, second).all()?`.
pub trait All {
    /// What all of them are.
    type Values;

    /// All of them.
    ///
    /// # Errors
    /// That of the first which is not known.
    fn all(self) -> Known<Self::Values>;
}

macro_rules! all {
    ($($name:ident)+) => {
        impl<$($name),+> All for ($(Known<$name>,)+) {
            type Values = ($($name,)+);

            fn all(self) -> Known<Self::Values> {
                #[expect(non_snake_case, reason = "each value has the name of its type")]
                let ($($name,)+) = self;
                Ok(($($name?,)+))
            }
        }
    };
}

all!(A B);
all!(A B C);
all!(A B C D);

/// What `read` gives for each item.
///
/// # Errors
/// That of the first item which is not known, once every item has left its wants.
pub fn each<T, R>(items: impl IntoIterator<Item = T>, read: impl FnMut(T) -> Known<R>) -> Known<Vec<R>> {
    let answers: Vec<Known<R>> = items.into_iter().map(read).collect();
    answers.into_iter().collect()
}

/// The same, with `None` for items that cannot be read.
///
/// # Errors
/// [`Unknown::NotSurveyed`] when any item said so, once every item has left its wants.
pub fn each_readable<T, R>(
    items: impl IntoIterator<Item = T>,
    mut read: impl FnMut(T) -> Known<R>,
) -> Known<Vec<Option<R>>> {
    each(items, |item| read(item).if_readable())
}
