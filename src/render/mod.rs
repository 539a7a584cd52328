//! The report in each output format; one file per format.
//!
//! Text from the cluster is untrusted: every way out of here goes through
//! [`clean`] or through an encoder that escapes control characters.

mod age;
mod ascii;
mod blocked;
mod causes;
mod clean;
mod commands;
mod dot;
mod graph;
mod headline;
#[cfg(test)]
mod hostile;
mod html;
mod journal;
mod json;
mod junit;
mod labelled;
mod layout;
mod markdown;
mod marks;
mod markup;
mod mermaid;
mod name;
mod needs;
mod offers;
mod owners;
pub mod palette;
mod prometheus;
mod remedies;
mod room;
mod scan;
mod screen;
mod targets;
mod tree;
mod undo;
mod waits;
mod watch;
mod yaml;

pub use age::age;
pub use ascii::{ascii, room_for_ascii};
pub use clean::{clean, clean_value};
pub use commands::commands;
pub use dot::dot;
pub use html::html;
pub use journal::{run_in_short, run_list, run_records, run_screen, runs_table};
pub use json::{json, json_line};
pub use junit::junit;
pub use layout::{Look, facts};
pub use markdown::markdown;
pub use mermaid::mermaid;
pub use name::names;
pub use owners::{owners_table, owners_tree};
pub use prometheus::prometheus;
pub use scan::scan_screen;
pub use screen::{screen, screen_before_question};
pub use undo::{UndoLine, UndoState, undo_screen, undo_value};
pub use waits::waits;
pub use watch::{Called, Gone, Left, Moment, Pace, Standing, left_in_words, objects, pace, watch_screen};
pub use yaml::yaml;

use clean::{clean_command, clean_lines};

/// A line broken between words, its rest indented two columns more than itself; a
/// word that is too long stays whole, so that it can be copied.
#[must_use]
pub fn wrap(line: &str, width: usize) -> String {
    let margin = line.len() - line.trim_start_matches(' ').len();
    let (mut text, mut used) = (" ".repeat(margin), margin);
    let mut begun = false;
    for word in line.split_whitespace() {
        let room = console::measure_text_width(word);
        if begun && used + 1 + room > width {
            text.push('\n');
            text.push_str(&" ".repeat(margin + 2));
            used = margin + 2;
        } else if begun {
            text.push(' ');
            used += 1;
        }
        text.push_str(word);
        (used, begun) = (used + room, true);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_keeps_to_the_width() {
        let text = wrap(" undecided: cannot read a thing of some length: nobody may", 30);
        assert_eq!(text, " undecided: cannot read a\n   thing of some length:\n   nobody may");
        assert!(text.lines().all(|line| line.len() <= 30), "{text}");
        let long = wrap(" a-word-that-is-longer-than-the-width b", 10);
        assert_eq!(long, " a-word-that-is-longer-than-the-width\n   b");
        assert_eq!(wrap("", 10), "");
    }

    #[test]
    fn a_wide_character_takes_two_columns_and_an_accent_none() {
        assert_eq!(wrap("日本語 日本語 ab", 10), "日本語\n  日本語\n  ab");
        assert_eq!(wrap("e\u{301}e\u{301}e\u{301} abc", 7), "e\u{301}e\u{301}e\u{301} abc");
        assert_eq!(wrap("שלום עולם", 9), "שלום עולם");
    }
}
