//! A case with one cause and its question fit a terminal of 80 columns and 24 lines.

use crate::diagnosed;
use crate::scenario::Scenario;
use kubectl_unstick::confirm::lines_of_the_first;
use kubectl_unstick::report::{About, Report};
use kubectl_unstick::screen::{Look, ascii, room_for_ascii, screen, screen_before_question};

const COLUMNS: usize = 80;
const LINES: usize = 24;
/// Exceptions: they have two targets, whose lines and causes stand above the words of what they wait for.
const MAY: [&str; 2] = ["waits-for-others--parent-not-programmed", "dependency-missing--parent-gone-first"];
/// In ASCII the columns are fewer, and a long name may take these more lines.
const MORE_IN_ASCII: usize = 2;

#[test]
fn a_case_with_one_cause_fits_a_small_terminal_with_its_question() {
    let mut wrong = Vec::new();
    for (scenario, columns) in Scenario::recorded().iter().flat_map(|it| [(it, COLUMNS), (it, room_for_ascii(COLUMNS))])
    {
        let report = diagnosed(scenario);
        let question = asked(report.clone(), columns);
        let shown = screen_before_question(&report, Look { width: columns, colour: false, all: false }, question);
        // Names in a tree are never broken.
        if let Some(line) = shown
            .lines()
            .filter(|line| !line.contains(['├', '└']) && !is_command(line))
            .find(|line| console::measure_text_width(line) > columns)
        {
            wrong.push(format!("{}: wider than {columns} columns: {line}", scenario.name));
        }
        let one = report.findings.iter().filter(|finding| finding.is_root_cause()).count() == 1;
        if !one || report.about != About::Targets || MAY.contains(&scenario.name.as_str()) {
            continue;
        }
        let lines = shown.lines().count() + question;
        let most = if columns < COLUMNS { LINES + MORE_IN_ASCII } else { LINES };
        if lines > most {
            wrong.push(format!("{}: {lines} lines of {columns} columns:\n{shown}", scenario.name));
        }
    }
    assert!(wrong.is_empty(), "{} are not as they should be:\n{}", wrong.len(), wrong.join("\n"));
}

/// Long names may push so many lines of the first cause out of sight.
const MORE_FOR_LONG_NAMES: usize = 3;
/// How many causes of a target are in sight together with the first question.
const CAUSES: usize = 2;

/// Whoever is asked about a step must still see why.
#[test]
fn two_causes_are_seen_beside_the_question() {
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for scenario in Scenario::recorded() {
        let report = diagnosed(&scenario);
        let question = asked(report.clone(), COLUMNS);
        if report.about != About::Targets || report.root_causes().len() != CAUSES || question == 0 {
            continue;
        }
        seen += 1;
        let look = Look { width: COLUMNS, colour: false, all: false };
        let shown = screen_before_question(&report, look, question).to_string();
        let first = shown.lines().position(|line| line.starts_with(" 1 ")).expect("a first cause");
        let lines = shown.lines().skip(first).count() + question;
        if lines > LINES + MORE_FOR_LONG_NAMES {
            wrong.push(format!("{}: {lines} lines:\n{shown}", scenario.name));
        }
        assert!(!shown.contains("CAUSES"), "each cause stands once:\n{shown}");
    }
    assert!(seen > 10, "{seen} scenarios have two causes");
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Commands are never broken, so that they can be pasted.
fn is_command(line: &str) -> bool {
    line.trim_start().starts_with("$ ")
}

#[test]
fn forty_columns_are_enough_to_read_it() {
    for scenario in Scenario::recorded() {
        let shown = screen(&diagnosed(&scenario), Look { width: 40, colour: false, all: false });
        // Names in a tree and commands in an order are never broken.
        if shown.contains('└') {
            continue;
        }
        let whole = |line: &&str| !line.contains("kubectl ") && !is_command(line) && !line.starts_with(" … and ");
        let wide = shown.lines().filter(whole).find(|line| console::measure_text_width(line) > 40);
        assert_eq!(wide, None, "{}", scenario.name);
    }
}

/// Marks have the same width in ASCII, but arrows and dots do not.
#[test]
fn a_screen_in_ascii_fits_as_well() {
    for scenario in Scenario::recorded() {
        let look = Look { width: room_for_ascii(COLUMNS), colour: false, all: false };
        let shown = ascii(&screen(&diagnosed(&scenario), look));
        // Names in a tree are never broken.
        let lines = shown.lines().filter(|line| !line.contains("|- ") && !line.contains("`- ") && !is_command(line));
        let wide = lines.into_iter().find(|line| console::measure_text_width(line) > COLUMNS);
        assert_eq!(wide, None, "{}", scenario.name);
    }
}

/// The lines of the first question at this width, in a named context.
fn asked(mut report: Report, columns: usize) -> usize {
    report.context = Some("production".into());
    lines_of_the_first(&report, columns)
}
