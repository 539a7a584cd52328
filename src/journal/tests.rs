//! Tests with a full disk, and with a disk that fails to sync, at every byte and every sync of a run.

use super::file::Medium;
use super::testing::{folder, header, intend};
use super::{Run, StepRecord, unfinished};
use serde_json::Value;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A disk with a limited number of bytes and syncs left.
#[derive(Debug)]
struct Disk {
    file: File,
    bytes_left: usize,
    syncs_left: AtomicUsize,
    done: Arc<Mutex<DiskState>>,
}

/// The amount of data written to the disk.
#[derive(Debug, Default, Clone, Copy)]
struct DiskState {
    written: usize,
    synced: usize,
    syncs: usize,
    /// Whether the disk has refused a write or a sync.
    refused: bool,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut done = self.done.lock().unwrap();
        assert!(!done.refused, "nothing is written after a refusal");
        let some = bytes.len().min(self.bytes_left);
        if some == 0 && !bytes.is_empty() {
            done.refused = true;
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.file.write_all(&bytes[..some])?;
        self.bytes_left -= some;
        done.written += some;
        Ok(some)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Medium for Disk {
    fn sync(&self) -> io::Result<()> {
        let mut done = self.done.lock().unwrap();
        assert!(!done.refused, "nothing is synced after a refusal");
        if self.syncs_left.load(Ordering::SeqCst) == 0 {
            done.refused = true;
            return Err(io::Error::other("Input/output error"));
        }
        self.syncs_left.fetch_sub(1, Ordering::SeqCst);
        (done.synced, done.syncs) = (done.written, done.syncs + 1);
        Ok(())
    }
}

/// The results that a run saw, in order: whether a step was recorded, and the state of the disk.
struct RunResults {
    intended: Vec<(bool, DiskState)>,
    others: Vec<bool>,
    done: DiskState,
}

/// A run of four steps, one by one and together, on such a disk.
fn play(folder: &Path, bytes_left: usize, syncs_left: usize) -> RunResults {
    std::fs::create_dir_all(folder).unwrap();
    let path = folder.join("20260101T000000.000Z-1.jsonl");
    let done = Arc::new(Mutex::new(DiskState::default()));
    let file = File::create(&path).unwrap();
    let disk = Disk { file, bytes_left, syncs_left: AtomicUsize::new(syncs_left), done: Arc::clone(&done) };
    let mut run = Run::new(None, header(), crate::plan::Approval::default());
    let mut told = RunResults { intended: Vec::new(), others: Vec::new(), done: DiskState::default() };
    told.others.push(run.begin(Box::new(disk), path).is_ok());
    let mut records: Vec<StepRecord> = Vec::new();
    for number in 0..4 {
        let record = intend(&mut run);
        told.intended.push((record.is_ok(), *done.lock().unwrap()));
        records.extend(record.ok());
        // One outcome alone, and two together.
        match (number, records.as_slice()) {
            (0, [first, ..]) => told.others.push(run.outcome(*first, "done", "touched").is_ok()),
            (3, [_, second, third, _]) => {
                let both = [(*second, "done", "touched"), (*third, "refused", "no")];
                told.others.push(run.outcomes(both.into_iter()).is_ok());
            }
            _ => {}
        }
    }
    told.others.push(run.note(None, "a note", &[]).is_ok());
    told.others.push(run.end("released").is_ok());
    told.done = *done.lock().unwrap();
    told
}

/// Checks what must hold wherever the disk failed: a step that may be written is completely on the
/// disk, and no step may be written after one that is not.
fn holds(folder: &Path, told: &RunResults, at: &str) {
    let path = folder.join("20260101T000000.000Z-1.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    for (index, (_, done)) in told.intended.iter().enumerate().filter(|(_, (stored, _))| *stored) {
        let synced = text[..done.synced].lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let steps = synced.filter(|record| record["record"] == "intend").count();
        assert_eq!(steps, index + 1, "{at}");
    }
    let stored: Vec<bool> = told.intended.iter().map(|(stored, _)| *stored).collect();
    assert!(stored.is_sorted_by(|before, after| before >= after), "{at}: {stored:?}");
    assert_eq!(told.done.refused, !told.others.iter().all(|stored| *stored), "{at}: it is said");
    if told.done.refused {
        assert_eq!(told.others.last(), Some(&false), "{at}: it does not end well");
    }
}

#[test]
fn a_disk_that_is_full_at_any_byte() {
    let folder = folder("full");
    let whole = play(&folder, usize::MAX, usize::MAX);
    holds(&folder, &whole, "whole");
    assert!(!whole.done.refused && whole.done.syncs > 5 && unfinished(&folder).is_empty());
    // The time of a record has between six and nine digits.
    for bytes in 0..whole.done.written - 64 {
        let told = play(&folder, bytes, usize::MAX);
        assert!(told.done.refused, "{bytes}");
        holds(&folder, &told, &format!("{bytes} bytes"));
        let found = unfinished(&folder);
        assert_eq!(found.len(), 1, "{bytes} bytes: the next run finds it");
        let stored = told.intended.iter().filter(|(stored, _)| *stored).count();
        assert!(found[0].steps.len() >= stored, "{bytes} bytes: it tells of {stored} steps");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_disk_that_fails_at_any_sync() {
    let folder = folder("sync");
    let whole = play(&folder, usize::MAX, usize::MAX);
    for syncs in 0..whole.done.syncs {
        let told = play(&folder, usize::MAX, syncs);
        assert!(told.done.refused && told.done.syncs == syncs, "{syncs}");
        holds(&folder, &told, &format!("{syncs} syncs"));
    }
    // A kernel file that accepts every byte and cannot be synced.
    let mut run = Run::new(None, header(), crate::plan::Approval::default());
    run.begin(Box::new(File::options().write(true).open("/dev/null").unwrap()), "/dev/null".into()).unwrap();
    assert!(intend(&mut run).unwrap_err().to_string().contains("/dev/null"));
    assert!(intend(&mut run).is_err() && run.end("released").is_err());
    std::fs::remove_dir_all(folder).unwrap();
}
