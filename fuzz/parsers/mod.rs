//! All parsers, for fuzzing and for property tests (CONTRIBUTING.md): each function takes any
//! bytes, and panics if the program is wrong.

pub use crate::read::fuzzing::{answer, discovery, kubeconfig, list, watch};

use crate::commands::imagined::foresee;
use crate::commands::manifests as manifest_files;
use crate::diagnosis::{close, diagnose_survey};
use crate::journal::fuzzing::parse;
use crate::screen::Look;
use crate::survey::{Cascade, LogLine, LogOf, Selector, Survey, Texts, Topic, file, pick, running};
use crate::{export, screen};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The base of the recorded surveys.
fn base() -> &'static Survey {
    static BASE: OnceLock<Survey> = OnceLock::new();
    BASE.get_or_init(|| file::read(&text(&tests().join("baselines/v1.36.1.yaml"))).expect("a survey"))
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

#[expect(clippy::disallowed_methods, reason = "recorded surveys are what is mutated")]
fn text(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a file of the tests")
}

/// Reads a survey file, which is diagnosed and printed, and must survive being written.
///
/// # Panics
/// When it differs after that.
pub fn survey(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(survey) = file::read_on(text, |_| Ok(base())) else { return };
    let written = file::write(&survey).expect("a survey is written");
    let again = file::read(&written).expect("what was written is read");
    assert_eq!(file::write(&again).expect("a survey is written"), written);
    shown(survey);
}

/// Prints the diagnosis in each format.
fn shown(mut survey: Survey) {
    for _ in 0..8 {
        let diagnosis = diagnose_survey(&survey);
        if !diagnosis.wants.is_empty() {
            close(&mut survey, diagnosis.wants);
            continue;
        }
        let (report, look) = (&diagnosis.report, Look { width: 80, colour: false, all: true });
        let _ = screen::screen(report, look);
        let _ = screen::waits(report, look);
        for format in [export::html, export::markdown, export::junit, export::dot, export::mermaid, export::names] {
            drop(format(report));
        }
        let _ = export::json(report);
        return;
    }
}

/// Diagnoses a recorded survey with some changed values: the first byte selects the survey, and
/// each three that follow select a value and its replacement.
pub fn diagnosis(bytes: &[u8]) {
    let Some((which, edits)) = bytes.split_first() else { return };
    let recorded = recorded();
    let mut survey = recorded[usize::from(*which) % recorded.len()].clone();
    for edit in edits.chunks_exact(3).take(32) {
        let mut places = Vec::new();
        walk(&survey, String::new(), &mut places);
        let place = usize::from(u16::from_le_bytes([edit[0], edit[1]]));
        let other = survey.pointer(&places[place * 31 % places.len()]).cloned().unwrap_or_default();
        if let Some(value) = survey.pointer_mut(&places[place % places.len()]) {
            *value = instead(value, other, edit[2]);
        }
    }
    if let Ok(survey) = file::read_on(&survey.to_string(), |_| Ok(base())) {
        shown(survey);
    }
}

/// The replacement of a value.
fn instead(value: &Value, other: Value, how: u8) -> Value {
    const TEXTS: [&str; 12] = [
        "", "*", "v1", "/", "a/b/c", ",", "(", "{{", "é\u{202e}", "2026-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "-1",
    ];
    match usize::from(how) {
        how @ 0..12 => TEXTS[how].into(),
        12 => Value::Null,
        13 => i64::MAX.into(),
        14 => i64::MIN.into(),
        15 => true.into(),
        16 => Value::Array(Vec::new()),
        17 => Value::Object(serde_json::Map::new()),
        18 => Value::Array(vec![value.clone(), value.clone()]),
        19 => value.as_str().map(|text| text.repeat(2)).into(),
        20 => value.as_array().and_then(|items| items.last().cloned()).into(),
        _ => other,
    }
}

fn walk(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| walk(item, format!("{place}/{index}"), places));
        }
        Value::Object(fields) => fields.iter().for_each(|(key, field)| {
            walk(field, format!("{place}/{}", key.replace('~', "~0").replace('/', "~1")), places);
        }),
        _ => {}
    }
    places.push(place);
}

/// The surveys of all scenarios, by name.
fn recorded() -> &'static [Value] {
    static RECORDED: OnceLock<Vec<Value>> = OnceLock::new();
    RECORDED.get_or_init(|| {
        let folders = std::fs::read_dir(tests().join("scenarios")).expect("the scenarios");
        let mut paths: Vec<PathBuf> =
            folders.map(|entry| entry.expect("an entry").path().join("survey.yaml")).collect();
        paths.sort();
        let known = paths.iter().filter(|path| path.exists());
        known.map(|path| serde_saphyr::from_str(&text(path)).expect("YAML")).collect()
    })
}

/// Reads a file of the journal: cut off anywhere, it must not have more steps than the whole file.
///
/// # Panics
/// When it has.
pub fn journal(bytes: &[u8]) {
    let whole = parse(bytes).map(|run| run.steps.len());
    let cut = parse(&bytes[..bytes.len() / 2]).map(|run| run.steps.len());
    if let (Ok(whole), Ok(cut)) = (whole, cut) {
        assert!(cut <= whole, "{cut} {whole}");
    }
}

/// Applies a label selector to the labels after a line break.
pub fn selector(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (selector, labels) = text.split_once('\n').unwrap_or((&text, "a=b"));
    let mut texts = Texts::new();
    for (key, value) in labels.split(',').filter_map(|label| label.split_once('=')) {
        texts.insert(key.to_owned(), value.to_owned());
    }
    if let Ok(selector) = Selector::parse(selector) {
        let _ = selector.matches(&texts);
    }
}

/// Reads manifests, as `-f` does.
pub fn manifests(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = manifest_files::objects(text);
    }
}

/// Foresees the removal of manifests, as `preflight --as-installed` does; their definitions are those
/// of a chart's `crds` directory.
pub fn chart(bytes: &[u8]) {
    let Ok(found) = std::str::from_utf8(bytes).map_or_else(|_| Ok(Vec::new()), manifest_files::objects) else { return };
    if !found.is_empty() {
        let _ = foresee(&manifest_files::kept(found), "shop", Cascade::default());
    }
}

/// Reads the log of a container, or a kubelet's list of running pods.
///
/// # Panics
/// When more is kept than allowed.
pub fn log(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for previous in [false, true] {
        let about = Topic {
            kind: "ConfigMap".into(),
            resource: "configmaps".into(),
            namespace: Some("shop".into()),
            name: "held".into(),
            uid: "u-1".into(),
            finalizer: Some("acme.io/hold".into()),
            ..Topic::default()
        };
        let of = LogOf { container: "manager".into(), previous, about };
        let kept = pick(&text, &of);
        let is_short = |line: &LogLine| line.text.chars().count() <= 302 && line.message().chars().count() <= 302;
        assert!(kept.len() <= 20 && kept.iter().all(is_short), "{kept:?}");
        let _ = running(&text, &of);
    }
}

#[cfg(test)]
mod hostile_logs;
#[cfg(test)]
mod injected;
#[cfg(test)]
mod tests;
