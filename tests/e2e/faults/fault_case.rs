//! One fault at one request of a plan, and the conditions that must hold then.

use super::front::{At, Fault};
use super::records::outcomes;
use super::requests::{Kind, Seen, object_of_record};
use super::stage::{Ran, Stage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many seconds the next run waits for effects.
const PATIENCE: u32 = 20;

/// A fault to try.
#[derive(Debug)]
pub struct Case {
    pub number: usize,
    pub at: At,
}

/// The result of a case.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Told {
    /// The case, in words that are the same in each run.
    pub case: String,
    pub fault: Fault,
    pub kind: Kind,
    /// Whether a request met the fault: a run may send fewer requests than the counted one.
    pub fired: bool,
    pub code: Option<i32>,
    pub sentence: String,
    pub next: Next,
}

/// The result of the next run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Next {
    /// Nothing was left to do.
    NothingLeft,
    /// The run did the rest.
    Completed,
    /// The run reported an obstacle, or progress.
    SaysWhyNot,
}

impl Case {
    /// The case in words that are the same in each run.
    pub fn word(&self) -> String {
        let At { fault, kind, class, place } = &self.at;
        format!("{fault:?} at {kind:?} {place} of {class:?}")
    }

    /// Makes a run fail, checks its output and writes, and lets the next run do the rest.
    pub fn prove(&self, stage: &Stage) -> Told {
        let folder = stage.state(&format!("case-{}", self.number));
        let ran = stage.run(&folder, Some(&self.at), stage.plan.timeout);
        let said = format!("{} {:?}: exit code {:?}: {}", stage.plan.name, self.at, ran.code, ran.said);
        let open = stage.missing();
        tells_the_truth(stage, &ran, &open, &said);
        assert_eq!(ran.killed, self.at.fault.kills() && ran.fired, "{said}");

        let next = stage.run(&folder, None, PATIENCE);
        let still_open = stage.missing();
        let next_said = format!("{said}\n\nnext: exit code {:?}: {}", next.code, next.said);
        tells_the_truth(stage, &next, &still_open, &next_said);
        // A run killed at the last check may have recorded its end already.
        let has_ended = ran.records.iter().any(|record| record["record"] == "end");
        let cut_off = ran.killed && !ran.records.is_empty() && !has_ended;
        assert_eq!(next.errors.contains("did not finish"), cut_off, "{next_said}");
        if !still_open.is_empty() {
            let says_why = next.code != Some(0) || next.said.contains("progressing");
            assert!(says_why && !next.said.trim().is_empty(), "{still_open:?}: {next_said}");
        }
        let next = match (open.is_empty(), still_open.is_empty()) {
            (true, _) if !stage.plan.goals.is_empty() => Next::NothingLeft,
            (_, true) if !stage.plan.goals.is_empty() => Next::Completed,
            _ => Next::SaysWhyNot,
        };
        let sentence = super::table::sentence(&ran);
        Told {
            case: self.word(),
            fault: self.at.fault,
            kind: self.at.kind,
            fired: ran.fired,
            code: ran.code,
            sentence,
            next,
        }
    }
}

/// Checks the conditions for every run with any fault: no panic, a documented exit code, no success
/// without proof, no unrecorded write, and no write to another object.
pub fn tells_the_truth(stage: &Stage, ran: &Ran, open: &[String], said: &str) {
    assert!(!ran.said.contains("panicked"), "{said}");
    assert!(ran.killed || matches!(ran.code, Some(0..=3)), "{said}");
    if ran.code == Some(0) && !open.is_empty() {
        assert!(ran.said.contains("progressing"), "success, and {open:?}: {said}");
    }
    for sent in &ran.seen.sent {
        assert!(sent.on_record, "{} was not on record: {said}", sent.request);
        assert!(stage.plan.writes.contains(&sent.object.as_str()), "{} is another object: {said}", sent.object);
    }
    for (request, accepted) in accepted(&ran.seen) {
        let owned = outcomes(&ran.records)
            .filter(|(intended, _)| super::front::intended(intended) == request)
            .filter(|(_, outcome)| !["refused", "conflict"].contains(&outcome["outcome"].as_str().unwrap_or_default()));
        let missing = accepted.saturating_sub(owned.count());
        assert!(missing == 0 || ran.killed, "{request} was carried out and is said to be refused: {said}");
    }
    for (intended, outcome) in outcomes(&ran.records).filter(|(_, outcome)| outcome["outcome"] == "done") {
        let object = object_of_record(intended);
        // A controller may have finished the step that met the fault: then the object must be gone.
        let is_true = is_proven(&ran.seen, &object) || stage.is_gone(&object);
        assert!(is_true, "{object} is called done, {}: {said}", outcome["text"]);
    }
}

/// The writes that the server has accepted, with their number.
fn accepted(seen: &Seen) -> BTreeMap<String, usize> {
    let mut count = BTreeMap::new();
    for sent in seen.sent.iter().filter(|sent| sent.accepted) {
        *count.entry(sent.request.clone()).or_default() += 1;
    }
    count
}

/// Whether the server has accepted a write of the object, and the program has read the object since.
fn is_proven(seen: &Seen, object: &str) -> bool {
    seen.sent.iter().any(|sent| sent.object == object && sent.accepted && sent.read_back)
}
