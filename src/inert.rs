//! Makes text from the cluster inert: removes everything that would affect a terminal or mislead a
//! reader, and quotes it for a shell.
//!
//! All output passes through here: screens and talk in `screen::Shown`, the only type that
//! `commands::out` prints, and the log of requests by itself.

use serde_json::Value;
use std::fmt::{Display, Write};

/// The text in one line, without anything that a terminal would obey. Characters that break the
/// line, are invisible, or change the direction of writing are shown by their numbers: `<U+200B>`.
/// So are the marks with which this program shows a state: foreign text must not imitate them.
#[must_use]
pub fn clean(text: &(impl Display + ?Sized)) -> String {
    let text = &text.to_string();
    cut(shown(beginning(text), |c| is_obeyed(c) || is_mark(c)), text)
}

/// The text with each `$` kept to the word before it: at the beginning of a line, it would pass for a suggested
/// command.
pub(crate) fn without_prompts(text: &str) -> String {
    text.replace(" $", "\u{a0}$")
}

/// Like [`clean`], for messages, in which line breaks and tabs mean no more than blanks. In names
/// they would make a difference.
pub(crate) fn clean_words(text: &(impl Display + ?Sized)) -> String {
    let text = &text.to_string();
    clean(&beginning(text).replace(['\n', '\r', '\t'], " "))
}

/// Like [`clean`], for text that already contains the program's own marks, or where marks have no
/// meaning.
pub(crate) fn clean_marked(text: &(impl Display + ?Sized)) -> String {
    let text = &text.to_string();
    cut(shown(beginning(text), is_obeyed), text)
}

/// Like [`clean`], without a limit on the length: a truncated command would have another effect.
pub(crate) fn clean_command(text: &str) -> String {
    shown(text, |c| is_obeyed(c) || is_mark(c))
}

/// Like [`clean_marked`], but keeps the line breaks of laid out text.
pub(crate) fn clean_lines(text: &str) -> String {
    shown(text, |c| c != '\n' && is_obeyed(c))
}

/// Like [`clean_lines`], but keeps the characters that mark the program's own elements.
pub(crate) fn clean_elements(text: &str, is_style: impl Fn(char) -> bool) -> String {
    shown(text, |c| c != '\n' && is_obeyed(c) && !is_style(c))
}

/// Quotes a word for a POSIX shell if needed. Characters that a screen would show by their numbers are
/// written for `printf`, so that a copied command contains the exact word.
#[must_use]
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else if clean_command(word) != word && !word.ends_with('\n') {
        format!("\"$(printf '{}')\"", octal(word))
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The word as a format of `printf`, with every special byte as a number.
fn octal(word: &str) -> String {
    let mut text = String::new();
    for byte in word.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_./: ".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "\\{byte:03o}");
        }
    }
    text
}

/// The maximum number of characters shown: laying out a single long word takes time that grows with
/// the square of its length.
const MAX_CHARS: usize = 10_000;

fn beginning(text: &str) -> &str {
    text.char_indices().nth(MAX_CHARS).map_or(text, |(end, _)| &text[..end])
}

/// Cuts a text that is too long. Cutting the result again changes nothing.
fn cut(mut shown: String, text: &str) -> String {
    let is_whole = beginning(text).len() == text.len();
    match shown.char_indices().nth(MAX_CHARS - 1) {
        Some((end, last)) if !is_whole || end + last.len_utf8() < shown.len() => {
            shown.truncate(end);
            shown + "…"
        }
        _ => shown,
    }
}

/// Whether the program uses this character to show a state or to draw a tree.
fn is_mark(c: char) -> bool {
    matches!(c, '✓' | '✗' | '⏳' | '◀' | '↓' | '├' | '└' | '│')
}

/// Escapes the same characters in JSON. They occur only in strings, and parsers restore them.
pub(crate) fn clean_json(json: String) -> String {
    // Avoids copying a large report.
    if is_plain(&json) {
        return json;
    }
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        if c == '\n' || !is_obeyed(c) {
            safe.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        }
    }
    safe
}

/// Cleans every text of a value, for readers of parsed JSON, where escapes are undone. Line breaks
/// and tabs stay.
pub fn clean_value(value: &mut Value) {
    change_texts(value, &mut |text| {
        if !is_plain(text) {
            *text = shown(text, |c| !matches!(c, '\n' | '\t') && is_obeyed(c));
        }
    });
}

/// Changes every text of a value, except the names of fields.
pub(crate) fn change_texts(value: &mut Value, change: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| change_texts(item, change)),
        Value::Object(fields) => fields.values_mut().for_each(|field| change_texts(field, change)),
        _ => {}
    }
}

/// Whether the text has only visible ASCII characters, blanks and line breaks.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n'))
}

fn shown(text: &str, by_number: impl Fn(char) -> bool) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if by_number(c) {
            let _ = write!(safe, "<U+{:04X}>", u32::from(c));
        } else {
            safe.push(c);
        }
    }
    safe
}

/// Control characters, line separators and invisible characters: Unicode's
/// `Default_Ignorable_Code_Point` (including bidi controls, zero-width and tag characters), except
/// the two selectors that turn emoji into text or pictures.
pub(crate) fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_control_a_terminal_are_escaped() {
        let nasty = "a\x1b[2Jb\x07c\u{9b}31md\u{202e}e\nf\tg";
        assert_eq!(clean(nasty), "a<U+001B>[2Jb<U+0007>c<U+009B>31md<U+202E>e<U+000A>f<U+0009>g");
        assert_eq!(clean_lines("a\n\tb"), "a\n<U+0009>b");
    }

    #[test]
    fn invisible_characters_are_shown_by_number() {
        let unseen = "\u{61c}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\u{2028}\u{2060}\u{2064}\u{2066}\u{2069}\
            \u{feff}\u{ad}\u{e0001}\u{e0041}\u{e007f}";
        for c in unseen.chars() {
            let text = format!("a{c}b");
            assert_eq!(clean(&text), format!("a<U+{:04X}>b", u32::from(c)));
            assert_eq!(clean_lines(&text), clean(&text));
        }
    }

    #[test]
    fn a_text_without_end_is_cut() {
        assert_eq!(clean(&"é".repeat(MAX_CHARS)), "é".repeat(MAX_CHARS));
        let cut = "é".repeat(MAX_CHARS - 1) + "…";
        assert_eq!(clean(&"é".repeat(1 << 20)), cut);
        assert_eq!(clean(&cut), cut);
        let escaped = clean(&"\u{1b}".repeat(1 << 20));
        assert_eq!(
            (escaped.chars().count(), clean(&escaped)),
            (MAX_CHARS, escaped.clone()),
            "no more for being hostile"
        );
        assert_eq!(clean_command(&"é".repeat(1 << 20)), "é".repeat(1 << 20));
    }

    #[test]
    fn ordinary_text_is_unchanged() {
        for text in ["Grüße, 日本語 … → 💾", "שלום عليكم", "e\u{301} ✔\u{fe0f}"] {
            assert_eq!(clean(text), text);
        }
    }

    #[test]
    fn marks_are_escaped_except_in_the_programs_own_text() {
        assert_eq!(clean("✓ done: all is gone"), "<U+2713> done: all is gone");
        assert_eq!(clean_command("a ✗"), "a <U+2717>");
        assert_eq!(clean_marked("✓ a\nb"), "✓ a<U+000A>b");
        assert_eq!(clean_words("- a\n\t+ ✓ b"), "- a  + <U+2713> b");
    }

    #[test]
    fn json_values_are_cleaned_at_any_depth() {
        let mut value = serde_json::json!({"a": ["x\u{e0041}\x1b[2J\n\ty", 1, null], "b": {"c": "日本\u{202e}"}});
        clean_value(&mut value);
        let clean = serde_json::json!({"a": ["x<U+E0041><U+001B>[2J\n\ty", 1, null], "b": {"c": "日本<U+202E>"}});
        assert_eq!(value, clean);
    }

    #[test]
    fn json_keeps_what_it_escapes() {
        let text = "a\u{200b}\u{9b}\u{e0041}\u{7f}\n日";
        let json = clean_json(serde_json::to_string_pretty(&[text]).expect("JSON"));
        assert!(!json.chars().any(|c| c != '\n' && is_obeyed(c)), "{json}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&json).expect("JSON"), [text]);
    }
}
