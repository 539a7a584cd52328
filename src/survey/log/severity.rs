//! How serious a record is.

use serde::{Deserialize, Serialize};

/// How serious a record is, the least serious first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// Nothing special.
    #[default]
    Info,
    /// Something went wrong, perhaps for a moment.
    Warning,
    /// Something failed.
    Error,
}

/// Words for the end of a program.
const FATAL: [&str; 6] = ["FATAL", "PANIC", "DPANIC", "CRITICAL", "EMERG", "ALERT"];
const ERROR: [&str; 5] = ["ERROR", "ERR", "SEVERE", "CRIT", "FAIL"];
const WARNING: [&str; 2] = ["WARN", "WARNING"];
const INFO: [&str; 6] = ["INFO", "INF", "NOTICE", "DEBUG", "DBG", "TRACE"];

impl Severity {
    /// The level that a word names, in capitals or not.
    pub(super) fn named(word: &str) -> Option<Self> {
        let is_one_of = |words: &[&str]| words.iter().any(|known| word.eq_ignore_ascii_case(known));
        match word {
            _ if is_one_of(&ERROR) || is_fatal(word) => Some(Self::Error),
            _ if is_one_of(&WARNING) => Some(Self::Warning),
            _ if is_one_of(&INFO) => Some(Self::Info),
            _ => None,
        }
    }

    /// The level by its first letter.
    pub(super) fn of_letter(letter: &str) -> Option<Self> {
        match letter {
            "E" | "F" => Some(Self::Error),
            "W" => Some(Self::Warning),
            "I" | "D" => Some(Self::Info),
            _ => None,
        }
    }

    /// The level by a number, as Node.js programs write it.
    pub(super) fn numbered(number: &str) -> Option<Self> {
        match number.parse::<u8>() {
            Ok(50..=60) => Some(Self::Error),
            Ok(40..=49) => Some(Self::Warning),
            Ok(10..=39) => Some(Self::Info),
            _ => None,
        }
    }
}

/// Whether a word names the level at which a program ends.
pub(super) fn is_fatal(word: &str) -> bool {
    FATAL.iter().any(|known| word.eq_ignore_ascii_case(known))
}
