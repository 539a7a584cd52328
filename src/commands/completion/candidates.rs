//! Candidates for a word, in the format that kubectl uses.

use crate::screen::clean;

/// Add no space after the word.
pub(super) const NO_SPACE: u8 = 2;
/// Do not complete files.
pub(super) const NO_FILES: u8 = 4;
/// Complete only folders.
pub(super) const FOLDERS: u8 = 16;
/// Keep the order.
pub(super) const IN_ORDER: u8 = 32;

/// Words that may be typed next, and how the shell should treat them.
///
/// Names from the cluster are offered only if no shell gives them a special meaning. Some
/// completion scripts, including kubectl's own, insert a word without quoting it; a user who may
/// create a Role could otherwise run commands there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Candidates {
    /// Each word with its description, which may be empty.
    pub(super) words: Vec<(String, String)>,
    pub(super) directive: u8,
    /// Whether the words are from the person's own kubeconfig, where names like `user@cluster` are
    /// common.
    pub(super) are_own: bool,
}

impl Candidates {
    pub(super) fn new(words: Vec<(String, String)>) -> Self {
        Self { words, directive: NO_FILES, are_own: false }
    }

    /// The words that begin with what was typed, in the requested format.
    pub(super) fn lines(&self, begun: &str) -> String {
        // TYPE,TYPE: only the part after the last comma is completed.
        let typed = begun.rfind(',').map_or(0, |comma| comma + 1);
        let may_stand = |c: char| is_inert(c) || (self.are_own && c == '@');
        let fits = |word: &&(String, String)| {
            word.0.starts_with(begun) && word.0[typed..].chars().all(may_stand) && !word.0.starts_with('@')
        };
        let line = |(word, text): &(String, String)| {
            let tab = if text.is_empty() { "" } else { "\t" };
            format!("{}{tab}{}\n", clean(word), clean(text))
        };
        let lines: String = self.words.iter().filter(fits).map(line).collect();
        format!("{lines}:{}\n", self.directive)
    }
}

/// Whether no shell gives the character a special meaning, wherever in a word it is.
fn is_inert(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, ':' | '.' | '_' | '/' | '-')
}

/// Whether a name on its own cannot be taken for a flag.
pub(super) fn is_no_flag(name: &str) -> bool {
    !name.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_match_the_typed_prefix_and_have_descriptions() {
        let word = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let words = vec![word("shop", "terminating for\n3d"), word("shop-2", ""), word("cart", ""), word("sh op", "")];
        let candidates = Candidates { words, directive: NO_FILES | IN_ORDER, ..Candidates::default() };
        assert_eq!(candidates.lines("sh"), "shop\tterminating for<U+000A>3d\nshop-2\n:36\n");
        assert_eq!(candidates.lines("x"), ":36\n");
    }

    #[test]
    fn names_that_a_shell_would_interpret_are_left_out() {
        let names = [
            "a$(touch${IFS}PWNED)", "a`id`", "a;b", "a|b", "a&b", "a>b", "a*", "a?", "a[b]", "a{b,c}", "a~", "a!b",
            "a#b", "a\\b", "a'b", "a\"b", "a=b", "a%b", "a^b", "a@b", "a,b", "a(b)", "a\u{200b}b", "a\u{e9}", "a\nb",
            "a\tb", "a b", "a\u{1b}[2Jb",
        ];
        let words = names.iter().map(|name| ((*name).to_owned(), String::new()));
        let fine = ["a.b", "a:b/c", "a_b-c", "aZ9"].map(|name| (name.to_owned(), String::new()));
        let candidates = Candidates::new(words.chain(fine).collect());
        assert_eq!(candidates.lines("a"), "a.b\na:b/c\na_b-c\naZ9\n:4\n");
        let types = Candidates::new(vec![("po,svc".into(), String::new()), ("po,s$(id)".into(), String::new())]);
        assert_eq!(types.lines("po,s"), "po,svc\n:4\n");
        let contexts = ["admin@kind", "@splat", "a$(id)@b"].map(|name| (name.to_owned(), String::new()));
        let contexts = Candidates { are_own: true, ..Candidates::new(contexts.to_vec()) };
        assert_eq!(contexts.lines(""), "admin@kind\n:4\n");
    }
}
