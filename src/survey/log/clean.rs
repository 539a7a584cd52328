//! Removes what only a terminal understands, and shortens.

use crate::inert::is_obeyed;
use std::borrow::Cow;

/// The text without escape sequences. Other characters that a terminal would obey become blanks,
/// invisible ones become visible. Tabs and line breaks stay.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    let breaks = |c: char| matches!(c, '\n' | '\t');
    if !text.contains(|c| is_obeyed(c) && !breaks(c)) {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|part| plain.push_str(behind_escape(part)));
    let inert = |c: char| match c {
        _ if breaks(c) || !is_obeyed(c) => c,
        _ if c.is_control() => ' ',
        _ => char::REPLACEMENT_CHARACTER,
    };
    Cow::Owned(plain.chars().map(inert).collect())
}

/// What follows an escape sequence, of which the first character is missing.
fn behind_escape(part: &str) -> &str {
    let end = match part.chars().next() {
        // Ends with its first letter or sign.
        Some('[') => part[1..].find(|c: char| ('@'..='~').contains(&c)).map(|at| at + 2),
        // A title or an address, up to a bell or the next sequence.
        Some(']') => Some(part.find('\u{7}').map_or(part.len(), |at| at + 1)),
        Some('\\') => Some(1),
        _ => Some(0),
    };
    &part[end.unwrap_or(part.len())..]
}

/// The text in one line.
pub(super) fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text if it has at most `most` characters; otherwise its first words and `…`.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    let end = text.char_indices().nth(most.saturating_sub(1)).map_or(text.len(), |(end, _)| end);
    // A single word without an end is cut anywhere.
    let word = text[..end].rfind(char::is_whitespace).filter(|at| *at > end / 2).unwrap_or(end);
    format!("{}…", text[..word].trim_end())
}

/// At most `most` bytes of a text: its beginning and its end.
pub(super) fn ends_of(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let head = text.floor_char_boundary(most / 2);
    let tail = text.ceil_char_boundary(text.len() - most / 2);
    Cow::Owned(format!("{} … {}", &text[..head], &text[tail..]))
}
