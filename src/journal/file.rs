//! The file of a run: its folder, the path of records to the disk, and the lock that shows other
//! processes that this one is alive.

use super::name::{self, SUFFIX};
use super::owned;
use crate::plugin::PROGRAM;
use serde_json::Value;
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The journal's folder: `$XDG_STATE_HOME/kubectl-unstick`, or its default in the home directory.
/// `None` without a home.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    folder_by(|name| std::env::var_os(name))
}

fn folder_by(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/state")))
        .or_else(|| absolute("LOCALAPPDATA"));
    state.map(|state| state.join(PROGRAM))
}

/// The journal's files, sorted by name and so by time. Empty if the folder does not exist.
pub(super) fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(about(folder, &error)),
    };
    owned::folder(folder).map_err(|error| about(folder, &error))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|suffix| suffix == SUFFIX) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Creates the file of a run, and locks it.
pub(super) fn create(folder: &Path) -> io::Result<(File, PathBuf)> {
    make_private_folder(folder)?;
    owned::folder(folder).map_err(|error| about(folder, &error))?;
    let (file, path) = name::make_file(folder, jiff::Timestamp::now(), std::process::id())?;
    // The lock shows that the run is still going on. Some file systems have no locks.
    file.try_lock().ok();
    // The name must survive a crash, too.
    if let Ok(folder) = File::open(folder) {
        folder.sync_all().ok();
    }
    Ok((file, path))
}

fn make_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| about(folder, &error))
}

fn about(folder: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", folder.display()))
}

/// The time by which records must reach the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durable {
    /// Before the program continues.
    Now,
    /// Together with later records.
    Later,
}

/// The destination of a run's records: a file.
pub(super) trait Medium: Write + std::fmt::Debug + Send + Sync {
    /// Returns when all written data is on the disk.
    fn sync(&self) -> io::Result<()>;
}

impl Medium for File {
    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

/// Appends records. Syncing them also syncs all earlier ones.
pub(super) fn put(medium: &mut dyn Medium, records: &[Value], durable: Durable) -> io::Result<()> {
    let mut lines = String::new();
    for record in records {
        lines.push_str(&record.to_string());
        lines.push('\n');
    }
    medium.write_all(lines.as_bytes())?;
    match durable {
        Durable::Now => medium.sync(),
        Durable::Later => Ok(()),
    }
}

/// The time of a record.
pub(super) fn now() -> String {
    jiff::Timestamp::now().to_string()
}

/// Whether a living process has locked the file; see [`create`].
pub(super) fn is_held(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    // Closing the file releases the lock.
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    #[test]
    fn the_time_of_a_record_is_now() {
        let before = Timestamp::now();
        let told: Timestamp = now().parse().expect("a time");
        assert!((before..=Timestamp::now()).contains(&told), "{told}");
    }

    #[cfg(unix)]
    #[test]
    fn the_folder_is_in_the_state_of_the_user_by_an_absolute_path() {
        let folder = |variables: &[(&str, &str)]| {
            folder_by(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, path)| path.into()))
        };
        let (state, home) = (("XDG_STATE_HOME", "/state"), ("HOME", "/home/ann"));
        assert_eq!(folder(&[state, home]), Some("/state/kubectl-unstick".into()));
        assert_eq!(folder(&[("XDG_STATE_HOME", "state"), home]), Some("/home/ann/.local/state/kubectl-unstick".into()));
        assert_eq!(folder(&[("LOCALAPPDATA", "/local")]), Some("/local/kubectl-unstick".into()));
        assert_eq!(folder(&[("HOME", "ann")]), None);
    }

    #[test]
    fn a_missing_journal_is_empty_and_a_file_in_its_place_an_error() {
        let nowhere = crate::journal::testing::folder("nowhere");
        assert_eq!(files(&nowhere).unwrap(), Vec::<PathBuf>::new());
        std::fs::write(&nowhere, "").unwrap();
        let why = files(&nowhere).unwrap_err().to_string();
        assert!(why.starts_with(&format!("{}: ", nowhere.display())), "{why}");
        std::fs::remove_file(nowhere).unwrap();
    }
}
