//! Runs every case, and writes the results to `docs/hostile.md`.

use crate::cases::{self, Case};
use crate::run::{Run, run};
use crate::server::Server;
use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// Longer than any of them takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);

/// With `UNSTICK_RECORD=1`, the page is written again.
#[test]
fn each_case_ends_with_its_sentence_and_exit_code() {
    let only = std::env::var("UNSTICK_CASE").unwrap_or_default();
    let cases: Vec<Case> = cases::all().filter(|case| case.name.contains(&only)).collect();
    let (open, rows, wrong) = (Mutex::new(cases.iter().enumerate()), Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((place, case)) = { open.lock().expect("no thread has failed").next() } {
                    match judged(case) {
                        Ok(row) => rows.lock().expect("no thread has failed").push((place, row)),
                        Err(fault) => wrong.lock().expect("no thread has failed").push(fault),
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread has failed");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    let mut rows = rows.into_inner().expect("no thread has failed");
    rows.sort();
    if only.is_empty() {
        keep(&page(rows.iter().map(|(_, row)| row)));
    }
}

/// Its row, or what is wrong.
fn judged(case: &Case) -> Result<String, String> {
    let server = Server::start(case.answers);
    let question: Vec<&str> = case.question.split(' ').chain(["--request-timeout", "5s"]).collect();
    let run = run(&server.address, &question, PATIENCE);
    let is_right = run.code == Some(case.code) && run.words().contains(case.says) && run.faults().is_empty();
    if is_right {
        return Ok(format!("| {} | {} | {} |\n", case.name, sentence(case, &run, &server.address), case.code));
    }
    let (code, took) = (run.code, run.took);
    Err(format!(
        "{}: {}{code:?} in {took:?}, and {:?} is wanted in:\n{}",
        case.name,
        run.faults(),
        case.says,
        run.beginning()
    ))
}

/// The sentence with what matters, without what differs from run to run.
fn sentence(case: &Case, run: &Run, address: &str) -> String {
    let said = run.said().replace(address, "http://SERVER");
    let paragraphs = joined(&said);
    let found = paragraphs.iter().find(|line| line.contains(case.says)).cloned().unwrap_or_else(|| run.words());
    // Columns are no part of it.
    let found = found.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = found.chars().take(160).collect();
    let more = if shown.len() < found.len() { "…" } else { "" };
    format!("{}{more}", shown.replace('|', "\\|").replace('<', "&lt;"))
}

/// Joins lines that a screen has broken.
fn joined(text: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    for line in text.lines() {
        match paragraphs.last_mut() {
            Some(last) if line.starts_with(' ') && !line.trim().is_empty() => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => paragraphs.push(line.trim().to_owned()),
        }
    }
    paragraphs
}

fn page<'r>(rows: impl Iterator<Item = &'r String>) -> String {
    let mut page = String::from(
        "# Hostile servers and files\n\n\
         A server may be broken, or mean harm. Each case was run against the program, with 1 GiB of memory\n\
         (`ulimit -v`) and `--request-timeout 5s`: `kubectl unstick ns shop`, or, where a list is wrong,\n\
         `kubectl unstick configmaps -n shop`. Namespace `shop` is being deleted, and a ConfigMap in it has\n\
         the finalizer `acme.io/hold`. `UNSTICK_RECORD=1 cargo test --test hostile` writes this page.\n\n\
         | the server sends | the program says | exit code |\n|---|---|---|\n",
    );
    rows.for_each(|row| {
        let _ = write!(page, "{row}");
    });
    page + include_str!("after.md")
}

fn keep(page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/hostile.md");
    if std::env::var_os("UNSTICK_RECORD").is_some() {
        return std::fs::write(path, page).expect("the docs are here");
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(kept == page, "docs/hostile.md is out of date: UNSTICK_RECORD=1 cargo test --test hostile; now:\n{page}");
}
