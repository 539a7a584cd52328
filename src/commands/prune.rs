//! `journal prune`: removes the files of old runs after asking.

#![expect(clippy::disallowed_methods, reason = "the age of a run is by the clock of this machine, as its file is")]

use super::ask;
use super::{journal as records, out};
use crate::cli::{Cli, DryRun};
use crate::failure::{Exit, Failure};
use crate::journal::{self, RecordedRun, Removed};
use crate::plugin::COMMAND;
use crate::screen::{Shown, age};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// Lists old runs, asks, and removes them.
///
/// # Errors
/// When `--older-than` is missing, the journal cannot be read, a file cannot be removed, or on
/// Ctrl-C.
pub async fn run(cli: &Cli, older_than: Option<Duration>) -> Result<Exit, Failure> {
    let Some(limit) = older_than else {
        return Err(Failure::unknown("prune needs --older-than")
            .hint("for example")
            .command(format!("{COMMAND} journal prune --older-than 90d")));
    };
    let listing = records::read()?;
    let now = Timestamp::now();
    listing.unreadable.iter().for_each(|file| out::talk(format!("kept: {file}")));
    let old: Vec<&RecordedRun> = listing.runs.iter().filter(|run| is_older(run, limit, now)).collect();
    if old.is_empty() {
        out::talk("no run is that old; nothing was removed");
        return Ok(Exit::Fine);
    }
    for run in &old {
        let targets = run.header.targets.join(", ");
        let begun = run.begun.map(|begun| age(now.duration_since(begun))).unwrap_or_default();
        out::data(&Shown::line(&format!("{}  {begun}  {}  {targets}", run.id, run.outcome())));
    }
    if is_agreed(cli, &old).await? { remove(&old) } else { Ok(Exit::Fine) }
}

/// The failure for `--older-than` without `prune`.
pub fn without_the_word() -> Failure {
    Failure::unknown("--older-than can only be used with journal prune")
        .hint("add the word prune")
        .command(format!("{COMMAND} journal prune --older-than DURATION"))
}

/// Whether a run is older than `limit`. A run of unknown age is not.
fn is_older(run: &RecordedRun, limit: Duration, now: Timestamp) -> bool {
    let limit = SignedDuration::try_from(limit).unwrap_or(SignedDuration::MAX);
    run.begun.is_some_and(|begun| now.duration_since(begun) > limit)
}

async fn is_agreed(cli: &Cli, old: &[&RecordedRun]) -> Result<bool, Failure> {
    if cli.options.dry_run != DryRun::None {
        return Ok(false);
    }
    if cli.options.yes {
        return Ok(true);
    }
    if !out::can_ask() {
        out::talk("nothing was removed; --yes removes them");
        return Ok(false);
    }
    ask::yes_or_no(&question(old.len())).await
}

fn question(runs: usize) -> String {
    match runs {
        1 => "Remove this run from the journal? Its changes can then no longer be undone.".into(),
        _ => format!("Remove these {runs} runs from the journal? Their changes can then no longer be undone."),
    }
}

fn remove(old: &[&RecordedRun]) -> Result<Exit, Failure> {
    let (mut gone, mut failed) = (0, None);
    for run in old {
        match journal::remove(run) {
            Ok(Removed::Done) => gone += 1,
            Ok(Removed::Before) => {}
            Ok(Removed::Left(why)) => out::talk(format!("kept: run {}: {why}", run.id)),
            Err(error) => {
                let text = format!("{} cannot be removed: {error}", run.path.display());
                if let Some(earlier) = failed.replace(text) {
                    out::talk(format!("error: {earlier}"));
                }
            }
        }
    }
    out::talk(format!("{gone} of {} removed", old.len()));
    failed.map_or(Ok(Exit::Fine), |why| Err(Failure::refused(why)))
}
