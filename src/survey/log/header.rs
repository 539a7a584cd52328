//! The header that a logger writes before a message: time, level, place.

use super::severity::{Severity, is_fatal};

/// The beginning of a record.
#[derive(Debug, Default)]
pub(super) struct Header<'a> {
    /// Whether there is one.
    pub(super) is_found: bool,
    pub(super) level: Option<Severity>,
    /// Whether the program ended.
    pub(super) is_fatal: bool,
    /// What follows.
    pub(super) rest: &'a str,
}

/// The keys with which lines of `key=value` begin.
const FIRST_KEYS: [&str; 8] = ["time=", "ts=", "t=", "timestamp=", "level=", "lvl=", "severity=", "logger="];
/// Signs around times, levels and places.
const SIGNS: [char; 10] = ['[', ']', '(', ')', '<', '>', '|', ':', ',', '-'];
/// How many places are left out: the logger, the thread and the file.
const MAX_PLACES: usize = 3;

/// Splits a record into its header and the rest.
pub(super) fn split(text: &str) -> Header<'_> {
    let text = behind_syslog(text.trim_start());
    klog(text).unwrap_or_else(|| words(text))
}

/// Whether a line begins a record, whatever precedes it.
pub(super) fn begins(line: &str) -> bool {
    let is_json = line.strip_prefix('{').is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with('"'));
    is_json || is_panic(line) || FIRST_KEYS.iter().any(|key| line.starts_with(key)) || split(line).is_found
}

/// Whether a text begins with the last words of a Go program.
pub(super) fn is_panic(text: &str) -> bool {
    ["panic: ", "fatal error: "].iter().any(|word| text.starts_with(word))
}

/// Without what the journal of a node puts before a line: `Nov 29 03:21:36 node kubelet[812]: `.
fn behind_syslog(text: &str) -> &str {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let is_syslog = MONTHS.iter().any(|month| text.starts_with(month));
    let end = text.find("]: ").filter(|end| is_syslog && text[..*end].split_whitespace().count() == 5);
    end.map_or(text, |end| &text[end + 3..])
}

/// The text without the header of klog, if it has one.
pub(in crate::survey) fn behind_header(text: &str) -> &str {
    klog(text).map_or(text, |header| header.rest)
}

/// `E1129 03:21:36.011681       1 volume.go:251] message`
fn klog(text: &str) -> Option<Header<'_>> {
    let (letter, rest) = text.split_at_checked(1)?;
    let (day, rest) = rest.split_at_checked(4)?;
    let level = Severity::of_letter(letter)?;
    let is_day = day.bytes().all(|byte| byte.is_ascii_digit()) && rest.starts_with(' ');
    let (_, rest) = rest.split_once("] ").filter(|(place, _)| is_day && !place.contains('\n'))?;
    Some(Header { is_found: true, level: Some(level), is_fatal: letter == "F", rest })
}

/// The header of other loggers, word by word.
fn words(text: &str) -> Header<'_> {
    let mut header = Header { rest: text, ..Header::default() };
    let mut places = 0;
    loop {
        let rest = header.rest;
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = &rest[..end];
        let bare = word.trim_matches(SIGNS);
        // An ordinary word may have the name of a level.
        let is_loud = header.is_found || word.len() > bare.len() || bare.chars().all(|c| c.is_ascii_uppercase());
        let is_letter = header.is_found && bare.len() == 1;
        let level = if is_letter { Severity::of_letter(bare) } else { Severity::named(bare).filter(|_| is_loud) };
        let level = level.filter(|_| header.level.is_none());
        if level.is_some() {
            header.level = level;
            header.is_fatal = is_fatal(bare);
        } else if header.is_found && is_place(word, bare) && places < MAX_PLACES {
            places += 1;
        } else if !(is_time(bare) || header.is_found && bare.chars().all(|c| c.is_ascii_digit())) || word.is_empty() {
            break;
        }
        header.is_found = true;
        header.rest = rest[end..].trim_start();
    }
    header
}

/// Whether a word is a time or a date, or a part of one.
fn is_time(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let fits = |c: char| c.is_ascii_digit() || "-:/.,TZ+".contains(c);
    digits >= 4 && digits < word.len() && word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(fits)
}

/// Whether a word is the name of a logger, a thread or a file: `[main]`, `kube_runtime::controller:`,
/// `controller.go:316`. A pair in brackets is the name of an object.
fn is_place(word: &str, bare: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_.:$-@#/[".contains(c);
    let is_file = bare.rsplit_once(':').is_some_and(|(file, line)| {
        file.contains('.') && !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())
    });
    let is_dotted = bare.contains("::") || bare.contains('.') && !bare.contains('/');
    let is_thread = word.starts_with(['[', '(']) && word.ends_with([']', ')', ':']) && !bare.contains('/');
    bare.chars().all(fits) && (is_file || is_dotted || is_thread)
}
