//! What a report is to whoever runs the program: the exit code.

use crate::cli::Options;
use crate::failure::Exit;
use crate::report::{About, Report, State};

/// The exit code of a report.
pub fn of(report: &Report, options: &Options) -> Exit {
    let any = |state: State| report.targets.iter().any(|target| target.state == state);
    // Some are about no target: objects without owners.
    let listed = report.findings.iter().any(|finding| finding.is_trouble() && finding.blocks.is_empty());
    // Of a scan what was not listed may be stuck, whatever else was looked at.
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
