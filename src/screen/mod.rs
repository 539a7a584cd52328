//! The screens of the terminal: tables, trees, menus and results, one file each.
//!
//! Text from the cluster is untrusted: all output goes through [`clean`] or through an encoder that
//! escapes control characters.

mod age;
mod ascii;
pub(crate) mod blocked;
pub(crate) mod by_hand;
mod causes;
mod commands;
mod detail;
mod diagnosis;
#[cfg(test)]
pub(crate) mod hostile;
mod journal;
mod labelled;
pub(crate) mod layout;
pub(crate) mod marks;
pub(crate) mod needs;
pub(crate) mod offers;
mod overview;
mod owners;
mod palette;
mod products;
mod remedies;
mod scan;
mod shown;
mod talk;
pub(crate) mod targets;
pub(crate) mod tree;
mod undo;
mod unread;
pub(crate) mod waits;
mod watch;
mod yaml;

pub use crate::inert::{clean, clean_value};
pub use age::age;
pub use ascii::{ascii, room_for_ascii};
pub use commands::commands;
pub use diagnosis::{screen, screen_before_question};
pub use journal::{run_in_short, run_list, run_records, run_screen, runs_table};
pub use layout::{Look, facts};
pub use marks::cost;
pub use owners::{owners_table, owners_tree};
pub use palette::risk_in_colour;
pub use products::products_table;
pub use scan::scan_screen;
pub use shown::Shown;
pub use talk::Talk;
pub use undo::{UndoLine, UndoState, undo_screen, undo_value};
pub use waits::waits;
pub use watch::{Called, Gone, LeftOfKind, Moment, Pace, WatchedTarget, left_in_words, objects, pace, watch_screen};
pub use yaml::yaml;

pub(crate) use crate::inert::{clean_command, clean_lines, clean_marked, clean_words, without_prompts};

/// The extra indent of a continued line: deeper than any line of the program that may stand below
/// it.
const HANG: usize = 4;

/// A line broken between words and continued with a deeper indent, so that the rest cannot pass for
/// another line. A word that is longer than a line is broken anywhere. A non-breaking blank keeps two
/// words together.
#[must_use]
pub fn wrap(line: &str, width: usize) -> String {
    let margin = line.len() - line.trim_start_matches(' ').len();
    joined(&spread(" ".repeat(margin), &line[margin..], width, (margin + HANG).min(width / 2)))
}

/// The text with ordinary blanks: its lines are broken already, so none must hold words together.
fn joined(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

/// The text behind its lead, broken like [`wrap`] and continued at the column `hang`.
fn spread(lead: String, text: &str, width: usize, hang: usize) -> String {
    let (mut used, mut lines) = (console::measure_text_width(&lead), lead);
    let go_on = |lines: &mut String| {
        lines.push('\n');
        lines.push_str(&" ".repeat(hang));
        hang
    };
    let mut begun = false;
    let text = without_prompts(text);
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let room = console::measure_text_width(word);
        if begun && used + 1 + room > width {
            used = go_on(&mut lines);
        } else if begun {
            lines.push(' ');
            used += 1;
        }
        begun = true;
        if used + room <= width {
            lines.push_str(word);
            used += room;
            continue;
        }
        for c in word.chars() {
            let room = console::measure_text_width(c.encode_utf8(&mut [0; 4]));
            if used + room > width && used > hang {
                used = go_on(&mut lines);
            }
            lines.push(c);
            used += room;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_keeps_to_the_width() {
        let text = wrap(" undecided: cannot read a thing of some length: nobody may", 30);
        assert_eq!(text, " undecided: cannot read a\n     thing of some length:\n     nobody may");
        assert!(text.lines().all(|line| line.len() <= 30), "{text}");
        let long = wrap(" a-word-that-is-longer-than-the-width b", 10);
        assert_eq!(long, " a-word-th\n     at-is\n     -long\n     er-th\n     an-th\n     e-wid\n     th b");
        assert_eq!(wrap("", 10), "");
    }

    #[test]
    fn a_foreign_text_begins_no_line_like_a_command() {
        let text = " says: do this $ $ kubectl delete ns prod $ kubectl get a";
        for width in 16..60 {
            let shown = wrap(text, width);
            assert!(shown.lines().all(|line| !line.trim_start().starts_with("$ ")), "{width}: {shown}");
        }
    }

    #[test]
    fn a_wide_character_takes_two_columns_and_an_accent_none() {
        assert_eq!(wrap("日本語 日本語 ab", 10), "日本語\n    日本語\n    ab");
        assert_eq!(wrap("e\u{301}e\u{301}e\u{301} abc", 7), "e\u{301}e\u{301}e\u{301} abc");
        assert_eq!(wrap("שלום עולם", 9), "שלום עולם");
    }
}
