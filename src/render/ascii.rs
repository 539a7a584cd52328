//! Screens for terminals that show nothing but ASCII.

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
}
