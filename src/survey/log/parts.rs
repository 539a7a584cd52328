//! Parts of one log that were read one after the other.

use super::line::{Log, LogOf};
use super::pick::pick;
use super::records::split;
use jiff::{SignedDuration, Timestamp};

/// What two parts of a log say: one from the deletion on, and its end. They may overlap.
#[must_use]
pub fn log_of(first: &str, last: &str, of: &LogOf) -> Log {
    let first = whole_lines(first);
    let end = first.lines().rev().find_map(time);
    let new = match end {
        Some(end) => &last[later(last, end)..],
        None => last,
    };
    let text = if first.is_empty() { new.to_owned() } else { format!("{first}{new}") };
    let begins = text.lines().find_map(time).into_iter().chain(last.lines().find_map(time)).min();
    let ends = text.lines().rev().find_map(time);
    Log { begins, ends, lines: pick(&text, of) }
}

/// How long ago, by its own clock, the part of a log begins; `None` if its lines have no times.
#[must_use]
pub fn covered(text: &str) -> Option<SignedDuration> {
    let (begins, ends) = (text.lines().find_map(time)?, text.lines().rev().find_map(time)?);
    Some(ends.duration_since(begins))
}

/// The text without what stands behind its last end of line: a part may be cut there.
fn whole_lines(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |end| end + 1)]
}

/// Where the lines after `end` begin.
fn later(text: &str, end: Timestamp) -> usize {
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        if time(line).is_some_and(|at| at > end) {
            return place;
        }
        place += line.len();
    }
    place
}

fn time(line: &str) -> Option<Timestamp> {
    split(line).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::Topic;

    #[test]
    fn parts_that_overlap_are_read_once() {
        let about = Topic {
            kind: "Database".into(),
            namespace: Some("shop".into()),
            name: "orders".into(),
            ..Topic::default()
        };
        let of = LogOf { container: "manager".into(), previous: false, about };
        let line = |minute: u32| format!("2026-11-21T11:{minute:02}:00Z shop/orders failed: disk is in use\n");
        let first: String = (0..6).map(line).collect();
        let last: String = (4..9).map(line).collect();
        let log = log_of(&format!("{first}2026-11-21T11:06:00Z shop/ord"), &last, &of);
        assert_eq!(log.begins, Some("2026-11-21T11:00:00Z".parse().unwrap()));
        assert_eq!(log.ends, Some("2026-11-21T11:08:00Z".parse().unwrap()));
        assert_eq!(log.lines.len(), 1);
        assert_eq!(log.lines[0].times, 9);
        assert_eq!(log_of("", &last, &of).lines[0].times, 5);
        assert_eq!(covered(&last).map(|time| time.as_mins()), Some(4));
    }
}
