//! A cause on a screen: its line and the decisive facts; with `-o wide` all evidence.

use crate::plugin::COMMAND;
use crate::report::{Controller, Evidence, Finding, Link, LinkState, Numbered, Report, some_of};
use crate::screen::by_hand::ByHand;
use crate::screen::detail::Detail;
use crate::screen::labelled::{BEHIND, Labelled, SAYS, labelled};
use crate::screen::layout::{Look, block, command_line, fixed, plain, right, to_its_end, trimmed};
use crate::screen::marks::{controller_words, link_mark, place, why_word};
use crate::screen::{clean, clean_words, palette};
use console::measure_text_width;

/// The widths of the columns beside the text: the number and the certainty.
const NUMBER_WIDTH: usize = 3;
const CERTAINTY_WIDTH: usize = 8;
/// How many of the targets that a cause holds are named.
const MAX_HELD: usize = 3;
/// On a wider screen the certainty stands in this column, or behind a longer text and this gap.
const WIDE: usize = 100;
const GAP: usize = 4;
/// The indent of a labelled line, and the width of its label.
const NUMBER: usize = 4;
const LABEL: usize = 12;
/// The labels whose lines are dropped when there is no room, in this order.
const MISSED_LEAST: [&str; 4] = ["set by", "guards", "controller", SAYS];
/// With more labelled lines than this, each value gets one line; `-o wide` shows it whole.
const MAX_WHOLE_VALUES: usize = 2;

/// One cause: its line and the decisive facts. A consequence of a cause has only its line, without a
/// number. A finding with the same broken end as the finding above has only its line, too.
pub(crate) fn cause(told: &Numbered<'_>, report: &Report, detail: Detail, look: Look) -> String {
    let (finding, number) = (told.finding, told.number);
    let follows = number.is_none() || !told.is_first;
    // A further finding of the same cause has no number of its own.
    let number = match number {
        Some(_) if follows => String::new(),
        Some(number) => number.to_string(),
        None => "-".to_owned(),
    };
    if look.all {
        return palette::paint(&trimmed(&whole(&number, finding, look)), look.colour);
    }
    let head = head(&number, finding, look.width, if follows { look.lines(detail.follower) } else { usize::MAX });
    let lines = if follows { Vec::new() } else { decisive(labelled(finding, report.taken_at), detail.labels) };
    let most = if lines.len() > MAX_WHOLE_VALUES { 1 } else { detail.value };
    let more = if follows || detail.labels <= Detail::LEAST.labels { String::new() } else { page(finding) };
    let holds = if follows || detail.labels == 0 { String::new() } else { holds(finding, report, look) };
    let line = |(label, text): &Labelled| {
        let lead = lead(label);
        // The broken part comes last, and must be visible.
        let most = look.lines(if *label == BEHIND { detail.value } else { most });
        let columns = look.width.saturating_sub(NUMBER + LABEL);
        let text = if *label == SAYS { to_its_end(text, columns, most) } else { text.clone() };
        block(&lead, &text, look.width, most)
    };
    let lines: String = lines.iter().map(line).chain([holds, more]).collect();
    // Causes that follow from another stand together, without a blank line.
    let text = if follows { palette::bold(&head) } else { format!("{}{lines}\n", palette::bold(&head)) };
    palette::paint(&text, look.colour)
}

/// The targets that a cause holds, if these are not all.
fn holds(finding: &Finding, report: &Report, look: Look) -> String {
    if finding.blocks.is_empty() || finding.blocks.len() >= report.targets.len() {
        return String::new();
    }
    let held = clean(&some_of(&finding.blocks, MAX_HELD));
    block(&lead("holds"), &held, look.width, look.lines(1))
}

/// A label with the blanks around it.
fn lead(label: &str) -> String {
    let gap = " ".repeat(LABEL.saturating_sub(label.len()));
    format!("{:NUMBER$}{}{gap}", "", palette::label(label))
}

/// The command that shows the page about a cause.
fn page(finding: &Finding) -> String {
    command_line(&" ".repeat(NUMBER), &format!("{COMMAND} explain {}", finding.page()))
}

/// At most `most` labelled lines: the least important are dropped first.
fn decisive(mut lines: Vec<Labelled>, most: usize) -> Vec<Labelled> {
    for least in MISSED_LEAST {
        if lines.len() > most {
            lines.retain(|(label, _)| *label != least);
        }
    }
    lines.truncate(most);
    lines
}

/// The number, the line and the certainty of a cause.
fn head(number: &str, finding: &Finding, width: usize, most: usize) -> String {
    let sure = if finding.is_trouble() { why_word(finding.why) } else { "" };
    let room = width.saturating_sub(CERTAINTY_WIDTH + 1);
    let lines = block(&format!(" {number:<2} "), &clean(&finding.summary), room, most);
    let mut lines = lines.lines();
    let first = lines.next().unwrap_or_default();
    let edge = if width > WIDE { WIDE } else { width };
    let last = edge.saturating_sub(sure.len() + measure_text_width(first) + 1).max(if width > WIDE { GAP } else { 0 });
    let gap = " ".repeat(last);
    let first = if sure.is_empty() { format!("{first}\n") } else { format!("{first}{gap}{sure}\n") };
    std::iter::once(first).chain(lines.map(|line| format!("{line}\n"))).collect()
}

/// A cause with all evidence and its sources.
fn whole(number: &str, finding: &Finding, look: Look) -> String {
    let sure = if finding.is_trouble() { why_word(finding.why) } else { "" };
    let mut rows = vec![[number.to_owned(), clean(&finding.summary), sure.to_owned()]];
    let mut text = String::new();
    let lines = finding.evidence.iter().map(evidence_line);
    let controller = finding.controller.iter().flat_map(|controller| controller_lines(controller, finding));
    let looked = finding.looked_at.iter().map(|looked| format!("looked at: {}", clean_words(looked)));
    let others = chain_lines(&finding.chain).into_iter().chain(controller).chain(looked);
    let others = others.map(|line| (line, String::new()));
    for (line, commands) in lines.chain(others) {
        rows.push([String::new(), line, String::new()]);
        // A table would break a command.
        if !commands.is_empty() {
            text.extend([columns(&std::mem::take(&mut rows), look), commands]);
        }
    }
    text + &columns(&rows, look) + &page(finding) + "\n"
}

/// Lines of a cause in their columns.
fn columns(rows: &[[String; 3]], look: Look) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut table = plain(look.width);
    table.add_rows(rows);
    // A cell has a blank on each side.
    let certainty_width = CERTAINTY_WIDTH + 1;
    let text_width = look.width.saturating_sub(NUMBER_WIDTH + certainty_width);
    for (column, width) in [NUMBER_WIDTH, text_width, certainty_width].into_iter().enumerate() {
        fixed(&mut table, column, width);
    }
    right(&mut table, 2);
    format!("{table}\n")
}

/// The chain of things that must work, with the first broken link marked.
fn chain_lines(chain: &[Link]) -> Vec<String> {
    if chain.is_empty() {
        return Vec::new();
    }
    let line = |link: &Link| {
        let here = if link.state == LinkState::Broken { "  ◀" } else { "" };
        format!("{} {}: {}{here}", link_mark(link.state), clean(&link.object.to_string()), clean(&link.text))
    };
    std::iter::once("starting from the API server:".to_owned()).chain(chain.iter().map(line)).collect()
}

/// The controller that should have released it, its state, and the evidence.
fn controller_lines(controller: &Controller, finding: &Finding) -> Vec<String> {
    let head = format!("controller: {}", controller_words(controller));
    // The line above gives the reason already.
    let evidence = controller.evidence.iter().filter(|text| !finding.summary.gives_reason_of(text));
    let evidence = evidence.map(|text| format!("· {}", clean(text)));
    std::iter::once(head).chain(evidence).collect()
}

/// A piece of evidence with its source, and the lines of its commands.
fn evidence_line(evidence: &Evidence) -> (String, String) {
    let by_hand = ByHand::new(&evidence.text);
    let has_command = by_hand.has_command();
    let text = if has_command { by_hand.what.clone() } else { clean_words(&evidence.text) };
    let line = place(evidence).map_or_else(|| text.clone(), |place| format!("{text}  ({place})"));
    (line, if has_command { by_hand.lines("      ", Look::UNLIMITED) } else { String::new() })
}
