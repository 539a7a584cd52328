//! The report in each output format; one file per format.
//!
//! Text from the cluster is untrusted: every way out of here goes through
//! [`clean`] or through an encoder that escapes control characters.

mod commands;
mod journal;
mod json;
mod owners;
pub mod palette;
mod screen;
mod tree;
mod undo;
mod watch;
mod yaml;

pub use commands::commands;
pub use journal::{run_in_short, run_list, run_records, run_screen, runs_table};
pub use json::{json, json_line};
pub use owners::{owners_table, owners_tree};
pub use screen::{Look, facts, screen};
pub use undo::{UndoLine, UndoState, undo_screen, undo_value};
pub use watch::{Gone, Left, Moment, Pace, Standing, left_in_words, objects, pace, watch_screen};
pub use yaml::yaml;

/// The text without anything a terminal would obey: control characters and
/// marks that change the direction of writing become `�`, line breaks blanks.
#[must_use]
pub fn clean(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { harmless(c) }).collect()
}

/// As [`clean`], but keeps the line breaks of a text that is laid out already.
fn clean_lines(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { harmless(c) }).collect()
}

fn harmless(c: char) -> char {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if c.is_control() || turns { '\u{fffd}' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_gets_through() {
        let nasty = "a\x1b[2Jb\x07c\u{9b}31md\u{202e}e\nf\tg";
        assert_eq!(clean(nasty), "a\u{fffd}[2Jb\u{fffd}c\u{fffd}31md\u{fffd}e f g");
    }
}
