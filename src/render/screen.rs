//! What a person sees: each target, its causes, the table of what is blocked,
//! the tree of what waits for what, and what to do at what risk.

use super::blocked::{self, blocked};
use super::causes::cause;
use super::layout::{Look, and_more, block, fitted, more, to_its_end, trimmed};
use super::remedies::{Place, SCREEN, what_to_do};
use super::room::Room;
use super::{Shown, clean, clean_command, needs, palette, targets, wrap};
use crate::report::{About, Cause, Finding, ObjectNote, Report, Turn};

/// How many causes, and how many unread things, are shown; the rest is counted.
const CAUSES: usize = 12;
const UNREAD: usize = 8;
/// How many consequences of a deletion are shown.
const CONSEQUENCES: usize = 12;
/// How many remarks are shown about objects that are not targets.
const BESIDE: usize = 3;
/// A tree is shown when there are more findings than `CHAIN` and it has more lines than `LEAVES`.
const CHAIN: usize = 3;
const LEAVES: usize = 3;

/// The report as a screen.
#[must_use]
pub fn screen(report: &Report, look: Look) -> Shown {
    Shown::finished(laid_out(report, look, Room::FULL, None))
}

/// The report as a screen above a question of `question` lines, which lists ways out itself. A
/// single cause is shortened until both fit a small terminal.
#[must_use]
pub fn screen_before_question(report: &Report, look: Look, question: usize) -> Shown {
    let shown = |room: Room| laid_out(report, look, room, Some(question));
    let roots = report.findings.iter().filter(|finding| finding.is_root_cause()).count();
    if look.all || roots != 1 {
        return Shown::finished(shown(Room::FULL));
    }
    let fits = |text: &String| text.lines().count() + question <= SCREEN;
    Shown::finished(Room::LESS_AND_LESS.into_iter().map(shown).find(fits).unwrap_or_else(|| shown(Room::LEAST)))
}

/// The screen, above a question of that many lines if there is one.
fn laid_out(report: &Report, look: Look, room: Room, question: Option<usize>) -> String {
    let finished = |text: &str| if look.colour { palette::paint(&trimmed(text)) } else { trimmed(text) };
    let mut head = targets::heads(report);
    if report.targets.is_empty() {
        head.push_str(&without_targets(report));
    }
    // If nothing would hold the target, two lines say so: the verdict and the command.
    if report.about != About::Preflight || !report.findings.is_empty() {
        head.push('\n');
    }
    let mut text = finished(&fitted(&head, look.width));
    let is_deleted = |finding: &Finding| finding.cause != Cause::NotDeleting;
    let follows =
        |finding: &Finding| is_deleted(finding) && !finding.root && report.findings.iter().any(Finding::is_root_cause);
    let shown = &report.findings[..report.findings.len().min(look.most(CAUSES))];
    for (index, finding) in shown.iter().enumerate() {
        // Root causes come first, and they alone are counted.
        let number = (!follows(finding)).then_some(index + 1);
        text.push_str(&cause(number, finding, report.taken_at, room, look));
        // Causes that follow from another stand together.
        if !look.all && follows(finding) && shown.get(index + 1).is_none_or(|next| !follows(next)) {
            text.push('\n');
        }
    }
    let has_causes = report.findings[shown.len()..].iter().any(|finding| !follows(finding));
    let what = if has_causes { "causes" } else { "that follow" };
    let mut rest = and_more(report.findings.len(), look.most(CAUSES), what);
    rest.push_str(&tables(report, room, look));
    let below = order(report, look.width) + &remarks(report, room, look);
    let beside = [&text, &rest, &below].map(|part| part.lines().count()).iter().sum();
    let place = Place { causes: look.most(CAUSES), beside, question };
    rest.push_str(&what_to_do(report, place, room, look));
    rest.push_str(&below);
    (text + &finished(&rest)).replace("\n\n\n", "\n\n")
}

/// What is blocked, and what waits for what: each where it tells more than the causes do.
fn tables(report: &Report, room: Room, look: Look) -> String {
    if report.about == About::Preflight || !report.findings.iter().any(Finding::is_trouble) {
        return String::new();
    }
    let mut text = String::new();
    if look.all || blocked::tells_more(report) {
        text.push_str(&blocked(report, room, look));
    }
    // A tree shows how several causes are connected; with one cause it repeats the lines.
    let roots = report.findings.iter().filter(|finding| finding.is_root_cause()).count();
    if look.all || (room.tree && (roots > 1 || report.findings.len() > CHAIN)) {
        let tree = needs::tree(report);
        if look.all || tree.lines().filter(|line| !line.is_empty()).count() > LEAVES {
            text.push_str(&fitted(&tree, look.width));
        }
    }
    text
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

/// In which order to delete, as commands that are copied whole.
fn order(report: &Report, width: usize) -> String {
    let held = report.findings.iter().any(|finding| finding.root && finding.is_trouble() && !finding.avoidable);
    let commands = |turn: &Turn, indent: &str| -> String {
        let lines: Vec<String> = turn.commands.iter().map(|it| format!("{indent}{}\n", clean_command(it))).collect();
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

/// What could not be read, what merely waits, what is broken besides.
fn remarks(report: &Report, room: Room, look: Look) -> String {
    let most_unread = look.most(UNREAD);
    let cut = |line: String, most: usize| {
        let lines = wrap(&line, look.width);
        if lines.lines().count() <= look.lines(most) {
            lines + "\n"
        } else {
            block(" ", line.trim(), look.width, look.lines(most))
        }
    };
    let unread = report.unread.iter().take(most_unread);
    let unread = unread.map(|note| format!(" undecided: cannot read {}: {}", clean(&note.what), clean(&note.why)));
    let most = look.lines(room.unread);
    let columns = look.width.saturating_sub(1);
    let line = |text: String| block(" ", &to_its_end(text.trim(), columns, most), look.width, most);
    let mut text: String = unread.map(line).collect();
    let counted = |text: &mut String, rest: usize, what: &str| {
        if rest > 0 {
            text.push_str(&cut(format!(" … and {}: -o json names every one", more(rest, what)), 1));
        }
    };
    counted(&mut text, report.unread.len().saturating_sub(most_unread), "that cannot be read");
    for (notes, few, lines, what, rest) in [
        (&report.consequences, CONSEQUENCES, room.remark, "what follows", "consequences"),
        (&report.waiters, BESIDE, room.remark, "waiting for it", "objects waiting for it"),
        (&report.also_broken, BESIDE, 1, "also broken, but not a cause", "objects broken, but not a cause"),
    ] {
        let most = look.most(few);
        let line = |note: &ObjectNote| format!(" {what}: {}: {}", clean(&note.object.to_string()), clean(&note.why));
        text.extend(notes.iter().take(most).map(|note| cut(line(note), lines)));
        counted(&mut text, notes.len().saturating_sub(most), rest);
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}
