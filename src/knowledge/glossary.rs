//! The terms in the program's output, each explained in a few lines.

/// A word with its explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    /// The word and its other spellings, with commas.
    names: &'static str,
    /// The meaning, in one sentence.
    pub(super) title: &'static str,
    /// The whole text, beginning with the names and the title.
    pub(super) text: &'static str,
}

impl Word {
    /// The word in all its spellings.
    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        self.names.split(", ")
    }
}

/// All words, in their order.
pub(super) fn words() -> impl Iterator<Item = Word> {
    let sections = include_str!("glossary.md").split("# ").skip(1);
    sections.filter_map(|text| {
        let (names, title) = text.lines().next()?.split_once(": ")?;
        Some(Word { names, title, text })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_word_occurs_once_with_a_short_explanation() {
        let mut seen = BTreeSet::new();
        for word in words() {
            assert!(!word.title.is_empty() && !word.title.ends_with('.'), "{}", word.names);
            assert!((1..10).contains(&word.text.trim_end().lines().count()), "{}", word.names);
            for name in word.names() {
                assert!(seen.insert(name), "{name} stands twice");
            }
        }
        let sections = include_str!("glossary.md").lines().filter(|line| line.starts_with("# "));
        assert_eq!(sections.count(), words().count());
    }
}
