//! Reading several facts, and going on without one.
//!
//! The law of reading: **everything is read before the first `?`**. A fact that was not surveyed
//! yet leaves a want and ends the rule, which runs again when the wants of all rules were fetched.
//! So a read behind a `?` costs a round trip of its own.
//!
//! - Several facts: `(first, second).all()?`.
//! - A fact of each item: [`each`], [`flat_each`] where an item has none, one or several, and
//!   [`for_each`] where an item gives nothing.
//! - A fact that one can do without: [`Readable`]. What cannot be read is an answer. That
//!   something was not surveyed yet is none, and nobody outside of this folder sees it.

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

impl From<Gap> for Unknown {
    fn from(Gap { what, why }: Gap) -> Self {
        Self::Unread { what, why }
    }
}

/// Going on without what cannot be read.
pub trait Readable<T>: Sized {
    /// What was read, or why it cannot be.
    ///
    /// # Errors
    /// When it was not surveyed yet.
    fn surveyed(self) -> Known<Result<T, Gap>>;

    /// What was read; `None` when it cannot be.
    ///
    /// # Errors
    /// When it was not surveyed yet.
    fn if_readable(self) -> Known<Option<T>> {
        Ok(self.surveyed()?.ok())
    }

    /// What was read; `None` when it cannot be, which the report then says.
    ///
    /// # Errors
    /// When it was not surveyed yet.
    fn or_note(self, facts: &Facts<'_>) -> Known<Option<T>> {
        Ok(self.surveyed()?.map_err(|Gap { what, why }| facts.note_unread(what, &why)).ok())
    }

    /// The same where a rule ends: `None` also when something was not surveyed yet.
    fn ok_or_note(self, facts: &Facts<'_>) -> Option<T> {
        self.or_note(facts).ok().flatten()
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
    /// Their values.
    type Values;

    /// The values of all of them.
    ///
    /// # Errors
    /// That of the first one that is not known.
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

/// What `read` gives for each item. All items are read, whatever the first one gives.
///
/// # Errors
/// That of the first item that is not known.
pub fn each<T, R>(items: impl IntoIterator<Item = T>, read: impl FnMut(T) -> Known<R>) -> Known<Vec<R>> {
    let answers: Vec<Known<R>> = items.into_iter().map(read).collect();
    answers.into_iter().collect()
}

/// Does something with each item. All of them have their turn, whatever the first one gives.
///
/// # Errors
/// That of the first item for which something is not known.
pub fn for_each<T>(items: impl IntoIterator<Item = T>, act: impl FnMut(T) -> Known) -> Known {
    items.into_iter().map(act).fold(Ok(()), Result::and)
}

/// What `read` gives for all items in one list, where it gives none, one or several for an item.
///
/// # Errors
/// That of the first item that is not known.
pub fn flat_each<T, R: IntoIterator>(
    items: impl IntoIterator<Item = T>,
    read: impl FnMut(T) -> Known<R>,
) -> Known<Vec<R::Item>> {
    Ok(each(items, read)?.into_iter().flatten().collect())
}
