//! Which of the global flags matter to a command: its help and its completion show no others.

use clap::{Arg, Command};

/// The flags about steps.
const STEPS: [&str; 7] = ["yes", "approve", "approve_plan", "confirm", "one_by_one", "dry_run", "timeout"];

/// The command line for the help of the command among these words. A command that has a flag of its
/// own does not get the root's.
pub(super) fn in_help(root: Command, words: &[String]) -> Command {
    let commands = root.get_subcommands().map(|command| command.get_name().to_owned());
    let commands: Vec<String> = commands.filter(|name| words.contains(name)).collect();
    commands.into_iter().fold(root, |root, name| {
        let others = root.get_arguments().filter(|flag| flag.is_global_set());
        let others = others.filter(|flag| !concerns(&name, flag.get_id().as_str()));
        let hidden: Vec<Arg> = others.map(|flag| flag.clone().hide(true)).collect();
        root.mut_subcommand(&name, |command| command.args(hidden))
    })
}

/// Whether a global flag matters to a command.
pub(super) fn concerns(command: &str, flag: &str) -> bool {
    let steps = STEPS.contains(&flag);
    match command {
        // Reads and writes nothing.
        "completion" => false,
        "explain" => flag == "color",
        "journal" => matches!(flag, "output" | "color" | "yes" | "dry_run"),
        "demo" => matches!(flag, "output" | "color" | "dry_run"),
        "version" => !steps && !matches!(flag, "from" | "logs" | "ignore_not_found"),
        "mcp" => !steps && !matches!(flag, "output" | "color"),
        "survey" => !steps && !matches!(flag, "output" | "from" | "ignore_not_found"),
        "owners" => !steps && flag != "logs",
        "scan" => !steps && flag != "ignore_not_found",
        "preflight" => !steps,
        "undo" => !matches!(flag, "from" | "logs" | "ignore_not_found" | "approve_plan" | "confirm" | "one_by_one"),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, ConnectionFlags};
    use clap::{Args, CommandFactory};

    fn help(name: &str) -> String {
        let words = ["kubectl-unstick", name, "--help"].into_iter().filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(Into::into).collect();
        in_help(Cli::command(), &words).try_get_matches_from(words).expect_err("help").to_string()
    }

    #[test]
    fn a_command_shows_the_flags_that_mean_something_to_it() {
        for (name, shown, hidden) in [
            ("", "--approve-plan", "--no-such-flag"),
            ("undo", "--approve ", "--approve-plan"),
            ("explain", "--color", "--context"),
            ("journal", "--older-than", "--kubeconfig"),
            ("version", "--context", "--dry-run"),
            ("scan", "--logs", "--timeout"),
            ("demo", "--dry-run", "--server"),
            ("completion", "--help", "--color"),
        ] {
            let help = help(name);
            assert!(help.contains(shown) && !help.contains(hidden), "{name}: {help}");
        }
    }

    #[test]
    fn connection_flags_matter_to_every_command_that_connects() {
        let flags = ConnectionFlags::augment_args(Command::new("x"));
        for flag in flags.get_arguments().map(|flag| flag.get_id().as_str()) {
            let connects = |name: &str| !matches!(name, "completion" | "demo" | "explain" | "journal");
            for command in Cli::command().get_subcommands() {
                let name = command.get_name();
                assert_eq!(concerns(name, flag), connects(name), "{name} {flag}");
            }
        }
    }

    #[test]
    fn hidden_flags_are_taken_all_the_same() {
        let words = ["kubectl-unstick", "explain", "pods-first", "--context", "c"].map(String::from);
        assert!(in_help(Cli::command(), &words).try_get_matches_from(words).is_ok());
    }
}
