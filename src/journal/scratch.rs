//! Folders for tests.

use std::path::PathBuf;

/// The path of a folder that does not exist, of this test alone.
pub(super) fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("unstick-journal-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}
