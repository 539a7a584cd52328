//! Splits a log into records.

use super::clean::{clean, ends_of};
use super::header;
use jiff::{SignedDuration, Timestamp};
use std::iter::Peekable;
use std::str::Lines;

/// How many bytes of a record are kept. Container runtimes break lines into pieces of this size.
const MAX_BYTES: usize = 16 << 10;
/// What is written at once is written within this time.
const AT_ONCE: SignedDuration = SignedDuration::from_secs(1);
/// The beginnings of lines that continue the record before, besides blanks.
const CONTINUES: [&str; 15] = [
    "Caused by", "Suppressed:", "Traceback (", "During handling of", "The above exception", "File \"", "goroutine ",
    "created by ", "[signal ", "exit status ", "...", ">", "}", "]", "-----END ",
];
/// Marks of lines after which lines without a header belong to the same record.
const OPENS: [&str; 6] =
    ["Traceback (", "panic: ", "fatal error: ", "goroutine ", "Exception in thread", "-----BEGIN "];

/// A record as it was written, without the times that the API puts before its lines.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) at: Option<Timestamp>,
    pub(super) raw: String,
    /// The time of its last line.
    last: Option<Timestamp>,
    is_open: bool,
    has_header: bool,
}

/// The records of a log.
pub(super) struct Records<'a>(Peekable<Lines<'a>>);

pub(super) fn records(log: &str) -> Records<'_> {
    Records(log.lines().peekable())
}

impl Iterator for Records<'_> {
    type Item = Written;

    fn next(&mut self) -> Option<Written> {
        let line = self.0.by_ref().find(|line| !split(line).1.trim().is_empty())?;
        let mut record = Written::default();
        record.add(line);
        while let Some(line) = self.0.next_if(|line| record.continues_in(line)) {
            record.add(line);
        }
        record.raw = ends_of(record.raw.trim_end(), MAX_BYTES).into_owned();
        Some(record)
    }
}

impl Written {
    /// A text that is one record.
    pub(super) fn alone(text: &str) -> Self {
        Self { raw: clean(&ends_of(text, MAX_BYTES)).into_owned(), ..Self::default() }
    }

    fn add(&mut self, line: &str) {
        let (at, line) = split(line);
        let line = ends_of(line, MAX_BYTES);
        let line = clean(&line);
        if self.raw.is_empty() {
            self.at = at;
            self.has_header = !line.starts_with('{') && header::begins(&line);
        } else {
            self.raw.push('\n');
        }
        self.last = at;
        self.is_open |= OPENS.iter().any(|mark| line.contains(mark));
        self.raw.push_str(line.trim_end());
        if self.raw.len() > 4 * MAX_BYTES {
            self.raw = ends_of(&self.raw, MAX_BYTES).into_owned();
        }
    }

    /// Whether a line of the log, with its time, belongs to this record.
    fn continues_in(&self, line: &str) -> bool {
        let (at, line) = split(line);
        let line = bounded(line);
        if line.trim().is_empty() {
            return true;
        }
        if line.starts_with([' ', '\t']) || CONTINUES.iter().any(|begin| line.starts_with(begin)) {
            return true;
        }
        let is_at_once = self.last.zip(at).is_none_or(|(last, at)| at.duration_since(last).abs() <= AT_ONCE);
        is_at_once && (self.is_open || self.has_header) && !header::begins(&clean(line))
    }
}

/// The beginning of a line, which tells whether it begins a record.
fn bounded(line: &str) -> &str {
    &line[..line.floor_char_boundary(512)]
}

/// Splits a line into the time that the API puts at its beginning and the rest.
pub(super) fn split(line: &str) -> (Option<Timestamp>, &str) {
    let parsed = line.split_once(' ').and_then(|(time, text)| Some((time.parse().ok()?, text)));
    parsed.map_or((None, line), |(time, text)| (Some(time), text))
}
