//! The diagnosis for a person: each target, its causes, the table of blocked objects, the tree of
//! needs, and the remedies with their risk.

use crate::inert::clean_elements;
use crate::report::{About, Finding, Numbered, ObjectNote, Report, Turn};
use crate::screen::blocked::blocked;
use crate::screen::causes::cause;
use crate::screen::detail::Detail;
use crate::screen::layout::{Look, and_more, block, command_lines, fitted, height, left_out, to_its_end, trimmed};
use crate::screen::overview::overview;
use crate::screen::remedies::{ListPlace, SCREEN, what_to_do};
use crate::screen::{Shown, blocked, clean, needs, palette, products, targets, unread, wrap};
use console::measure_text_width;
use std::collections::HashSet;

/// How many causes and how many unread notes are shown; the rest is counted.
const MAX_CAUSES: usize = 12;
const MAX_UNREAD: usize = 8;
/// How many consequences of a deletion are shown.
const MAX_CONSEQUENCES: usize = 12;
/// How many remarks about objects that are not targets are shown.
const MAX_BESIDE: usize = 3;
/// How many commands of one turn are shown.
const MAX_COMMANDS: usize = 10;
/// Above more lines of targets than this, the causes stand at a glance.
const MAX_HEADS: usize = 6;
/// A tree is shown only for more findings than this, of which several follow from others.
const MAX_CHAIN: usize = 3;

/// The report as a screen.
pub fn screen(report: &Report, look: Look) -> Shown {
    Shown::finished(laid_out(report, look, Detail::FULL, None))
}

/// The report as a screen above a question of `question` lines that lists the remedies itself. The screen is
/// shortened until both fit a small terminal, as far as its causes stay.
pub fn screen_before_question(report: &Report, look: Look, question: usize) -> Shown {
    // The question begins with a blank line of its own.
    let shown = |detail: Detail| laid_out(report, look, detail, Some(question)).trim_end().to_owned() + "\n";
    if look.all || report.root_causes().is_empty() {
        return Shown::finished(shown(Detail::FULL));
    }
    let fits = |text: &String| height(text, look.width) + question <= SCREEN;
    let least = if report.root_causes().len() > 1 { Detail::CAUSES_ALONE } else { Detail::LEAST };
    let mut all = Detail::LESS_AND_LESS.into_iter().chain([Detail::LEAST]).map(shown);
    Shown::finished(all.find(fits).unwrap_or_else(|| shown(least)))
}

/// The screen, above a question of `question` lines if there is one. The causes at a glance stand above many
/// targets.
fn laid_out(report: &Report, look: Look, detail: Detail, question: Option<usize>) -> String {
    let finished = |text: &str| palette::paint(&trimmed(text), look.colour);
    let mut head = if report.products.is_empty() { targets::heads(report) } else { products::heads(report) };
    // A question names the context itself.
    if let (Some(context), None) = (&report.context, question) {
        head = with_context(&head, &clean(context), look.width);
    }
    if height(&head, look.width) > MAX_HEADS {
        head = overview(report, look.most(MAX_CAUSES), look) + "\n" + &head;
    }
    if report.targets.is_empty() {
        head.push_str(&without_targets(report));
    }
    // If nothing would hold the target, two lines suffice: the verdict and the command.
    if report.about != About::Preflight || !report.findings.is_empty() {
        head.push('\n');
    }
    let mut text = finished(&fitted(&head, look.width));
    let told = report.numbered();
    // Consequences, and findings with the same broken end as the one above, have a single line.
    let is_line = |told: &Numbered<'_>| told.number.is_none() || !told.is_first;
    let most = told.len().min(look.most(MAX_CAUSES));
    let (shown, hidden) = (&told[..most], &told[most..]);
    for (index, one) in shown.iter().enumerate() {
        text.push_str(&cause(one, report, detail, look));
        // Single lines stand together, without a blank line between them.
        if !look.all && is_line(one) && shown.get(index + 1).is_none_or(|next| !is_line(next)) {
            text.push('\n');
        }
    }
    let has_causes = hidden.iter().any(|one| one.number.is_some());
    let what = if has_causes { "causes" } else { "that follow" };
    let mut rest = and_more(report.findings.len(), look.most(MAX_CAUSES), what);
    rest.push_str(&tables(report, detail, look));
    let (follows, other) = remarks(report, shown, detail, look);
    // What is lost stands above the commands.
    let below = follows + &order(report, look) + &other + &products::about(report, look.width);
    let beside: usize = [&text, &rest, &below].map(|part| height(part, look.width)).iter().sum();
    let place = ListPlace { causes: look.most(MAX_CAUSES), beside, question };
    rest.push_str(&what_to_do(report, place, detail, look));
    rest.push_str(&below);
    (text + &finished(&rest)).replace("\n\n\n", "\n\n")
}

/// Adds the context to the first line: whoever works with several clusters must see at once which one this is.
fn with_context(head: &str, context: &str, width: usize) -> String {
    let (first, rest) = head.split_once('\n').unwrap_or((head, ""));
    let told = format!("   (context {context})");
    let fits = measure_text_width(&clean_elements(first, palette::is_style)) + measure_text_width(&told) <= width;
    format!("{first}{}{}\n{rest}", if fits { "" } else { "\n" }, if fits { &told } else { &told[2..] })
}

/// The table of blocked objects and the tree of needs, each only if it adds to the causes.
fn tables(report: &Report, detail: Detail, look: Look) -> String {
    if report.about == About::Preflight || !report.findings.iter().any(Finding::is_trouble) {
        return String::new();
    }
    let tree = tree(report, detail, look);
    let table = if look.all || blocked::tells_more(report, !tree.is_empty()) {
        blocked(report, detail, look)
    } else {
        String::new()
    };
    table + &tree
}

/// The tree of needs. It shows from which cause others follow; of causes alone it would only repeat the lines.
fn tree(report: &Report, detail: Detail, look: Look) -> String {
    let follow = report.findings.iter().filter(|finding| !finding.is_root_cause()).count();
    let adds = follow > 1 && report.findings.len() > MAX_CHAIN;
    if look.all || (detail.tree && adds) { fitted(&needs::tree(report), look.width) } else { String::new() }
}

/// The verdict of a search that found no target.
pub(crate) fn without_targets(report: &Report) -> String {
    let (found, read) = (!report.findings.is_empty(), report.unread.is_empty());
    match (report.about, found, read) {
        (About::Apis(_), true, _) => "these aggregated APIs fail; no namespace is waiting for them now:\n".into(),
        (About::Apis(0), false, true) => "there is no aggregated API\n".into(),
        (About::Apis(1), false, true) => "the only aggregated API answers\n".into(),
        (About::Apis(count), false, true) => format!("all {count} aggregated APIs answer\n"),
        (About::Apis(_), false, false) => "found no failing aggregated API, but not everything could be read\n".into(),
        (About::Targets | About::Products | About::Preflight, _, true) => "nothing is being deleted\n".into(),
        (About::Targets | About::Products | About::Preflight, _, false) => {
            "found nothing that is being deleted, but not everything could be read\n".into()
        }
        (_, true, _) => "no stranded objects were found; these objects name owners that do not exist:\n".into(),
        (_, false, true) => "nothing is stranded and no owner is missing; every kind was listed\n".into(),
        (_, false, false) => "found nothing stranded, but not everything could be read\n".into(),
    }
}

/// The order in which to delete, as commands to copy.
fn order(report: &Report, look: Look) -> String {
    let held = report.findings.iter().any(|finding| finding.is_root_cause() && !finding.avoidable);
    let apart = if report.consequences.is_empty() { "" } else { "\n" };
    let mut known = HashSet::new();
    let mut commands = |turn: &Turn, indent: &str| {
        let new: Vec<&String> = turn.commands.iter().filter(|command| known.insert((*command).clone())).collect();
        command_lines(&new, look.most(MAX_COMMANDS), indent)
    };
    let simple = report.findings.is_empty() && report.order.len() == report.targets.len();
    let heading = match &report.order[..] {
        [] => return String::new(),
        turns if simple => {
            return apart.to_owned() + &turns.iter().map(|turn| commands(turn, " ")).collect::<Vec<_>>().concat();
        }
        _ if held => "ORDER, after the causes above are repaired",
        _ if !report.findings.is_empty() => "ORDER that avoids the causes above",
        _ => "ORDER (nothing was found that would get stuck)",
    };
    let turns = report.order.iter().enumerate().map(|(index, turn)| {
        let why = if turn.why.is_empty() { String::new() } else { format!(": {}", turn.why) };
        let time = turn.usual_minutes.map(|minutes| format!(" (usually up to {minutes} min)")).unwrap_or_default();
        let lead = format!(" {:<2} ", index + 1);
        let line = block(&lead, &clean(&format!("{}{why}{time}", turn.title)), look.width, usize::MAX);
        let lost = if turn.consequence.is_empty() { String::new() } else { format!(": {}", turn.consequence) };
        let risk = block("      ", &clean(&format!("{}{lost}", turn.risk)), look.width, usize::MAX);
        line + &risk + &commands(turn, "      ")
    });
    format!("\n {}\n{}", palette::heading(heading), turns.collect::<Vec<_>>().concat())
}

/// What follows from a deletion; and remarks about unread facts, waiting objects and other broken objects.
fn remarks(report: &Report, told: &[Numbered<'_>], detail: Detail, look: Look) -> (String, String) {
    let most_unread = look.most(MAX_UNREAD);
    let cut = |line: String, most: usize| {
        let lines = wrap(&line, look.width);
        if lines.lines().count() <= look.lines(most) {
            lines + "\n"
        } else {
            block(" ", line.trim(), look.width, look.lines(most))
        }
    };
    let notes = unread::not_told(unread::that_matter(report, look.all), if look.all { &[] } else { told });
    let (line, notes) = unread::by_rights(notes);
    let mut text = line.map(|line| unread::granted(&line, " ", look.width)).unwrap_or_default();
    let unread = notes.iter().take(most_unread);
    let unread = unread.map(|note| format!(" undecided: cannot read {}: {}", clean(&note.what), clean(&note.why)));
    let most = look.lines(detail.unread);
    let columns = look.width.saturating_sub(1);
    let line = |text: String| block(" ", &to_its_end(text.trim(), columns, most), look.width, most);
    text.extend(unread.map(line));
    let counted = |rest: usize, what: &str| left_out(rest, what).map(|rest| cut(format!(" {rest}"), 1));
    text.extend(counted(notes.len().saturating_sub(most_unread), "that cannot be read"));
    let add = |text: &mut String, notes: &[ObjectNote], few: usize, lines: usize, what: &str, rest: &str| {
        let most = look.most(few);
        let line = |note: &ObjectNote| format!(" {what}: {}: {}", clean(&note.object.to_string()), clean(&note.why));
        text.extend(notes.iter().take(most).map(|note| cut(line(note), lines)));
        text.extend(counted(notes.len().saturating_sub(most), rest));
    };
    let mut follows = String::new();
    add(&mut follows, &report.consequences, MAX_CONSEQUENCES, usize::MAX, "what follows", "consequences");
    for (notes, few, lines, what, rest) in [
        (&report.waiters, MAX_BESIDE, detail.remark, "waiting for it", "objects waiting for it"),
        (&report.also_broken, MAX_BESIDE, 1, "also broken, but not a cause", "objects broken, but not a cause"),
    ] {
        add(&mut text, notes, few, lines, what, rest);
    }
    let apart = |text: String| if text.is_empty() { text } else { format!("\n{text}") };
    (apart(follows), apart(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::report::{Cause, Named, Ref, State, TargetReport};
    use crate::survey::{Discovery, Survey};

    /// A report with one cause for two targets, and this many further lines.
    fn report(lines: usize) -> Report {
        let survey = Survey::new(jiff::Timestamp::UNIX_EPOCH, Discovery::default());
        let mut report = crate::diagnosis::diagnose(&survey, &[]).report;
        let widget = |name: &str| Ref::from(Named { kind: "Widget".into(), name: name.into(), ..Named::default() });
        let blocks = vec![widget("a"), widget("b")];
        let stuck = |object: &Ref| TargetReport {
            state: State::Stuck,
            since: Some(report.taken_at),
            ..TargetReport::new(object.clone())
        };
        report.targets = blocks.iter().map(stuck).collect();
        let finding = Draft::new(Cause::Finalizer, widget("a"), "Widget a waits for its controller").finding;
        report.findings = vec![Finding { root: true, blocks, ..finding }];
        report.consequences = vec![ObjectNote { object: widget("c"), why: "is deleted, too".into() }; lines];
        report
    }

    #[test]
    fn the_causes_stand_above_many_targets() {
        let shown = |report: &Report| String::from(screen(report, Look { width: 80, colour: false, all: true }));
        assert!(!shown(&report(40)).contains("CAUSES"), "the cause is right below two targets");
        let targets = report(0).targets.into_iter().cycle().take(MAX_HEADS + 1).collect();
        let many = shown(&Report { targets, ..report(0) });
        assert!(many.starts_with(" CAUSES\n 1  Widget a waits for its controller\n\nWidget a   terminating"), "{many}");
    }
}
