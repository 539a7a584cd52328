//! The program's answer about a state, in the terms of its truth.

use crate::state::{Known, Truth};
use serde_json::Value;

/// A forecast, or an answer after the deletion.
#[derive(Clone)]
pub struct Answer {
    pub exit: i32,
    pub state: String,
    pub roots: Vec<String>,
    pub controller: Option<String>,
    pub first: Option<String>,
}

impl Answer {
    /// Reads the answer from a report in JSON and the exit code of the run.
    pub fn of(report: &Value, exit: i32) -> Self {
        let roots: Vec<&Value> = items(report, "findings").filter(|finding| finding["root"] == true).collect();
        let mut named: Vec<String> = roots.iter().map(|finding| root(finding)).collect();
        named.sort();
        named.dedup();
        let controller = roots.iter().find_map(|finding| finding.get("controller")).map(controller);
        let states = items(report, "targets").map(|target| text(&target["state"]));
        Self {
            exit,
            state: states.max_by_key(|state| severity(state)).unwrap_or_default(),
            roots: named,
            controller,
            first: items(report, "remedies").next().map(remedy),
        }
    }

    /// The differences from the truth, field by field, unless they are known; and known differences
    /// that no longer exist.
    pub fn differences(&self, truth: &Truth, known: &Known) -> Vec<String> {
        let mut roots = known.roots.as_ref().unwrap_or(&truth.roots).clone();
        roots.sort();
        let first = known.first.as_deref().or(truth.first.as_deref()).unwrap_or(NONE);
        let controller = known.controller.as_deref().or(truth.controller.as_deref()).unwrap_or(NONE);
        let exit = known.exit.unwrap_or(truth.exit);
        let state = known.state.as_deref().unwrap_or(&truth.state);
        [
            (self.exit != exit).then(|| format!("exit code {}, not {exit}", self.exit)),
            (self.state != state).then(|| format!("state {}, not {state}", self.state)),
            (self.roots != roots).then(|| format!("roots {:?}, not {roots:?}", self.roots)),
            differs("controller", self.controller.as_deref(), controller),
            differs("first remedy", self.first.as_deref(), first),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The answer in one line, for the table.
    pub fn line(&self) -> String {
        let mut parts = vec![format!("{} ({})", self.state, self.exit)];
        parts.extend((!self.roots.is_empty()).then(|| self.roots.join(", ")));
        parts.extend(self.controller.clone());
        parts.extend(self.first.as_ref().map(|first| format!("→ {first}")));
        parts.join("; ")
    }
}

/// The word for an empty field.
const NONE: &str = "none";

/// An answer "by hand" need only contain the expected words.
fn differs(what: &str, said: Option<&str>, expected: &str) -> Option<String> {
    let said = said.unwrap_or(NONE);
    let is_so = match (said.strip_prefix("by hand: "), expected.strip_prefix("by hand: ")) {
        (Some(said), Some(words)) => said.contains(words),
        _ => said == expected,
    };
    (!is_so).then(|| format!("{what} {said:?}, not {expected:?}"))
}

/// The worst state of several targets counts.
fn severity(state: &str) -> usize {
    ["Gone", "NotDeleting", "WouldGo", "Progressing", "Unknown", "WouldHang", "Stuck"]
        .iter()
        .position(|known| *known == state)
        .unwrap_or_default()
}

/// The object to repair or to wait for.
fn root(finding: &Value) -> String {
    let object =
        ["brokenLink", "waitsFor"].iter().find_map(|field| finding.get(*field).filter(|object| !object.is_null()));
    let workload = finding["controller"].get("workload").filter(|_| finding["controller"]["state"] != "Alive");
    spoken(object.or(workload).unwrap_or(&finding["subject"]))
}

fn controller(controller: &Value) -> String {
    let workload = controller.get("workload").map(|object| format!(" {}", spoken(object)));
    format!("{}{}", text(&controller["state"]), workload.unwrap_or_default())
}

fn remedy(remedy: &Value) -> String {
    match items(remedy, "steps").next() {
        Some(step) => format!("{} {}", text(&step["kind"]), spoken(&step["object"])),
        None => format!("by hand: {}", without_hashes(&text(&remedy["title"]))),
    }
}

/// `Kind namespace/name`, as on screens; the generated part of a pod's name is `*`.
fn spoken(object: &Value) -> String {
    let name = text(&object["name"]);
    let name = if object["kind"] == "Pod" { without_hashes(&name) } else { without_uid(name) };
    let missing = if object["missing"] == true { " (missing)" } else { "" };
    match object.get("namespace").and_then(Value::as_str) {
        Some(namespace) => format!("{} {namespace}/{name}{missing}", text(&object["kind"])),
        None => format!("{} {name}{missing}", text(&object["kind"])),
    }
}

/// Removes a uid: some controllers name their objects after the uid of another.
fn without_uid(name: String) -> String {
    let place = name.len().saturating_sub(UID_LENGTH);
    let is_uid = |text: &str| text.matches('-').count() == 4 && text.chars().all(|c| c == '-' || c.is_ascii_hexdigit());
    match name.split_at_checked(place) {
        Some((rest, uid)) if !rest.is_empty() && is_uid(uid) => format!("{rest}*"),
        _ => name,
    }
}

/// The length of a uid.
const UID_LENGTH: usize = 36;

/// Removes the end of a Deployment's pod names: the hash of a template and five letters.
fn without_hashes(words: &str) -> String {
    let made_up =
        |part: &str| part.len() >= 5 && part.chars().all(|letter| "bcdfghjklmnpqrstvwxz2456789".contains(letter));
    let word = |word: &str| {
        let parts: Vec<&str> = word.split('-').collect();
        match parts.as_slice() {
            [rest @ .., hash, last] if !rest.is_empty() && last.len() == 5 && made_up(hash) && made_up(last) => {
                format!("{}-*", rest.join("-"))
            }
            _ => word.to_owned(),
        }
    };
    words.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn items<'a>(value: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    value[field].as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
