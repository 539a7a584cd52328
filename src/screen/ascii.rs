//! Screens for terminals that show nothing but ASCII.

/// How many columns longer a line may be in ASCII.
const SPELLED_OUT: usize = 4;
/// A screen of fewer columns is laid out for so many.
const LEAST: usize = 40;

/// For how many columns a text is laid out that [`ascii`] then makes longer.
#[must_use]
pub fn room_for_ascii(columns: usize) -> usize {
    columns.saturating_sub(SPELLED_OUT).max(LEAST)
}

/// The text with our own marks and lines in ASCII, of the same width but for `...` and
/// arrows. What the cluster's text has besides stays as it is.
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
