//! What a person sees: each target, its causes, the table of what is blocked,
//! the tree of what waits for what, and what to do at what risk.

use super::tree::{Branch, aligned};
use super::{clean, clean_lines, palette, wrap};
use crate::facts::since;
use crate::report::{
    About, Cause, Certainty, Controller, ControllerState, Finding, Link, LinkState, ObjectNote, Owner, OwnerState, Ref,
    Remedy, Report, State, Target as TargetReport, Turn,
};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};
use jiff::SignedDuration;

/// How it is to look.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Columns of the screen.
    pub width: usize,
    /// Whether to paint it.
    pub colour: bool,
}

/// The columns of a cause beside its text: its number, and how sure it is.
const NUMBER_WIDTH: usize = 3;
const CERTAINTY_WIDTH: usize = 8;
/// From this width on evidence says in which field it was read.
const ROOMY: usize = 120;
/// So many rows of a table, and so many objects of a cause, are shown; the rest
/// is counted.
const CAUSES: usize = 12;
const ROWS: usize = 8;
const NAMED: usize = 3;
/// So many consequences of a deletion are shown.
const CONSEQUENCES: usize = 12;

/// The report as a screen.
#[must_use]
pub fn screen(report: &Report, look: Look) -> String {
    let mut text = String::new();
    for target in &report.targets {
        text.push_str(&head(target, report));
    }
    if report.targets.is_empty() {
        text.push_str(&without_targets(report));
    }
    // What nothing would hold is said in two lines: that, and the command.
    if report.about != About::Preflight || !report.findings.is_empty() {
        text.push('\n');
    }
    for (index, finding) in report.findings.iter().take(CAUSES).enumerate() {
        text.push_str(&cause(index + 1, finding, look));
    }
    text.push_str(&and_more(report.findings.len(), CAUSES, "causes"));
    if report.about != About::Preflight && report.findings.iter().any(Finding::is_trouble) {
        text.push_str(&blocked(report, look));
        text.push_str(&tree(report));
    }
    text.push_str(&what_to_do(report, look));
    text.push_str(&order(report, look.width));
    text.push_str(&remarks(report, look.width));
    let text = clean_lines(&text);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let trimmed = lines.join("\n") + "\n";
    if look.colour { palette::paint(&trimmed) } else { trimmed }
}

/// What a search that found no namespace may say.
fn without_targets(report: &Report) -> String {
    let (found, read) = (!report.findings.is_empty(), report.unread.is_empty());
    match (report.about, found, read) {
        (About::Apis(_), true, _) => "no namespace is waiting for them now; these aggregated APIs fail:\n".into(),
        (About::Apis(0), false, true) => "there is no aggregated API\n".into(),
        (About::Apis(1), false, true) => "the one aggregated API answers\n".into(),
        (About::Apis(count), false, true) => format!("all {count} aggregated APIs answer\n"),
        (About::Apis(_), false, false) => {
            "no aggregated API was found to fail, but not everything could be read\n".into()
        }
        (_, true, _) => "no namespace was found with stranded objects; these name owners that are not there:\n".into(),
        (_, false, true) => "nothing is stranded, and no owner is missing: every kind was listed\n".into(),
        (_, false, false) => "nothing was found to be stranded, but not everything could be read\n".into(),
    }
}

/// A line for what a screen has no room for.
fn and_more(all: usize, shown: usize, what: &str) -> String {
    match all.saturating_sub(shown) {
        0 => String::new(),
        more => format!(" … and {more} more {what}: -o json names every one\n\n"),
    }
}

/// `Namespace shop   terminating for 3d4h   2 causes`
fn head(target: &TargetReport, report: &Report) -> String {
    let age = target.since.map(|then| age(since(then, report.taken_at)));
    let about = report
        .findings
        .iter()
        .filter(|finding| finding.root && finding.is_trouble() && finding.blocks.contains(&target.object))
        .count();
    let state = match (target.state, age) {
        (State::Stuck, Some(age)) => {
            format!("terminating for {age}   {about} {}", if about == 1 { "cause" } else { "causes" })
        }
        (State::Stuck, None) => {
            let name = format!("{} ", target.object);
            target.summary.strip_prefix(&name).unwrap_or(&target.summary).to_owned()
        }
        (State::Unknown, Some(age)) => format!("terminating for {age}   {}", target.summary),
        (State::Unknown, None) => target.summary.clone(),
        (State::Progressing, age) => {
            format!("terminating for {}   progressing: nothing is wrong so far", age.unwrap_or_default())
        }
        (State::NotDeleting, _) => "not being deleted: nothing to unstick".into(),
        (State::Gone, _) => "does not exist".into(),
        (State::WouldHang, _) => {
            format!("would get stuck   {about} {}", if about == 1 { "cause" } else { "causes" })
        }
        (State::WouldGo, _) => format!("would go: {}", target.summary),
    };
    format!("{}   {}\n", clean(&target.object.to_string()), clean(&state))
}

/// An age as kubectl prints it, in two parts: `3d4h`.
#[must_use]
pub fn age(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    let (days, hours, minutes) = (seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, _) if seconds < 120 => format!("{seconds}s"),
        (0, 0, minutes) => format!("{minutes}m"),
        (0, hours, minutes) => format!("{hours}h{minutes}m"),
        (days, hours, _) => format!("{days}d{hours}h"),
    }
}

/// One cause: its line, then its evidence.
fn cause(number: usize, finding: &Finding, look: Look) -> String {
    let certainty = match finding.certainty {
        Certainty::Proven => "proven",
        Certainty::Likely => "likely",
    };
    let mut table = plain(look.width);
    table.add_row([
        format!("{number}"),
        clean(&finding.summary),
        if finding.is_trouble() { certainty.into() } else { String::new() },
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
    match (look.width >= ROOMY, finding.controller.is_some()) {
        (true, _) => 8,
        (false, false) => 5,
        (false, true) => 3,
    }
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

fn link_mark(state: LinkState) -> &'static str {
    match state {
        LinkState::Fine => "✓",
        LinkState::Affected => "↓",
        LinkState::Broken => "✗",
        LinkState::Unknown => "?",
    }
}

/// The link that is to be repaired, where that is more than the place of what is
/// waited for, or a request to it.
fn broken(finding: &Finding) -> Option<&Link> {
    let more = |link: &&Link| link.object.kind != "Namespace" && !link.object.name.starts_with('/');
    finding.chain.iter().find(|link| link.state == LinkState::Broken).filter(more)
}

/// Who should have released it, how that stands, and on what evidence.
fn controller_lines(controller: &Controller, finding: &Finding, look: Look) -> Vec<String> {
    let state = controller_word(controller.state);
    let head = match &controller.workload {
        Some(workload) => format!("controller: {}, {state}", clean(&workload.to_string())),
        None => format!("controller: {state}"),
    };
    let room = if look.width >= ROOMY { 8 } else { 4 };
    // The line above has said why already.
    let said = |text: &&String| text.split_once(": ").is_some_and(|(_, why)| finding.summary.contains(why));
    let evidence =
        controller.evidence.iter().filter(|text| !said(text)).take(room).map(|text| format!("· {}", clean(text)));
    std::iter::once(head).chain(evidence).collect()
}

fn controller_word(state: ControllerState) -> &'static str {
    match state {
        ControllerState::Gone => "gone",
        ControllerState::Down => "down",
        ControllerState::Failing => "failing",
        ControllerState::Alive => "alive",
        ControllerState::Unknown => "unknown",
    }
}

/// Where it was read is named when there is room, or when it is another object.
fn evidence_line(evidence: &crate::report::Evidence, finding: &Finding, look: Look) -> String {
    let text = clean(&evidence.text);
    let Some(object) = &evidence.object else { return text };
    let field = evidence.field.as_deref().unwrap_or_default();
    let elsewhere = *object != finding.subject;
    let named = clean(&object.to_string());
    let place = match (elsewhere, look.width >= ROOMY) {
        (false, false) => String::new(),
        (true, false) => named,
        (_, true) if field.is_empty() => named,
        (_, true) => format!("{named}: {field}"),
    };
    if place.is_empty() { text } else { format!("{text}  ({place})") }
}

/// The table of what is blocked.
fn blocked(report: &Report, look: Look) -> String {
    let mut rows = Vec::new();
    for finding in report.findings.iter().filter(|finding| finding.is_trouble() && finding.root) {
        for object in &finding.objects {
            let waited = broken(finding).map(|link| &link.object).or(finding.waits_for.as_ref());
            let waits = waited_finalizer(finding).or_else(|| waited.map(ToString::to_string));
            rows.push([
                clean(&object.spoken()),
                clean(&object.namespace.clone().unwrap_or_else(|| "-".into())),
                clean(&waits.unwrap_or_else(|| waits_in_words(finding.cause).into())),
                clean(&owner_column(object, finding)),
            ]);
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    let mut table = plain(look.width);
    table.set_header(["BLOCKER", "NAMESPACE", "WAITS FOR", "OWNER"]);
    let rest = and_more(rows.len(), ROWS, "objects").trim_end_matches('\n').to_owned();
    for [object, namespace, waits, owner] in rows.into_iter().take(ROWS) {
        table.add_row([object, namespace, waits, owner]);
    }
    if rest.is_empty() { format!("{table}\n\n") } else { format!("{table}\n{rest}\n\n") }
}

/// The finalizer whose removal is waited for. Where admission refuses that, it is
/// waited for what refuses it.
fn waited_finalizer(finding: &Finding) -> Option<String> {
    finding.finalizer.clone().filter(|_| finding.cause != Cause::Admission)
}

/// What a cause without a named object waits for.
fn waits_in_words(cause: Cause) -> &'static str {
    match cause {
        Cause::Admission => "admission of its deletion",
        Cause::NamespaceController => "the namespace controller",
        Cause::Unreadable => "a list that can be read",
        _ => "-",
    }
}

/// The chain of managing owners, nearest first.
fn owner_column(object: &Ref, finding: &Finding) -> String {
    let Some(ownership) = finding.owners.iter().find(|ownership| ownership.of == *object) else { return "-".into() };
    let mut chain = Vec::new();
    let mut owners = &ownership.owners;
    while let Some(owner) = owners.iter().find(|owner| owner.controller).or_else(|| owners.first()) {
        chain.push(format!("{}{}", owner.object.spoken(), owner_mark(owner.state)));
        owners = &owner.owners;
    }
    chain.join(" ← ")
}

fn owner_mark(state: OwnerState) -> &'static str {
    match state {
        OwnerState::Present => "",
        OwnerState::Terminating => " ⏳ terminating",
        OwnerState::Missing => " ✗ missing",
        OwnerState::Replaced => " ✗ missing (another object has its name)",
        OwnerState::UnknownKind => " ✗ of a kind that is not served",
        OwnerState::Cycle => " ✗ owns itself",
        OwnerState::OtherNamespace => " ✗ in another namespace: counts as missing",
        OwnerState::Impossible => " ✗ namespaced: cannot own what is not",
        OwnerState::Unread => " ? unread",
    }
}

/// What waits for what, from each stuck target down.
fn tree(report: &Report) -> String {
    let stuck = report.targets.iter().filter(|target| target.state == State::Stuck);
    let lines: Vec<String> = stuck.flat_map(|target| target_tree(target, report)).collect();
    if lines.is_empty() { String::new() } else { lines.join("\n") + "\n\n" }
}

fn target_tree(target: &TargetReport, report: &Report) -> Vec<String> {
    let about =
        report.findings.iter().filter(|finding| finding.is_trouble() && finding.blocks.contains(&target.object));
    let branches: Vec<Branch> = about.flat_map(|finding| branches(finding, &target.object)).collect();
    let mut lines = vec![format!(" {}", clean(&target.object.to_string()))];
    lines.extend(aligned(branches));
    lines
}

fn branches(finding: &Finding, target: &Ref) -> Vec<Branch> {
    // Of several namespaces each tree shows its own content.
    let elsewhere = |object: &Ref| object.namespace.as_ref().is_some_and(|namespace| *namespace != target.name);
    let shown = |object: &&Ref| target.kind != "Namespace" || !elsewhere(object);
    let objects: Vec<&Ref> = finding.objects.iter().filter(shown).collect();
    let mut branches: Vec<Branch> =
        objects.iter().take(NAMED).flat_map(|object| branch(object, finding, target)).collect();
    if objects.len() > NAMED {
        branches.push(Branch::leaf(format!("… and {} more", objects.len() - NAMED), mark(finding)));
    }
    branches
}

fn mark(finding: &Finding) -> String {
    match waited_finalizer(finding) {
        Some(finalizer) => format!("⏳ {}", clean(&finalizer)),
        None if finding.root => "✗".into(),
        None => "⏳".into(),
    }
}

/// An object with its owners and with what it waits for; what waits for the
/// target itself hangs directly below the target.
fn branch(object: &Ref, finding: &Finding, target: &Ref) -> Vec<Branch> {
    let mut below: Vec<Branch> = Vec::new();
    // What waits for the target itself hangs below it.
    if let Some(waits_for) = finding.waits_for.as_ref().filter(|waits_for| *waits_for != target) {
        let state = finding.controller.as_ref().filter(|controller| controller.workload.as_ref() == Some(waits_for));
        let link = finding.chain.iter().find(|link| link.object == *waits_for);
        let mark = match (state, link) {
            _ if waits_for.missing => "✗ missing".to_owned(),
            (Some(controller), _) if controller.state == ControllerState::Alive => "⏳ alive".to_owned(),
            (Some(controller), _) => format!("✗ {}", controller_word(controller.state)),
            (None, Some(link)) => link_mark(link.state).to_owned(),
            (None, None) => "✗".to_owned(),
        };
        let mut waited = Branch::leaf(format!("waits for {}", clean(&waits_for.to_string())), mark);
        let deeper = broken(finding).filter(|link| link.object != *waits_for && link.object != *object);
        waited.below.extend(deeper.map(|link| Branch::leaf(clean(&link.object.to_string()), "✗")));
        below.push(waited);
    }
    if let Some(ownership) = finding.owners.iter().find(|ownership| ownership.of == *object) {
        below.extend(ownership.owners.iter().map(owner_branch));
    }
    if object == target {
        let finalizer = waited_finalizer(finding);
        if finalizer.is_none() && (below.is_empty() || !finding.root) {
            below = vec![Branch::leaf(clean(&finding.summary), mark(finding))];
        } else if finalizer.is_some() {
            below.insert(0, Branch::leaf("waits for finalizer".into(), mark(finding)));
        }
        return below;
    }
    vec![Branch { text: clean(&object.to_string()), mark: mark(finding), below }]
}

fn owner_branch(owner: &Owner) -> Branch {
    Branch {
        text: format!("owned by {}", clean(&owner.object.to_string())),
        mark: owner_mark(owner.state).trim_start().to_owned(),
        below: owner.owners.iter().map(owner_branch).collect(),
    }
}

/// The remedies, milder ones of one cause first, with their risk.
fn what_to_do(report: &Report, look: Look) -> String {
    let mut table = plain(look.width);
    table.set_header(["", "WHAT TO DO", "RISK"]);
    let mut number = 0;
    // What mends several causes is offered once.
    let mut offered: Vec<&str> = Vec::new();
    for finding in report.findings.iter().take(CAUSES) {
        let new = report.remedies_of(finding).filter(|remedy| !offered.contains(&remedy.id.as_str()));
        let new: Vec<&Remedy> = new.collect();
        for (place, remedy) in new.into_iter().enumerate() {
            let label = if place == 0 {
                number += 1;
                format!(" {number}")
            } else {
                " or".into()
            };
            offered.push(&remedy.id);
            table.add_row([label, clean(&remedy.title), risk(remedy)]);
        }
    }
    if number == 0 {
        return String::new();
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
    let consequence = clean(&remedy.consequence);
    match (remedy.risk, remedy.undo) {
        (crate::report::Risk::Manual, _) => format!("by hand: {consequence}"),
        // The setting can be put back, and not what it destroys.
        (risk, true) if !risk.is_harsh() => format!("{risk}, can be undone: {consequence}"),
        (risk, _) => format!("{risk}: {consequence}"),
    }
}

/// What could not be read, what merely waits, what is broken besides.
fn remarks(report: &Report, width: usize) -> String {
    let about =
        |what: &str, note: &ObjectNote| format!(" {what}: {}: {}", clean(&note.object.to_string()), clean(&note.why));
    let unread = report.unread.iter().take(ROWS);
    let mut lines: Vec<String> =
        unread.map(|note| format!(" undecided: cannot read {}: {}", clean(&note.what), clean(&note.why))).collect();
    if report.unread.len() > ROWS {
        lines.push(format!(" … and {} more that cannot be read: -o json names every one", report.unread.len() - ROWS));
    }
    let follows = report.consequences.iter().map(|note| about("what follows", note));
    lines.extend(follows.take(CONSEQUENCES));
    let more = report.consequences.len().saturating_sub(CONSEQUENCES);
    if more > 0 {
        lines.push(format!(" … and {more} more that follow: -o json names every one"));
    }
    lines.extend(report.waiters.iter().map(|note| about("waiting for it", note)));
    lines.extend(report.also_broken.iter().map(|note| about("also broken, not in the way", note)));
    if lines.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = lines.iter().map(|line| wrap(line, width)).collect();
    format!("\n{}\n", lines.join("\n"))
}

/// Facts in two columns, laid out for `width` columns and clean.
#[must_use]
pub fn facts(rows: &[(&str, String)], width: usize) -> String {
    let mut table = plain(width);
    for (name, text) in rows {
        table.add_row([(*name).to_owned(), clean(text)]);
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}

pub(super) fn plain(width: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    table
}

pub(super) fn fixed(table: &mut Table, column: usize, width: usize) {
    if let Some(column) = table.column_mut(column) {
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(u16::try_from(width).unwrap_or(u16::MAX))));
    }
}

fn right(table: &mut Table, column: usize) {
    if let Some(column) = table.column_mut(column) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}
