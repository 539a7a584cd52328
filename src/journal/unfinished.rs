//! Runs that nobody ended: their process was killed, or its machine went down.

use super::file::{Durable, files, is_held, now, put};
use super::reading::{RecordedRun, list_of};
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How many of the newest runs are looked at.
const MAX_RUNS: usize = 20;
/// An `end` record is shorter than this.
const MAX_END_LENGTH: u64 = 512;

/// A run that did not end, and whose process is gone.
pub type Unfinished = RecordedRun;

/// The runs that did not end, of the newest ones. Only the last bytes of the
/// others are read.
#[must_use]
pub fn unfinished(folder: &Path) -> Vec<Unfinished> {
    let newest = files(folder).unwrap_or_default().into_iter().rev().take(MAX_RUNS);
    let open: Vec<PathBuf> = newest.filter(|path| !has_end(path).unwrap_or(true)).collect();
    // A run that is still written to may have no end yet.
    let open = open.into_iter().filter(|path| !is_held(path));
    let runs = list_of(open).runs;
    runs.into_iter().filter(|run| run.end.is_none()).collect()
}

/// Puts on record that it was found, so that it is said once.
///
/// # Errors
/// When it cannot be stored.
pub fn mark_unfinished(run: &Unfinished) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(&run.path)?;
    file.try_lock()?;
    if !run.cut.is_empty() {
        // What is cut stays as it is, in a line of its own.
        file.write_all(b"\n")?;
    }
    put(&mut file, &[json!({"record": "end", "at": now(), "how": "found unfinished"})], Durable::Now)
}

/// Whether the last whole line is an `end`.
fn has_end(path: &Path) -> io::Result<bool> {
    if !std::fs::symlink_metadata(path)?.is_file() {
        return Ok(true);
    }
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MAX_END_LENGTH)))?;
    let mut tail = Vec::new();
    file.take(MAX_END_LENGTH).read_to_end(&mut tail)?;
    let tail = String::from_utf8_lossy(&tail);
    let last = tail.strip_suffix('\n').map(|lines| lines.rsplit('\n').next().unwrap_or_default());
    Ok(last.is_some_and(|line| line.contains(r#""record":"end""#)))
}

#[cfg(test)]
mod tests {
    use super::super::run::tests::{folder, header, intend};
    use super::super::{Run, list};
    use super::*;

    #[test]
    fn a_run_without_an_end_is_found_once() {
        let folder = folder("unfinished");
        let mut run = Run::new(Some(folder.clone()), header(), crate::plan::Approval::default());
        intend(&mut run).unwrap();
        assert!(unfinished(&folder).is_empty(), "it goes on");
        assert!(list(&folder).unwrap().runs[0].goes_on);
        drop(run);
        let found = unfinished(&folder);
        assert_eq!((found.len(), found[0].steps.len()), (1, 1));
        mark_unfinished(&found[0]).unwrap();
        assert!(unfinished(&folder).is_empty());
        assert_eq!(list(&folder).unwrap().runs[0].outcome(), "found unfinished");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_cut_line_is_not_continued() {
        let folder = folder("cut");
        let mut run = Run::new(Some(folder.clone()), header(), crate::plan::Approval::default());
        intend(&mut run).unwrap();
        let path = run.path().unwrap().to_owned();
        drop(run);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 20]).unwrap();
        let found = unfinished(&folder);
        assert_eq!((found.len(), found[0].steps.len(), found[0].cut.clone()), (1, 0, vec![2]));
        mark_unfinished(&found[0]).unwrap();
        let runs = list(&folder).unwrap().runs;
        assert_eq!((runs[0].outcome(), runs[0].cut.clone()), ("found unfinished", vec![2]));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_ended_or_is_no_file_is_left_alone() {
        let folder = folder("ended");
        let mut run = Run::new(Some(folder.clone()), header(), crate::plan::Approval::default());
        intend(&mut run).unwrap();
        run.end("released").unwrap();
        drop(run);
        std::fs::create_dir(folder.join("a.jsonl")).unwrap();
        assert!(unfinished(&folder).is_empty());
        assert!(unfinished(Path::new("/nowhere")).is_empty());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
