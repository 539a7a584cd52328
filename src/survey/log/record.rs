//! The parts of a record: level, message, error and other fields.

use super::clean::{clean, in_one_line};
use super::fields::{Field, fields, quoted};
use super::header::{self, is_panic};
use super::masks::masked;
use super::records::Written;
use super::severity::{Severity, is_fatal};
use jiff::Timestamp;

/// Keys of errors, the most telling first.
const ERRORS: [&str; 13] = [
    "error", "err", "exception.message", "error.message", "exception_message", "error_message", "errormessage",
    "errormsg", "exception", "exc_info", "cause", "errorcauses", "failure",
];
const MESSAGES: [&str; 7] = ["msg", "message", "fields.message", "event", "@message", "body", "short_message"];
const LEVELS: [&str; 8] = ["level", "lvl", "severity", "levelname", "log.level", "loglevel", "level_name", "type"];
/// Values of a key for errors that mean that there is none.
const NONE: [&str; 13] =
    ["", "null", "nil", "<nil>", "none", "false", "true", "0", "{}", "[]", "no error", "no errors", "undefined"];

/// A record of a log.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) at: Option<Timestamp>,
    /// The whole text, without credentials.
    pub(super) raw: String,
    pub(super) level: Option<Severity>,
    /// Whether it says that the program ended.
    pub(super) is_fatal: bool,
    pub(super) fields: Vec<Field>,
    /// What was done or happened.
    pub(super) message: String,
    pub(super) error: Option<String>,
}

impl Record {
    pub(super) fn read(written: Written) -> Self {
        let raw = masked(written.raw);
        let header = header::split(&raw);
        let rest = header.rest;
        let found = fields(rest);
        let one_of = |keys: &[&str]| value(&found, keys).map(|field| whole_value(field, rest, &found));
        let word = value(&found, &LEVELS).map(|field| field.value.trim());
        let stated = word.and_then(|word| Severity::named(word).or_else(|| Severity::numbered(word)));
        let level = stated.or(header.level);
        let error = ERRORS.iter().find_map(|key| {
            let fits = |field: &&Field| is_at(&field.path, key) && !field.is_inside;
            let mut values = found.iter().filter(fits).map(|field| whole_value(field, rest, &found));
            values.find(|value| !NONE.contains(&value.trim().to_ascii_lowercase().as_str()))
        });
        // Without a problem, a reason is why something was done.
        let reason = || one_of(&["reason"]).filter(|reason| level > Some(Severity::Info) && reason.contains(' '));
        Self {
            at: written.at,
            level,
            is_fatal: header.is_fatal || is_panic(rest) || word.is_some_and(is_fatal),
            message: one_of(&MESSAGES).unwrap_or_else(|| message_before(rest, &found)),
            error: error.or_else(reason),
            fields: found,
            raw,
        }
    }

    /// A text that is a record.
    pub(super) fn alone(text: &str) -> Self {
        Self::read(Written::alone(text))
    }

    /// The error, or else the message, or else all of it.
    pub(super) fn told(&self) -> String {
        let told = self.error.as_ref().unwrap_or(&self.message);
        in_one_line(if told.is_empty() { &self.raw } else { told })
    }

    /// The fields that are no sentences.
    pub(super) fn other_fields(&self) -> impl Iterator<Item = &Field> {
        let is_sentence = |path: &str| ERRORS.iter().chain(&MESSAGES).any(|key| is_at(path, key));
        self.fields.iter().filter(move |field| !is_sentence(&field.path))
    }

    /// The value of a field on the outermost level.
    pub(super) fn field(&self, path: &str) -> Option<&str> {
        self.fields.iter().find(|field| field.path.eq_ignore_ascii_case(path)).map(|field| field.value.as_str())
    }
}

/// Whether `path` is, or ends with, the key.
fn is_at(path: &str, key: &str) -> bool {
    let start = path.len().checked_sub(key.len());
    start.is_some_and(|start| {
        path.is_char_boundary(start)
            && path[start..].eq_ignore_ascii_case(key)
            && (start == 0 || path[..start].ends_with('.'))
    })
}

/// The first field with one of the keys, of the outermost that have one.
fn value<'f>(fields: &'f [Field], keys: &[&str]) -> Option<&'f Field> {
    let is_text = |field: &&Field| !field.is_inside && !field.value.trim().is_empty();
    keys.iter().find_map(|key| fields.iter().filter(is_text).find(|field| field.path.eq_ignore_ascii_case(key)))
}

/// The value of a field. A sentence without quotes goes on to the next field.
fn whole_value(field: &Field, text: &str, fields: &[Field]) -> String {
    let Some(bare) = &field.bare else { return field.value.clone() };
    let next = fields.iter().map(|field| field.key).find(|key| *key >= bare.end).unwrap_or(text.len());
    let goes_on = &text[bare.end..next];
    let goes_on = goes_on.lines().next().filter(|_| goes_on.starts_with(' ')).unwrap_or_default();
    clean(&format!("{}{}", field.value, goes_on.trim_end_matches(['{', ' ', ',']))).into_owned()
}

/// The text before the fields, in its last column and without quotes.
fn message_before(text: &str, fields: &[Field]) -> String {
    let is_behind = |field: &&Field| !field.is_inside;
    let end = fields.iter().find(is_behind).map_or(text.len(), |field| field.key);
    let line = text[..end].lines().next().unwrap_or_default();
    let line = line.trim_end_matches(|c: char| c.is_whitespace() || "{[,(".contains(c));
    let line = line.rsplit('\t').next().unwrap_or(line).trim();
    let is_quoted = |(_, length): &(String, usize)| *length == line.len();
    quoted(line).filter(is_quoted).map_or_else(|| line.to_owned(), |(message, _)| message)
}
