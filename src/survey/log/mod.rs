//! Logs of controllers: which records are about an object, and what they say.
//!
//! A log is read as records: a line with what belongs to it, such as a stack trace. A log may
//! contain anything, including secrets, so only the few records about one object are kept, and what
//! looks like a credential is masked before a record is judged.

mod about;
mod clean;
mod fields;
mod header;
mod line;
mod masks;
mod names;
mod parts;
mod pick;
mod reading;
mod record;
mod records;
mod running;
mod sentence;
mod severity;
#[cfg(test)]
mod tests;
mod trouble;

pub(super) use header::behind_header;
pub use line::{Bearing, Log, LogLine, LogOf, Topic};
pub use parts::{covered, log_of};
pub use pick::pick;
pub use reading::LogReading;
pub use running::running;
pub use severity::Severity;
