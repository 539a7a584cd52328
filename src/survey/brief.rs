//! Shortens long texts.

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
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let count = text.chars().count();
    if count <= most {
        return text;
    }
    let begins: String = text.chars().take(most / 3).collect();
    let ends: String = text.chars().skip(count - most * 2 / 3).collect();
    format!("{} … {}", begins.trim_end(), ends.trim_start())
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
    }
}
