//! Decides whether a deletion may continue: nothing gets stuck, everything was approved, and the
//! state is still the one shown.

use crate::failure::Failure;
use crate::report::{Finding, Report, Risk, Step, Turn};
use std::collections::HashSet;

/// The root causes that block the targets in any order of deletion.
pub(super) fn unavoidable(report: &Report) -> impl Iterator<Item = &Finding> {
    report.findings.iter().filter(|finding| finding.root && finding.is_trouble() && !finding.avoidable)
}

/// Decides without a person: refuses a deletion that would get stuck or was not approved.
pub(super) fn may_go_on(report: &Report, risk: Risk, begun: bool) -> Result<(), Failure> {
    let nothing = if begun { "nothing more was deleted" } else { "nothing was deleted" };
    if let Some(finding) = unavoidable(report).next() {
        return Err(Failure::stuck(format!("{nothing}: it would get stuck: {}", finding.summary))
            .hint("fix that first, or run it on a terminal without --yes and --approve to decide there"));
    }
    if let Some(first) = report.unread.first() {
        let more = match report.unread.len() - 1 {
            0 => String::new(),
            count => format!(", and {count} more"),
        };
        let what = format!("{}: {}{more}", first.what, first.why);
        return Err(Failure::unknown(format!("{nothing}: could not read everything that may hold an object: {what}"))
            .hint(
                "run this again as a user who may read that, or on a terminal without --yes and --approve to decide \
                    there",
            ));
    }
    if let Some(turn) = report.order.iter().find(|turn| turn.risk > risk) {
        return Err(Failure::stuck(format!(
            "{nothing}: the approval does not cover a risk of {}: {}",
            turn.risk, turn.title
        ))
        .hint(match turn.risk {
            Risk::LosesData => "approve it by name: --approve loses-data --confirm NAME".to_owned(),
            risk => format!("approve it: {}", risk.flag()),
        }));
    }
    Ok(())
}

/// The reason why a turn, approved when `shown` was current, no longer applies.
pub(super) fn what_has_changed(shown: &Report, fresh: &Report, turn: &Turn) -> Option<String> {
    let Some(now) = fresh.order.first() else { return Some("nothing is left to delete here".into()) };
    let steps = |turn: &Turn| turn.steps.iter().map(Step::identity).collect::<HashSet<_>>();
    if steps(now) != steps(turn) {
        return Some(format!("next: {}", now.title));
    }
    if (now.risk, &now.consequence) != (turn.risk, &turn.consequence) {
        return Some(format!("{}: {}", now.risk, now.consequence));
    }
    // A finding is recognized by its identity: the times and counts in its words change by
    // themselves.
    let is_known = |finding: &Finding| {
        let state = |finding: &Finding| finding.controller.as_ref().map(|controller| controller.state);
        unavoidable(shown).any(|known| {
            (known.rule, &known.subject, &known.finalizer, &known.waits_for)
                == (finding.rule, &finding.subject, &finding.finalizer, &finding.waits_for)
                && state(known) == state(finding)
        })
    };
    if let Some(finding) = unavoidable(fresh).find(|finding| !is_known(finding)) {
        return Some(format!("it would get stuck: {}", finding.summary));
    }
    let unread = fresh.unread.iter().find(|note| !shown.unread.iter().any(|known| known.what == note.what));
    unread.map(|note| format!("not known: {}: {}", note.what, note.why))
}

/// Whether a finding blocks an object that a turn deletes.
pub(super) fn is_about(finding: &Finding, turn: &Turn) -> bool {
    turn.steps.iter().any(|step| finding.blocks.iter().any(|object| object.uid == step.object.uid))
}
