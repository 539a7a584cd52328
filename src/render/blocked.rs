//! What is blocked, as a table.

use super::clean;
use super::layout::{Look, and_more, plain};
use super::marks::owner_mark;
use crate::report::{Cause, Finding, Link, LinkState, Ref, Report};

/// So many rows are shown; the rest is counted.
const ROWS: usize = 8;

/// The table of what is blocked.
pub(super) fn blocked(report: &Report, look: Look) -> String {
    let (rows, rest) = rows(report, look.most(ROWS));
    if rows.is_empty() {
        return String::new();
    }
    let mut table = plain(look.width);
    table.set_header(["BLOCKER", "NAMESPACE", "WAITS FOR", "OWNER"]);
    table.add_rows(rows);
    let rest = and_more(rest, 0, "objects").trim_end_matches('\n').to_owned();
    if rest.is_empty() { format!("{table}\n\n") } else { format!("{table}\n{rest}\n\n") }
}

/// What is blocked, where, what it waits for and who owns it, up to so many; and how many
/// there are besides.
pub(super) fn rows(report: &Report, most: usize) -> (Vec<[String; 4]>, usize) {
    let causes = report.findings.iter().filter(|finding| finding.is_root_cause());
    let all: usize = causes.clone().map(|finding| finding.objects.len()).sum();
    let objects = causes.flat_map(|finding| finding.objects.iter().map(move |object| row(object, finding)));
    let rows: Vec<[String; 4]> = objects.take(most).collect();
    let rest = all - rows.len();
    (rows, rest)
}

fn row(object: &Ref, finding: &Finding) -> [String; 4] {
    let waited = broken(finding).map(|link| &link.object).or(finding.waits_for.as_ref());
    let waits = waited_finalizer(finding).or_else(|| waited.map(ToString::to_string));
    [
        clean(&object.spoken()),
        clean(&object.namespace.clone().unwrap_or_else(|| "-".into())),
        clean(&waits.unwrap_or_else(|| waits_in_words(finding.cause).into())),
        clean(&owner_column(object, finding)),
    ]
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

/// The link that is to be repaired, where that is more than the place of what is
/// waited for, or a request to it.
fn broken(finding: &Finding) -> Option<&Link> {
    let more = |link: &&Link| link.object.kind != "Namespace" && !link.object.name.starts_with('/');
    finding.chain.iter().find(|link| link.state == LinkState::Broken).filter(more)
}
