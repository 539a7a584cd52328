//! The commands: they connect the other rooms. Only this room prints.

mod apis;
mod apply;
mod ask;
mod completion;
mod current_cluster;
mod delete;
mod demo;
mod diagnose;
mod exit;
mod explain;
mod finalize;
pub(crate) mod imagined;
mod interrupt;
mod journal;
mod live_screen;
mod locale;
mod manifest_files;
pub(crate) mod manifests;
mod mcp;
mod not_found;
mod orphans;
mod out;
mod outside;
mod owners;
mod preflight;
mod products;
mod programs;
mod prune;
mod record;
mod removal;
mod runtime;
mod scan;
mod select;
mod source;
mod suggestion;
mod survey;
mod survey_file;
mod terminal;
mod undo;
mod unfinished;
mod version;
mod watch;
mod words;
mod workflow;

#[cfg(test)]
pub(crate) use mcp::as_an_agent_reads;

use crate::cli::{Cli, Command};
use crate::failure::{Exit, Failure};
use crate::plugin::{self, COMMAND, PROGRAM};
use runtime::in_runtime;
use std::ffi::OsString;
use std::path::Path;

/// Runs the program with these arguments.
#[must_use]
pub fn run(arguments: impl Iterator<Item = OsString>) -> Exit {
    let arguments: Vec<OsString> = arguments.collect();
    if let Some(program) = arguments.first() {
        plugin::started_as(Path::new(program));
    }
    // A shell's completion request is not a valid command line; clap would refuse it.
    if let [_, command, typed @ ..] = arguments.as_slice()
        && command == "__complete"
    {
        return completion::answer(typed);
    }
    let mut cli = match Cli::read(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are printed to stdout and are no errors.
            let printed = error.print();
            if error.use_stderr() {
                return Exit::Unknown;
            }
            out::heed(printed);
            return finish(Ok(Exit::Fine));
        }
    };
    cli.options.is_stream = cli.selection.watch || matches!(cli.command, Some(Command::Scan { watch: true, .. }));
    out::heed_the_terminal(&cli.options);
    out::heed_the_caller();
    terminal::survive_panics();
    out::begin();
    let exit = finish(dispatch(&cli));
    out::end();
    exit
}

fn dispatch(cli: &Cli) -> Result<Exit, Failure> {
    let chosen = cli.command.as_ref();
    let diagnoses = matches!(chosen, None | Some(Command::Apis | Command::Orphans)) && !cli.delete && !cli.finalize;
    if !cli.options.approve_plan.is_empty() && !diagnoses {
        return Err(Failure::unknown("--approve-plan works only for the remedies of a diagnosis")
            .hint("this shows their digests")
            .command(format!("{COMMAND} TYPE NAME -o json")));
    }
    delete::contradictions(cli)?;
    if let Some(Command::Journal { run: Some(word), .. } | Command::Undo { run: Some(word) }) = chosen {
        words::is_short_enough(word)?;
    }
    match chosen {
        Some(Command::Explain { words }) => explain::run(words, cli.options.output),
        Some(Command::Completion { shell }) => Ok(completion::script(*shell)),
        Some(Command::Options) => Ok(options()),
        Some(Command::Demo) => demo::run(cli),
        Some(Command::Mcp(flags)) => in_runtime(mcp::run(cli, flags)),
        Some(Command::Apis) => in_runtime(apis::run(cli)),
        Some(Command::Orphans) => in_runtime(orphans::run(cli)),
        Some(Command::Scan { all_namespaces, selector, contexts, watch }) => {
            in_runtime(scan::run(cli, *all_namespaces, selector.as_deref(), contexts, *watch))
        }
        Some(Command::Products) => in_runtime(products::run(cli)),
        Some(Command::Owners { words, all_namespaces }) => in_runtime(async {
            suggestion::explained(owners::run(cli, words, *all_namespaces).await, cli, "owners ", words).await
        }),
        Some(Command::Preflight { words, manifests, as_installed, cascade }) => {
            let cascade = cascade.map(Into::into).unwrap_or_default();
            if *as_installed || manifests::are_charts(manifests) {
                return preflight::imagined(cli, words, manifests, cascade);
            }
            in_runtime(async {
                suggestion::explained(preflight::run(cli, words, manifests, cascade).await, cli, "preflight ", words)
                    .await
            })
        }
        Some(Command::Journal { run: Some(word), older_than }) if word == "prune" => {
            in_runtime(prune::run(cli, *older_than))
        }
        Some(Command::Journal { older_than: Some(_), .. }) => Err(prune::without_the_word()),
        Some(Command::Journal { run, .. }) => journal::run(cli, run.as_deref()),
        Some(Command::Undo { run }) => in_runtime(undo::run(cli, run.as_deref())),
        Some(Command::Version { client }) => in_runtime(version::run(cli, *client)),
        Some(Command::Survey { words, cascade }) => in_runtime(survey::run(cli, words, cascade.map(Into::into))),
        None => in_runtime(async {
            let done = match () {
                () if cli.delete => delete::run(cli).await,
                () if cli.finalize => finalize::run(cli).await,
                () if outside::is_place_alone(cli) => scan::place_alone(cli).await,
                () => diagnose::run(cli).await,
            };
            suggestion::explained(done, cli, "", &cli.words).await
        }),
    }
}

/// Prints the connection flags, as `kubectl options` does.
fn options() -> Exit {
    let words = [PROGRAM, "options", "--help"].map(Into::into);
    if let Err(help) = Cli::read(&words) {
        out::heed(help.print());
    }
    Exit::Fine
}

fn finish(result: Result<Exit, Failure>) -> Exit {
    let exit = result.unwrap_or_else(|failure| {
        out::talk(&failure);
        failure.exit
    });
    let Some(why) = out::unwritten() else { return exit };
    out::talk(format!("error: stdout cannot be written: {why}"));
    // The result was not delivered.
    if matches!(exit, Exit::Fine | Exit::Stuck) { Exit::Unknown } else { exit }
}
