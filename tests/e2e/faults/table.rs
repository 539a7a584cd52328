//! The output in each case, for `docs/reliability.md`.

use super::course::Proven;
use super::fault_case::{Next, Told};
use super::front::FAULTS;
use super::plans::Plan;
use super::requests::KINDS;
use super::stage::Ran;
use std::collections::BTreeMap;
use std::path::Path;

/// The entry for a program that was killed.
const NOTHING: &str = "(it was killed)";
/// The beginnings of lines about the outcome of a step or of the whole run.
const BEGINNINGS: [&str; 6] = ["not done", "not confirmed", "error", "warning", "undecided", "cannot"];
/// Texts that only a fault causes.
const MARKS: [&str; 3] = ["made up by the test", "connection closed", "no answer within"];
/// How many sentences a row shows, the most frequent first.
const SHOWN: usize = 2;

/// The line about the error, without the names in it.
pub fn sentence(ran: &Ran) -> String {
    if ran.killed {
        return NOTHING.into();
    }
    let lines = || ran.said.lines().map(|line| line.trim_start_matches(['✗', '!', '?', '✓', ' ']));
    let begins = BEGINNINGS.iter().find_map(|word| lines().find(|line| line.starts_with(word)));
    let told = begins.or_else(|| lines().find(|line| MARKS.iter().any(|mark| line.contains(mark))));
    told.map_or_else(|| "(nothing about it)".into(), plain)
}

/// The line without the parts that differ from case to case: names, numbers and addresses.
fn plain(line: &str) -> String {
    let word = |word: &str| {
        let bare = word.trim_matches(|c: char| ":;,.()\"".contains(c));
        let end = &word[word.trim_end_matches(|c: char| ":;,.()\"".contains(c)).len()..];
        let is_name = bare.contains('/') || bare.matches('.').count() > 1 || bare.contains("127.0.0.1");
        if is_name { format!("…{end}") } else { word.to_owned() }
    };
    let words: Vec<String> = line.split_whitespace().map(word).collect();
    words.join(" ").replace('|', "/")
}

/// How often each word occurs, the most frequent first.
fn tally(of: impl Iterator<Item = String>) -> Vec<(String, usize)> {
    let mut counts = BTreeMap::new();
    of.for_each(|word| *counts.entry(word).or_insert(0) += 1);
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// A row for each fault and kind of request.
pub fn markdown(told: &[&Told]) -> String {
    let mut text = String::from(
        "| fault | at a | cases | not reached | exit codes | it says, most often | then done | done by the next run | the next run says why not |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for fault in FAULTS {
        for kind in KINDS {
            let all: Vec<&&Told> = told.iter().filter(|told| (told.fault, told.kind) == (fault, kind)).collect();
            let met: Vec<&&Told> = all.iter().filter(|told| told.fired).copied().collect();
            if all.is_empty() {
                continue;
            }
            let codes = tally(met.iter().map(|told| told.code.map_or("killed".into(), |code| code.to_string())));
            let codes: Vec<String> = codes.into_iter().map(|(code, count)| format!("{code} ({count})")).collect();
            let sentences = tally(met.iter().map(|told| told.sentence.clone()));
            let sentences: Vec<String> =
                sentences.into_iter().take(SHOWN).map(|(text, count)| format!("{text} ({count})")).collect();
            let next = |next: Next| met.iter().filter(|told| told.next == next).count();
            let row = format!(
                "| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                fault.word(),
                kind.word(),
                met.len(),
                all.len() - met.len(),
                codes.join(", "),
                sentences.join("<br>"),
                next(Next::NothingLeft),
                next(Next::Completed),
                next(Next::SaysWhyNot)
            );
            text.push_str(&row);
        }
    }
    text
}

/// A row for each plan: its kinds of steps, the requests of a run without a fault, and how many of
/// its cases were run.
pub fn plans(rows: &[(&Plan, Proven)]) -> String {
    let mut sums = [0; 7];
    let mut text = String::from(
        "| plan | its steps | dry runs | writes | read-backs | reads | classes of reads | cases in all | cases run |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for (plan, proven) in rows {
        let [reads, dry_runs, writes, read_backs] = proven.requests;
        let cells = [dry_runs, writes, read_backs, reads, proven.classes, proven.cases, proven.told.len()];
        (0..cells.len()).for_each(|cell| sums[cell] += cells[cell]);
        text.push_str(&row(plan.name, &plan.kinds.join(", "), &cells));
    }
    text + &row("all", "", &sums)
}

fn row(name: &str, kinds: &str, cells: &[usize]) -> String {
    let cells: Vec<String> = cells.iter().map(usize::to_string).collect();
    format!("| {name} | {kinds} | {} |\n", cells.join(" | "))
}

/// Writes a part of the page.
pub fn record(part: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reliability.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (begin, end) = (format!("<!-- {part}: begin -->\n"), format!("<!-- {part}: end -->"));
    let (head, rest) = page.split_once(&begin).expect("where the part begins");
    let (_, tail) = rest.split_once(&end).expect("where the part ends");
    std::fs::write(path, format!("{head}{begin}\n{text}\n{end}{tail}")).expect("the page is written");
}
