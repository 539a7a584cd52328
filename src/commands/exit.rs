//! The exit code for a report.

use crate::cli::Options;
use crate::failure::Exit;
use crate::report::{About, Report, State};

/// The exit code of a report.
pub fn of(report: &Report, options: &Options) -> Exit {
    let any = |state: State| report.targets.iter().any(|target| target.state == state);
    // Findings need not belong to a target: stranded objects have none.
    let listed = report.findings.iter().any(|finding| finding.is_trouble() && finding.blocks.is_empty());
    // A kind that a scan could not list may contain stuck objects, whatever else was read.
    let looked_at = !report.targets.is_empty() && report.about != About::Scan;
    let nothing_for_sure = looked_at || report.unread.is_empty();
    if any(State::Stuck) || any(State::WouldHang) || listed {
        Exit::Stuck
    } else if any(State::Unknown) || (any(State::Gone) && !options.ignore_not_found) || !nothing_for_sure {
        Exit::Unknown
    } else {
        Exit::Fine
    }
}
