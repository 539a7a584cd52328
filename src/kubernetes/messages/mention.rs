//! Whether a message names an object.

/// Whether `words` hold `name` as a word of its own.
pub(crate) fn mentions(words: &str, name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    !name.is_empty()
        && words.match_indices(name).any(|(at, _)| {
            let before = words[..at].chars().next_back().is_none_or(|c| !part(c));
            let mut after = words[at + name.len()..].chars();
            let next = after.next();
            // A full stop at the end of a sentence is no part of a name.
            let ends =
                next.is_none_or(|c| !part(c)) || (next == Some('.') && after.next().is_none_or(char::is_whitespace));
            before && ends
        })
}
