//! Whether a message mentions an object.

/// The words of a message, without punctuation.
pub(crate) fn bare_words(message: &str) -> impl Iterator<Item = &str> {
    let words = message.split(|c: char| c.is_whitespace() || "\"'`,;:()[]".contains(c));
    words.map(|word| word.trim_end_matches('.'))
}

/// Whether `words` contain `name` as a separate word.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_only_as_whole_words() {
        assert!(mentions("Secret \"aws-creds\" not found", "aws-creds"));
        assert!(mentions("cannot read aws-creds.", "aws-creds"));
        assert!(!mentions("Secret aws-creds-2 not found", "aws-creds"));
        assert!(!mentions("anything", ""));
    }
}
