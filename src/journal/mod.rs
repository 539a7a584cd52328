//! The record of writes to clusters: an append-only file of JSON lines for each run. It contains
//! the data that undo needs for every object, on disk before the write.
//!
//! The files are in the XDG state directory, readable only by their owner. Files that belong to
//! another user, or that others may write, are neither read nor written. They contain no secrets:
//! see `plan::Write::image`. A run locks its file while its process lives.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the journal is a file, named by the environment and the clock"
)]

mod file;
mod header;
mod name;
mod owned;
mod prune;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing {
    pub(crate) use super::reading::parse;
}
mod reading;
mod run;
#[cfg(test)]
mod testing;
#[cfg(test)]
#[cfg(unix)]
mod tests;
mod unfinished;

pub use file::folder;
pub use header::RunHeader;
pub use prune::{Removed, remove};
pub use reading::{Became, NotFound, RecordedRun, RecordedStep, RunListing, RunNote, UnreadableRun, list};
pub use run::{Run, StepRecord, UNDONE};
pub use unfinished::{Unfinished, mark_unfinished, unfinished};
