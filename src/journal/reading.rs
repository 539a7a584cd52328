//! Reads recorded runs. A file may end in the middle of a line, contain records of a newer program,
//! or not be a journal at all: everything readable is read, and the rest is reported.

use super::file::{files, is_held};
use super::header::{RunHeader, VERSION};
use super::name::begun;
use super::owned;
use super::run::UNDONE;
use crate::plan::WriteRequest;
use crate::plugin::PROGRAM;
use crate::report::{Ref, Step};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The content types of recorded requests.
const CONTENT_TYPES: [&str; 4] = [
    "application/json",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
];

/// A recorded run.
#[derive(Debug, Clone, Default)]
pub struct RecordedRun {
    /// Its name: the file's stem.
    pub id: String,
    /// The file.
    pub path: PathBuf,
    /// The time at which it began to write.
    pub begun: Option<Timestamp>,
    /// The user, as the server knows them.
    pub who: Option<String>,
    /// The run that it undoes.
    pub undoes: Option<String>,
    /// The subject of the run.
    pub header: RunHeader,
    /// The steps that it has written, or was about to write.
    pub steps: Vec<RecordedStep>,
    /// Notes about the run as a whole.
    pub notes: Vec<RunNote>,
    /// How it ended, in one word; `None` if it did not end.
    pub end: Option<String>,
    /// All records, unchanged.
    pub records: Vec<Value>,
    /// The numbers, from 1, of lines that are cut off or not records.
    pub cut: Vec<usize>,
    /// Whether its process is alive.
    pub goes_on: bool,
}

/// A recorded write.
#[derive(Debug, Clone, Default)]
pub struct RecordedStep {
    /// Its number in the run.
    pub number: u64,
    /// The time at which it was recorded, right before it was sent.
    pub at: Option<Timestamp>,
    /// A title for people.
    pub title: String,
    /// The step itself.
    pub what: Value,
    /// The request.
    pub request: Value,
    /// The object as it was before.
    pub before: Value,
    /// Its outcome; `None` if the process ended first.
    pub became: Option<Became>,
    /// Notes that a person may need later.
    pub notes: Vec<RunNote>,
}

/// The outcome of a write.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Became {
    /// The time at which the outcome was known.
    pub at: Option<Timestamp>,
    /// The outcome in one word.
    pub outcome: String,
    /// The outcome in a sentence.
    pub text: String,
}

/// A note.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct RunNote {
    /// The text.
    pub text: String,
    /// The objects it is about.
    #[serde(default)]
    pub objects: Vec<Ref>,
}

impl RecordedStep {
    /// The step, if this program knows its kind.
    #[must_use]
    pub fn step(&self) -> Option<Step> {
        serde_json::from_value(self.what.clone()).ok()
    }

    /// The request, if this program makes such requests.
    #[must_use]
    pub fn request(&self) -> Option<WriteRequest> {
        let text = |field: &str| self.request[field].as_str();
        let known = |list: &[&'static str], field: &str| list.iter().find(|known| text(field) == Some(known)).copied();
        Some(WriteRequest {
            method: known(&["PATCH", "DELETE", "PUT", "POST"], "method")?,
            path: text("path")?.to_owned(),
            content_type: known(&CONTENT_TYPES, "contentType")?,
            body: self.request["body"].clone(),
        })
    }

    /// The outcome in one word, as in the journal.
    #[must_use]
    pub fn outcome(&self) -> Option<&str> {
        self.became.as_ref().map(|became| became.outcome.as_str())
    }

    /// Whether the server may have carried out the write.
    pub(crate) fn may_have_happened(&self) -> bool {
        !matches!(self.outcome(), Some("refused" | "conflict"))
    }

    /// Whether the write is known to have happened.
    pub(crate) fn is_done(&self) -> bool {
        self.outcome() == Some("done")
    }
}

impl RecordedRun {
    /// How the run ended, in a word or two.
    #[must_use]
    pub fn outcome(&self) -> &str {
        match &self.end {
            Some(how) => how,
            None if self.goes_on => "continuing",
            None => "unfinished",
        }
    }

    /// The writes that the server may have carried out.
    #[must_use]
    pub fn changes(&self) -> impl DoubleEndedIterator<Item = &RecordedStep> {
        self.steps.iter().filter(|step| step.may_have_happened())
    }

    /// The damage of the file itself, in words.
    pub(crate) fn damage(&self) -> Option<String> {
        let lines: Vec<String> = self.cut.iter().map(usize::to_string).collect();
        let which = match lines.len() {
            0 => return None,
            1 => format!("line {} is", lines[0]),
            _ => format!("lines {} are", lines.join(", ")),
        };
        let nothing = if self.steps.is_empty() { "; no write is recorded, so none was made" } else { "" };
        Some(format!("{} is damaged: {which} cut in the middle or not a record{nothing}", self.path.display()))
    }
}

/// A file that contains no run.
#[derive(Debug, Clone)]
pub struct UnreadableRun {
    /// The file.
    pub path: PathBuf,
    /// The reason why it cannot be read.
    pub why: String,
}

impl fmt::Display for UnreadableRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.why)
    }
}

/// The whole journal, the newest run last.
#[derive(Debug, Clone, Default)]
pub struct RunListing {
    /// The runs.
    pub runs: Vec<RecordedRun>,
    /// The files that could not be read.
    pub unreadable: Vec<UnreadableRun>,
}

/// The reason why a RUN was not found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotFound {
    /// There are no runs at all.
    Empty,
    /// No run has this name or prefix.
    Unknown,
    /// Several runs have this prefix.
    Ambiguous(Vec<String>),
}

impl RunListing {
    /// The run with this name; `last` and unique prefixes are accepted.
    ///
    /// # Errors
    /// When there is none, or more than one.
    pub fn find(&self, word: &str) -> Result<&RecordedRun, NotFound> {
        let Some(last) = self.runs.last() else { return Err(NotFound::Empty) };
        if word == "last" {
            return Ok(last);
        }
        if let Some(run) = self.runs.iter().find(|run| run.id == word) {
            return Ok(run);
        }
        let near: Vec<&RecordedRun> = self.runs.iter().filter(|run| run.id.starts_with(word)).collect();
        match near[..] {
            [run] => Ok(run),
            [] => Err(NotFound::Unknown),
            _ => Err(NotFound::Ambiguous(near.iter().map(|run| run.id.clone()).collect())),
        }
    }

    /// The run that has undone the run with this name.
    pub(crate) fn undone_by(&self, id: &str) -> Option<&RecordedRun> {
        self.runs.iter().find(|run| run.undoes.as_deref() == Some(id) && run.end.as_deref() == Some(UNDONE))
    }
}

/// Reads the whole journal.
///
/// # Errors
/// When the folder exists and cannot be read.
pub fn list(folder: &Path) -> io::Result<RunListing> {
    Ok(list_of(files(folder)?))
}

pub(super) fn list_of(files: impl IntoIterator<Item = PathBuf>) -> RunListing {
    let mut listing = RunListing::default();
    for path in files {
        match read(&path) {
            Ok(run) => listing.runs.push(run),
            Err(why) => listing.unreadable.push(UnreadableRun { path, why }),
        }
    }
    listing
}

fn read(path: &Path) -> Result<RecordedRun, String> {
    owned::file(path).map_err(|error| error.to_string())?;
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let id = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut run = parse(&bytes)?;
    run.begun = run.begun.or_else(|| begun(&id));
    run.goes_on = run.end.is_none() && is_held(path);
    Ok(RecordedRun { id, path: path.into(), ..run })
}

pub(crate) fn parse(bytes: &[u8]) -> Result<RecordedRun, String> {
    let mut run = RecordedRun::default();
    let mut places = BTreeMap::new();
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let last = lines.len();
    for (place, line) in lines.into_iter().enumerate() {
        let number = place + 1;
        let record = serde_json::from_slice::<Value>(line).ok().filter(|record| record["record"].is_string());
        match record {
            // A line without a line break may be incomplete, even if it looks whole.
            Some(record) if number < last => {
                if number == 1 {
                    check_version(&record)?;
                }
                take(&mut run, &mut places, &record);
                run.records.push(record);
            }
            _ if line.is_empty() => {}
            _ => run.cut.push(number),
        }
    }
    let is_run = run.records.first().is_some_and(|record| record["record"] == "run");
    // The first record may be the only thing missing.
    if is_run || (run.records.is_empty() && (run.cut.is_empty() || bytes.starts_with(b"{"))) {
        Ok(run)
    } else {
        Err(format!("is not a journal of {PROGRAM}"))
    }
}

fn check_version(record: &Value) -> Result<(), String> {
    match (record["record"].as_str(), record["version"].as_str()) {
        (Some("run"), Some(version)) if version != VERSION => Err(format!(
            "was written by another version of {PROGRAM}: its records have version {version}, and this program reads \
            {VERSION}"
        )),
        (Some("run"), Some(_)) => Ok(()),
        _ => Err(format!("is not a journal of {PROGRAM}")),
    }
}

/// The positions of the steps in a run, by their numbers.
type StepPlaces = BTreeMap<u64, usize>;

/// Adds the content of a record to the run. Unknown records are kept, but have no other effect.
fn take(run: &mut RecordedRun, places: &mut StepPlaces, record: &Value) {
    let text = |field: &str| record[field].as_str().map(str::to_owned);
    let at = || record["at"].as_str().and_then(|at| at.parse().ok());
    let number = record["step"].as_u64();
    match record["record"].as_str() {
        Some("run") => {
            run.begun = at();
            (run.who, run.undoes) = (text("who"), text("undoes"));
            run.header = serde_json::from_value(record["run"].clone()).unwrap_or_default();
        }
        Some("intend") => {
            let number = number.unwrap_or_default();
            places.insert(number, run.steps.len());
            let (what, request, before) = (record["what"].clone(), record["request"].clone(), record["before"].clone());
            let step = RecordedStep { number, at: at(), what, request, before, ..RecordedStep::default() };
            let title = text("title").or_else(|| step.step().map(|step| step.title())).unwrap_or_default();
            run.steps.push(RecordedStep { title, ..step });
        }
        Some("outcome") => {
            if let Some(step) = step_of(run, places, number) {
                step.became = serde_json::from_value(record.clone()).ok();
            }
        }
        Some("note") => {
            let note: RunNote = serde_json::from_value(record.clone()).unwrap_or_default();
            match step_of(run, places, number) {
                Some(step) => step.notes.push(note),
                None => run.notes.push(note),
            }
        }
        Some("end") => run.end = text("how"),
        _ => {}
    }
}

fn step_of<'a>(run: &'a mut RecordedRun, places: &StepPlaces, number: Option<u64>) -> Option<&'a mut RecordedStep> {
    run.steps.get_mut(*places.get(&number?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{NoWayBack, Restore};

    const RUN: &str = r#"{"record":"run","version":"unstick.dev/journal/v1","at":"2026-01-01T00:00:00Z","who":"ann","run":{"arguments":["x"],"context":"c","server":"s","cluster":"u","targets":["ns/shop"]}}
{"record":"intend","step":1,"at":"2026-01-01T00:00:01Z","title":"do it","what":{},"request":{"method":"PATCH","path":"/p","contentType":"application/json","body":[]},"before":{"a":1}}
{"record":"outcome","step":1,"at":"2026-01-01T00:00:02Z","outcome":"done","text":"gone"}
{"record":"note","step":1,"at":"2026-01-01T00:00:02Z","text":"look there","objects":[]}
{"record":"end","at":"2026-01-01T00:00:03Z","how":"released"}
"#;

    #[test]
    fn a_run_is_read_as_it_was_written() {
        let run = parse(RUN.as_bytes()).unwrap();
        assert_eq!((run.who.as_deref(), run.outcome(), run.cut.len()), (Some("ann"), "released", 0));
        assert_eq!(run.header.targets, ["ns/shop"]);
        let step = &run.steps[0];
        assert_eq!((step.title.as_str(), step.outcome(), step.notes.len()), ("do it", Some("done"), 1));
        assert_eq!(step.request().unwrap().method, "PATCH");
    }

    /// Runs of earlier versions are read, and are undone correctly or not at all.
    #[test]
    fn a_run_of_a_program_that_recorded_no_value_and_no_approval_is_read() {
        let record = |kind: &str, object: &str, request: &str, before: &str| {
            let what = format!(r#"{{"kind":"{kind}","object":{object},"command":"kubectl"}}"#);
            format!(r#"{{"record":"intend","step":1,"title":"t","what":{what},"request":{request},"before":{before}}}"#)
        };
        let undo = |kind, object, request, before| {
            let run = parse(
                (RUN.lines().next().unwrap().to_owned() + "\n" + &record(kind, object, request, before) + "\n")
                    .as_bytes(),
            );
            let written = run.unwrap().steps.swap_remove(0);
            Restore::of(&written.step().unwrap(), &written.request().unwrap(), &written.before, "run", 1)
        };
        let operator = r#"{"apiVersion":"apps/v1","kind":"Deployment","resource":"deployments","namespace":"ops","name":"a","uid":"u"}"#;
        let scaled = r#"{"method":"PATCH","path":"/p","contentType":"application/json-patch+json","body":[{"op":"test","path":"/spec/replicas","value":0},{"op":"replace","path":"/spec/replicas","value":1}]}"#;
        assert!(matches!(undo("ScaleWorkload", operator, scaled, "{}"), Ok(back) if back.of.object.uid == "u"));
        let binding = r#"{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","resource":"rolebindings","namespace":"gone","name":"a","uid":"u"}"#;
        let deleted = r#"{"method":"DELETE","path":"/p","contentType":"application/json","body":{}}"#;
        let whole = r#"{"metadata":{"name":"a","namespace":"gone"},"subjects":[],"roleRef":{}}"#;
        assert!(matches!(undo("DeleteObject", binding, deleted, whole), Err(NoWayBack::Cannot(_))));
    }

    #[test]
    fn a_cut_file_is_read_up_to_the_cut() {
        for cut in 0..RUN.len() {
            let run = parse(&RUN.as_bytes()[..cut]).unwrap_or_else(|why| panic!("cut at {cut}: {why}"));
            let whole_lines = RUN[..cut].matches('\n').count();
            assert_eq!(run.records.len(), whole_lines, "cut at {cut}");
            let in_a_line = cut > 0 && !RUN[..cut].ends_with('\n');
            assert_eq!(run.damage().is_some(), in_a_line, "cut at {cut}");
            assert_eq!(run.end.is_some(), whole_lines == 5);
        }
    }

    #[test]
    fn lines_after_a_cut_one_are_read() {
        let text = RUN.replace("{\"record\":\"outcome\",\"step\":1,", "{\"record\":\"outc");
        let run = parse(text.as_bytes()).unwrap();
        assert_eq!((run.cut.clone(), run.outcome()), (vec![3], "released"));
        assert_eq!(run.steps[0].outcome(), None);
    }

    #[test]
    fn other_versions_and_other_files_are_refused() {
        let newer = RUN.replace("journal/v1", "journal/v2");
        assert!(parse(newer.as_bytes()).unwrap_err().contains("journal/v2"));
        for text in ["hello\n", "[]\n", "{\"a\":1}\n{\"b\":2}\n{\"record\":\"end\"}\n", "\0\0\0"] {
            assert!(parse(text.as_bytes()).unwrap_err().contains("not a journal"), "{text}");
        }
    }

    #[test]
    fn a_run_is_found_by_an_unambiguous_prefix() {
        let run = |id: &str| RecordedRun { id: id.into(), ..RecordedRun::default() };
        let listing =
            RunListing { runs: vec![run("20260101-1"), run("20260101-12"), run("2027-1")], unreadable: vec![] };
        assert_eq!(listing.find("last").unwrap().id, "2027-1");
        assert_eq!(listing.find("2027").unwrap().id, "2027-1");
        assert_eq!(listing.find("20260101-1").unwrap().id, "20260101-1");
        assert!(matches!(listing.find("2026"), Err(NotFound::Ambiguous(names)) if names.len() == 2));
        assert_eq!(listing.find("x").unwrap_err(), NotFound::Unknown);
        assert_eq!(RunListing::default().find("last").unwrap_err(), NotFound::Empty);
    }

    #[test]
    fn refused_writes_changed_nothing() {
        let changes = |outcome: &str| {
            let text = RUN.replace(r#""outcome":"done""#, &format!(r#""outcome":"{outcome}""#));
            let run = parse(text.as_bytes()).unwrap();
            (run.changes().count(), run.steps[0].is_done())
        };
        assert_eq!([changes("refused"), changes("conflict")], [(0, false); 2]);
        assert_eq!([changes("done"), changes("unconfirmed")], [(1, true), (1, false)]);
        let cut = parse(RUN.split_inclusive('\n').take(2).collect::<String>().as_bytes()).unwrap();
        assert_eq!(cut.changes().count(), 1, "nobody lived to say");
    }

    #[test]
    fn a_run_without_an_end_is_continuing_or_unfinished() {
        assert_eq!(RecordedRun::default().outcome(), "unfinished");
        assert_eq!(RecordedRun { goes_on: true, ..RecordedRun::default() }.outcome(), "continuing");
    }

    #[test]
    fn a_run_is_undone_by_the_run_that_reverted_all_of_it() {
        let undo = |id: &str, of: &str, end: Option<&str>| RecordedRun {
            id: id.into(),
            undoes: Some(of.into()),
            end: end.map(Into::into),
            ..RecordedRun::default()
        };
        let runs = vec![undo("1", "a", None), undo("2", "b", Some(UNDONE)), undo("3", "a", Some(UNDONE))];
        let listing = RunListing { runs, unreadable: vec![] };
        assert_eq!(listing.undone_by("a").map(|run| run.id.as_str()), Some("3"));
        assert!(listing.undone_by("c").is_none());
    }

    #[test]
    fn a_file_that_is_no_run_is_named_with_the_reason() {
        let file = UnreadableRun { path: "/state/x.jsonl".into(), why: "is no regular file".into() };
        assert_eq!(file.to_string(), "/state/x.jsonl: is no regular file");
    }

    #[test]
    fn the_lines_that_are_damaged_are_named() {
        let damage = |cut: &[usize]| RecordedRun { cut: cut.to_vec(), ..RecordedRun::default() }.damage();
        assert_eq!(damage(&[]), None);
        assert!(damage(&[3]).unwrap().contains(" is damaged: line 3 is cut in the middle"));
        assert!(damage(&[3, 5]).unwrap().contains(" is damaged: lines 3, 5 are cut in the middle"));
    }
}
