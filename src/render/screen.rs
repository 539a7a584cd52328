//! What a person sees: each target, its causes, the table of what is blocked,
//! the tree of what waits for what, and what to do at what risk.

use super::blocked::blocked;
use super::layout::{Look, and_more, fixed, plain, right};
use super::marks::{certainty_word, controller_words, cost, link_mark, place};
use super::offers::{Offer, first_offers};
use super::{clean, clean_lines, needs, palette, targets, wrap};
use crate::report::{About, Controller, Evidence, Finding, Link, LinkState, ObjectNote, Remedy, Report, Turn};
use comfy_table::{ColumnConstraint, Width};

/// The columns of a cause beside its text: its number, and how sure it is.
const NUMBER_WIDTH: usize = 3;
const CERTAINTY_WIDTH: usize = 8;
/// From this width on evidence says in which field it was read.
const ROOMY: usize = 120;
/// So many causes, and so many of what could not be read, are shown; the rest is counted.
const CAUSES: usize = 12;
const UNREAD: usize = 8;
/// So many consequences of a deletion are shown, and so much of what waits or is broken besides.
const CONSEQUENCES: usize = 12;

/// The report as a screen.
#[must_use]
pub fn screen(report: &Report, look: Look) -> String {
    let mut text = targets::heads(report);
    if report.targets.is_empty() {
        text.push_str(&without_targets(report));
    }
    // What nothing would hold is said in two lines: that, and the command.
    if report.about != About::Preflight || !report.findings.is_empty() {
        text.push('\n');
    }
    for (index, finding) in report.findings.iter().take(look.most(CAUSES)).enumerate() {
        text.push_str(&cause(index + 1, finding, look));
    }
    text.push_str(&and_more(report.findings.len(), look.most(CAUSES), "causes"));
    if report.about != About::Preflight && report.findings.iter().any(Finding::is_trouble) {
        text.push_str(&blocked(report, look));
        text.push_str(&needs::tree(report));
    }
    text.push_str(&what_to_do(report, look));
    text.push_str(&order(report, look.width));
    text.push_str(&remarks(report, look));
    let text = clean_lines(&text);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let trimmed = lines.join("\n") + "\n";
    if look.colour { palette::paint(&trimmed) } else { trimmed }
}

/// What a search that found no namespace may say.
pub(super) fn without_targets(report: &Report) -> String {
    let (found, read) = (!report.findings.is_empty(), report.unread.is_empty());
    match (report.about, found, read) {
        (About::Apis(_), true, _) => "no namespace is waiting for them now; these aggregated APIs fail:\n".into(),
        (About::Apis(0), false, true) => "there is no aggregated API\n".into(),
        (About::Apis(1), false, true) => "the one aggregated API answers\n".into(),
        (About::Apis(count), false, true) => format!("all {count} aggregated APIs answer\n"),
        (About::Apis(_), false, false) => {
            "no aggregated API was found to fail, but not everything could be read\n".into()
        }
        (About::Targets | About::Preflight, _, true) => "nothing is being deleted\n".into(),
        (About::Targets | About::Preflight, _, false) => {
            "nothing was found that is being deleted, but not everything could be read\n".into()
        }
        (_, true, _) => "no namespace was found with stranded objects; these name owners that are not there:\n".into(),
        (_, false, true) => "nothing is stranded, and no owner is missing: every kind was listed\n".into(),
        (_, false, false) => "nothing was found to be stranded, but not everything could be read\n".into(),
    }
}

/// One cause: its line, then its evidence.
fn cause(number: usize, finding: &Finding, look: Look) -> String {
    let mut table = plain(look.width);
    table.add_row([
        format!("{number}"),
        clean(&finding.summary),
        if finding.is_trouble() { certainty_word(finding.certainty).into() } else { String::new() },
    ]);
    let lines = finding.evidence.iter().take(evidence_lines(finding, look));
    let lines = lines.map(|evidence| evidence_line(evidence, finding, look));
    let controller = finding.controller.iter().flat_map(|controller| controller_lines(controller, finding, look));
    for line in lines.chain(chain_lines(&finding.chain)).chain(controller) {
        table.add_row([String::new(), line, String::new()]);
    }
    let text_width = look.width.saturating_sub(NUMBER_WIDTH + CERTAINTY_WIDTH);
    for (column, width) in [NUMBER_WIDTH, text_width, CERTAINTY_WIDTH].into_iter().enumerate() {
        fixed(&mut table, column, width);
    }
    right(&mut table, 2);
    format!("{table}\n\n")
}

/// What is known of a controller needs some of the room.
fn evidence_lines(finding: &Finding, look: Look) -> usize {
    look.most(match (look.width >= ROOMY, finding.controller.is_some()) {
        (true, _) => 8,
        (false, false) => 5,
        (false, true) => 3,
    })
}

/// What must work one behind the other, with the first broken link marked.
fn chain_lines(chain: &[Link]) -> Vec<String> {
    if chain.is_empty() {
        return Vec::new();
    }
    let line = |link: &Link| {
        let here = if link.state == LinkState::Broken { "  ◀" } else { "" };
        format!("{} {}: {}{here}", link_mark(link.state), clean(&link.object.to_string()), clean(&link.text))
    };
    std::iter::once("from the API server down:".to_owned()).chain(chain.iter().map(line)).collect()
}

/// Who should have released it, how that stands, and on what evidence.
fn controller_lines(controller: &Controller, finding: &Finding, look: Look) -> Vec<String> {
    let head = format!("controller: {}", controller_words(controller));
    let room = look.most(if look.width >= ROOMY { 8 } else { 4 });
    // The line above has said why already.
    let said = |text: &&String| text.split_once(": ").is_some_and(|(_, why)| finding.summary.contains(why));
    let evidence =
        controller.evidence.iter().filter(|text| !said(text)).take(room).map(|text| format!("· {}", clean(text)));
    std::iter::once(head).chain(evidence).collect()
}

/// Where it was read is named when there is room, or when it is another object.
fn evidence_line(evidence: &Evidence, finding: &Finding, look: Look) -> String {
    let text = clean(&evidence.text);
    let Some(object) = &evidence.object else { return text };
    let place = if look.all || look.width >= ROOMY {
        place(evidence)
    } else {
        (*object != finding.subject).then(|| clean(&object.to_string()))
    };
    place.map_or_else(|| text.clone(), |place| format!("{text}  ({place})"))
}

/// The remedies, milder ones of one cause first, with their risk.
fn what_to_do(report: &Report, look: Look) -> String {
    let mut table = plain(look.width);
    table.set_header(["", "WHAT TO DO", "RISK"]);
    let offers = first_offers(report, look.most(CAUSES));
    if offers.is_empty() {
        return String::new();
    }
    for Offer { number, remedy } in offers {
        let label = number.map_or_else(|| " or".into(), |number| format!(" {number}"));
        table.add_row([label, clean(&remedy.title), risk(remedy)]);
    }
    fixed(&mut table, 0, 4);
    if let Some(column) = table.column_mut(2) {
        column.set_constraint(ColumnConstraint::UpperBoundary(Width::Percentage(40)));
    }
    format!("{table}\n")
}

/// In which order to delete, as commands that are copied whole.
fn order(report: &Report, width: usize) -> String {
    let held = report.findings.iter().any(|finding| finding.root && finding.is_trouble() && !finding.avoidable);
    let commands = |turn: &Turn, indent: &str| -> String {
        let lines: Vec<String> = turn.commands.iter().map(|it| format!("{indent}{}\n", clean(it))).collect();
        lines.concat()
    };
    let simple = report.findings.is_empty() && report.order.len() == report.targets.len();
    let heading = match &report.order[..] {
        [] => return String::new(),
        turns if simple => return turns.iter().map(|turn| commands(turn, " ")).collect::<Vec<_>>().concat(),
        _ if held => "ORDER, when the above is done",
        _ => "ORDER in which nothing was found that would get stuck",
    };
    let turns = report.order.iter().enumerate().map(|(index, turn)| {
        let why = if turn.why.is_empty() { String::new() } else { format!(": {}", turn.why) };
        let line = format!("{}  {}{why}", index + 1, turn.title);
        format!(" {}\n{}", wrap(&clean(&line), width.saturating_sub(1)), commands(turn, "    "))
    });
    format!("\n {heading}\n{}", turns.collect::<Vec<_>>().concat())
}

fn risk(remedy: &Remedy) -> String {
    format!("{}: {}", cost(remedy), clean(&remedy.consequence))
}

/// What could not be read, what merely waits, what is broken besides.
fn remarks(report: &Report, look: Look) -> String {
    let (most_unread, most) = (look.most(UNREAD), look.most(CONSEQUENCES));
    let about =
        |what: &str, note: &ObjectNote| format!(" {what}: {}: {}", clean(&note.object.to_string()), clean(&note.why));
    let unread = report.unread.iter().take(most_unread);
    let mut lines: Vec<String> =
        unread.map(|note| format!(" undecided: cannot read {}: {}", clean(&note.what), clean(&note.why))).collect();
    let more = report.unread.len().saturating_sub(most_unread);
    lines.extend((more > 0).then(|| format!(" … and {more} more that cannot be read: -o json names every one")));
    for (notes, what, rest) in [
        (&report.consequences, "what follows", "that follow"),
        (&report.waiters, "waiting for it", "that wait for it"),
        (&report.also_broken, "also broken, not in the way", "that are broken and not in the way"),
    ] {
        lines.extend(notes.iter().take(most).map(|note| about(what, note)));
        let more = notes.len().saturating_sub(most);
        lines.extend((more > 0).then(|| format!(" … and {more} more {rest}: -o json names every one")));
    }
    if lines.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = lines.iter().map(|line| wrap(line, look.width)).collect();
    format!("\n{}\n", lines.join("\n"))
}
