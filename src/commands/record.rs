//! A run's record in the journal: it begins with the subject of the run and ends with the outcome.

use super::out;
use super::source::{Diagnosed, Live};
use crate::cli::Cli;
use crate::cli::complete::without_credentials;
use crate::journal::{self, Run, RunHeader};
use crate::plan::Approval;
use crate::screen::Talk;
use crate::survey::TargetName;

/// Begins the record of a run that may write the approved steps.
pub async fn begin(live: &Live, diagnosed: &Diagnosed, approval: Approval) -> Run {
    let name = |target: &TargetName| format!("{}/{}", target.resource.short(), target.name);
    let targets = diagnosed.report.targets.iter().map(|target| name(&target.object.target())).collect();
    run(live, live.connected.cluster_uid().await, targets, approval)
}

/// The command line, without what may be a credential.
fn arguments() -> Vec<String> {
    let mut words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let program = words.next();
    let words: Vec<String> = words.collect();
    program.into_iter().chain(without_credentials(&Cli::line(), &words)).collect()
}

/// The record of a run over this connection.
pub fn run(live: &Live, cluster: Option<String>, targets: Vec<String>, approval: Approval) -> Run {
    let header = RunHeader {
        arguments: arguments(),
        context: live.connected.context.clone(),
        user: live.connected.user.clone(),
        server: live.connected.server.clone(),
        cluster,
        targets,
    };
    Run::new(journal::folder(), header, approval)
}

/// Closes the record of a run that has written something, and reports the record's path.
pub fn close(run: &mut Run, how: &str) {
    if let Err(error) = run.end(how) {
        out::talk(format!("the end of the run could not be recorded: {error}"));
    }
    if let Some(path) = run.path() {
        out::talk(Talk::default().whole(format!("journal: {}", path.display())));
    }
}
