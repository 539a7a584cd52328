//! What to do at what risk: a list, and a table where the screen is roomy.

use super::clean;
use super::layout::{Look, ROOMY, block, fixed, plain};
use super::marks::cost;
use super::offers::{Offer, first_offers};
use crate::report::{Remedy, Report};
use comfy_table::{ColumnConstraint, Width};

/// Where a list's text begins.
const INDENT: usize = 5;
/// So many ways out of each cause are shown where there are several causes.
const OF_EACH: usize = 2;
/// Where there is one cause, it fits a screen of so many lines, with its question.
const SCREEN: usize = 24;
/// A blank line, what is done to what, and what it costs; of several ways, which.
const QUESTION: usize = 4;
const WHICH: usize = 2;
/// How to choose, and below the ways details, skip and quit.
const DIALOG: usize = 4;
/// The heading, and the line for what is left out.
const FRAME: usize = 2;
/// So many lines of what follows from it; the question has it whole.
const RISK: usize = 2;

/// Where the list stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Only the first so many causes are shown.
    pub causes: usize,
    /// So many other lines are on the screen.
    pub beside: usize,
    /// Whether a question follows, which lists the ways out of a single cause itself.
    pub is_asked: bool,
}

/// The remedies, milder ones of one cause first, with their risk.
pub(super) fn what_to_do(report: &Report, place: Place, look: Look) -> String {
    let question = if place.is_asked { question(report) } else { 0 };
    let room = SCREEN.saturating_sub(FRAME + question + place.beside);
    let (offers, hidden) = fewer(report, place, room, look);
    if offers.is_empty() {
        return String::new();
    }
    let text = if look.width >= ROOMY { table(&offers, look.width) } else { list(&offers, look) };
    let more = match hidden {
        0 => String::new(),
        1 => " … and 1 more way: -o wide shows it\n".into(),
        more => format!(" … and {more} more ways: -o wide shows them\n"),
    };
    text + &more
}

/// The lines of the first question.
fn question(report: &Report) -> usize {
    let root = report.findings.iter().find(|finding| finding.is_root_cause());
    let remedies = root.map(|root| report.remedies_of(root)).into_iter().flatten();
    match remedies.filter(|remedy| !remedy.steps.is_empty()).count() {
        0 => 0,
        1 => QUESTION + 1 + DIALOG,
        ways => WHICH + ways + DIALOG,
    }
}

/// The ways that are shown, and how many are left out: what merely follows from a root
/// cause needs none, and the mildest and the first that is offered as a step come first.
fn fewer(report: &Report, place: Place, room: usize, look: Look) -> (Vec<Offer<'_>>, usize) {
    let mut offers = first_offers(report, place.causes);
    if look.all {
        return (offers, 0);
    }
    let roots = report.findings.iter().filter(|finding| finding.is_root_cause()).count();
    if place.is_asked && roots == 1 {
        offers.retain(|offer| offer.remedy.steps.is_empty());
        if let Some(first) = offers.first_mut() {
            first.number = Some(1);
        }
    }
    let all = offers.len();
    let of_root = |remedy: &Remedy| {
        report.findings.iter().any(|finding| finding.is_root_cause() && finding.remedies.contains(&remedy.id))
    };
    let mut shown: Vec<Offer<'_>> = offers.into_iter().filter(|offer| roots == 0 || of_root(offer.remedy)).collect();
    let mut keeps = vec![false; shown.len()];
    let (mut used, mut of_this, mut has_step) = (0, 0, false);
    for (place, offer) in shown.iter().enumerate() {
        if offer.number.is_some() {
            (of_this, has_step) = (0, false);
        }
        let lines = way(offer, look).lines().count();
        let is_step = !offer.remedy.steps.is_empty() && !has_step;
        let fits = if roots == 1 { used + lines <= room } else { of_this < OF_EACH };
        if of_this == 0 || is_step || fits {
            keeps[place] = true;
            (used, of_this, has_step) = (used + lines, of_this + 1, has_step || is_step);
        }
    }
    let mut keeps = keeps.into_iter();
    shown.retain(|_| keeps.next().unwrap_or(true));
    let mut number = 0;
    for offer in shown.iter_mut().filter(|offer| offer.number.is_some()) {
        number += 1;
        offer.number = Some(number);
    }
    let hidden = all - shown.len();
    (shown, hidden)
}

/// A way out as it stands in the list.
fn way(Offer { number, remedy }: &Offer<'_>, look: Look) -> String {
    let (width, most) = (look.width, look.lines(RISK));
    let title = block(&format!(" {}  ", label(*number)), &clean(&remedy.title), width, usize::MAX);
    title + &block(&" ".repeat(INDENT + 2), &risk(remedy), width, most)
}

fn list(offers: &[Offer<'_>], look: Look) -> String {
    let lines: String = offers.iter().map(|offer| way(offer, look)).collect();
    format!(" WHAT TO DO\n{lines}")
}

fn table(offers: &[Offer<'_>], width: usize) -> String {
    let mut table = plain(width);
    table.set_header(["", "WHAT TO DO", "RISK"]);
    for Offer { number, remedy } in offers {
        table.add_row([label(*number), clean(&remedy.title), risk(remedy)]);
    }
    fixed(&mut table, 0, 4);
    if let Some(column) = table.column_mut(2) {
        column.set_constraint(ColumnConstraint::UpperBoundary(Width::Percentage(40)));
    }
    format!("{table}\n")
}

fn label(number: Option<usize>) -> String {
    number.map_or_else(|| "or".into(), |number| format!("{number:>2}"))
}

fn risk(remedy: &Remedy) -> String {
    format!("{}: {}", cost(remedy), clean(&remedy.consequence))
}
