//! Screens for terminals that can show only ASCII.

/// How many columns a line may grow in ASCII.
const SPELLED_OUT: usize = 4;
/// The narrowest layout; narrower screens get it, too.
const LEAST: usize = 40;

/// The width at which to lay out a text so that it fits `columns` after [`ascii`] lengthens it.
#[must_use]
pub fn room_for_ascii(columns: usize) -> usize {
    columns.saturating_sub(SPELLED_OUT).max(LEAST)
}

/// The text with the program's own marks and lines in ASCII. The width stays the same except for
/// `...` and arrows. Other characters of the cluster's text stay as they are.
#[must_use]
pub fn ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '✗' => plain.push('x'),
            '✓' => plain.push('+'),
            '⏳' => plain.push_str(".."),
            '↓' => plain.push('v'),
            '◀' => plain.push('<'),
            '─' | '·' | '—' => plain.push('-'),
            '│' | '├' => plain.push('|'),
            '└' => plain.push('`'),
            '→' => plain.push_str("->"),
            '←' => plain.push_str("<-"),
            '…' => plain.push_str("..."),
            c => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_stays_a_tree() {
        assert_eq!(ascii("├─ Pod a  ⏳\n│  └─ b → c  ✗ …"), "|- Pod a  ..\n|  `- b -> c  x ...");
        assert_eq!(ascii("日本 ü"), "日本 ü");
    }

    #[test]
    fn a_narrow_screen_is_not_made_narrower() {
        assert_eq!([200, 80, 42, 40].map(room_for_ascii), [196, 76, 40, 40]);
    }
}
