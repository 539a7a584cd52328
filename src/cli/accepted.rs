//! The shared flags and the formats that each command accepts. The help, the completion and the
//! parser all use them, so that nothing is offered and then refused.

use super::Output;
use crate::plugin::COMMAND;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error, ValueEnum};
use std::ffi::OsStr;

/// The heading of the connection flags.
const CONNECTION: &str = "Connection, as for kubectl";

/// The flags that concern steps.
const STEPS: [&str; 7] = ["yes", "approve", "approve_plan", "confirm", "one_by_one", "dry_run", "timeout"];

/// The formats of a diagnosis that is repeated.
pub(super) fn repeatable() -> Vec<Output> {
    Output::of_reports().filter(|format| format.is_repeatable()).collect()
}

/// The formats in which a command prints. The empty name stands for the diagnosis.
fn formats(command: &str) -> Vec<Output> {
    match command {
        "scan" => Output::of_scans().collect(),
        "owners" => vec![Output::Table, Output::Tree, Output::Json, Output::Yaml],
        "journal" => vec![Output::Table, Output::Name, Output::Json, Output::Yaml],
        "products" => vec![Output::Table, Output::Wide, Output::Json, Output::Yaml],
        "explain" => vec![Output::Table, Output::Argocd],
        "undo" | "version" => vec![Output::Table, Output::Json, Output::Yaml],
        // The output is one text, whatever the format.
        "survey" => vec![Output::Table, Output::Yaml],
        "mcp" => vec![Output::Table, Output::Json],
        "completion" | "options" => vec![Output::Table],
        _ => Output::of_reports().collect(),
    }
}

/// Whether a shared flag has a meaning for a command.
fn concerns(command: &str, flag: &str) -> bool {
    let steps = STEPS.contains(&flag);
    match command {
        "completion" => false,
        "options" => is_of_connection(flag),
        "explain" => matches!(flag, "output" | "color"),
        "journal" => matches!(flag, "output" | "color" | "yes" | "dry_run"),
        "demo" => matches!(flag, "output" | "color" | "dry_run"),
        "version" => !steps && !matches!(flag, "from" | "logs" | "no_logs" | "ignore_not_found"),
        "mcp" => !steps && !matches!(flag, "no_logs" | "output" | "color" | "ignore_not_found"),
        "survey" => !steps && !matches!(flag, "output" | "from" | "ignore_not_found"),
        "owners" => !steps && !matches!(flag, "logs" | "no_logs"),
        "scan" => flag == "timeout" || (!steps && flag != "ignore_not_found"),
        "preflight" => !steps,
        "products" => !steps && !matches!(flag, "logs" | "no_logs" | "ignore_not_found"),
        "apis" => flag != "ignore_not_found",
        "undo" => !matches!(
            flag,
            "from" | "logs" | "no_logs" | "ignore_not_found" | "approve_plan" | "confirm" | "one_by_one"
        ),
        _ => true,
    }
}

fn is_of_connection(flag: &str) -> bool {
    const SHARED: [&str; 8] =
        ["output", "from", "logs", "no_logs", "one_by_one", "ignore_not_found", "color", "namespace"];
    !STEPS.contains(&flag) && !SHARED.contains(&flag)
}

/// The command line in which each command shows the shared flags and the formats that it accepts.
/// The other shared flags are accepted, too, but hidden: an alias in somebody's shell may add them
/// to every command.
pub(super) fn accepted(root: Command) -> Command {
    let shared: Vec<Arg> = root.get_arguments().filter(|flag| flag.is_global_set()).cloned().collect();
    let names: Vec<String> = root.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let root = names.iter().fold(root, |root, name| {
        let own = shared.iter().cloned().map(|flag| of(name, flag));
        root.mut_subcommand(name, |command| command.args(own))
    });
    root.mut_args(|flag| if flag.is_global_set() { of("", flag) } else { flag })
}

/// A shared flag as one command accepts and shows it.
fn of(command: &str, flag: Arg) -> Arg {
    let id = flag.get_id().as_str();
    let hidden = !concerns(command, id);
    // kubectl also shows these flags only on request.
    let apart = is_of_connection(id) && command != "options";
    let flag = if id == "output" { flag.value_parser(among(command, &formats(command))) } else { flag };
    let flag = if apart { flag.hide_short_help(true).hide_long_help(true) } else { flag };
    if command == "options" { flag.help_heading(CONNECTION).hide(hidden) } else { flag.hide(hidden) }
}

/// A parser for the formats of a command.
fn among(command: &str, formats: &[Output]) -> Formats {
    let names = formats.iter().filter_map(Output::to_possible_value);
    let command = if command.is_empty() { COMMAND.to_string() } else { format!("{COMMAND} {command}") };
    Formats { command, among: PossibleValuesParser::new(names) }
}

/// The formats of a command, named in the error about any other format.
#[derive(Clone)]
struct Formats {
    command: String,
    among: PossibleValuesParser,
}

impl TypedValueParser for Formats {
    type Value = Output;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Output, Error> {
        let name = self.among.parse_ref(cmd, arg, value).map_err(|mut error| {
            let whose = format!("{} --output", self.command);
            error.insert(ContextKind::InvalidArg, ContextValue::String(whose));
            error
        })?;
        Output::from_str(&name, false).map_err(|_| Error::new(ErrorKind::InvalidValue))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.among.possible_values()
    }
}

/// The command line of a repeated diagnosis, which accepts fewer formats.
pub(super) fn watching(root: Command) -> Command {
    accepted(root).mut_arg("output", |flag| flag.value_parser(among("--watch", &repeatable())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use crate::transport::Connection;
    use clap::Args;

    fn help(line: &str) -> String {
        let words = std::iter::once("kubectl-unstick").chain(line.split_whitespace()).map(Into::into);
        Cli::read(&words.collect::<Vec<_>>()).expect_err("help").to_string()
    }

    #[test]
    fn a_command_shows_the_flags_that_mean_something_to_it() {
        for (name, shown, hidden) in [
            ("", "--approve-plan", "--no-such-flag"),
            ("undo", "--approve ", "--approve-plan"),
            ("explain", "--color", "--namespace"),
            ("journal", "--older-than", "--namespace"),
            ("version", "--namespace", "--dry-run"),
            ("scan", "--timeout", "--dry-run"),
            ("demo", "--dry-run", "--server"),
            ("completion", "--help", "--color"),
            ("options", "--kubeconfig", "--dry-run"),
        ] {
            let help = help(&format!("{name} --help"));
            assert!(help.contains(shown) && !help.contains(hidden), "{name}: {help}");
        }
    }

    #[test]
    fn connection_flags_matter_to_every_command_that_connects_and_stand_apart() {
        let flags = Connection::augment_args(Command::new("x"));
        for flag in flags.get_arguments().map(|flag| flag.get_id().as_str()) {
            let connects = |name: &str| !matches!(name, "completion" | "demo" | "explain" | "journal" | "options");
            for command in Cli::line().get_subcommands() {
                let name = command.get_name();
                assert!(concerns(name, flag) == connects(name) || name == "options", "{name} {flag}");
            }
            assert_eq!(is_of_connection(flag), flag != "namespace", "{flag}");
        }
        assert!(!help("--help").contains("--kubeconfig") && help("-h").contains("Also: completion, options"));
    }

    #[test]
    fn hidden_flags_are_accepted() {
        let words = ["kubectl-unstick", "explain", "pods-first", "--context", "c"].map(Into::into);
        assert!(Cli::read(&words).is_ok());
    }

    #[test]
    fn a_format_that_a_command_does_not_print_is_neither_offered_nor_taken() {
        let refused = |line: &str| {
            let words = std::iter::once("kubectl-unstick").chain(line.split(' ')).map(Into::into);
            Cli::read(&words.collect::<Vec<_>>()).err().map(|error| error.to_string())
        };
        for format in Output::of_scans().filter_map(|format| format.to_possible_value()) {
            assert_eq!(refused(&format!("scan -o {}", format.get_name())), None);
        }
        for format in Output::of_reports().filter_map(|format| format.to_possible_value()) {
            for words in ["ns shop", "apis", "orphans", "preflight ns shop", "demo", "ns shop --delete"] {
                assert_eq!(refused(&format!("{words} -o {}", format.get_name())), None, "{words}");
            }
        }
        for (line, whose) in [
            ("owners ns/shop -o html", "'kubectl unstick owners --output'"),
            ("ns shop -o prometheus", "'kubectl unstick --output'"),
            ("ns shop -w -o junit", "'kubectl unstick --watch --output'"),
        ] {
            let said = refused(line).unwrap_or_else(|| panic!("{line} is taken"));
            assert!(said.contains(whose), "{line}: {said}");
        }
        for (line, offered) in [
            ("owners ns/shop -o html", "table, tree, json, yaml"),
            ("ns shop -w -o junit", "table, wide, json, yaml"),
            ("-wo name", "table, wide, json, yaml"),
            ("ns shop -o prometheus", "table, wide, tree, name, json, yaml, markdown, junit, mermaid, dot, html"),
            ("explain pods-first -o json", "table, argocd"),
            ("products -o html", "table, wide, json, yaml"),
            ("journal -o tree", "table, name, json, yaml"),
            ("undo -o wide", "table, json, yaml"),
            ("survey ns shop -o html", "table, yaml"),
        ] {
            let said = refused(line).unwrap_or_else(|| panic!("{line} is taken"));
            assert!(said.contains(&format!("[possible values: {offered}]")), "{line}: {said}");
        }
        for line in ["journal -o name", "owners ns/shop -o tree", "ns shop -w -o wide", "undo -o yaml", "-o json -w"] {
            assert_eq!(refused(line), None, "{line}");
        }
    }
}
