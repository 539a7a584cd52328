//! Which formats each command can print.

use crate::cli::{Cli, Command, Output};
use crate::failure::Failure;
use clap::ValueEnum;

/// The formats of a report.
const REPORT: &[Output] = &[
    Output::Table,
    Output::Wide,
    Output::Tree,
    Output::Name,
    Output::Json,
    Output::Yaml,
    Output::Markdown,
    Output::Junit,
    Output::Mermaid,
    Output::Dot,
    Output::Html,
];

/// Refuses a format that the command cannot print, before anything is read.
///
/// # Errors
/// When it cannot.
pub fn refuse_others(cli: &Cli, chosen: Option<&Command>) -> Result<(), Failure> {
    let (what, printed): (_, &[Output]) = match chosen {
        None if cli.selection.watch => ("--watch", &[Output::Table, Output::Wide, Output::Json, Output::Yaml]),
        Some(Command::Owners { .. }) => ("owners", &[Output::Table, Output::Tree, Output::Json, Output::Yaml]),
        Some(Command::Journal { .. }) => ("journal", &[Output::Table, Output::Name, Output::Json, Output::Yaml]),
        Some(Command::Undo { .. }) => ("undo", &[Output::Table, Output::Json, Output::Yaml]),
        Some(Command::Version { .. }) => ("version", &[Output::Table, Output::Json, Output::Yaml]),
        Some(Command::Mcp) => ("mcp", &[Output::Table, Output::Json]),
        Some(Command::Completion { .. }) => ("completion", &[Output::Table, Output::Json, Output::Yaml]),
        // These print one text in any case; a user who asked for another format would miss it.
        Some(Command::Explain { .. }) => ("explain", &[Output::Table, Output::Json, Output::Yaml]),
        Some(Command::Survey { .. }) => ("survey", &[Output::Table, Output::Json, Output::Yaml]),
        Some(Command::Scan { .. }) => return Ok(()),
        None => ("a diagnosis", REPORT),
        Some(Command::Apis) => ("apis", REPORT),
        Some(Command::Orphans) => ("orphans", REPORT),
        Some(Command::Preflight { .. }) => ("preflight", REPORT),
        Some(Command::Demo) => ("demo", REPORT),
    };
    let asked = cli.options.output;
    if printed.contains(&asked) {
        return Ok(());
    }
    let failure = Failure::unknown(format!("{what} has no output format {}", name(asked)));
    Err(match chosen {
        Some(Command::Explain { .. } | Command::Survey { .. }) => failure.hint("leave out -o"),
        _ => failure.hint(format!("use -o {}", in_words(printed))),
    })
}

/// `table, json or yaml`
fn in_words(formats: &[Output]) -> String {
    let names: Vec<String> = formats.iter().copied().map(name).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// The format as it is written on the command line.
fn name(format: Output) -> String {
    format.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn refused(line: &str) -> Option<String> {
        let cli = Cli::parse_from(std::iter::once("kubectl-unstick").chain(line.split(' ')));
        refuse_others(&cli, cli.command.as_ref()).err().map(|failure| failure.to_string())
    }

    #[test]
    fn a_command_refuses_what_it_cannot_print_and_says_what_it_can() {
        for format in Output::value_variants() {
            assert_eq!(refused(&format!("scan -o {}", name(*format))), None);
        }
        for format in REPORT {
            for words in ["ns shop", "apis", "orphans", "preflight ns shop", "demo", "ns shop --delete"] {
                assert_eq!(refused(&format!("{words} -o {}", name(*format))), None, "{words}");
            }
        }
        let said = "owners has no output format html\nhint: use -o table, tree, json or yaml";
        assert_eq!(refused("owners ns/shop -o html").as_deref(), Some(said));
        let said = "--watch has no output format junit\nhint: use -o table, wide, json or yaml";
        assert_eq!(refused("ns shop -w -o junit").as_deref(), Some(said));
        assert!(refused("ns shop -o prometheus").is_some_and(|said| said.contains("no output format prometheus")));
        let said = "explain has no output format dot\nhint: leave out -o";
        assert_eq!(refused("explain pods-first -o dot").as_deref(), Some(said));
        for line in ["journal -o tree", "undo -o name", "undo -o wide", "survey ns shop -o html"] {
            assert!(refused(line).is_some(), "{line}");
        }
        for line in ["journal -o name", "owners ns/shop -o tree", "ns shop -w -o wide", "undo -o yaml"] {
            assert_eq!(refused(line), None, "{line}");
        }
    }
}
