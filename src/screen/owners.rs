//! The screen of `owners`: each object with its owners and dependents, as a table or as a tree alone,
//! and what holds the objects that are stuck.

use crate::facts::since;
use crate::plan::{in_namespace, quote};
use crate::plugin::COMMAND;
use crate::report::{Finding, Node, OwnerState, OwnershipReport, Propagation, State, number_of};
use crate::screen::age::age;
use crate::screen::layout::{columns, command_line, constrain, fixed, left_out, plain};
use crate::screen::marks::why_word;
use crate::screen::tree::{Branch, aligned, grown};
use crate::screen::{Look, Shown, clean, palette, unread};
use comfy_table::ColumnConstraint;
use std::collections::{BTreeSet, HashSet};

/// How many dependents and how many owners of one object are shown; the rest is counted.
const MAX_SHOWN: usize = 12;
/// How many causes and remarks are shown.
const MAX_LINES: usize = 12;

/// The report as a table for each target.
pub fn owners_table(report: &OwnershipReport, look: Look) -> Shown {
    let tables =
        report.targets.iter().map(|target| format!("{}\n\n{}\n", head(target, report), table(target, report, look)));
    finish(&tables.collect::<Vec<_>>().join("\n"), report, look)
}

/// The report as trees.
pub fn owners_tree(report: &OwnershipReport, look: Look) -> Shown {
    let trees = report.targets.iter().map(|target| {
        let lines = aligned(branches(target, &|node| mark(node, report)));
        let lines: Vec<String> = lines.into_iter().map(|line| format!(" {line}")).collect();
        format!("{}\n{}\n", head(target, report), lines.join("\n"))
    });
    finish(&trees.collect::<Vec<_>>().join("\n"), report, look)
}

fn finish(text: &str, report: &OwnershipReport, look: Look) -> Shown {
    let text = format!("{text}{}{}{}", causes(report), treatments(report), remarks(report));
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    Shown::screen(&lines.join("\n"), look)
}

/// `Deployment shop/web   terminating for 3m   foreground deletion, blocked by 1 of 2 dependents   stuck`
fn head(target: &Node, report: &OwnershipReport) -> String {
    let mut parts = vec![clean(&target.object.to_string()), state_after("terminating for", target, report)];
    let blocking = target.dependents.iter().filter(|dependent| dependent.blocks).count();
    match target.propagation {
        Some(Propagation::Foreground) => {
            let all = target.dependents.len() + target.more;
            let seen = if report.unread.is_empty() { "" } else { " seen" };
            parts.push(format!("foreground deletion, blocked by {blocking} of {all} dependents{seen}"));
        }
        Some(Propagation::Orphan) => parts.push("its dependents are to be orphaned".into()),
        None => parts.push(counted(target, report)),
    }
    match target.deletion {
        Some(State::Stuck) => parts.push("stuck".into()),
        Some(State::Progressing) => parts.push("progressing".into()),
        Some(State::Unknown) => parts.push("undecided".into()),
        _ => {}
    }
    parts.retain(|part| !part.is_empty());
    parts.join("   ")
}

fn counted(node: &Node, report: &OwnershipReport) -> String {
    if node.state == OwnerState::Missing {
        return String::new();
    }
    let dependents = match (node.dependents.len(), report.unread.is_empty()) {
        (0, false) => "dependents unknown".into(),
        (count, false) => format!("{} seen", number_of(count, "dependent")),
        (count, true) => number_of(count, "dependent"),
    };
    format!("{}, {dependents}", number_of(node.owners.len(), "owner"))
}

fn state(node: &Node, report: &OwnershipReport) -> String {
    state_after("⏳", node, report)
}

/// The state of an object; `going` precedes the time for which it has been terminating.
fn state_after(going: &str, node: &Node, report: &OwnershipReport) -> String {
    match (node.state, node.since) {
        (OwnerState::Cycle, Some(_)) => "✗ owns itself, terminating".into(),
        (_, Some(then)) => format!("{going} {}", age(since(then, report.taken_at))),
        (OwnerState::Present | OwnerState::Terminating, None) => "present".into(),
        (OwnerState::Missing, None) => "✗ missing".into(),
        (OwnerState::Replaced, None) => "✗ missing: another uid".into(),
        (OwnerState::UnknownKind, None) => "✗ kind not served".into(),
        (OwnerState::Cycle, None) => "✗ a ring".into(),
        (OwnerState::OtherNamespace, None) => "✗ in another namespace".into(),
        (OwnerState::Impossible, None) => "✗ impossible owner".into(),
        (OwnerState::Unread, None) => "? unread".into(),
    }
}

/// The flags of the reference, and whether it blocks its owner now.
fn reference(node: &Node) -> Vec<&'static str> {
    let mut words = Vec::new();
    let Some(flags) = node.reference else { return words };
    if flags.controller {
        words.push("controller");
    }
    match (node.blocks, flags.block_owner_deletion) {
        (true, _) => words.push("✗ blocks the owner"),
        (false, true) => words.push("may block the owner"),
        (false, false) => {}
    }
    words
}

fn numbers(node: &Node, report: &OwnershipReport) -> String {
    if node.stuck_on.is_empty() {
        return String::new();
    }
    let causes = report.root_causes();
    let place = |id: &String| causes.iter().position(|cause| cause.iter().any(|finding| finding.id == *id));
    let places: BTreeSet<usize> = node.stuck_on.iter().filter_map(place).collect();
    places.into_iter().map(|place| (place + 1).to_string()).collect::<Vec<_>>().join(", ")
}

fn mark(node: &Node, report: &OwnershipReport) -> String {
    let stuck = match numbers(node, report) {
        plain if plain.is_empty() => plain,
        numbers => format!("cause {numbers}"),
    };
    let parts = [state(node, report), reference(node).join(", "), clean(&node.finalizers.join(", ")), stuck];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty() && part != "present").collect();
    parts.join("   ")
}

/// The owners of an object, then its dependents: those that block it before the others.
fn branches<M: Default>(node: &Node, mark: &dyn Fn(&Node) -> M) -> Vec<Branch<M>> {
    let line = |node: &Node, text: String| Branch { text, mark: mark(node), below: branches(node, mark) };
    let mut all: Vec<Branch<M>> = Vec::new();
    for owner in node.owners.iter().take(MAX_SHOWN) {
        all.push(line(owner, format!("owned by {}", clean(&owner.object.to_string()))));
    }
    all.extend(rest(node.owners.len().saturating_sub(MAX_SHOWN), "owners"));
    let mut dependents: Vec<&Node> = node.dependents.iter().collect();
    dependents.sort_by_key(|dependent| (!dependent.blocks, dependent.since.is_none()));
    for dependent in dependents.iter().take(MAX_SHOWN) {
        let again = if dependent.elsewhere { " (see above)" } else { "" };
        all.push(line(dependent, format!("{}{again}", clean(&dependent.object.to_string()))));
    }
    all.extend(rest(dependents.len().saturating_sub(MAX_SHOWN), "dependents"));
    if node.more > 0 {
        all.push(Branch::leaf(format!("… and {} more, not read", node.more), M::default()));
    }
    all
}

fn rest<M: Default>(more: usize, what: &str) -> Option<Branch<M>> {
    left_out(more, what).map(|text| Branch::leaf(text, M::default()))
}

/// The least width for all columns; a narrower screen leaves out the first two.
const ROOMY: usize = 100;

/// The columns beside the tree; empty ones are left out.
const TITLES: [&str; 6] = ["READY", "AGE", "STATE", "REFERENCE", "FINALIZERS", "CAUSE"];

type Cells = [String; 6];

/// A line of the tree, and the cells beside it.
type TreeRow = (String, Cells);

/// The most that a column beside the tree takes from it: its texts can be broken, and lines of a tree cannot.
const MOST_BESIDE: usize = 14;
/// The blanks around a cell.
const AROUND: usize = 2;

fn table(target: &Node, report: &OwnershipReport, look: Look) -> String {
    let whole = rows(target, report, true);
    let fits = look.width >= ROOMY && widths(&whole).iter().sum::<usize>() <= look.width;
    let rows = if fits { whole } else { rows(target, report, false) };
    let [tree, beside @ ..] = widths(&rows);
    let kept = |cells: Cells| cells.into_iter().zip(beside).filter(|(_, width)| *width > 0).map(|(cell, _)| cell);
    let mut table = plain(look.width);
    let titles = TITLES.map(str::to_owned);
    table.set_header(
        std::iter::once("OBJECT".to_owned()).chain(kept(titles.clone())).map(|title| palette::heading(&title)),
    );
    for (left, cells) in rows {
        table.add_row(std::iter::once(unbroken(&left)).chain(kept(cells)));
    }
    let taken: usize = beside.iter().map(|width| (*width).min(MOST_BESIDE)).sum();
    fixed(&mut table, 0, tree.min(look.width.saturating_sub(taken).max(look.width / 2)));
    for (column, header) in kept(titles).enumerate() {
        let least = header.len() + if header == "REFERENCE" { 3 } else { 2 };
        constrain(&mut table, column + 1, ColumnConstraint::LowerBoundary(columns(least)));
    }
    with_bars(&table.to_string().replace(UNBROKEN, " "))
}

/// The table with its tree drawn through the lines in which only a cell beside the tree continues.
fn with_bars(table: &str) -> String {
    let (mut lines, mut below) = (Vec::new(), String::new());
    for line in table.lines().rev() {
        let begin = line.find(|c: char| !" │├└─".contains(c)).unwrap_or(line.len());
        let drawn = line[..begin].trim_end();
        let is_continued = drawn.is_empty() && begin > below.chars().count();
        if is_continued {
            lines.push(format!("{below}{}", &line[below.chars().count()..]));
        } else {
            below = drawn.chars().map(|c| if " ─".contains(c) { ' ' } else { '│' }).collect();
            lines.push(line.to_owned());
        }
    }
    lines.reverse();
    lines.join("\n")
}

/// The target and its tree. `has_room` tells whether there is room for the first two columns.
fn rows(target: &Node, report: &OwnershipReport, has_room: bool) -> Vec<TreeRow> {
    let cells = |node: &Node| -> Cells {
        let finalizers: Vec<String> = node.finalizers.iter().map(clean).collect();
        let created = node.created.filter(|_| has_room).map(|then| age(since(then, report.taken_at)));
        [
            node.ready.as_deref().filter(|_| has_room).map(clean).unwrap_or_default(),
            created.unwrap_or_default(),
            state(node, report),
            reference(node).join("\n"),
            finalizers.join("\n"),
            numbers(node, report),
        ]
    };
    let mut rows = vec![(clean(&target.object.to_string()), cells(target))];
    rows.extend(grown(branches(target, &cells)));
    rows
}

/// The widths of the columns with the blanks around them, that of the tree first; 0 for an empty one.
fn widths(rows: &[TreeRow]) -> [usize; 7] {
    let width = |text: &String| text.lines().map(console::measure_text_width).max().unwrap_or_default();
    std::array::from_fn(|column| {
        let widest = rows.iter().map(|(left, cells)| width(if column == 0 { left } else { &cells[column - 1] })).max();
        let header = if column == 0 { 0 } else { TITLES[column - 1].len() };
        widest.filter(|widest| *widest > 0).map_or(0, |widest| widest.max(header) + AROUND)
    })
}

/// A blank at which no line is broken, so that the lines of the tree stay in place.
const UNBROKEN: &str = "\u{a0}";

/// A line of the tree whose drawn part is never broken.
fn unbroken(line: &str) -> String {
    let text = line.find(|c: char| !" │├└─".contains(c)).unwrap_or_default();
    format!("{}{}", line[..text].replace(' ', UNBROKEN), &line[text..])
}

/// The root causes, and the command that shows their remedies.
fn causes(report: &OwnershipReport) -> String {
    let line =
        |number: usize, finding: &Finding| format!("{number}  {} ({})", clean(&finding.summary), why_word(finding.why));
    let causes = report.root_causes();
    let numbered = causes.iter().zip(1..).flat_map(|(cause, number)| cause.iter().map(move |it| line(number, it)));
    let mut lines = some(numbered.collect(), "causes");
    let stuck = report.targets.iter().find(|target| target.deletion == Some(State::Stuck));
    lines.extend(stuck.filter(|_| !lines.is_empty()).map(|target| {
        let namespace = in_namespace(&target.object);
        command_line("  ", &format!("{COMMAND} {}{namespace}", quote(&target.object.kubectl()))).trim_end().to_owned()
    }));
    paragraph(&lines)
}

/// Remarks about how the garbage collector treats unusual references.
fn treatments(report: &OwnershipReport) -> String {
    let mut said = HashSet::new();
    let line = |node: &Node| {
        let treatment = clean(node.treatment.as_ref()?);
        Some(format!("{}: {treatment}", clean(&node.object.to_string())))
    };
    let odd = report.nodes().filter_map(line).filter(|line| said.insert(line.clone()));
    paragraph(&some(odd.collect(), "remarks"))
}

fn remarks(report: &OwnershipReport) -> String {
    let (by_rights, notes) = unread::by_rights(&report.unread);
    let unread = notes.iter();
    let unread = unread.map(|note| format!("undecided: cannot read {}: {}", clean(&note.what), clean(&note.why)));
    let mut lines: Vec<String> = by_rights.into_iter().collect();
    lines.extend(some(unread.collect(), "that cannot be read"));
    lines.extend(report.not_looked_at.iter().map(|place| format!("not read: {}", clean(place))));
    paragraph(&lines)
}

/// The first lines, and how many more there are.
fn some(mut lines: Vec<String>, what: &str) -> Vec<String> {
    let rest = left_out(lines.len().saturating_sub(MAX_LINES), what);
    lines.truncate(MAX_LINES);
    lines.extend(rest);
    lines
}

fn paragraph(lines: &[String]) -> String {
    if lines.is_empty() { String::new() } else { format!("\n {}\n", lines.join("\n ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::report::{Cause, Named, Ref};
    use jiff::Timestamp;

    #[test]
    fn an_object_names_the_causes_by_the_numbers_below_the_table() {
        let named = |name: &str| Ref::from(Named { kind: "Widget".into(), name: name.into(), ..Named::default() });
        let finding = |id: &str, end: Option<&str>| Finding {
            id: id.into(),
            root: true,
            broken_link: end.map(named),
            ..Draft::new(Cause::Finalizer, named(id), "waits").finding
        };
        let report = OwnershipReport {
            api_version: "",
            kind: "",
            taken_at: Timestamp::UNIX_EPOCH,
            context: None,
            server: None,
            targets: Vec::new(),
            findings: vec![finding("f1", Some("a")), finding("f2", None), finding("f3", Some("a"))],
            unread: Vec::new(),
            not_looked_at: Vec::new(),
        };
        let numbers = |on: &[&str]| {
            let stuck_on = on.iter().map(|id| (*id).to_owned()).collect();
            super::numbers(&Node { stuck_on, ..Node::default() }, &report)
        };
        assert_eq!(numbers(&["f2", "f3"]), "1, 2");
        assert_eq!(numbers(&["f1", "f3"]), "1", "one broken end is one cause");
        assert_eq!(numbers(&[]), "");
    }

    #[test]
    fn a_tree_is_drawn_through_the_lines_in_which_a_cell_continues() {
        let table = " A       x\n         y\n ├─ B    one\n         two\n └─ C    z\n         w";
        let drawn = " A       x\n │       y\n ├─ B    one\n │       two\n └─ C    z\n         w";
        assert_eq!(with_bars(table), drawn);
    }
}
