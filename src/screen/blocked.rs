//! The table of blocked objects.

use crate::report::{Cause, Finding, Owner, OwnerState, Ref, Report};
use crate::screen::detail::Detail;
use crate::screen::layout::{Look, left_out, plain};
use crate::screen::marks::owner_mark;
use crate::screen::{clean, palette};

const HEADER: [&str; 4] = ["BLOCKER", "NAMESPACE", "WAITS FOR", "OWNER"];

/// The table of blocked objects. Rows that do not fit are counted.
pub(crate) fn blocked(report: &Report, detail: Detail, look: Look) -> String {
    let (rows, rest) = rows(report, look.most(detail.rows), |finding| look.all || adds_rows(finding));
    if rows.is_empty() {
        return String::new();
    }
    let mut table = plain(look.width);
    // A column is left out if it is empty or only repeats the causes.
    let refused = |finding: &Finding| finding.cause == Cause::Admission;
    let told = report.findings.iter().filter(|finding| finding.is_root_cause()).all(refused);
    let stands = |column: usize| {
        look.all || (rows.iter().any(|row| row[column] != "-") && !(told && HEADER[column] == "WAITS FOR"))
    };
    let columns: Vec<usize> = (0..HEADER.len()).filter(|column| stands(*column)).collect();
    let of = |row: &[String; 4]| columns.iter().map(|column| row[*column].clone()).collect::<Vec<_>>();
    table.set_header(columns.iter().map(|column| palette::heading(HEADER[*column])));
    table.add_rows(rows.iter().map(of));
    let rest = left_out(rest, "objects").map(|rest| format!(" {rest}\n")).unwrap_or_default();
    format!("{table}\n{rest}\n")
}

/// Whether the table adds to the lines of the causes: several objects of one cause, or owners that
/// are missing or further up and that no cause mentions. A tree beside it shows the objects already,
/// but not their owners.
pub(crate) fn tells_more(report: &Report, has_tree: bool) -> bool {
    let told = report.findings.iter().any(|finding| finding.cause == Cause::Dependents);
    let mut roots = report.findings.iter().filter(|finding| finding.is_root_cause());
    roots.any(|finding| (has_more_objects(finding) && !has_tree) || (is_owned(finding) && !told))
}

/// Whether the rows of this cause say more than its line.
fn adds_rows(finding: &Finding) -> bool {
    has_more_objects(finding) || is_owned(finding)
}

fn has_more_objects(finding: &Finding) -> bool {
    let named = |object: &Ref| finding.summary.names(object);
    finding.objects.len() > 1 && (finding.cause == Cause::Api || !finding.objects.iter().all(named))
}

fn is_owned(finding: &Finding) -> bool {
    let above = |owner: &Owner| owner.state != OwnerState::Present || !owner.owners.is_empty();
    finding.owners.iter().any(|ownership| ownership.owners.iter().any(above))
}

/// A row for each object that these causes block, at most `most`: its namespace, what it waits for and its owners.
/// Also returns how many objects are left out.
pub(crate) fn rows(report: &Report, most: usize, of: impl Fn(&Finding) -> bool) -> (Vec<[String; 4]>, usize) {
    let causes = report.findings.iter().filter(|finding| finding.is_root_cause() && of(finding));
    let all: usize = causes.clone().map(|finding| finding.objects.len()).sum();
    let objects = causes.flat_map(|finding| finding.objects.iter().map(move |object| row(object, finding)));
    let rows: Vec<[String; 4]> = objects.take(most).collect();
    let rest = all - rows.len();
    (rows, rest)
}

fn row(object: &Ref, finding: &Finding) -> [String; 4] {
    let waited = finding.broken_link.as_ref().or(finding.waits_for.as_ref());
    let waits = waited_finalizer(finding).or_else(|| waited.map(ToString::to_string));
    [
        clean(&object.spoken()),
        clean(&object.namespace.clone().unwrap_or_else(|| "-".into())),
        clean(&waits.unwrap_or_else(|| waits_in_words(finding.cause).into())),
        owner_column(object, finding),
    ]
}

/// The finalizer that the object waits for; `None` if admission refuses its removal, or if the
/// finding has several finalizers.
fn waited_finalizer(finding: &Finding) -> Option<String> {
    finding.finalizer.clone().filter(|_| finding.cause != Cause::Admission && finding.more_finalizers.is_empty())
}

/// The words for the column if a cause names no object to wait for.
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
        chain.push(format!("{}{}", clean(&owner.object.spoken()), owner_mark(owner.state)));
        owners = &owner.owners;
    }
    chain.join(" ← ")
}
