//! A report in one line: the heading of a page or a ticket.

use crate::report::{About, Report, State};

/// `Namespace shop is stuck`, `2 of 3 objects are stuck`.
pub(crate) fn headline(report: &Report) -> String {
    match &report.targets[..] {
        [] => without_targets(report).into(),
        [only] => format!("{} {}", only.object, in_words(only.state)),
        all => {
            let count = |state: State| all.iter().filter(|target| target.state == state).count();
            let worst =
                [(State::Stuck, "stuck"), (State::WouldHang, "would get stuck"), (State::Unknown, "may be stuck")];
            match worst.into_iter().map(|(state, words)| (count(state), words)).find(|(count, _)| *count > 0) {
                None => format!("None of {} objects is stuck", all.len()),
                Some((1, "stuck")) => format!("1 of {} objects is stuck", all.len()),
                Some((some, "stuck")) if some == all.len() => format!("{some} objects are stuck"),
                Some((some, "stuck")) => format!("{some} of {} objects are stuck", all.len()),
                Some((some, words)) => format!("{some} of {} objects {words}", all.len()),
            }
        }
    }
}

fn without_targets(report: &Report) -> &'static str {
    match (report.about, report.findings.is_empty()) {
        (About::Apis(_), false) => "Aggregated APIs that fail",
        (About::Apis(_), true) => "No failing aggregated API found",
        (About::Orphans, false) => "Objects whose owners are missing",
        (About::Orphans, true) => "No stranded objects found",
        (About::Targets | About::Products | About::Preflight | About::Scan, _) => "Nothing is being deleted",
    }
}

fn in_words(state: State) -> &'static str {
    match state {
        State::Stuck => "is stuck",
        State::Unknown => "may be stuck",
        State::Progressing => "is being deleted",
        State::NotDeleting => "is not being deleted",
        State::Gone => "does not exist",
        State::WouldHang => "would get stuck",
        State::WouldGo => "would not get stuck",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::hostile;

    #[test]
    fn the_headline_counts_the_worst_state() {
        let said = |states: &[State]| {
            let mut report = hostile::report();
            let target = report.targets.remove(0);
            report.targets =
                states.iter().map(|state| crate::report::TargetReport { state: *state, ..target.clone() }).collect();
            headline(&report)
        };
        assert_eq!(said(&[State::Stuck, State::Stuck]), "2 objects are stuck");
        assert_eq!(said(&[State::Stuck, State::Gone]), "1 of 2 objects is stuck");
        assert_eq!(said(&[State::Stuck, State::Stuck, State::Unknown]), "2 of 3 objects are stuck");
        assert_eq!(said(&[State::WouldHang, State::WouldGo]), "1 of 2 objects would get stuck");
        assert_eq!(said(&[State::Progressing, State::Gone]), "None of 2 objects is stuck");
        assert_eq!(said(&[]), "Nothing is being deleted");
    }
}
