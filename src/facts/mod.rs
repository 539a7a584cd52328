//! Reading a survey: known facts, unread facts, and those still wanted.

#![expect(clippy::missing_errors_doc, reason = "`Known` says when it fails")]

mod dependents;
mod everything;
mod kinds;
mod known;
mod memo;
mod once;
mod owned;
mod read;
mod reading;
mod sweep;
mod target;
mod time;
mod trials;

pub use dependents::{Dependent, Dependents, blocks, is_watched, refers_rightly};
pub(crate) use dependents::{all_below, goes_with};
pub use everything::Everything;
pub use kinds::{is_event, is_namespace, is_pod};
pub use known::Known;
pub use owned::OwnedFinalizer;
pub use read::Facts;
#[cfg(test)]
pub(crate) use read::LOOKED_UP;
pub use reading::{All, Gap, Readable, each, flat_each, for_each};
pub use sweep::Sweep;
pub use target::Target;
pub use time::{SETTLE, is_late, since};
pub(crate) use time::{ago, asked_ago, clock, words};
