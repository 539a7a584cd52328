//! Runs that did not end: their process was killed, or the machine went down.

use super::file::{Durable, files, is_held, now, put};
use super::reading::{RecordedRun, list_of};
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How many of the newest runs are checked.
const MAX_CHECKED: usize = 20;
/// The maximum length of an `end` record.
const MAX_END_RECORD: u64 = 512;

/// A run that did not end, and whose process is gone.
pub type Unfinished = RecordedRun;

/// The newest runs that did not end. For all other runs, only the last bytes are read.
#[must_use]
pub fn unfinished(folder: &Path) -> Vec<Unfinished> {
    let newest = files(folder).unwrap_or_default().into_iter().rev().take(MAX_CHECKED);
    let open: Vec<PathBuf> = newest.filter(|path| !has_end(path).unwrap_or(true)).collect();
    // A running process may simply not be done yet.
    let open = open.into_iter().filter(|path| !is_held(path));
    let runs = list_of(open).runs;
    runs.into_iter().filter(|run| run.end.is_none()).collect()
}

/// Records that the run was reported, so that it is reported only once.
///
/// # Errors
/// When it cannot be stored.
pub fn mark_unfinished(run: &Unfinished) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(&run.path)?;
    file.try_lock()?;
    if !run.cut.is_empty() {
        // A cut line stays as a line of its own.
        file.write_all(b"\n")?;
    }
    put(&mut file, &[json!({"record": "end", "at": now(), "how": "found unfinished"})], Durable::Now)
}

/// Whether the last complete line is an `end`.
fn has_end(path: &Path) -> io::Result<bool> {
    if !std::fs::symlink_metadata(path)?.is_file() {
        return Ok(true);
    }
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MAX_END_RECORD)))?;
    let mut tail = Vec::new();
    file.take(MAX_END_RECORD).read_to_end(&mut tail)?;
    let tail = String::from_utf8_lossy(&tail);
    let last = tail.strip_suffix('\n').map(|lines| lines.rsplit('\n').next().unwrap_or_default());
    Ok(last.is_some_and(|line| line.contains(r#""record":"end""#)))
}

#[cfg(test)]
mod tests {
    use super::super::{Run, list};
    use super::*;
    use crate::journal::testing::{folder, header, intend};

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
    fn ended_runs_and_other_files_are_ignored() {
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
