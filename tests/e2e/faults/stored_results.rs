//! The results of each plan's last recorded run: a line about its requests, and a line for each
//! case, written as soon as it is known, so that an aborted run is not lost.

use super::course::Proven;
use super::fault_case::Told;
use super::plans::Plan;
use serde::Serialize;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

fn path(plan: &Plan) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults").join(format!("{}.jsonl", plan.name))
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("JSON") + "\n"
}

/// Stores the results of a plan, replacing earlier ones.
pub fn keep(plan: &Plan, proven: &Proven) {
    let path = path(plan);
    fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
    let text = line(proven) + &proven.told.iter().map(line).collect::<String>();
    fs::write(path, text).expect("the results are written");
}

/// Adds a case to the results.
pub fn add(plan: &Plan, told: &Told) {
    let mut file = File::options().append(true).open(path(plan)).expect("the plan's results");
    file.write_all(line(told).as_bytes()).expect("the result is written");
}

/// The stored results of a plan, if it was ever run. An incomplete last line does not count.
pub fn recall(plan: &Plan) -> Option<Proven> {
    let text = fs::read_to_string(path(plan)).ok()?;
    let mut lines = text.lines();
    let mut proven: Proven = serde_json::from_str(lines.next()?).expect("the requests of a plan");
    proven.told = lines.map_while(|line| serde_json::from_str(line).ok()).collect();
    Some(proven)
}
