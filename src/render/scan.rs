//! What `scan` shows a person: a line for each root cause, the worst first.

use super::age::age;
use super::layout::{and_more, fixed, plain, right};
use super::marks::cost;
use super::{Look, Shown, clean, clean_command, wrap};
use crate::facts::since;
use crate::plan::{in_namespace, one, quote};
use crate::plugin::COMMAND;
use crate::report::{Finding, Ref, Remedy, Report, Sentence, State, Why};
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;

/// From this width on a cause and its remedy stand in one line.
const ROOMY: usize = 120;
/// So many causes, and so many of what could not be read, are shown; the rest is counted.
const CAUSES: usize = 40;
const UNREAD: usize = 8;
/// The columns of the numbers and of the ages.
const WAITING: usize = 9;
const SINCE: usize = 8;

/// The report of one cluster as a screen. Commands name `context`, where it was asked for by name.
#[must_use]
pub fn scan_screen(report: &Report, context: Option<&str>, look: Look) -> Shown {
    let causes = causes(report);
    let mut text = head(report, causes.len());
    if !causes.is_empty() {
        text.extend(["\n", &table(&causes, report, look), "\n"]);
    }
    text.push_str(&and_more(causes.len(), look.most(CAUSES), "causes"));
    text.push_str(&undecided(report, look));
    text.push_str(&next(&causes, context));
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    Shown::screen(&lines.join("\n"), look)
}

/// A root cause, and who waits for it.
struct Waited<'r> {
    finding: &'r Finding,
    /// How long the oldest of them has been waiting.
    oldest: Option<SignedDuration>,
}

/// The root causes: first what most wait for, then what is waited for the longest.
fn causes(report: &Report) -> Vec<Waited<'_>> {
    let asked: HashMap<&Ref, Timestamp> =
        report.targets.iter().filter_map(|target| Some((&target.object, target.since?))).collect();
    let roots = report.findings.iter().filter(|finding| finding.is_root_cause());
    let oldest = |finding: &Finding| finding.blocks.iter().filter_map(|target| asked.get(target)).min().copied();
    let mut causes: Vec<Waited<'_>> = roots
        .map(|finding| Waited { finding, oldest: oldest(finding).map(|then| since(then, report.taken_at)) })
        .collect();
    causes.sort_by_key(|cause| std::cmp::Reverse((cause.finding.blocks.len(), cause.oldest)));
    causes
}

/// `Cluster kind: 12 objects are stuck, 3 causes`, or that nothing is.
fn head(report: &Report, causes: usize) -> String {
    let count = |state| report.targets.iter().filter(|target| target.state == state).count();
    let (stuck, young, unknown) = (count(State::Stuck), count(State::Progressing), count(State::Unknown));
    let cluster = report.context.as_deref().map_or_else(|| "This cluster".to_owned(), |name| format!("Context {name}"));
    let stuck = match stuck {
        0 if unknown > 0 || !report.unread.is_empty() => {
            "nothing was found to be stuck, but not everything could be read".to_owned()
        }
        0 => "nothing is stuck".to_owned(),
        _ => format!("{} stuck, {causes} {}", objects(stuck), if causes == 1 { "cause" } else { "causes" }),
    };
    let mut lines = vec![format!("{}: {stuck}", clean(&cluster))];
    if young > 0 {
        lines.push(format!("{} being deleted, and nothing is wrong so far", objects(young)));
    }
    if unknown > 0 {
        lines.push(format!("{} being deleted, and what holds them could not be found out", objects(unknown)));
    }
    lines.join("\n") + "\n"
}

fn objects(count: usize) -> String {
    if count == 1 { "1 object is".into() } else { format!("{count} objects are") }
}

fn table(causes: &[Waited<'_>], report: &Report, look: Look) -> String {
    let mut table = plain(look.width);
    let roomy = look.width >= ROOMY;
    let mut heading = vec!["WAITING", "SINCE", "CAUSE"];
    heading.extend(roomy.then_some("FIRST REMEDY"));
    table.set_header(heading);
    for Waited { finding, oldest } in causes.iter().take(look.most(CAUSES)) {
        let numbers = [finding.blocks.len().to_string(), oldest.map(age).unwrap_or_default()];
        let likely = if finding.why == Why::Likely { " (likely)" } else { "" };
        let cause = format!("{}{likely}", clean(&finding.summary));
        let remedy = report.remedies_of(finding).next().map(remedy).unwrap_or_default();
        if roomy {
            table.add_row(numbers.into_iter().chain([cause, remedy]));
        } else {
            table.add_row(numbers.into_iter().chain([cause]));
            table.add_row([String::new(), String::new(), format!("→ {remedy}")]);
        }
    }
    let rest = look.width.saturating_sub(WAITING + SINCE);
    let widths = if roomy { vec![WAITING, SINCE, rest / 2, rest - rest / 2] } else { vec![WAITING, SINCE, rest] };
    widths.into_iter().enumerate().for_each(|(column, width)| fixed(&mut table, column, width));
    right(&mut table, 0);
    table.to_string()
}

/// What may be done, and its risk.
fn remedy(remedy: &Remedy) -> String {
    format!("{} ({})", clean(&remedy.title), cost(remedy))
}

/// What could not be read, so that nobody takes it for empty.
fn undecided(report: &Report, look: Look) -> String {
    let line = |what: &str, why: &Sentence| {
        format!("{}\n", wrap(&format!(" not read: {}: {}", clean(what), clean(why)), look.width))
    };
    let shown = report.unread.iter().take(look.most(UNREAD)).map(|note| line(&note.what, &note.why));
    let text = shown.collect::<Vec<_>>().concat()
        + &and_more(report.unread.len(), look.most(UNREAD), "that could not be read");
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// The command that goes on from here.
fn next(causes: &[Waited<'_>], context: Option<&str>) -> String {
    let Some(target) = causes.first().and_then(|cause| cause.finding.blocks.first()) else { return String::new() };
    let what = if target.kind == "Namespace" { "ns" } else { &target.resource };
    let context = context.map(|context| format!(" --context {}", quote(context))).unwrap_or_default();
    let name = format!("{}{}{context}", one(what, &target.name), in_namespace(target));
    format!("\nEvidence and the way out, for the first of them:\n  $ {COMMAND} {}\n", clean_command(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::report::{Cause, Named, Note, Target};
    use crate::survey::{Discovery, Scan, Survey};

    fn waits(name: &str, targets: &[&str], report: &mut Report) {
        let object = |name: &&str| {
            Ref::from(Named {
                kind: "Widget".into(),
                resource: "widgets".into(),
                name: (*name).into(),
                ..Named::default()
            })
        };
        let blocks: Vec<Ref> = targets.iter().map(object).collect();
        let since = Some(Timestamp::UNIX_EPOCH);
        for object in &blocks {
            let target = Target { object: object.clone(), state: State::Stuck, since, summary: "".into() };
            report.targets.push(target);
        }
        let subject = blocks[0].clone();
        report.findings.push(Finding {
            blocks,
            ..Draft::new(Cause::Finalizer, subject, format!("waits for finalizer {name}")).finding
        });
    }

    fn report() -> Report {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(2);
        let mut survey = Survey::new(now, Discovery::default());
        survey.scan = Some(Scan::default());
        let report = crate::diagnosis::diagnose_survey(&survey).report;
        Report { targets: Vec::new(), findings: Vec::new(), unread: Vec::new(), ..report }
    }

    fn screen(report: &Report, width: usize) -> Shown {
        scan_screen(report, None, Look { width, colour: false, all: false })
    }

    #[test]
    fn what_most_wait_for_is_first_and_the_command_for_it_last() {
        let mut report = report();
        waits("a.io/one", &["x"], &mut report);
        waits("b.io/\u{1b}[31mtwo", &["y", "z"], &mut report);
        let text = screen(&report, 80);
        assert!(text.starts_with("This cluster: 3 objects are stuck, 2 causes\n"), "{text}");
        assert!(text.find("b.io").unwrap() < text.find("a.io").unwrap(), "{text}");
        assert!(text.contains("2h0m") && text.ends_with("  $ kubectl unstick widgets y\n"), "{text}");
        let named = scan_screen(&report, Some("east"), Look { width: 80, colour: false, all: false });
        assert!(named.ends_with("  $ kubectl unstick widgets y --context east\n"), "{named}");
        assert!(!text.contains('\u{1b}') && text.lines().all(|line| console::measure_text_width(line) <= 80), "{text}");
    }

    #[test]
    fn nothing_is_stuck_only_where_everything_was_read() {
        let mut report = report();
        assert_eq!(screen(&report, 80), "This cluster: nothing is stuck\n");
        report.unread.push(Note { what: "pods".into(), why: "forbidden".into() });
        let text = screen(&report, 80);
        assert!(text.contains("not everything could be read") && text.contains("not read: pods: forbidden"), "{text}");
    }
}
