//! A case with one cause fits a terminal of 80 columns and 24 lines, with its question.

use crate::diagnosed;
use crate::scenario::Scenario;
use kubectl_unstick::confirm::{Asked, question};
use kubectl_unstick::render::{Look, screen, screen_before_question, wrap};
use kubectl_unstick::report::{About, Finding, Report};

const COLUMNS: usize = 80;
const LINES: usize = 24;

/// Why some need not fit, and which.
const LONGER: [(&str, &[&str]); 5] = [
    (
        "several findings rest on one cause, and each has its line",
        &[
            "controller-refused",
            "crd-waits-for-instances--blocked",
            "creation-refused",
            "held-by-finalizer--blocked-down-to-the-node",
            "held-by-finalizer--controller-cannot-list",
            "snapshot-in-the-way",
            "volume-still-attached",
        ],
    ),
    (
        "several objects have a table, beside what is also broken or must be told of them",
        &[
            "held-by-finalizer--argo-cd",
            "held-by-finalizer--core-objects",
            "held-by-finalizer--flux",
            "held-by-finalizer--longhorn",
            "held-by-finalizer--strimzi",
        ],
    ),
    (
        "the advice is a command of several lines, or a product's own and long",
        &[
            "garbage-collector-idle--not-asked",
            "held-by-finalizer--deletion-refused",
            "held-by-finalizer--load-balancer",
            "held-by-finalizer--load-balancer-refused",
            "kubelet-does-not-confirm--network",
        ],
    ),
    ("what could not be read is told with the end of its error, one line too many", &["conversion-webhook-dead"]),
    (
        "the cause, its mildest way out and the first step fill the screen: the choice below is one to four lines too many",
        &[
            "apiservice-unavailable--not-in-the-way",
            "conversion-webhook-dead--never-answers",
            "held-by-finalizer--external-system-unreachable",
            "owner-out-of-reach--collected",
        ],
    ),
];

#[test]
fn a_case_with_one_cause_fits_a_small_terminal_with_its_question() {
    let mut wrong = Vec::new();
    for scenario in Scenario::all() {
        let report = diagnosed(&scenario);
        let shown = screen_before_question(&report, Look { width: COLUMNS, colour: false, all: false });
        // In a tree a name stays whole.
        if let Some(line) = shown
            .lines()
            .filter(|line| !line.contains(['├', '└']))
            .find(|line| console::measure_text_width(line) > COLUMNS)
        {
            wrong.push(format!("{}: wider than {COLUMNS} columns: {line}", scenario.name));
        }
        let one = report.findings.iter().filter(|finding| finding.is_root_cause()).count() == 1;
        if !one || report.about != About::Targets {
            continue;
        }
        let lines = shown.lines().count() + asked(&report);
        let listed = LONGER.iter().any(|(_, names)| names.contains(&scenario.name.as_str()));
        if (lines > LINES) != listed {
            wrong.push(format!(
                "{}: {lines} lines, {}",
                scenario.name,
                if listed { "and listed" } else { "not listed" }
            ));
        }
    }
    assert!(wrong.is_empty(), "{} are not as they should be:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn forty_columns_are_enough_to_read_it() {
    for scenario in Scenario::all() {
        let shown = screen(&diagnosed(&scenario), Look { width: 40, colour: false, all: false });
        // In a tree a name stays whole, and so does a command in an order.
        if shown.contains('└') {
            continue;
        }
        let whole = |line: &&str| !line.contains("kubectl ") && !line.starts_with(" … and ");
        let wide = shown.lines().filter(whole).find(|line| console::measure_text_width(line) > 40);
        assert_eq!(wide, None, "{}", scenario.name);
    }
}

/// The lines of the first question, as `commands::apply` puts it, and of the dialog below it.
fn asked(report: &Report) -> usize {
    let root = report.findings.iter().find(|finding: &&Finding| finding.is_root_cause());
    let remedies = root.map(|root| report.remedies_of(root)).into_iter().flatten();
    let ways: Vec<_> = remedies.filter(|remedy| !remedy.steps.is_empty()).collect();
    let text = match ways[..] {
        [] => return 0,
        [remedy] => {
            let asked = Asked { alike: remedy.steps[..1].to_vec(), risk: remedy.risk, by_name: remedy.by_name };
            question("Step 1 of 1", Some("production"), remedy, &asked)
        }
        _ => format!(
            "\n{}: which way out, the mildest first?  (context production)",
            root.map(|root| root.subject.to_string()).unwrap_or_default()
        ),
    };
    // Above the ways stands how to choose, and below them details, skip and quit.
    let dialog = 1 + ways.len() + 3;
    text.lines().map(|line| wrap(line, COLUMNS).lines().count().max(1)).sum::<usize>() + dialog
}
