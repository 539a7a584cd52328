//! `-o tree`: the tree of needs alone.

use crate::report::{Report, State};
use crate::screen::layout::{Look, left_out};
use crate::screen::{Shown, clean, diagnosis, needs, targets};
use std::fmt::Write;

/// The tree of needs below each target; a single line for a target that waits for nothing.
pub fn waits(report: &Report, look: Look) -> Shown {
    let (forest, rest) = needs::forest(report, waits_for_something);
    let mut text = String::new();
    if report.targets.is_empty() && forest.is_empty() {
        text.push_str(&diagnosis::without_targets(report));
    }
    if !forest.is_empty() {
        let _ = writeln!(text, "{}{}", needs::lines(forest), needs::LEGEND);
    }
    text.extend(left_out(rest, "targets").map(|rest| rest + "\n"));
    let (standings, _) = targets::standings(report);
    for standing in standings.iter().filter(|standing| !waits_for_something(standing.state)) {
        let _ = writeln!(text, "{}   {}", clean(&standing.names), clean(&standing.says));
    }
    Shown::screen(&text, look)
}

/// Whether a target in this state has a tree.
pub(crate) fn waits_for_something(state: State) -> bool {
    matches!(state, State::Stuck | State::Unknown | State::Progressing | State::WouldHang)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::hostile;

    #[test]
    fn text_from_the_cluster_stays_in_its_line() {
        let look = Look { width: 10_000, colour: false, all: false };
        let mut report = hostile::report();
        hostile::is_clean(&waits(&report, look));
        assert_eq!(waits(&report, look).lines().count(), 3, "with the legend");
        report.targets[0].state = State::Gone;
        assert!(waits(&report, look).ends_with("   does not exist\n"));
    }
}
