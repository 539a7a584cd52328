//! The causes at a glance, above everything else on a long screen.

use crate::report::{Numbered, Report};
use crate::screen::by_hand::ByHand;
use crate::screen::layout::{Look, and_more, block};
use crate::screen::marks::cost_in_style;
use crate::screen::{clean, palette};

/// A line for each cause, and one for its first remedy.
pub(crate) fn overview(report: &Report, most: usize, look: Look) -> String {
    let causes: Vec<Numbered<'_>> = report.numbered().into_iter().filter(is_cause).collect();
    if causes.is_empty() {
        return String::new();
    }
    let lines = causes.iter().take(most).map(|cause| one(cause, report, look));
    let heading = palette::heading("CAUSES");
    format!(" {heading}\n{}{}", lines.collect::<String>(), and_more(causes.len(), most, "causes"))
}

fn is_cause(told: &Numbered<'_>) -> bool {
    told.number.is_some() && told.is_first && told.finding.is_root_cause()
}

fn one(cause: &Numbered<'_>, report: &Report, look: Look) -> String {
    let number = cause.number.unwrap_or_default();
    let what = block(&format!(" {number:<2} "), &clean(&cause.finding.summary), look.width, look.lines(1));
    let first = report.remedies_of(cause.finding).next().map(|remedy| {
        // The line may be cut at its end, and the risk must stay.
        let step = format!("{}: {}", cost_in_style(remedy), ByHand::new(&remedy.title).what);
        block("    → ", &step, look.width, look.lines(1))
    });
    what + &first.unwrap_or_default()
}
