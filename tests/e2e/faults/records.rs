//! Reads the records of a run.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// The whole records of all runs in a state folder, in their order.
pub fn records_in(state: &Path) -> Vec<Value> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(state.join("kubectl-unstick"))
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files.iter().flat_map(|file| records_of(file)).collect()
}

/// The whole records of one run.
pub fn records_of(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file).expect("a journal file");
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The recorded outcomes, each with its intended step.
pub fn outcomes(records: &[Value]) -> impl Iterator<Item = (&Value, &Value)> {
    let of = |outcome: &Value| records.iter().find(|it| it["record"] == "intend" && it["step"] == outcome["step"]);
    let outcomes = records.iter().filter(|record| record["record"] == "outcome");
    outcomes.map(move |outcome| (of(outcome).expect("on record before"), outcome))
}
