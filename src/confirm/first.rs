//! How many lines the first question about a report takes: the screen above leaves them to it.

use super::{Asked, afterwards, choice, question};
use crate::render::wrap;
use crate::report::{Finding, Remedy, Report, State};

/// How to choose stands above the ways, and details, skip and quit below them.
const CHOICE: usize = 4;

/// The lines of the first question on a terminal of so many columns, with its dialog.
#[must_use]
pub fn lines_of_the_first(report: &Report, width: usize) -> usize {
    let Some(root) = report.findings.iter().find(|finding: &&Finding| finding.is_root_cause()) else { return 0 };
    let ways: Vec<&Remedy> = report.remedies_of(root).filter(|remedy| !remedy.steps.is_empty()).collect();
    let context = report.context.as_deref();
    let text = match ways[..] {
        [] => return 0,
        [remedy] => {
            let asked = Asked { alike: remedy.steps[..1].to_vec(), risk: remedy.risk, by_name: remedy.by_name };
            question("Step 1 of 1", context, remedy, &asked) + &afterwards(&touched(root, report), &remedy.steps[0])
        }
        _ => choice(&root.subject, context),
    };
    text.lines().map(|line| wrap(line, width).lines().count().max(1)).sum::<usize>() + ways.len() + CHOICE
}

/// The namespaces that a repair of this cause frees. They are touched after it if their
/// controller does not look by itself in time.
#[must_use]
pub fn touched(finding: &Finding, report: &Report) -> Vec<String> {
    let going = report.targets.iter().filter(|target| target.state != State::Gone);
    let namespaces = going.map(|target| &target.object).filter(|object| object.resource == "namespaces");
    let held = namespaces.filter(|object| finding.blocks.contains(object) && !finding.is_stranded());
    held.map(|object| object.name.clone()).collect()
}
