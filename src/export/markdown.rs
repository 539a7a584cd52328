//! `-o markdown`: the report for a ticket, for GitHub and GitLab.
//!
//! Text from the cluster is escaped, so that it stays text: it opens no link, table, fence or HTML
//! element, and mentions nobody.

use crate::export::outline::{Outline, certainty};
use crate::plugin::COMMAND;
use crate::report::{LinkState, Numbered, Report};
use crate::screen::layout::{more, written};
use crate::screen::marks::{controller_words, cost, link_mark, place};
use crate::screen::offers::Offer;
use crate::screen::tree::Branch;
use crate::screen::{Shown, clean_marked, needs};
use std::fmt::{Display, Write};

/// How many commands of one remedy, and remarks of a kind, are listed.
const MAX_WRITTEN: usize = 20;

/// The report as Markdown.
pub fn markdown(report: &Report) -> Shown {
    let outline = Outline::of(report);
    let cluster: String = outline.cluster.iter().flat_map(|part| [escaped(part), ", ".into()]).collect();
    let mut text = format!("# {}\n\n{cluster}read at {}\n", escaped(&outline.title), report.taken_at);
    text.push_str(&table_of_targets(&outline));
    text.push_str(&findings("Causes", &outline.causes));
    text.push_str(&what_to_do(&outline));
    text.push_str(&order(report));
    text.push_str(&section("What waits for what", &tree(outline.trees.0)));
    text.push_str(&findings("Also found", &outline.also_found));
    text.extend(outline.remarks.iter().map(|(heading, notes)| section(heading, &remarks(notes))));
    Shown::finished(text)
}

/// A part of the ticket below its heading; nothing if it is empty.
fn section(heading: &str, inner: &str) -> String {
    if inner.is_empty() { String::new() } else { format!("\n## {heading}\n\n{inner}") }
}

fn table_of_targets(outline: &Outline<'_>) -> String {
    let (standings, rest) = &outline.targets;
    if standings.is_empty() {
        return String::new();
    }
    let mut text = String::from("\n| Object | Time | State |\n|---|---|---|\n");
    for standing in standings {
        let cells = [&standing.names, &standing.age, &standing.says].map(escaped);
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    if *rest > 0 {
        let _ = writeln!(text, "\n… and {}", more(*rest, "objects"));
    }
    text
}

fn findings(heading: &str, findings: &[Numbered<'_>]) -> String {
    let text: Vec<String> = findings.iter().map(cause).collect();
    section(heading, &text.join("\n"))
}

/// One cause with all its evidence.
fn cause(told: &Numbered<'_>) -> String {
    let number = told.number.map(|number| format!("{number}. ")).unwrap_or_default();
    let certainty = certainty(told.finding).map(|word| format!(" ({word})")).unwrap_or_default();
    let mut text = format!("### {number}{}{certainty}\n\n", escaped(&told.finding.summary));
    for evidence in &told.finding.evidence {
        let place = place(evidence).map(|place| format!(" — {}", code(&place))).unwrap_or_default();
        let _ = writeln!(text, "- {}{place}", escaped(&evidence.text));
    }
    for link in &told.finding.chain {
        let here = if link.state == LinkState::Broken { " ← here" } else { "" };
        let object = escaped(&link.object.to_string());
        let _ = writeln!(text, "- {} {object}: {}{here}", link_mark(link.state), escaped(&link.text));
    }
    if let Some(controller) = &told.finding.controller {
        let _ = writeln!(text, "- controller: {}", escaped(&controller_words(controller)));
        for evidence in &controller.evidence {
            let _ = writeln!(text, "  - {}", escaped(evidence));
        }
    }
    let _ = writeln!(text, "- more: {}", code(&format!("{COMMAND} explain {}", told.finding.page())));
    text
}

fn tree(forest: Vec<Branch>) -> String {
    let lines = needs::lines(forest);
    if lines.is_empty() { lines } else { fenced("text", &lines) }
}

/// The remedies as a table, then their commands.
fn what_to_do(outline: &Outline<'_>) -> String {
    let offers = &outline.ways_out;
    if offers.is_empty() {
        return String::new();
    }
    let mut text = String::from("\n## What to do\n\n| | Step | Risk | What follows |\n|---|---|---|---|\n");
    for (Offer { number, remedy }, _) in offers {
        let cells = [escaped(&remedy.title), cost(remedy), escaped(&remedy.consequence)];
        let _ = writeln!(text, "| {} | {} |", label(*number), cells.join(" | "));
    }
    for (Offer { number, remedy }, commands) in offers.iter().filter(|(_, commands)| !commands.is_empty()) {
        let commands = fenced("sh", &written(commands, MAX_WRITTEN, ""));
        let heading = escaped(&remedy.title);
        let _ = write!(text, "\n**{}** {heading} ({}):\n\n{commands}", label(*number), cost(remedy));
    }
    text
}

/// The number; alternatives to the remedy above have none.
fn label(number: Option<usize>) -> String {
    number.map_or_else(|| "or".into(), |number| number.to_string())
}

/// The order of deletion in a preflight.
fn order(report: &Report) -> String {
    if report.order.is_empty() {
        return String::new();
    }
    let mut text = String::from("\n## Order\n");
    for (turn, number) in report.order.iter().zip(1..) {
        let why = if turn.why.is_empty() { String::new() } else { format!(": {}", escaped(&turn.why)) };
        let commands = fenced("sh", &written(&turn.commands, usize::MAX, ""));
        let _ = write!(text, "\n**{number}** {}{why}; risk: {}\n\n{commands}", escaped(&turn.title), turn.risk);
    }
    text
}

fn remarks(notes: &[(String, String)]) -> String {
    let line = |(what, why): &(String, String)| format!("- {}: {}\n", escaped(what), escaped(why));
    let mut text: String = notes.iter().take(MAX_WRITTEN).map(line).collect();
    if notes.len() > MAX_WRITTEN {
        let _ = writeln!(text, "- … and {}", more(notes.len() - MAX_WRITTEN, "objects"));
    }
    text
}

/// A fenced block of clean lines. Its fence is longer than any row of backticks inside.
fn fenced(language: &str, lines: &str) -> String {
    let fence = "`".repeat(longest_row(lines).max(2) + 1);
    format!("{fence}{language}\n{lines}{fence}\n")
}

/// A code span, outside of tables.
fn code(text: &str) -> String {
    let text = clean_marked(text);
    let ticks = "`".repeat(longest_row(&text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{space}{text}{space}{ticks}")
}

fn longest_row(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// Escapes a text. Every ASCII punctuation mark may be escaped (`CommonMark`, 2.4); marks without a
/// meaning within a line stay as they are. A code span mentions nobody.
fn escaped(text: &(impl Display + ?Sized)) -> String {
    let text = clean_marked(text);
    let mut safe = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '@' => safe.push_str("`@`"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '$' | '#' | '!' => {
                safe.extend(['\\', c]);
            }
            // At the beginning of a line, these start a list or a rule.
            '-' | '+' | '=' if safe.is_empty() => safe.extend(['\\', c]),
            '.' | ')' if safe.chars().all(|c| c.is_ascii_digit()) => safe.extend(['\\', c]),
            // GitHub turns bare addresses into links.
            ':' if rest.peek() == Some(&'/') => safe.extend(['\\', c]),
            '.' if safe.to_lowercase().ends_with("www") => safe.extend(['\\', c]),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::hostile;

    #[test]
    fn text_from_the_cluster_stays_text() {
        let ticket = markdown(&hostile::report());
        hostile::is_clean(&ticket);
        let (mut fence, mut outside) = (None, Vec::new());
        for line in ticket.lines() {
            let ticks: String = line.chars().take_while(|c| *c == '`').collect();
            match &fence {
                None if ticks.len() >= 3 => fence = Some(ticks),
                None => outside.push(line),
                Some(open) if line == open => fence = None,
                Some(_) => {}
            }
        }
        assert_eq!(fence, None, "a fence is left open:\n{ticket}");
        for line in outside {
            let bare = line.replace("\\\\", "").replace("`@`", "");
            for mark in ["<", "](", "*e", "&", "@"] {
                let escaped = bare.matches(&format!("\\{mark}")).count();
                let in_code = if line.contains("— `") { bare.matches(mark).count() } else { escaped };
                assert_eq!(bare.matches(mark).count(), in_code.max(escaped), "{mark} in {line}");
            }
            let cells = bare.replace("\\|", "").matches('|').count();
            assert!([0, 4, 5].contains(&cells) || line.contains("— `"), "{cells} in {line}");
        }
    }

    #[test]
    fn only_markup_is_escaped() {
        assert_eq!(
            escaped("Service ops/guard does not exist (404): a-b, c.d"),
            "Service ops/guard does not exist (404): a-b, c.d"
        );
        assert_eq!(escaped("1. a"), "1\\. a");
        assert_eq!(escaped("- a - b"), "\\- a - b");
        assert_eq!(escaped("see https://www.x.y"), "see https\\://www\\.x.y");
        assert_eq!(escaped("@team a|b"), "`@`team a\\|b");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(fenced("sh", "a ```` b\n"), "`````sh\na ```` b\n`````\n");
    }
}
