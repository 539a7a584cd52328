//! Reads several facts at once, and continues without optional ones.
//!
//! The law of reading: **everything is read before the first `?`**. A fact that was not surveyed
//! yet leaves a want and ends the rule, which runs again once the wants of all rules were fetched.
//! A read behind a `?` therefore costs another round trip.
//!
//! - Several facts: `(first, second).all()?`.
//! - A fact of each item: [`each`]; [`flat_each`] if an item gives any number of them; [`for_each`]
//!   if it gives none.
//! - A fact that is not essential: [`Readable`]. An unreadable fact is an answer; one that was not
//!   surveyed yet is not, and is not visible outside of this folder.

use super::Facts;
use super::known::{Known, Unknown};
use crate::report::NoteSubject;
use crate::survey::Unread;

/// A fact that cannot be read, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// The fact.
    pub what: NoteSubject,
    /// The reason.
    pub why: Unread,
}

impl From<Gap> for Unknown {
    fn from(Gap { what, why }: Gap) -> Self {
        Self::Unread { what, why }
    }
}

/// Continues without a fact that cannot be read.
pub trait Readable<T>: Sized {
    /// The fact, or why it cannot be read.
    fn surveyed(self) -> Known<Result<T, Gap>>;

    /// The fact; `None` if it cannot be read.
    fn if_readable(self) -> Known<Option<T>> {
        Ok(self.surveyed()?.ok())
    }

    /// The fact; `None` if it cannot be read, which is noted for the report.
    fn or_note(self, facts: &Facts<'_>) -> Known<Option<T>> {
        Ok(self.surveyed()?.map_err(|Gap { what, why }| facts.note_unread(what, &why)).ok())
    }

    /// Like [`Self::or_note`], at the end of a rule: `None` also if the fact was not surveyed yet.
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
    /// The reason for the first fact that is unknown.
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

/// The result of `read` for each item. All items are read, even after one could not be read.
///
/// # Errors
/// The reason for the first item whose fact is unknown.
pub fn each<T, R>(items: impl IntoIterator<Item = T>, read: impl FnMut(T) -> Known<R>) -> Known<Vec<R>> {
    let answers: Vec<Known<R>> = items.into_iter().map(read).collect();
    answers.into_iter().collect()
}

/// Runs `act` for each item, even after it has failed for another one.
///
/// # Errors
/// The reason for the first item for which a fact is unknown.
pub fn for_each<T>(items: impl IntoIterator<Item = T>, act: impl FnMut(T) -> Known) -> Known {
    items.into_iter().map(act).fold(Ok(()), Result::and)
}

/// The results of `read` for all items in a single list, where each item gives any number of results.
///
/// # Errors
/// The reason for the first item whose facts are unknown.
pub fn flat_each<T, R: IntoIterator>(
    items: impl IntoIterator<Item = T>,
    read: impl FnMut(T) -> Known<R>,
) -> Known<Vec<R::Item>> {
    Ok(each(items, read)?.into_iter().flatten().collect())
}
