//! Every scenario in every output format: well-formed and complete. `docs/formats.md` shows one of
//! them; `UNSTICK_RECORD=1` rewrites it.

use crate::diagnosed;
use crate::scenario::Scenario;
use clap::ValueEnum;
use kubectl_unstick::export::{Output, Printer, dot, html, junit, markdown, mermaid, names};
use kubectl_unstick::report::{Report, State};
use kubectl_unstick::screen::{Look, screen, waits};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// The scenario that the documentation shows in full.
const SHOWN: &str = "scaled-to-zero--operator-at-zero";
/// The scenarios with snapshots.
const KEPT: [&str; 2] = ["demo", "ring-of-waits"];

#[test]
fn every_scenario_is_printed_in_every_format() {
    let failed: Vec<String> = Scenario::recorded()
        .iter()
        .filter(|scenario| {
            let report = diagnosed(scenario);
            catch_unwind(AssertUnwindSafe(|| check(&report))).is_err()
        })
        .map(|scenario| scenario.name.clone())
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

fn check(report: &Report) {
    let roots: Vec<String> = report
        .findings
        .iter()
        .filter(|finding| finding.is_root_cause())
        .map(|finding| finding.summary.to_string())
        .collect();
    let stuck = report.targets.iter().filter(|target| target.state == State::Stuck).count();
    all_is_shown(report, &roots);
    let page = html(report);
    html_is_well_formed(&page);
    let suite = junit(report);
    is_well_formed(suite.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration"), &[]);
    let (cases, failures) =
        if report.targets.is_empty() { (roots.len().max(1), roots.len()) } else { (report.targets.len(), stuck) };
    assert_eq!(suite.matches("<testcase ").count(), cases, "{suite}");
    assert_eq!(suite.matches("<failure ").count(), failures, "{suite}");
    let ticket = markdown(report);
    assert_eq!(ticket.lines().filter(|line| line.starts_with("```")).count() % 2, 0, "{ticket}");
    for (chart, arrow) in [(dot(report), " -> "), (mermaid(report), " --> ")] {
        graph_is_connected(&chart, arrow);
        for number in 1..=report.findings.len() {
            let is_root = report.findings[number - 1].is_root_cause();
            assert_eq!(is_root, chart.contains(&format!("ROOT CAUSE {number}")), "{number}: {chart}");
        }
    }
    if !report.targets.is_empty() {
        assert_eq!(names(report).lines().count(), stuck, "{}", names(report));
    }
    assert!(!waits(report, LOOK).trim().is_empty());
}

const LOOK: Look = Look { width: 100, colour: false, all: true };

/// Checks that formats with all evidence omit none.
fn all_is_shown(report: &Report, roots: &[String]) {
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let wide = squeezed(&screen(report, Look { width: 400, ..LOOK }));
    let (page, ticket) = (html(report), markdown(report));
    for text in report.findings.iter().flat_map(|finding| &finding.evidence).map(|evidence| evidence.text.to_string()) {
        let plain = text.chars().all(|c| c.is_alphanumeric() || " .,-/".contains(c));
        assert!(!plain || text.len() > 300 || wide.contains(&squeezed(&text)), "{text:?} is not in\n{wide}");
        assert!(!plain || page.contains(&text), "{text:?} is not in\n{page}");
        assert!(!plain || ticket.contains(&text), "{text:?} is not in\n{ticket}");
    }
    let headings = page.matches("<h3>").count();
    assert!(headings >= roots.len(), "{headings} headings");
}

/// Checks that each edge joins declared nodes, and that each node is a root or reached from
/// another.
fn graph_is_connected(chart: &str, arrow: &str) {
    let id = |line: &str| line.split(['[', ' ']).next().unwrap_or_default().to_owned();
    let lines = || chart.lines().map(str::trim_start).filter(|line| line.starts_with('n') && !line.starts_with("node"));
    let nodes: BTreeSet<String> = lines().filter(|line| !line.contains(arrow)).map(id).collect();
    assert!(!nodes.is_empty(), "{chart}");
    for line in lines().filter(|line| line.contains(arrow) && !line.contains('"')) {
        let (from, to) = line.split_once(arrow).expect("an edge");
        assert!(nodes.contains(from) && nodes.contains(to), "{line:?} in\n{chart}");
    }
}

/// Checks the HTML of this program: elements are closed in order, except for some.
fn html_is_well_formed(page: &str) {
    let (head, rest) = page.split_once("<style>").expect("a style");
    let (style, rest) = rest.split_once("</style>").expect("its end");
    assert!(!style.contains("url(") && !style.contains("@import"), "it would load something");
    let head = head.strip_prefix("<!doctype html>\n").expect("a document type");
    is_well_formed(&format!("{head}{rest}"), &["meta"]);
    for forbidden in ["<script", " src=", " href=", "<link", "<img", " on"] {
        assert!(!tags(rest).any(|tag| tag.contains(forbidden)), "{forbidden} in\n{page}");
    }
}

/// The tags of a text, each without its last bracket.
fn tags(text: &str) -> impl Iterator<Item = &str> {
    text.split('<').skip(1).map(|part| part.split('>').next().unwrap_or_default())
}

/// Checks that every element is closed in order, attributes are quoted, and nothing else is left
/// that a parser would take for markup.
fn is_well_formed(text: &str, void: &[&str]) {
    let mut open: Vec<&str> = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, after) = part.split_once('>').unwrap_or_else(|| panic!("an open tag: {part:?}"));
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()) && !name.is_empty(), "{tag:?}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag:?}");
        assert!(!after.contains('>'), "{after:?}");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag:?} closes another");
        } else if !tag.ends_with('/') && !void.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    for entity in text.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
        assert!(known.iter().any(|known| entity.starts_with(known)), "{entity:.20}");
    }
    let forbidden = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{fffe}' | '\u{ffff}');
    assert!(!text.contains(forbidden), "{:?}", text.chars().find(|c| forbidden(*c)));
}

/// The formats in which a report is kept as a snapshot, and shown in the documentation. The table is a page of its
/// own, and `json` and `yaml` have a schema.
fn shown() -> impl Iterator<Item = (String, Output)> {
    let formats = Output::of_reports().filter(|format| *format != Output::Table);
    let formats = formats.filter(|format| !matches!(format.printer(), Printer::Data(..)));
    formats.filter_map(|format| Some((format.to_possible_value()?.get_name().to_owned(), format)))
}

#[test]
fn kept_scenarios_match_their_snapshots() {
    for name in KEPT {
        let mut report = diagnosed(&Scenario::named(name));
        report.server = None;
        for (format, output) in shown() {
            let text = output.report(&report, LOOK).to_string();
            insta::with_settings!({omit_expression => true}, {
                insta::assert_snapshot!(format!("{name}-{format}"), without_style(&text));
            });
        }
    }
}

/// The text without the style of a page.
fn without_style(text: &str) -> String {
    let Some((head, rest)) = text.split_once("<style>") else { return text.to_owned() };
    head.to_owned() + rest.split_once("</style>").expect("its end").1
}

/// The documented text about a format, and the language of its example; none if an example would be too
/// long. A format without an entry is described by its help.
fn about(format: Output) -> (String, Option<&'static str>) {
    let (about, language) = match format {
        Output::Wide => ("The table with all evidence, where it was read, and all ways out.", Some("text")),
        Output::Tree => ("What waits for what, alone.", Some("text")),
        Output::Name => (
            "Each object that is stuck, one on each line, as `kubectl get -o name` prints it: for `xargs`. As with \
             kubectl, the namespace is not part of it.",
            Some("text"),
        ),
        Output::Markdown => {
            ("For a ticket. Text from the cluster is escaped: it stays text, and mentions nobody.", Some("markdown"))
        }
        Output::Junit => (
            "For CI: a test case for each object that was asked about. It fails when the object is stuck, is in error \
             when that could not be found out, and is skipped when the object does not exist.",
            Some("xml"),
        ),
        Output::Mermaid => (
            "What waits for what, as a flowchart that GitHub and GitLab draw in Markdown. An arrow leads to what is \
             waited for; root causes are numbered as in the table.",
            Some("mermaid"),
        ),
        Output::Dot => ("The same for [Graphviz](https://graphviz.org): `-o dot | dot -Tsvg`.", Some("dot")),
        Output::Html => (
            "One page for a browser. It loads nothing, runs no script, and follows the light or dark colours of the \
             system.",
            None,
        ),
        other => {
            let help = other.to_possible_value().and_then(|value| Some(value.get_help()?.to_string()));
            return (format!("{}.", help.unwrap_or_default()), Some("text"));
        }
    };
    (about.to_owned(), language)
}

#[test]
fn the_formats_are_documented_by_an_example() {
    let mut report = diagnosed(&Scenario::named(SHOWN));
    report.server = None;
    let mut text = String::from(
        "# Output formats\n\n\
         `-o FORMAT` chooses how a report is printed: of a diagnosis, `apis`, `orphans`, `preflight` and `demo`, with a \
         cluster or with `--from`. `table`, the default, and `wide` offer steps on a terminal. The others only print, \
         and change nothing unless `--yes` or `--approve` says so; the exit code is the same in all of them. `owners`, \
         `journal`, `undo` and `--watch` print some of them, and refuse the others with exit code 2.\n\n\
         The examples show one report: an operator that is scaled to zero. `json` and `yaml` are described by \
         [report.schema.json](report.schema.json).\n",
    );
    let look = Look { width: 100, ..LOOK };
    for (format, output) in shown() {
        let (about, language) = about(output);
        let _ = write!(text, "\n## {format}\n\n{about}\n");
        if let Some(language) = language {
            let example = output.report(&report, look);
            let fence = if example.contains("```") { "````" } else { "```" };
            let _ = write!(text, "\n{fence}{language}\n{}\n{fence}\n", example.trim_end());
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats.md");
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        std::fs::write(&path, &text).expect("docs/formats.md is written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "docs/formats.md is out of date: UNSTICK_RECORD=1 cargo test --test recorded formats");
}
