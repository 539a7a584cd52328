//! Reads the files of a directory, and nothing outside of it: the author of a chart or of a directory
//! of manifests may be a stranger.

#![expect(clippy::disallowed_types, reason = "the directory is named on the command line")]

use std::fs::{DirEntry, File, FileType};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The suffixes of the files in a folder that kubectl reads (kubernetes/kubernetes:
/// `staging/src/k8s.io/cli-runtime/pkg/resource/builder.go`).
const SUFFIXES: [&str; 3] = ["json", "yaml", "yml"];

/// The manifests in a folder, sorted by name.
///
/// # Errors
/// When the folder cannot be read.
pub(super) fn manifests_in(folder: &Path, deep: bool) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    walk(folder, deep, &mut |path, _| {
        if path.extension().is_some_and(|suffix| SUFFIXES.iter().any(|known| suffix == *known)) {
            found.push(path);
        }
        Ok(())
    })?;
    Ok(found)
}

/// Refuses a folder with a link that leads out of it, or with a pipe or a device: the program that
/// builds a chart would open them, and might print what is in them.
///
/// # Errors
/// When it has one, or cannot be read.
pub(super) fn is_self_contained(folder: &Path) -> io::Result<()> {
    let root = folder.canonicalize()?;
    walk(&root, true, &mut |path, kind| {
        let inside = || real(&path, &root).and_then(|real| is_ordinary(std::fs::metadata(real)?.file_type()));
        let checked = if kind.is_symlink() { inside() } else { is_ordinary(kind) };
        checked.map_err(|error| io::Error::new(error.kind(), format!("{} {error}", path.display())))
    })
}

/// The text of a file in a folder.
///
/// # Errors
/// When it is outside of the folder, no regular file, or cannot be read.
pub(super) fn text_in(folder: &Path, file: &Path) -> io::Result<String> {
    let real = real(file, &folder.canonicalize()?)?;
    is_ordinary(std::fs::symlink_metadata(&real)?.file_type())?;
    let mut opened = open(&real)?;
    // It may have become another file since.
    is_ordinary(opened.metadata()?.file_type())?;
    let mut text = String::new();
    opened.read_to_string(&mut text)?;
    Ok(text)
}

/// Opens a file without waiting for the other end of a pipe.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use nix::fcntl::OFlag;
        let flags = OFlag::O_NONBLOCK | OFlag::O_NOFOLLOW | OFlag::O_NOCTTY;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.bits());
    }
    options.open(path)
}

/// Where the path leads, if that is in the folder.
fn real(path: &Path, root: &Path) -> io::Result<PathBuf> {
    let real = path.canonicalize()?;
    if real.starts_with(root) { Ok(real) } else { Err(refused("is a link that leads out of its directory")) }
}

fn is_ordinary(kind: FileType) -> io::Result<()> {
    if kind.is_file() || kind.is_dir() { Ok(()) } else { Err(refused("is a pipe or a device")) }
}

fn refused(why: &str) -> io::Error {
    io::Error::new(ErrorKind::PermissionDenied, why)
}

/// Visits the entries of a folder that are no folders, sorted by name. Links to folders are not
/// followed: they may form a cycle.
fn walk(folder: &Path, deep: bool, visit: &mut impl FnMut(PathBuf, FileType) -> io::Result<()>) -> io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type()?;
        match kind.is_dir() {
            true if deep => walk(&entry.path(), deep, visit)?,
            true => {}
            false => visit(entry.path(), kind)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use super::*;

    #[cfg(unix)]
    #[test]
    fn no_link_leads_out_and_no_pipe_is_opened() {
        let folder = std::env::temp_dir().join(format!("unstick-files-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("crds")).unwrap();
        let at = |name: &str| folder.join(name);
        File::create(at("a.yaml")).unwrap();
        std::os::unix::fs::symlink("../a.yaml", at("crds/inside.yaml")).unwrap();
        assert!(is_self_contained(&folder).is_ok());
        assert_eq!(text_in(&folder, &at("crds/inside.yaml")).unwrap(), "");
        for (name, why) in [("out.yaml", "leads out of"), ("pipe.yaml", "is a pipe or a device")] {
            match name {
                "out.yaml" => std::os::unix::fs::symlink("/proc/self/environ", at(name)).unwrap(),
                _ => nix::unistd::mkfifo(&at(name), nix::sys::stat::Mode::S_IRWXU).unwrap(),
            }
            for error in [text_in(&folder, &at(name)).unwrap_err(), is_self_contained(&folder).unwrap_err()] {
                assert!(error.to_string().contains(why), "{name}: {error}");
            }
            std::fs::remove_file(at(name)).unwrap();
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
