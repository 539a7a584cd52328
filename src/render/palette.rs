//! Colours. They never carry meaning alone, and are put on after cleaning, so
//! that the only escape sequences on a screen are our own.

use owo_colors::OwoColorize;

/// Paints a finished screen.
#[must_use]
pub fn paint(screen: &str) -> String {
    let mut painted = String::with_capacity(screen.len() * 2);
    for line in screen.split_inclusive('\n') {
        let text = line.trim_end_matches('\n');
        painted.push_str(&paint_line(text));
        painted.push_str(&line[text.len()..]);
    }
    painted
}

/// Lines that are to be seen first.
pub(super) fn bold(lines: &str) -> String {
    lines.lines().map(|line| line.bold().to_string() + "\n").collect()
}

fn paint_line(line: &str) -> String {
    let heading = line.starts_with(|c: char| c.is_ascii_uppercase())
        || line.starts_with(" BLOCKER")
        || line.starts_with(" WHAT TO DO")
        || line.starts_with(" ORDER");
    if heading {
        return line.bold().to_string();
    }
    let marks = [("✗", "✗".red().to_string()), ("⏳", "⏳".yellow().to_string()), ("✓", "✓".green().to_string())];
    marks.iter().fold(line.to_owned(), |text, (mark, coloured)| text.replace(mark, coloured))
}

/// Paints a good, bad or plain word of the talk on stderr.
#[must_use]
pub fn verdict(text: &str, good: bool, colour: bool) -> String {
    match (colour, good) {
        (false, _) => text.to_owned(),
        (true, true) => text.green().to_string(),
        (true, false) => text.red().to_string(),
    }
}
