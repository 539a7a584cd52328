//! Text for XML and HTML.

use crate::screen::clean_marked;
use std::fmt::Display;

/// The clean text, without anything that a parser would take for markup.
pub(crate) fn escaped(text: &(impl Display + ?Sized)) -> String {
    let mut safe = String::new();
    for c in clean_marked(text).chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // XML 1.0 does not allow these characters (2.2, Char).
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}
