//! Writes the records of a run.

use super::file::{Durable, Medium, create, now, put};
use super::header::{RunHeader, VERSION, masked};
use crate::plan::{Approval, Write as Change, WriteRequest};
use crate::report::{Ref, Step};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

/// The end of a run that has undone everything possible in another run.
pub const UNDONE: &str = "undone";

/// A run. Its file is created right before the first write.
#[derive(Debug)]
pub struct Run {
    folder: Option<PathBuf>,
    header: RunHeader,
    who: Option<String>,
    undoes: Option<String>,
    /// The approval. Steps that were not approved are not recorded, and so never written.
    pub approval: Approval,
    file: Option<(Box<dyn Medium>, PathBuf)>,
    records: usize,
    /// The requests by the record of their step.
    written: HashMap<String, WriteRequest>,
    /// The error of a failed write: nothing may follow an incomplete record.
    broken: Option<String>,
}

/// A step that is recorded as intended.
#[derive(Debug, Clone, Copy)]
pub struct StepRecord(usize);

impl Run {
    /// A run that has written nothing yet, and may write the approved steps.
    #[must_use]
    pub fn new(folder: Option<PathBuf>, header: RunHeader, approval: Approval) -> Self {
        let (who, undoes, file, broken) = (None, None, None, None);
        Self { folder, header, who, undoes, approval, file, records: 0, written: HashMap::new(), broken }
    }

    /// The same run, marked as undoing the run with this name.
    pub(crate) fn undoing(self, run: &str) -> Self {
        Self { undoes: Some(run.into()), ..self }
    }

    /// Whether anything is recorded. After that, [`Self::signed_by`] has no effect.
    pub(crate) fn has_begun(&self) -> bool {
        self.file.is_some()
    }

    /// Sets the user, as the server knows them. Otherwise the user in the kubeconfig is recorded,
    /// marked as such.
    pub(crate) fn signed_by(&mut self, who: Option<String>) {
        let called =
            || self.header.user.as_ref().map(|user| format!("{user} (from the kubeconfig, not from the server)"));
        self.who = who.or_else(called);
    }

    /// Records a step on disk before it is written.
    ///
    /// # Errors
    /// When it was not approved, or cannot be stored. The step must not be carried out then.
    pub fn intend(&mut self, step: &dyn Change, request: &WriteRequest, before: &Value) -> io::Result<StepRecord> {
        let records = self.intend_all(std::iter::once((step, request, before)))?;
        records.first().copied().ok_or_else(|| io::Error::other("nothing had to be stored"))
    }

    /// Records steps on disk before they are written at the same time.
    ///
    /// # Errors
    /// When one was not approved, or they cannot all be stored. None of them must be carried out then.
    pub(crate) fn intend_all<'s>(
        &mut self,
        steps: impl Iterator<Item = (&'s dyn Change, &'s WriteRequest, &'s Value)>,
    ) -> io::Result<Vec<StepRecord>> {
        let (mut records, mut lines, mut written) = (Vec::new(), Vec::new(), Vec::new());
        for (step, request, before) in steps {
            let approved = self.approval.record(&step.identity());
            let approved = approved.ok_or_else(|| io::Error::other("a step was not approved"))?;
            self.records += 1;
            let record = StepRecord(self.records);
            let (what, title, before) = (step.record(), step.title(), step.image(before));
            let body = json!({"method": request.method, "path": request.path, "contentType": request.content_type, "body": step.recorded(request)});
            written.push((what.to_string(), request.clone()));
            lines.push(json!({"record": "intend", "step": record.0, "at": now(), "title": title, "what": what,
                "approved": approved, "request": body, "before": before}));
            records.push(record);
        }
        self.append(&lines)?;
        self.written.extend(written);
        Ok(records)
    }

    /// Records a note that a person may need later, about a step or the whole run.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn note(&mut self, record: Option<StepRecord>, text: &str, objects: &[Ref]) -> io::Result<()> {
        let step = record.map(|record| record.0);
        self.append(&[json!({"record": "note", "step": step, "at": now(), "text": masked(text), "objects": objects})])
    }

    /// Records the outcome of a step on disk.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn outcome(&mut self, record: StepRecord, outcome: &str, text: &str) -> io::Result<()> {
        self.outcomes(std::iter::once((record, outcome, text)))?;
        self.put(&[], Durable::Now)
    }

    /// Records the outcomes of steps that were written at the same time. They reach the disk with
    /// the next record, at the latest with the end. If the machine fails before that, the objects
    /// show the outcomes.
    ///
    /// # Errors
    /// When they cannot all be stored.
    pub fn outcomes<'s>(&mut self, outcomes: impl Iterator<Item = (StepRecord, &'s str, &'s str)>) -> io::Result<()> {
        let line = |(record, outcome, text): (StepRecord, &str, &str)| json!({"record": "outcome", "step": record.0, "at": now(), "outcome": outcome, "text": masked(text)});
        self.put(&outcomes.map(line).collect::<Vec<_>>(), Durable::Later)
    }

    /// Closes a run that has written something.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn end(&mut self, how: &str) -> io::Result<()> {
        if self.file.is_none() { Ok(()) } else { self.append(&[json!({"record": "end", "at": now(), "how": how})]) }
    }

    /// The last request that was written for `step`.
    pub(crate) fn request_of(&self, step: &Step) -> Option<&WriteRequest> {
        self.written.get(&step.record().to_string())
    }

    /// The file of the run, once something was written.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.file.as_ref().map(|(_, path)| path.as_path())
    }

    fn open(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            let folder = self
                .folder
                .as_ref()
                .ok_or_else(|| io::Error::other("set XDG_STATE_HOME or HOME to an absolute path"))?;
            let (file, path) = create(folder)?;
            self.begin(Box::new(file), path)?;
        }
        Ok(())
    }

    pub(super) fn begin(&mut self, medium: Box<dyn Medium>, path: PathBuf) -> io::Result<()> {
        self.file = Some((medium, path));
        let header = json!({"record": "run", "version": VERSION, "at": now(), "who": self.who,
            "undoes": self.undoes, "run": self.header});
        self.put(&[header], Durable::Later)
    }

    fn append(&mut self, records: &[Value]) -> io::Result<()> {
        self.open()?;
        self.put(records, Durable::Now)
    }

    /// After a record that was not or only partly stored, no other is stored. Without a record,
    /// nothing is written to the cluster.
    fn put(&mut self, records: &[Value], durable: Durable) -> io::Result<()> {
        if let Some(broken) = &self.broken {
            return Err(io::Error::other(broken.clone()));
        }
        let Some((medium, path)) = &mut self.file else { return Ok(()) };
        put(medium.as_mut(), records, durable).map_err(|error| {
            let text = format!("{}: {error}", path.display());
            self.broken = Some(text.clone());
            io::Error::new(error.kind(), text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::testing::{folder, header, intend, nudge};
    use crate::plan::steps;
    use crate::report::Risk;

    #[test]
    fn a_run_that_writes_nothing_leaves_no_file() {
        let folder = folder("empty");
        let mut run = Run::new(Some(folder.clone()), header(), Approval::default());
        run.end("done").unwrap();
        assert!(!folder.exists());
    }

    #[test]
    fn every_record_is_a_line_with_the_object_as_it_was() {
        let folder = folder("lines");
        let mut run = Run::new(Some(folder.clone()), header(), Approval::default());
        let record = intend(&mut run).unwrap();
        run.outcome(record, "done", "gone").unwrap();
        run.end("done").unwrap();
        let text = std::fs::read_to_string(run.path().unwrap()).unwrap();
        let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let kinds: Vec<&str> = records.iter().map(|record| record["record"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["run", "intend", "outcome", "end"]);
        assert_eq!(records[1]["before"]["metadata"]["name"], "n");
        assert_eq!(records[1]["request"]["method"], "PATCH");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn unapproved_steps_are_not_recorded() {
        let folder = folder("not-agreed");
        let mut run = Run::new(Some(folder.clone()), header(), Approval::default());
        let (step, other) = (nudge(), steps::force_delete_pod::step(&nudge().object));
        let request = step.request(&Value::Null, "2026-01-01T00:00:00Z".parse().unwrap());
        run.approval.agree(step.identity(), Risk::Harmless);
        assert!(run.intend(&other, &request, &Value::Null).is_err());
        assert!(!folder.exists(), "nothing was stored");
        run.intend(&step, &request, &Value::Null).unwrap();
        let text = std::fs::read_to_string(run.path().unwrap()).unwrap();
        assert!(text.contains(r#""approved":{"by":"a person","later":true,"risk":"harmless"}"#), "{text}");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn without_the_servers_answer_the_kubeconfig_names_the_user() {
        let signed = |who: Option<&str>, user: Option<&str>| {
            let mut run = Run::new(None, RunHeader { user: user.map(Into::into), ..header() }, Approval::default());
            run.signed_by(who.map(Into::into));
            run.who
        };
        assert_eq!(signed(Some("ann"), Some("admin")).as_deref(), Some("ann"));
        assert_eq!(signed(None, Some("admin")).as_deref(), Some("admin (from the kubeconfig, not from the server)"));
        assert_eq!(signed(None, None), None);
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_may_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder("mode");
        let mut run = Run::new(Some(folder.clone()), header(), Approval::default());
        intend(&mut run).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(run.path().unwrap()), mode(&folder)), (0o600, 0o700));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_record_that_cannot_be_stored_is_an_error() {
        let file = folder("blocked");
        std::fs::write(&file, "in the way").unwrap();
        let mut run = Run::new(Some(file.join("below")), header(), Approval::default());
        assert!(intend(&mut run).is_err());
        std::fs::remove_file(file).unwrap();
    }

    #[test]
    fn the_request_of_a_recorded_step_is_known() {
        let folder = folder("request");
        let mut run = Run::new(Some(folder.clone()), header(), Approval::default());
        assert_eq!(run.request_of(&nudge()), None);
        intend(&mut run).unwrap();
        assert_eq!(run.request_of(&nudge()).map(|request| request.path.as_str()), Some("/api/v1/namespaces/n"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_first_record_names_the_run_that_is_undone() {
        let folder = folder("undoing");
        let mut run = Run::new(Some(folder.clone()), header(), Approval::default()).undoing("20260101T000000.000Z-7");
        intend(&mut run).unwrap();
        assert_eq!(crate::journal::list(&folder).unwrap().runs[0].undoes.as_deref(), Some("20260101T000000.000Z-7"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_run_is_read_as_it_was_written_step_by_step() {
        let folder = folder("steps");
        let mut run = Run::new(Some(folder.clone()), header(), Approval::default());
        intend(&mut run).unwrap();
        intend(&mut run).unwrap();
        let read = || crate::journal::list(&folder).unwrap().runs.swap_remove(0);
        run.note(None, "the cluster was slow", &[]).unwrap();
        let before = read();
        assert_eq!(before.notes.iter().map(|note| note.text.as_str()).collect::<Vec<_>>(), ["the cluster was slow"]);
        assert_eq!(before.steps.iter().map(|step| step.number).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(before.steps[0].step(), Some(nudge()));
        assert_eq!(before.id, run.path().unwrap().file_stem().unwrap().to_string_lossy());
        assert!(before.goes_on);
        run.end("released").unwrap();
        assert!(!read().goes_on, "it has come to its end, though its process lives");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
