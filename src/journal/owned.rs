//! Checks that the journal belongs to the user alone. Files that another user may have created or
//! changed are not read, since `undo` would act on them, and nothing is written beside them.

use std::io;
use std::path::Path;

/// Checks that nobody else can create, change or rename anything in a folder.
///
/// # Errors
/// A sentence if another user can, or if the folder does not exist.
pub(super) fn folder(path: &Path) -> io::Result<()> {
    check(path, true)?;
    let real = path.canonicalize()?;
    for parent in real.ancestors().skip(1) {
        if let Some(problem) = above(&std::fs::metadata(parent)?) {
            let problem = format!("is below {}, which {problem}", parent.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, problem));
        }
    }
    Ok(())
}

/// The same for a file.
///
/// # Errors
/// As for [`folder`].
pub(super) fn file(path: &Path) -> io::Result<()> {
    check(path, false)
}

fn check(path: &Path, is_folder: bool) -> io::Result<()> {
    let found = std::fs::symlink_metadata(path)?;
    let is_right = if is_folder { found.is_dir() } else { found.is_file() };
    let problem = if is_right { whose(&found) } else { Some(wrong_kind(is_folder)) };
    problem.map_or(Ok(()), |problem| Err(io::Error::new(io::ErrorKind::PermissionDenied, problem)))
}

/// The error for links, pipes and devices, which this program never creates.
fn wrong_kind(is_folder: bool) -> String {
    let kind = if is_folder { "a link, or not a directory" } else { "not a regular file" };
    format!("is {kind}")
}

#[cfg(unix)]
fn whose(found: &std::fs::Metadata) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    problem(found.uid(), nix::unistd::geteuid().as_raw(), found.mode())
}

/// On Windows, everything below `%LOCALAPPDATA%` is private to its user.
#[cfg(not(unix))]
fn whose(_: &std::fs::Metadata) -> Option<String> {
    None
}

/// Why others could put another folder in the place of one in this parent.
#[cfg(unix)]
fn above(parent: &std::fs::Metadata) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    replaceable((parent.uid(), parent.gid()), nix::unistd::geteuid().as_raw(), parent.mode())
}

#[cfg(not(unix))]
fn above(_: &std::fs::Metadata) -> Option<String> {
    None
}

/// A group may write if it has the number of the user, as many systems make one for each user
/// alone, or root's. In a folder with the sticky bit, nobody renames what belongs to another.
#[cfg(unix)]
fn replaceable((owner, group): (u32, u32), me: u32, mode: u32) -> Option<String> {
    if owner != me && owner != 0 {
        return Some(format!("belongs to the user with id {owner}"));
    }
    let is_sticky = mode & 0o1000 != 0;
    let by_group = mode & 0o020 != 0 && group != me && group != 0;
    (!is_sticky && (mode & 0o002 != 0 || by_group))
        .then(|| format!("can be written by others (mode {:03o})", mode & 0o777))
}

#[cfg(unix)]
fn problem(owner: u32, me: u32, mode: u32) -> Option<String> {
    /// The group and others may write.
    const WRITABLE_BY_OTHERS: u32 = 0o022;
    if owner != me {
        return Some(format!("belongs to the user with id {owner}, but this program runs as id {me}"));
    }
    (mode & WRITABLE_BY_OTHERS != 0).then(|| format!("can be written by others (mode {:03o})", mode & 0o777))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::journal::testing::folder as new_folder;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn files_that_others_own_or_may_write_are_not_trusted() {
        assert_eq!(problem(1000, 1000, 0o40700), None);
        assert_eq!(problem(1000, 1000, 0o40755), None);
        let words = |owner, mode| problem(owner, 1000, mode).unwrap();
        assert!(words(0, 0o40700).contains("belongs to the user with id 0"), "{}", words(0, 0o40700));
        assert_eq!(words(1000, 0o40770), "can be written by others (mode 770)");
        assert_eq!(words(1000, 0o100_602), "can be written by others (mode 602)");
    }

    #[test]
    fn links_and_files_that_others_may_write_are_refused() {
        let home = new_folder("owned");
        let (real, link) = (home.join("real"), home.join("link"));
        fs::create_dir_all(&real).unwrap();
        symlink(&real, &link).unwrap();
        assert!(folder(&real).is_ok());
        assert_eq!(folder(&link).unwrap_err().to_string(), "is a link, or not a directory");
        let run = real.join("run.jsonl");
        fs::write(&run, "").unwrap();
        fs::set_permissions(&run, Permissions::from_mode(0o600)).unwrap();
        assert!(file(&run).is_ok());
        fs::set_permissions(&run, Permissions::from_mode(0o666)).unwrap();
        assert!(file(&run).unwrap_err().to_string().contains("by others (mode 666)"));
        fs::set_permissions(&real, Permissions::from_mode(0o777)).unwrap();
        assert!(folder(&real).unwrap_err().to_string().contains("by others (mode 777)"));
        fs::remove_dir_all(&home).unwrap();
    }

    #[test]
    fn a_folder_that_others_can_replace_is_refused() {
        for (owner, mode) in [((1000, 1000), 0o40775), ((0, 0), 0o40775), ((0, 0), 0o41777), ((1000, 100), 0o40755)] {
            assert_eq!(replaceable(owner, 1000, mode), None, "{owner:?} {mode:o}");
        }
        for (owner, mode) in [((1001, 1000), 0o40700), ((0, 0), 0o40777), ((1000, 100), 0o40775)] {
            assert!(replaceable(owner, 1000, mode).is_some(), "{owner:?} {mode:o}");
        }
        let home = new_folder("parents");
        let below = home.join("state/journal");
        fs::create_dir_all(&below).unwrap();
        assert!(folder(&below).is_ok());
        fs::set_permissions(home.join("state"), Permissions::from_mode(0o777)).unwrap();
        let refusal = folder(&below).unwrap_err().to_string();
        assert!(
            refusal.starts_with("is below ") && refusal.ends_with("state, which can be written by others (mode 777)"),
            "{refusal}"
        );
        fs::remove_dir_all(&home).unwrap();
    }
}
