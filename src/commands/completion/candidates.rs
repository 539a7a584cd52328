//! Candidates for a word, in the form in which kubectl takes them.

use crate::render::clean;

/// No blank after the word.
pub(super) const NO_SPACE: u8 = 2;
/// Files are no candidates.
pub(super) const NO_FILES: u8 = 4;
/// Only folders are.
pub(super) const FOLDERS: u8 = 16;
/// The order stays as it is.
pub(super) const IN_ORDER: u8 = 32;

/// Words that may stand there, and how they are to be taken.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Candidates {
    /// Each with what it means, which may be nothing.
    pub(super) words: Vec<(String, String)>,
    pub(super) directive: u8,
}

impl Candidates {
    pub(super) fn new(words: Vec<(String, String)>) -> Self {
        Self { words, directive: NO_FILES }
    }

    /// Those that begin as the word that is typed, in the form in which they are asked for.
    pub(super) fn lines(&self, begun: &str) -> String {
        let fits = |word: &&(String, String)| word.0.starts_with(begun) && !word.0.contains(char::is_whitespace);
        let line = |(word, text): &(String, String)| {
            let tab = if text.is_empty() { "" } else { "\t" };
            format!("{}{tab}{}\n", clean(word), clean(text))
        };
        let lines: String = self.words.iter().filter(fits).map(line).collect();
        format!("{lines}:{}\n", self.directive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_otherwise_is_left_out_and_what_it_means_stands_behind_a_tab() {
        let word = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let words = vec![word("shop", "terminating\nfor 3d"), word("shop-2", ""), word("cart", ""), word("sh op", "")];
        let candidates = Candidates { words, directive: NO_FILES | IN_ORDER };
        assert_eq!(candidates.lines("sh"), "shop\tterminating for 3d\nshop-2\n:36\n");
        assert_eq!(candidates.lines("x"), ":36\n");
    }
}
