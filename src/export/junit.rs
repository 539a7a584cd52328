//! `-o junit`: the report for CI, which shows it beside the tests.

use crate::export::headline::headline;
use crate::export::markup::escaped;
use crate::export::outline::certainty;
use crate::plugin::COMMAND;
use crate::report::{Finding, Note, Ref, Report, State, TargetReport};
use crate::screen::marks::cost;
use crate::screen::targets::Standing;
use crate::screen::{Shown, clean_marked, targets};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// How many unread facts are named.
const MAX_UNREAD: usize = 20;

/// The outcome of a test case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CaseEnd {
    Passed,
    Failed,
    /// It could not be determined.
    Error,
    /// There is nothing to check.
    Skipped,
}

struct TestCase {
    class: String,
    name: String,
    end: CaseEnd,
    message: String,
    text: String,
}

/// A test case for each target: a failure if it is stuck, an error if that is unknown. Without
/// targets, a test case for each cause.
pub fn junit(report: &Report) -> Shown {
    let mut cases = if report.targets.is_empty() { causes(report) } else { targets(report) };
    if cases.is_empty() {
        cases.push(nothing(report));
    }
    let count = |end: CaseEnd| cases.iter().filter(|case| case.end == end).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
        cases.len(),
        count(CaseEnd::Failed),
        count(CaseEnd::Error),
        count(CaseEnd::Skipped)
    );
    let context = escaped(report.context.as_deref().unwrap_or("cluster"));
    // The format has no room for fractions of a second or a time zone.
    let time = report.taken_at.strftime("%Y-%m-%dT%H:%M:%S");
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites name=\"{COMMAND}\" {counts}>");
    let _ = writeln!(text, "  <testsuite name=\"{context}\" {counts} timestamp=\"{time}\">");
    text.extend(cases.iter().map(element));
    Shown::finished(text + "  </testsuite>\n</testsuites>\n")
}

fn element(case: &TestCase) -> String {
    let head = format!("    <testcase classname=\"{}\" name=\"{}\"", escaped(&case.class), escaped(&case.name));
    let message = escaped(&case.message);
    let body: Vec<String> = case.text.lines().map(escaped).collect();
    let body = body.join("\n");
    let inner = match case.end {
        CaseEnd::Passed => return format!("{head}/>\n"),
        CaseEnd::Failed => format!("<failure type=\"stuck\" message=\"{message}\">{body}</failure>"),
        CaseEnd::Error => format!("<error type=\"unknown\" message=\"{message}\">{body}</error>"),
        CaseEnd::Skipped => format!("<skipped message=\"{message}\"/>"),
    };
    format!("{head}>\n      {inner}\n    </testcase>\n")
}

fn targets(report: &Report) -> Vec<TestCase> {
    let mut blocking: HashMap<&Ref, BTreeMap<usize, Vec<&Finding>>> = HashMap::new();
    let numbered = report.numbered().into_iter().filter(|told| told.finding.root);
    for (finding, number) in numbered.filter_map(|told| Some((told.finding, told.number?))) {
        for target in &finding.blocks {
            blocking.entry(target).or_default().entry(number).or_default().push(finding);
        }
    }
    let case = |(target, standing): (&TargetReport, Standing)| {
        let end = match target.state {
            State::Stuck | State::WouldHang => CaseEnd::Failed,
            State::Unknown => CaseEnd::Error,
            State::Gone => CaseEnd::Skipped,
            State::Progressing | State::NotDeleting | State::WouldGo => CaseEnd::Passed,
        };
        let causes = blocking.get(&target.object).into_iter().flatten();
        let mut text: String = causes.map(|(number, cause)| told(*number, cause, report)).collect();
        if end == CaseEnd::Error {
            text.push_str(&unread(report));
        }
        case_of(&target.object, end, message(&standing), text)
    };
    targets::each(report).map(case).collect()
}

fn message(standing: &Standing) -> String {
    let parts = [standing.age.as_str(), standing.says.as_str()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

fn causes(report: &Report) -> Vec<TestCase> {
    let case = |(cause, number): (&Vec<&Finding>, usize)| {
        case_of(&cause[0].subject, CaseEnd::Failed, cause[0].summary.to_string(), told(number, cause, report))
    };
    report.root_causes().iter().zip(1..).map(case).collect()
}

fn case_of(object: &Ref, end: CaseEnd, message: String, text: String) -> TestCase {
    TestCase { class: object.kind.clone(), name: targets::of_kind(object), end, message, text }
}

/// A test case for an empty report: many readers treat an empty suite as an error.
fn nothing(report: &Report) -> TestCase {
    let end = if report.unread.is_empty() { CaseEnd::Passed } else { CaseEnd::Error };
    let says = headline(report);
    TestCase { class: COMMAND.to_string(), name: says.clone(), end, message: says, text: unread(report) }
}

/// A cause and its remedies, one per line.
fn told(number: usize, cause: &[&Finding], report: &Report) -> String {
    let mut text = String::new();
    for finding in cause {
        let certainty = certainty(finding).map(|word| format!(" ({word})")).unwrap_or_default();
        let _ = writeln!(text, "{number}. {}{certainty}", clean_marked(&finding.summary));
    }
    let words = std::iter::once("to do:").chain(std::iter::repeat("or:"));
    for ((_, remedy), word) in report.ways_out_of(cause).into_iter().zip(words) {
        let (title, consequence) = (clean_marked(&remedy.title), clean_marked(&remedy.consequence));
        let _ = writeln!(text, "   {word} {title} ({}: {consequence})", cost(remedy));
    }
    text
}

fn unread(report: &Report) -> String {
    let line = |note: &Note| format!("cannot read {}: {}\n", clean_marked(&note.what), clean_marked(&note.why));
    report.unread.iter().take(MAX_UNREAD).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Named;
    use crate::screen::hostile;

    #[test]
    fn text_from_the_cluster_stays_text() {
        let suite = junit(&hostile::report());
        hostile::is_clean(&suite);
        assert!(!suite.contains("]]>") && !suite.contains("<img") && !suite.contains('\u{fffe}'), "{suite}");
        assert_eq!(suite.matches('<').count(), 9, "as many tags as ever: {suite}");
        assert_eq!(suite.matches('"').count() % 2, 0, "{suite}");
    }

    #[test]
    fn findings_with_one_broken_end_are_one_cause() {
        let mut report = hostile::report();
        report.targets.clear();
        let end = Ref::from(Named { kind: "Deployment".into(), name: "operator".into(), ..Named::default() });
        let first = Finding { root: true, broken_link: Some(end), ..report.findings[0].clone() };
        let second = Finding { summary: "another finalizer".into(), ..first.clone() };
        report.findings = vec![first, second];
        let suite = junit(&report);
        assert!(suite.contains("tests=\"1\" failures=\"1\""), "{suite}");
        assert!(suite.contains("1. another finalizer") && !suite.contains("2. "), "{suite}");
        assert_eq!(suite.matches("to do:").count(), 1, "{suite}");
    }

    #[test]
    fn each_target_is_a_test_case_that_says_how_it_stands() {
        let ends = |state: State| {
            let mut report = hostile::report();
            report.targets[0].state = state;
            let suite = junit(&report);
            ["failures=\"1\"", "errors=\"1\"", "skipped=\"1\""].map(|count| suite.matches(count).count() / 2)
        };
        assert_eq!(ends(State::Stuck), [1, 0, 0]);
        assert_eq!(ends(State::WouldHang), [1, 0, 0]);
        assert_eq!(ends(State::Unknown), [0, 1, 0]);
        assert_eq!(ends(State::Gone), [0, 0, 1]);
        assert_eq!(ends(State::Progressing), [0, 0, 0]);
        assert_eq!(ends(State::NotDeleting), [0, 0, 0]);
    }

    #[test]
    fn a_suite_is_never_empty() {
        let mut report = Report { targets: Vec::new(), findings: Vec::new(), ..hostile::report() };
        assert!(junit(&report).contains("tests=\"1\" failures=\"0\" errors=\"1\""), "something was not read");
        report.unread.clear();
        assert!(junit(&report).contains("tests=\"1\" failures=\"0\" errors=\"0\""));
    }
}
