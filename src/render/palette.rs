//! Colours. They never carry meaning alone, and are put on after cleaning, so
//! that the only escape sequences on a screen are our own.

use crate::report::Risk;
use owo_colors::OwoColorize;

/// The labels of a cause's lines.
const LABELS: [&str; 6] = ["guards", "set by", "controller", "says", "behind it", "because"];
/// Lines of a cause begin with so many blanks, and what a way out costs with so many.
const CAUSE: &str = "    ";
const COST: &str = "       ";

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
    if let Some(text) = line.strip_prefix(COST).and_then(paint_risk) {
        return format!("{COST}{text}");
    }
    let labelled = line.strip_prefix(CAUSE).and_then(paint_label).map(|text| format!("{CAUSE}{text}"));
    let marks = [("✗", "✗".red().to_string()), ("⏳", "⏳".yellow().to_string()), ("✓", "✓".green().to_string())];
    let plain = labelled.unwrap_or_else(|| line.to_owned());
    marks.iter().fold(plain, |text, (mark, coloured)| text.replace(mark, coloured))
}

/// What a way out costs: yellow and red are told apart from cyan in every kind of colour
/// blindness, and the word says the same.
fn paint_risk(text: &str) -> Option<String> {
    let of = |risk: Risk| text.strip_prefix(risk.word()).filter(|rest| rest.starts_with([':', ',']));
    let painted = |risk: Risk, word: &str| match risk {
        Risk::Manual | Risk::Harmless => word.cyan().to_string(),
        Risk::Disruptive => word.yellow().to_string(),
        Risk::Leaks | Risk::LosesData => word.red().to_string(),
    };
    let risks = [Risk::Harmless, Risk::Disruptive, Risk::Leaks, Risk::LosesData];
    risks.into_iter().find_map(|risk| Some(painted(risk, risk.word()) + of(risk)?))
}

fn paint_label(text: &str) -> Option<String> {
    let label = LABELS.into_iter().find(|label| text.strip_prefix(label).is_some_and(|rest| rest.starts_with("  ")))?;
    Some(format!("{}{}", label.cyan(), &text[label.len()..]))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_risks_are_painted_and_nothing_else_of_their_lines() {
        let says = "    says        harmless: words";
        assert_eq!(paint(says), format!("    {}        harmless: words", "says".cyan()));
        let leaks = "       leaks: whatever stays behind";
        assert_eq!(paint(leaks), format!("       {}: whatever stays behind", "leaks".red()));
        let loses = "       loses-data, can be undone: no";
        assert_eq!(paint(loses), format!("       {}, can be undone: no", "loses-data".red()));
        for plain in ["    saysno      x", "       leaks are no risk", "   says        x"] {
            assert_eq!(paint(plain), plain);
        }
    }
}
