//! In a GitHub workflow, the output gives the runner no commands.

use std::process::{Command, Output};

fn run(variable: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-unstick"));
    command.args(["demo", "-o", "json"]).env("GITHUB_ACTIONS", variable).output().expect("it runs")
}

#[test]
fn commands_are_stopped_around_the_output() {
    let (within, outside) = (run("true"), run(""));
    assert_eq!(within.stdout, outside.stdout, "data for programs stays");
    let said = String::from_utf8_lossy(&within.stderr).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    let word = lines[0].strip_prefix("::stop-commands::").unwrap_or_else(|| panic!("{said}"));
    assert!(word.len() == 32 && lines.last() == Some(&format!("::{word}::").as_str()), "{said}");
    assert!(!String::from_utf8_lossy(&outside.stderr).contains("::"), "{:?}", outside.stderr);
}
