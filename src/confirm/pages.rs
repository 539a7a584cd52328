//! A text that is longer than the window, page by page.

use crate::screen::Shown;
use console::{Key, Term, measure_text_width};
use std::io;

/// How many lines of the window a page leaves free: one for the question below it, and one to
/// repeat the last line above the next.
const FREE: usize = 2;

/// Prints the text page by page. Enter and Space continue; q and Escape skip the rest. Blocks.
///
/// # Errors
/// On Ctrl-C, or when the terminal is gone.
pub fn in_pages(text: &Shown) -> io::Result<()> {
    let term = Term::stderr();
    let lines: Vec<&str> = text.lines().collect();
    let mut shown = 0;
    while let Some(page) = next(&lines, shown, term.size()) {
        for line in page {
            term.write_line(line)?;
        }
        shown += page.len();
        if shown == lines.len() {
            break;
        }
        term.write_line(&below(shown, lines.len()))?;
        let goes_on = loop {
            match term.read_key()? {
                Key::Enter | Key::Char(' ' | 'j' | 'f') | Key::ArrowDown | Key::PageDown => break true,
                Key::Escape | Key::Char('q') => break false,
                _ => {}
            }
        };
        term.clear_last_lines(1)?;
        if !goes_on {
            break;
        }
    }
    Ok(())
}

/// The next lines for a window of `rows` and `columns`; at least one.
fn next<'t, 'l>(lines: &'l [&'t str], shown: usize, (rows, columns): (u16, u16)) -> Option<&'l [&'t str]> {
    let rest = lines.get(shown..).filter(|rest| !rest.is_empty())?;
    let mut left = usize::from(rows).saturating_sub(FREE);
    let fits = |line: &&&str| {
        // A command stays in one piece, and the terminal wraps it.
        let takes = measure_text_width(line).div_ceil(usize::from(columns).max(1)).max(1);
        let fits = takes <= left;
        left = left.saturating_sub(takes);
        fits
    };
    let count = rest.iter().take_while(fits).count();
    Some(&rest[..count.max(1)])
}

fn below(shown: usize, all: usize) -> String {
    format!("  -- {shown} of {all} lines: Enter: next page, q: back --")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_show_every_line_once() {
        let lines = ["a"; 50];
        let (mut shown, mut pages) = (0, Vec::new());
        while let Some(page) = next(&lines, shown, (24, 80)) {
            shown += page.len();
            pages.push(page.len());
        }
        assert_eq!(pages, [22, 22, 6]);
        assert_eq!(next(&lines[..3], 0, (1, 80)).map(<[&str]>::len), Some(1), "a tiny window shows a line at least");
        let long = "a".repeat(161);
        assert_eq!(next(&[&long, "b", "c"], 0, (6, 80)).map(<[&str]>::len), Some(2), "the long line takes three");
        assert_eq!(below(22, 50), "  -- 22 of 50 lines: Enter: next page, q: back --");
    }
}
