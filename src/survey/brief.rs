//! Shortens long texts.

use super::log::behind_header;

/// The first `most` characters of a text, with an ellipsis if there are more.
pub(crate) fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The text on one line of not much more than `most` characters: its beginning and its end, where
/// the cause of a wrapped error stands.
#[must_use]
pub fn brief(text: &str, most: usize) -> String {
    // A library that prints an error as a value of another one escapes its line breaks.
    let text = text.replace("\\n", " ").replace("\\t", " ");
    let words: Vec<&str> = behind_header(&text).split_whitespace().filter(|word| !is_ruler(word)).collect();
    let all = words.join(" ");
    if all.chars().count() <= most {
        return all;
    }
    let first = filling(words.iter(), most / 3);
    let last = words.len() - filling(words[first..].iter().rev(), most * 2 / 3);
    let (begins, ends) = (words[..first].join(" "), words[last..].join(" "));
    match (begins.is_empty(), ends.is_empty()) {
        (false, false) => format!("{begins} … {ends}"),
        // A word alone is too long.
        _ => cut(&all, most),
    }
}

/// How many of the words fit into this many characters, with a blank between two.
fn filling<'w>(words: impl Iterator<Item = &'w &'w str>, most: usize) -> usize {
    let mut used = 0;
    let fits = |word: &&&str| {
        used += word.chars().count() + 1;
        used <= most + 1
    };
    words.take_while(fits).count()
}

/// The beginning and the end of a text without blanks to break it at.
fn cut(text: &str, most: usize) -> String {
    let count = text.chars().count();
    let begins: String = text.chars().take(most / 3).collect();
    let ends: String = text.chars().skip(count - most * 2 / 3).collect();
    format!("{} … {}", begins.trim_end(), ends.trim_start())
}

/// Whether it only draws a line below a heading.
fn is_ruler(word: &str) -> bool {
    word.len() > 3 && word.chars().all(|c| matches!(c, '-' | '='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_its_end() {
        assert_eq!(brief("one\n  two", 600), "one two");
        let long = format!("cannot delete {}: connection refused", "bucket ".repeat(200));
        let brief = brief(&long, 60);
        assert!(brief.starts_with("cannot delete bucket") && brief.ends_with("connection refused"), "{brief}");
        assert!(brief.chars().count() <= 63);
        assert!(!brief.contains("buck …") && !brief.contains("… et"), "no word is cut: {brief}");
        assert!(super::brief(&"x".repeat(900), 60).chars().count() <= 63);
    }

    #[test]
    fn only_the_sentence_of_a_line_is_kept() {
        let line = "E1129 03:21:36.011681       1 volume.go:251] error deleting: locked";
        assert_eq!(brief(line, 600), "error deleting: locked");
        assert_eq!(brief("E1129 is an error", 600), "E1129 is an error");
        let azure = "409 Conflict\n--------------------\nlocked\\n\\tstatus code: 409";
        assert_eq!(brief(azure, 600), "409 Conflict locked status code: 409");
    }
}
