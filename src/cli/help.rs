//! The help of the whole program: commands grouped by purpose, and flags by subject. Each `-h` fits
//! one screen.

use super::examples::named;
use clap::Command;
use std::fmt::Write;

/// The commands grouped by purpose, and those that need no line of their own.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Find what is stuck", &["scan", "apis", "orphans", "owners"]),
    ("Before and after a deletion", &["preflight", "undo", "journal"]),
    ("What is installed", &["products"]),
    ("Learn and report", &["explain", "demo", "survey", "mcp"]),
];
const ALSO: [&str; 4] = ["completion", "help", "options", "version"];

/// The most common flags, for the short help.
pub(super) const SHORT: &str = "\
Flags: -n NAMESPACE, -A, -l LABELS, -f FILE, -w, -o FORMAT, --delete, --dry-run,
       --yes, --approve RISK. All: --help. Also: {ALSO}";

/// The root with the template of its help, which lists the commands by group. If `is_short`, the
/// template is that of `-h`.
pub(super) fn grouped(root: Command, is_short: bool) -> Command {
    let mut groups = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(groups, "{title}:");
        for command in names.iter().filter_map(|name| root.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(groups, "  {:<10} {about}", command.get_name());
        }
    }
    let rest = if is_short {
        let also: Vec<&str> = ALSO.into_iter().filter(|name| *name != "help").collect();
        named(SHORT).replace("{ALSO}", &also.join(", "))
    } else {
        let _ = writeln!(groups, "Also: {}", ALSO.join(", "));
        "{all-args}{after-help}".to_owned()
    };
    let template = format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}\n{rest}");
    let root = root.mut_subcommands(|command| command.hide(true));
    root.help_template(template)
}

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use super::*;
    use std::collections::BTreeSet;

    fn help(line: &str) -> String {
        let words = std::iter::once("kubectl-unstick").chain(line.split_whitespace()).map(Into::into);
        Cli::read(&words.collect::<Vec<_>>()).expect_err("help").to_string()
    }

    #[test]
    fn every_command_belongs_to_a_group() {
        let root = Cli::line();
        let known: BTreeSet<&str> = root.get_subcommands().map(Command::get_name).collect();
        let listed = GROUPS.iter().flat_map(|(_, names)| *names).chain(&ALSO);
        assert_eq!(listed.copied().collect::<BTreeSet<_>>(), known);
        assert!(help("-h").contains("  preflight  Say what"), "{}", help("-h"));
    }

    #[test]
    fn every_short_help_fits_a_screen() {
        let commands: Vec<String> = Cli::line().get_subcommands().map(|it| it.get_name().to_owned()).collect();
        for name in commands.iter().map(String::as_str).filter(|name| *name != "help").chain([""]) {
            let text = help(&format!("{name} -h"));
            let lines = text.trim_end().lines();
            assert!(lines.clone().count() <= 23 || name == "options", "{name}: {}\n{text}", text.lines().count());
            for line in lines {
                assert!(line.chars().count() <= 80, "{name}: {line}");
            }
        }
    }

    #[test]
    fn help_is_a_command_too() {
        assert_eq!(help("help"), help("--help"));
        for name in ["scan", "explain", "options"] {
            assert_eq!(help(&format!("help {name}")), help(&format!("{name} --help")));
        }
        for line in ["-o json help scan", "help scan -o json", "help -n shop scan"] {
            assert_eq!(help(line), help("scan --help"), "{line}");
        }
    }
}
