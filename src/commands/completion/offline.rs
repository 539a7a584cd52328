//! Completions that need no cluster.

#![expect(clippy::disallowed_methods, reason = "the age of a run is by the clock of this machine, as its file is")]

use super::candidates::is_no_flag;
use crate::cli::complete::Wanted;
use crate::journal::{self, RecordedRun};
use crate::knowledge::{catalogue, explain};
use crate::rules::explanations;
use crate::screen::age;
use crate::transport::Connection;
use jiff::Timestamp;

/// The runs of the journal, the newest first.
pub(super) fn runs() -> Vec<(String, String)> {
    let listing = journal::folder().and_then(|folder| journal::list(&folder).ok()).unwrap_or_default();
    let now = Timestamp::now();
    let about = |run: &RecordedRun| {
        let ago = run.begun.map(|begun| format!("{} ago, ", age(now.duration_since(begun)))).unwrap_or_default();
        (run.id.clone(), format!("{ago}{}: {}", run.outcome(), run.header.targets.join(", ")))
    };
    let last = ("last".to_owned(), "the newest run".to_owned());
    std::iter::once(last).chain(listing.runs.iter().rev().map(about)).collect()
}

/// The words that `explain` explains: pages with their titles, and finalizers with their products.
pub(super) fn explained() -> Vec<(String, String)> {
    let pages = explain::titles(&explanations());
    let keys = catalogue::entries().iter().map(|entry| (entry.key.to_owned(), entry.product.to_owned()));
    pages.into_iter().chain(keys).collect()
}

/// Names in a kubeconfig.
pub(super) fn of_kubeconfig(wanted: &Wanted, connection: &Connection) -> Vec<(String, String)> {
    let Some(file) = connection.kubeconfig() else { return Vec::new() };
    let names: Vec<String> = match wanted {
        Wanted::Context => file.contexts.into_iter().map(|named| named.name).collect(),
        Wanted::Cluster => file.clusters.into_iter().map(|named| named.name).collect(),
        _ => file.auth_infos.into_iter().map(|named| named.name).collect(),
    };
    names.into_iter().filter(|name| is_no_flag(name)).map(|name| (name, String::new())).collect()
}
