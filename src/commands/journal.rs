//! `journal`: shows which writes were made to clusters, by whom, and how they ended. Needs no cluster.

#![expect(clippy::disallowed_methods, reason = "the age of a run is by the clock of this machine, as its file is")]

use super::out;
use crate::cli::{Cli, Output};
use crate::failure::{Exit, Failure};
use crate::journal;
use crate::journal::{NotFound, RecordedRun, RunListing};
use crate::plugin::COMMAND;
use crate::{export, screen};
use jiff::Timestamp;

/// Lists the runs, or shows one.
///
/// # Errors
/// When the journal cannot be read, or does not contain the run.
pub fn run(cli: &Cli, word: Option<&str>) -> Result<Exit, Failure> {
    let listing = read()?;
    match word {
        Some(word) => Ok(show(cli, &listing, find(&listing, word)?)),
        None => list(cli, &listing),
    }
}

/// Reads the whole journal.
///
/// # Errors
/// When its folder exists and cannot be read.
pub fn read() -> Result<RunListing, Failure> {
    let Some(folder) = journal::folder() else { return Ok(RunListing::default()) };
    journal::list(&folder).map_err(|error| {
        Failure::unknown(format!("the journal cannot be read: {error}"))
            .hint("the journal is below XDG_STATE_HOME, or below HOME in .local/state; it must be writable only by you")
    })
}

/// The run that `word` names.
///
/// # Errors
/// When there is none, or more than one.
pub fn find<'a>(listing: &'a RunListing, word: &str) -> Result<&'a RecordedRun, Failure> {
    // The file exists but cannot be read.
    let named = |file: &&journal::UnreadableRun| file.path.file_stem().is_some_and(|stem| stem == word);
    if let Some(file) = listing.unreadable.iter().find(named) {
        return Err(Failure::unknown(format!("run {word:?} cannot be read: {file}")));
    }
    let unknown =
        |text: String| Failure::unknown(text).hint("this lists the runs").command(format!("{COMMAND} journal"));
    listing.find(word).map_err(|why| match why {
        NotFound::Empty => {
            Failure::unknown(format!("run {word:?} is not in the journal: it is empty")).hint(where_it_is())
        }
        NotFound::Unknown => unknown(format!("run {word:?} is not in the journal")),
        NotFound::Ambiguous(candidates) => {
            let shown = candidates.iter().take(4).cloned().collect::<Vec<_>>().join(", ");
            let more = if candidates.len() > 4 { ", …" } else { "" };
            unknown(format!("run {word:?} matches {} runs: {shown}{more}", candidates.len()))
        }
    })
}

fn where_it_is() -> String {
    journal::folder().map_or_else(
        || "set XDG_STATE_HOME or HOME to an absolute path".into(),
        |folder| format!("the journal is in {}; set XDG_STATE_HOME or HOME to change that", folder.display()),
    )
}

fn show(cli: &Cli, listing: &RunListing, run: &RecordedRun) -> Exit {
    let undone_by = listing.undone_by(&run.id).map(|undo| undo.id.as_str());
    match cli.options.output {
        Output::Json => out::data(&export::json(&screen::run_records(run, undone_by))),
        Output::Yaml => out::data(&export::yaml(&screen::run_records(run, undone_by))),
        Output::Name => out::data(&screen::Shown::line(&run.id)),
        // Any other format was refused before.
        _ => out::screen(&screen::run_screen(run, undone_by, Timestamp::now(), out::look(&cli.options))),
    }
    Exit::Fine
}

fn list(cli: &Cli, listing: &RunListing) -> Result<Exit, Failure> {
    let undone = |id: &str| listing.undone_by(id).map(|undo| undo.id.as_str());
    let items = || listing.runs.iter().map(|run| screen::run_in_short(run, undone(&run.id))).collect::<Vec<_>>();
    let unread: Vec<(String, String)> =
        listing.unreadable.iter().map(|file| (file.path.display().to_string(), file.why.clone())).collect();
    match cli.options.output {
        Output::Json => out::data(&export::json(&screen::run_list(&items(), &unread))),
        Output::Yaml => out::data(&export::yaml(&screen::run_list(&items(), &unread))),
        Output::Name => listing.runs.iter().for_each(|run| out::data(&screen::Shown::line(&run.id))),
        _ if listing.runs.is_empty() => {
            out::talk(format!("no runs are recorded; {}", where_it_is()));
        }
        _ => {
            out::screen(&screen::runs_table(&listing.runs, undone, Timestamp::now(), out::look(&cli.options)));
        }
    }
    listing.runs.iter().filter_map(RecordedRun::damage).for_each(|damage| out::talk(&damage));
    match listing.unreadable.split_last() {
        None => Ok(Exit::Fine),
        Some((last, others)) => {
            for file in others {
                out::talk(format!("error: {file}"));
            }
            Err(Failure::unknown(last.to_string()).hint("the other runs are not affected"))
        }
    }
}
