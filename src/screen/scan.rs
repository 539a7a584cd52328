//! The screen of `scan`: a line for each root cause, the worst first.

use crate::facts::since;
use crate::plan::{in_namespace, one, quote};
use crate::plugin::COMMAND;
use crate::report::{Cause, Finding, Numbered, Ref, Remedy, Report, Sentence, State, Why, number_of};
use crate::screen::age::age;
use crate::screen::by_hand::ByHand;
use crate::screen::layout::{and_more, block, command_line, plain, right, thousands};
use crate::screen::marks::cost_in_style;
use crate::screen::{Look, Shown, clean, clean_command, palette, unread, wrap};
use jiff::{SignedDuration, Timestamp};
use std::collections::{HashMap, HashSet};

/// How many causes and how many unread notes are shown; the rest is counted.
const MAX_CAUSES: usize = 40;
const MAX_UNREAD: usize = 8;
/// The widths of the columns STUCK and SINCE.
const STUCK: usize = 5;
const SINCE: usize = 6;
/// How many of the waiting objects are named; the rest is counted.
const MAX_NAMED: usize = 2;

/// The report of one cluster as a screen. Commands name `context` if the user named it.
pub fn scan_screen(report: &Report, context: Option<&str>, look: Look) -> Shown {
    let causes = causes(report);
    let mut text = head(report, &causes);
    if !causes.is_empty() {
        let table = if look.is_unlimited() { rows } else { blocks };
        text.extend(["\n", &table(&causes, report, context, look)]);
    }
    text.push_str(&and_more(causes.len(), look.most(MAX_CAUSES), "causes"));
    text.push_str(&undecided(report, look));
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    Shown::screen(&lines.join("\n"), look)
}

/// A root cause, and the objects that wait for it.
struct Waited<'r> {
    /// The first finding of the cause.
    finding: &'r Finding,
    blocks: Vec<&'r Ref>,
    /// How long the oldest of them has been waiting.
    oldest: Option<SignedDuration>,
}

/// The root causes, in the order of the report.
fn causes(report: &Report) -> Vec<Waited<'_>> {
    let asked: HashMap<&Ref, Timestamp> =
        report.targets.iter().filter_map(|target| Some((&target.object, target.since?))).collect();
    let mut causes: Vec<Waited<'_>> = Vec::new();
    for Numbered { finding, is_first, .. } in report.numbered().into_iter().filter(|told| told.finding.is_root_cause())
    {
        match causes.last_mut().filter(|_| !is_first) {
            // The finding has the same broken end as an earlier one.
            Some(cause) => {
                let known: HashSet<&Ref> = cause.blocks.iter().copied().collect();
                cause.blocks.extend(finding.blocks.iter().filter(|target| !known.contains(target)));
            }
            None => causes.push(Waited { finding, blocks: finding.blocks.iter().collect(), oldest: None }),
        }
    }
    for cause in &mut causes {
        let oldest = cause.blocks.iter().filter_map(|target| asked.get(*target)).min();
        cause.oldest = oldest.map(|then| since(*then, report.taken_at));
    }
    causes
}

/// `Context kind: 12 objects are stuck, 3 causes`, or that nothing is stuck.
fn head(report: &Report, causes: &[Waited<'_>]) -> String {
    let count = |state| report.targets.iter().filter(|target| target.state == state).count();
    let (stuck, young, unknown) = (count(State::Stuck), count(State::Progressing), count(State::Unknown));
    let cluster = report.context.as_deref().map_or_else(|| "This cluster".to_owned(), |name| format!("Context {name}"));
    let told = match stuck {
        0 if unknown > 0 || !report.unread.is_empty() => {
            "found nothing stuck, but not everything could be read".to_owned()
        }
        0 => "nothing is stuck".to_owned(),
        _ => format!("{} stuck, {}", objects(stuck), number_of(causes.len(), "cause")),
    };
    let mut lines = vec![palette::heading(&format!("{}: {told}", clean(&cluster)))];
    if causes.iter().map(|cause| cause.blocks.len()).sum::<usize>() > stuck {
        lines.push("an object that waits for several causes is counted for each of them".into());
    }
    if young > 0 {
        lines.push(format!("{} being deleted, nothing is wrong so far", objects(young)));
    }
    if unknown > 0 {
        lines.push(format!("{} being deleted, reason unknown", objects(unknown)));
    }
    lines.join("\n") + "\n"
}

fn objects(count: usize) -> String {
    if count == 1 { "1 object is".into() } else { format!("{count} objects are") }
}

/// A block for each cause: the waiting objects, the first remedy, and the command to continue with.
fn blocks(causes: &[Waited<'_>], report: &Report, context: Option<&str>, look: Look) -> String {
    let head = format!("{:>STUCK$}  {:<SINCE$}  CAUSE", "STUCK", "SINCE");
    let mut text = format!(" {}\n", palette::heading(&head));
    let indent = " ".repeat(STUCK + SINCE + 5);
    for Waited { finding, blocks, oldest } in causes.iter().take(look.most(MAX_CAUSES)) {
        let since = oldest.map(age).unwrap_or_default();
        let lead = format!(" {:>STUCK$}  {since:<SINCE$}  ", blocks.len());
        text.push_str(&block(&lead, &cause(finding), look.width, usize::MAX));
        text.push_str(&block(&indent, &format!("stuck: {}", who(blocks, look)), look.width, usize::MAX));
        for remedy in report.remedies_of(finding).take(look.most(1)) {
            let by_hand = ByHand::new(&remedy.title);
            let what = format!("{} ({})", by_hand.what, cost_in_style(remedy));
            text.push_str(&block(&format!("{indent}→ "), &what, look.width, usize::MAX));
            text.push_str(&by_hand.lines(&format!("{indent}  "), look.width));
        }
        text.extend(next(finding, context).map(|command| command_line(&indent, &command)));
        text.push('\n');
    }
    text
}

/// A line for each cause, for a pipe: it has no width and is searched by line.
fn rows(causes: &[Waited<'_>], report: &Report, context: Option<&str>, look: Look) -> String {
    let mut table = plain(look.width);
    table.set_header(palette::headings(&["STUCK", "SINCE", "OBJECTS", "CAUSE", "FIRST REMEDY", "NEXT"]));
    for Waited { finding, blocks, oldest } in causes.iter().take(look.most(MAX_CAUSES)) {
        let remedies: Vec<String> = report.remedies_of(finding).take(look.most(1)).map(remedy).collect();
        table.add_row([
            blocks.len().to_string(),
            oldest.map(age).unwrap_or_default(),
            who(blocks, look),
            cause(finding),
            remedies.join("; or "),
            next(finding, context).map(|command| clean_command(&command)).unwrap_or_default(),
        ]);
    }
    right(&mut table, 0);
    format!("{table}\n")
}

fn cause(finding: &Finding) -> String {
    let likely = if finding.why == Why::Likely { " (likely)" } else { "" };
    format!("{}{likely}", clean(&finding.summary))
}

/// The objects that wait for a cause: `namespaces shop, cart and 3 more`, `Pod shop/web-1`.
fn who(all: &[&Ref], look: Look) -> String {
    let are_namespaces = all.iter().all(|target| target.kind == "Namespace");
    let name = |target: &&Ref| if are_namespaces { clean(&target.name) } else { clean(&target.to_string()) };
    let named: Vec<String> = all.iter().take(look.most(MAX_NAMED)).map(name).collect();
    let word = match (are_namespaces, all.len()) {
        (false, _) => "",
        (true, 1) => "namespace ",
        (true, _) => "namespaces ",
    };
    let more = all.len() - named.len();
    let more = if more > 0 { format!(" and {} more", thousands(more)) } else { String::new() };
    format!("{word}{}{more}", named.join(", "))
}

/// A remedy and its risk.
fn remedy(remedy: &Remedy) -> String {
    format!("{} ({})", clean(&remedy.title), cost_in_style(remedy))
}

/// Everything that could not be read, so that nobody takes it for empty.
fn undecided(report: &Report, look: Look) -> String {
    let line = |what: &str, why: &Sentence| {
        format!("{}\n", wrap(&format!(" not read: {}: {}", clean(what), clean(why)), look.width))
    };
    let (by_rights, notes) = unread::by_rights(&report.unread);
    let by_rights = by_rights.map(|line| unread::granted(&line, " ", look.width)).unwrap_or_default();
    let shown = notes.iter().take(look.most(MAX_UNREAD)).map(|note| line(&note.what, &note.why));
    let text = by_rights
        + &shown.collect::<String>()
        + &and_more(notes.len(), look.most(MAX_UNREAD), "that could not be read");
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// The command to continue with: it shows the evidence and the remedy of the cause.
fn next(finding: &Finding, context: Option<&str>) -> Option<String> {
    let context = context.map(|context| format!(" --context {}", quote(context))).unwrap_or_default();
    // The API is no fault of the objects that wait for it.
    if finding.cause == Cause::Api {
        return Some(format!("{COMMAND} apis{context}"));
    }
    let target = finding.blocks.first()?;
    let what = if target.kind == "Namespace" { "ns" } else { &target.resource };
    let name = format!("{}{}{context}", one(what, &target.name), in_namespace(target));
    Some(format!("{COMMAND} {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Draft;
    use crate::report::{Named, Note, TargetReport};
    use crate::survey::{Discovery, Purpose, Scan, Survey};

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
            let target = TargetReport { object: object.clone(), state: State::Stuck, since, summary: "".into() };
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
        survey.purpose = Purpose::Scan(Scan::default());
        let report = crate::diagnosis::diagnose_survey(&survey).report;
        Report { targets: Vec::new(), findings: Vec::new(), unread: Vec::new(), ..report }
    }

    fn screen(report: &Report, width: usize) -> Shown {
        scan_screen(report, None, Look { width, colour: false, all: false })
    }

    #[test]
    fn causes_are_in_the_order_of_the_report_and_have_a_command() {
        let mut report = report();
        waits("b.io/\u{1b}[31mtwo", &["y", "z"], &mut report);
        waits("a.io/one", &["x"], &mut report);
        let text = screen(&report, 80);
        assert!(text.starts_with("This cluster: 3 objects are stuck, 2 causes\n"), "{text}");
        assert!(text.find("b.io").unwrap() < text.find("a.io").unwrap(), "{text}");
        assert!(text.contains("2h0m") && text.contains("  stuck: Widget y, Widget z\n"), "{text}");
        let commands: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix("$ ")).collect();
        assert_eq!(commands, ["kubectl unstick widgets y", "kubectl unstick widgets x"]);
        let named = scan_screen(&report, Some("east"), Look { width: 80, colour: false, all: false });
        assert!(named.contains("  $ kubectl unstick widgets y --context east\n"), "{named}");
        assert!(!text.contains('\u{1b}') && text.lines().all(|line| console::measure_text_width(line) <= 80), "{text}");
    }

    #[test]
    fn an_object_with_two_causes_is_counted_once_above_and_in_both_rows() {
        let mut report = report();
        waits("a.io/one", &["x", "y"], &mut report);
        waits("b.io/two", &["x"], &mut report);
        report.targets.truncate(2);
        let text = screen(&report, 80);
        assert!(
            text.starts_with("This cluster: 2 objects are stuck, 2 causes\nan object that waits for several"),
            "{text}"
        );
        assert!(text.contains(" STUCK  SINCE   CAUSE\n     2  2h0m    "), "{text}");
    }

    #[test]
    fn an_api_that_fails_leads_to_the_page_of_all_apis() {
        let mut report = report();
        waits("a.io/one", &["x"], &mut report);
        report.findings[0].cause = Cause::Api;
        assert!(screen(&report, 80).contains("  $ kubectl unstick apis\n"));
    }

    #[test]
    fn two_waiting_objects_are_named_and_unlimited_width_gives_one_line() {
        let mut report = report();
        waits("a.io/one", &["u", "v", "w", "x"], &mut report);
        assert!(screen(&report, 80).contains("  stuck: Widget u, Widget v and 2 more\n"));
        let all = scan_screen(&report, None, Look { width: 80, colour: false, all: true });
        assert!(all.contains("  stuck: Widget u, Widget v, Widget w, Widget x\n"), "{all}");
        let text = screen(&report, Look::UNLIMITED);
        let line = text.lines().find(|line| line.contains("a.io/one")).unwrap();
        assert!(
            line.contains("Widget u, Widget v and 2 more") && line.ends_with("kubectl unstick widgets u"),
            "{text}"
        );
    }

    #[test]
    fn nothing_is_stuck_only_where_everything_was_read() {
        let mut report = report();
        assert_eq!(screen(&report, 80), "This cluster: nothing is stuck\n");
        report.unread.push(Note::about("pods", "forbidden"));
        let text = screen(&report, 80);
        assert!(text.contains("not everything could be read") && text.contains("not read: pods: forbidden"), "{text}");
    }
}
