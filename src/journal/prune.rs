//! Removes the file of a run, unless it may still be written to.

use super::owned;
use super::reading::RecordedRun;
use std::fs::{File, TryLockError};
use std::io;

/// The result of removing a run.
#[derive(Debug, PartialEq, Eq)]
pub enum Removed {
    /// The run was removed.
    Done,
    /// Another process had already removed the run.
    Before,
    /// The run was kept, for this reason.
    Left(String),
}

/// Removes the file of a run.
///
/// # Errors
/// When it does not belong to the user, or cannot be removed.
pub fn remove(run: &RecordedRun) -> io::Result<Removed> {
    let done = check(run).and_then(|left| match left {
        Some(why) => Ok(Removed::Left(why)),
        None => std::fs::remove_file(&run.path).map(|()| Removed::Done),
    });
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Removed::Before),
        done => done,
    }
}

/// The reason why a run must be kept. A run that has ended is no longer written to.
fn check(run: &RecordedRun) -> io::Result<Option<String>> {
    owned::file(&run.path)?;
    if run.end.is_some() {
        return Ok(None);
    }
    Ok(File::open(&run.path)?.try_lock().err().map(held))
}

/// The reason to keep a run without an end whose file cannot be locked.
fn held(why: TryLockError) -> String {
    match why {
        TryLockError::WouldBlock => "it is still running".into(),
        TryLockError::Error(why) => {
            format!("it did not end, or is still running: this file system has no locks that would show it ({why})")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Run, list};
    use super::*;
    use crate::journal::testing::{folder, header, intend};

    #[test]
    fn a_run_is_removed_once_and_never_while_it_runs() {
        let folder = folder("prune");
        let mut run = Run::new(Some(folder.clone()), header(), crate::plan::Approval::default());
        intend(&mut run).unwrap();
        let found = |place: usize| list(&folder).unwrap().runs.swap_remove(place);
        assert_eq!(remove(&found(0)).unwrap(), Removed::Left("it is still running".into()));
        run.end("released").unwrap();
        let one = found(0);
        assert_eq!(remove(&one).unwrap(), Removed::Done);
        assert_eq!(remove(&one).unwrap(), Removed::Before, "two at once");
        assert!(list(&folder).unwrap().runs.is_empty());
        drop(run);
        let mut run = Run::new(Some(folder.clone()), header(), crate::plan::Approval::default());
        intend(&mut run).unwrap();
        drop(run);
        assert_eq!(remove(&found(0)).unwrap(), Removed::Done, "its process is gone");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn without_locks_it_is_unknown_whether_a_run_is_alive() {
        let why = io::Error::from(io::ErrorKind::Unsupported);
        assert!(
            held(TryLockError::Error(why)).contains("this file system has no locks that would show it (unsupported)")
        );
        assert_eq!(held(TryLockError::WouldBlock), "it is still running");
    }

    #[cfg(unix)]
    #[test]
    fn files_of_other_users_are_not_removed() {
        let folder = folder("prune-link");
        let mut run = Run::new(Some(folder.clone()), header(), crate::plan::Approval::default());
        intend(&mut run).unwrap();
        run.end("released").unwrap();
        let real = list(&folder).unwrap().runs.swap_remove(0);
        let link = folder.join("link.jsonl");
        std::os::unix::fs::symlink(&real.path, &link).unwrap();
        let why = remove(&RecordedRun { path: link, ..real.clone() }).unwrap_err();
        assert!(why.to_string().contains("not a regular file"), "{why}");
        assert!(real.path.exists());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
