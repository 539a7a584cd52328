//! Reports runs that did not end, once, at the start of the next run on the same cluster.

#![expect(clippy::disallowed_methods, reason = "the age of a run is by the clock of this machine, as its file is")]

use super::source::Live;
use super::{interrupt, out};
use crate::failure::Failure;
use crate::journal::{self, RecordedRun, RecordedStep};
use crate::plan::quote;
use crate::plugin::COMMAND;
use crate::screen::{Talk, age};
use crate::server::Server;
use crate::transport::connect::Connected;
use jiff::Timestamp;

/// Connects, and reports the runs on this cluster that did not end.
///
/// # Errors
/// When the connection fails, or on Ctrl-C.
pub async fn reported(live: impl Future<Output = Result<Live, Failure>>) -> Result<Live, Failure> {
    let live = live.await?;
    interrupt::wait_for(say(&live.connected)).await?;
    Ok(live)
}

/// Reports the runs on this cluster that did not end. Sends a request only if there is one.
async fn say(connected: &Connected) {
    let Some(folder) = journal::folder() else { return };
    let found = journal::unfinished(&folder);
    if found.is_empty() {
        return;
    }
    let here = connected.cluster_uid().await;
    for run in found.iter().rev().filter(|run| is_here(run, here.as_deref(), &connected.server)) {
        let command = format!("{COMMAND} journal {}", quote(&run.id));
        out::talk(Talk::from(words(run, Timestamp::now()) + "; see:").command(command));
        // If it cannot be marked, for example on a read-only disk, it is reported again next time.
        journal::mark_unfinished(run).ok();
    }
}

/// Whether a run was on this cluster. This is unknown if its first record is cut off, but then the
/// run has written nothing.
fn is_here(run: &RecordedRun, here: Option<&str>, server: &Server) -> bool {
    match (&run.header.cluster, here) {
        (Some(cluster), Some(here)) => cluster == here,
        (Some(_), None) => false,
        (None, _) => !run.records.is_empty() && run.header.server == *server,
    }
}

fn words(run: &RecordedRun, now: Timestamp) -> String {
    let when = run.begun.map(|begun| format!(" of {} ago", age(now.duration_since(begun)))).unwrap_or_default();
    let known = match run.steps.last() {
        None => "nothing was written".to_owned(),
        Some(last) => {
            let done = run.steps.iter().filter(|step| step.is_done()).count();
            let open: Vec<&RecordedStep> = run.steps.iter().filter(|step| step.outcome().is_none()).collect();
            let known = if open.len() > 1 { several(&open) } else { the_last(last) };
            format!("{known}; {done} of {} steps verified", run.steps.len())
        }
    };
    format!("run {}{when} did not finish: {known}", run.id)
}

fn the_last(last: &RecordedStep) -> String {
    let became = match last.outcome() {
        None => "may have been written: check the object as it is now",
        Some("done") => "was done",
        Some("unconfirmed") => "was sent, but its effect was not seen",
        Some(_) => "was not done",
    };
    format!("its last step, {} ({}), {became}", last.number, last.title)
}

/// The sentence for steps that were under way at the same time.
fn several(open: &[&RecordedStep]) -> String {
    let (first, last) = (open[0], open[open.len() - 1]);
    format!(
        "{} steps, from {} ({}) to {} ({}), may have been written: check the objects as they are now",
        open.len(),
        first.number,
        first.title,
        last.number,
        last.title
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Became, RunHeader};
    use serde_json::Value;

    fn step(number: u64, outcome: Option<&str>) -> RecordedStep {
        RecordedStep {
            number,
            at: None,
            title: "do it".into(),
            what: Value::Null,
            request: Value::Null,
            before: Value::Null,
            became: outcome.map(|outcome| Became { outcome: outcome.into(), ..Became::default() }),
            notes: vec![],
        }
    }

    #[test]
    fn an_unfinished_run_is_described_by_what_is_known() {
        let now: Timestamp = "2026-01-01T00:05:00Z".parse().unwrap();
        let mut run = RecordedRun {
            id: "r".into(),
            begun: "2026-01-01T00:00:00Z".parse().ok(),
            steps: vec![step(1, Some("done")), step(2, None)],
            ..RecordedRun::default()
        };
        assert_eq!(
            words(&run, now),
            "run r of 5m ago did not finish: its last step, 2 (do it), may have been written: check the object as it \
             is now; 1 of 2 steps verified"
        );
        run.steps.push(step(3, None));
        let several = "2 steps, from 2 (do it) to 3 (do it), may have been written";
        assert!(words(&run, now).contains(several), "{}", words(&run, now));
        run.steps.truncate(1);
        assert!(words(&run, now).contains("its last step, 1 (do it), was done; 1 of 1"));
        run.steps.clear();
        assert!(words(&run, now).contains("nothing was written"));
    }

    #[test]
    fn runs_on_another_cluster_are_not_reported() {
        let run = |cluster: Option<&str>| RecordedRun {
            header: RunHeader { cluster: cluster.map(Into::into), server: "s".into(), ..RunHeader::default() },
            records: vec![Value::Null],
            ..RecordedRun::default()
        };
        assert!(is_here(&run(Some("a")), Some("a"), &"t".into()));
        assert!(!is_here(&run(Some("a")), Some("b"), &"s".into()) && !is_here(&run(Some("a")), None, &"s".into()));
        assert!(is_here(&run(None), Some("a"), &"s".into()) && !is_here(&run(None), Some("a"), &"t".into()));
        assert!(!is_here(&RecordedRun::default(), None, &"".into()));
    }
}
