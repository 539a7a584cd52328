//! Screens for terminals that can show only ASCII.

use crate::screen::layout::PROMPT;

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
/// `...` and arrows. Other characters of the cluster's text stay as they are, and so do commands: they would
/// be others.
#[must_use]
pub fn ascii(text: &str) -> String {
    let is_command = |line: &str| line.trim_start_matches(' ').starts_with(PROMPT);
    text.split_inclusive('\n').map(|line| if is_command(line) { line.to_owned() } else { spelled_out(line) }).collect()
}

fn spelled_out(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    for c in line.chars() {
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
        assert_eq!(ascii("a → b\n  $ kubectl label a b='→'\n…"), "a -> b\n  $ kubectl label a b='→'\n...");
    }

    #[test]
    fn a_narrow_screen_is_not_made_narrower() {
        assert_eq!([200, 80, 42, 40].map(room_for_ascii), [196, 76, 40, 40]);
    }
}
