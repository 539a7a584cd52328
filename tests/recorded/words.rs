//! `explain` knows the words of the screens: every label, heading, state, risk, kind or finalizer
//! on any recorded screen.

use crate::scenario::Scenario;
use jiff::Timestamp;
use kubectl_unstick::diagnosis::diagnose;
use kubectl_unstick::knowledge::explain;
use kubectl_unstick::report::{InstalledKind, InstalledProduct};
use kubectl_unstick::rules::explanations;
use kubectl_unstick::screen::{Look, products_table};
use kubectl_unstick::survey::{Discovery, Survey};
use std::collections::{BTreeMap, BTreeSet};

/// The columns in which a cause's labels, and a remedy's costs, begin.
const LABEL: usize = 4;
const COST: usize = 7;
/// The gap between a line and the state behind it.
const GAP: &str = "  ";

#[test]
fn every_word_that_a_screen_uses_is_explained() {
    let rules = explanations();
    let mut unknown: BTreeMap<String, String> = BTreeMap::new();
    let mut asked = BTreeSet::new();
    for scenario in Scenario::recorded() {
        let kinds = kinds(&scenario.survey());
        for size in ["80", "200"] {
            let path = scenario.dir.join(format!("screen-{size}.snap"));
            // Only some scenarios are shown at 200 columns.
            let Ok(snapshot) = std::fs::read_to_string(&path) else { continue };
            let screen = snapshot.splitn(3, "---\n").nth(2).expect("a screen below its header");
            for word in words(screen, &kinds) {
                if explain::find(&word, &rules).is_err() {
                    unknown.entry(word.clone()).or_insert_with(|| scenario.name.clone());
                }
                asked.insert(word);
            }
        }
    }
    assert!(
        unknown.is_empty(),
        "write them into src/knowledge/glossary.md, each with the screen it is on: {unknown:#?}"
    );
    for word in [
        "proven", "likely", "leaks", "harmless", "says", "guards", "blocker", "Pod", "scaled-to-zero", "held by",
        "nudged-at",
    ] {
        assert!(asked.contains(word), "the screens have {word:?}, and it was not taken from them");
    }
}

#[test]
fn the_words_of_a_table_that_no_scenario_shows_are_explained() {
    let product = InstalledProduct::tested(vec![InstalledKind::tested("widgets.acme.io", None)]);
    let mut report = diagnose(&Survey::new(Timestamp::UNIX_EPOCH, Discovery::default()), &[]).report;
    report.products = vec![product];
    let table = products_table(&report, Look { width: 120, colour: false, all: false }).to_string();
    let row = table.lines().find(|line| line.contains("widgets.acme.io")).expect("the row of the product");
    let cells: Vec<&str> = row.split(GAP).map(str::trim).filter(|cell| !cell.is_empty()).collect();
    for word in &cells[cells.len() - 2..] {
        assert!(explain::find(word, &explanations()).is_ok(), "{word} in {row}");
    }
    assert!(cells.contains(&"unread"), "{row}");
}

/// The built-in kinds that a cluster serves.
fn kinds(survey: &Survey) -> BTreeSet<String> {
    let is_builtin = |group: &str| !group.contains('.') || group.ends_with(".k8s.io");
    let resources = survey.discovery.resources.iter().filter(|resource| is_builtin(&resource.id.group));
    resources.map(|resource| resource.kind.clone()).collect()
}

/// The words of a screen that have a special meaning.
fn words(screen: &str, kinds: &BTreeSet<String>) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for line in screen.lines() {
        words.extend(label(line));
        words.extend(risk(line));
        words.extend(headings(line));
        words.extend(sure(line));
        words.extend(marked(line));
        words.extend(holder(line));
        words.extend(annotation(line));
        words.extend(line.split_once("kubectl unstick explain ").map(|(_, rule)| rule.trim().to_owned()));
        let tokens = || line.split(|c: char| !c.is_alphanumeric());
        words.extend(tokens().filter(|token| kinds.contains(*token)).map(str::to_owned));
        let named = line.split_once("finalizer ").and_then(|(_, rest)| rest.split([' ', ':', ',']).next());
        words.extend(named.filter(|name| name.contains('/')).map(str::to_owned));
    }
    words
}

/// `guards` of `    guards      an external resource`.
fn label(line: &str) -> Option<String> {
    let text = line.strip_prefix(&" ".repeat(LABEL)).filter(|text| !text.starts_with(' '))?;
    let (label, _) = text.split_once(GAP)?;
    (label.len() < 12 && label.chars().all(|c| c.is_ascii_lowercase() || c == ' ')).then(|| label.to_owned())
}

/// `leaks` of `       leaks: what stays`, and of a column of risks.
fn risk(line: &str) -> Option<String> {
    let text = line.strip_prefix(&" ".repeat(COST))?.trim_start();
    let (word, _) = text.split_once([':', ','])?;
    ["manual", "harmless", "disruptive", "leaks", "loses-data"].contains(&word).then(|| word.to_owned())
}

/// The columns of a table: ` BLOCKER   NAMESPACE  WAITS FOR`.
fn headings(line: &str) -> Vec<String> {
    let is_heading = |cell: &&str| cell.len() > 2 && cell.chars().all(|c| c.is_ascii_uppercase() || c == ' ');
    let cells: Vec<&str> = line.split(GAP).map(str::trim).filter(|cell| !cell.is_empty()).collect();
    let are_headings = !cells.is_empty() && cells.iter().all(is_heading);
    if are_headings { cells.iter().map(|cell| cell.to_lowercase()).collect() } else { Vec::new() }
}

/// `proven` behind the line of a cause.
fn sure(line: &str) -> Option<String> {
    let begins = line.starts_with(' ') && line[1..].starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let (_, last) = line.rsplit_once(GAP).filter(|_| begins)?;
    let last = last.trim();
    (!last.is_empty() && last.chars().all(|c| c.is_ascii_lowercase())).then(|| last.to_owned())
}

/// `held by` of `lease ops/acme is held by acme-1`.
fn holder(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).any(|pair| pair == ["held", "by"]).then(|| "held by".to_owned())
}

/// `nudged-at` of `--overwrite unstick.dev/nudged-at="…"`.
fn annotation(line: &str) -> Option<String> {
    let (_, name) = line.split_once(" unstick.dev/")?;
    name.split_once('=').map(|(name, _)| name.to_owned())
}

/// `missing` of `Service kube-system/metrics-server  ✗ missing`.
fn marked(line: &str) -> Option<String> {
    let (_, text) = line.rsplit_once(['✗', '⏳', '✓', '↓'])?;
    let word = text.trim().split(['(', ':', ',']).next()?.trim();
    let is_word = !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
    is_word.then(|| word.to_owned())
}
