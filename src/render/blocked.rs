//! What is blocked, as a table, and what waits for what, as a tree.

use super::clean;
use super::layout::{Look, and_more, plain};
use super::marks::{controller_word, link_mark, owner_mark};
use super::tree::{Branch, aligned};
use crate::report::{
    Cause, ControllerState, Finding, Link, LinkState, Owner, Ref, Report, State, Target as TargetReport,
};

/// So many rows are shown; the rest is counted.
const ROWS: usize = 8;
/// So many objects of a cause are shown in a tree.
const NAMED: usize = 3;

/// The table of what is blocked.
pub(super) fn blocked(report: &Report, look: Look) -> String {
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

/// What waits for what, from each stuck target down.
pub(super) fn tree(report: &Report) -> String {
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

/// The link that is to be repaired, where that is more than the place of what is
/// waited for, or a request to it.
fn broken(finding: &Finding) -> Option<&Link> {
    let more = |link: &&Link| link.object.kind != "Namespace" && !link.object.name.starts_with('/');
    finding.chain.iter().find(|link| link.state == LinkState::Broken).filter(more)
}
