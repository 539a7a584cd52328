//! Every format that the help of a command offers is printed by it.

use crate::PROGRAM;
use crate::discovery::Form;
use crate::played::play;
use crate::scenario::Scenario;
use kubectl_unstick::cli::Cli;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A command line of each command, and of the diagnosis.
fn line(command: &str) -> Vec<&str> {
    match command {
        "" => vec!["ns", "shop"],
        "completion" => vec!["completion", "bash"],
        "owners" | "preflight" | "survey" => vec![command, "ns", "shop"],
        command => vec![command],
    }
}

fn run(words: &[&str], server: &str) -> Output {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("offered-{}", std::process::id()));
    let mut command = Command::new(PROGRAM);
    command.args(words).args(["--server", server]).stdin(Stdio::null());
    command.env_clear().env("HOME", home).env("PATH", "/nowhere").env("LC_ALL", "C.UTF-8");
    command.output().expect("the program runs")
}

#[test]
fn every_format_that_is_offered_is_printed() {
    let played = play(Scenario::named("demo").survey(), Form::V2);
    let root = Cli::line();
    let commands = root.get_subcommands().filter(|command| command.get_name() != "help").chain([&root]);
    let mut pairs = 0;
    for command in commands {
        let name = if command.get_name() == root.get_name() { "" } else { command.get_name() };
        let output = command.get_arguments().find(|flag| flag.get_id() == "output").expect("-o");
        for value in output.get_possible_values() {
            let format = value.get_name();
            let words: Vec<&str> = line(name).into_iter().chain(["-o", format]).collect();
            let Output { stdout, stderr, .. } = run(&words, &played.address);
            let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
            assert!(!stderr.contains("invalid value") && !stderr.contains("Usage:"), "{words:?}: {stderr}");
            // Nothing was done here that could be listed or undone, and an agent asks nothing.
            let says_nothing = matches!(name, "undo" | "journal" | "mcp") || format == "name";
            assert!(says_nothing || !stdout.is_empty(), "{words:?}: {stderr}");
            if format == "json" && !says_nothing {
                assert!(serde_json::from_str::<Value>(&stdout).is_ok(), "{words:?}: {stdout}");
            }
            pairs += 1;
        }
    }
    assert!(pairs > 60, "{pairs}");
}
