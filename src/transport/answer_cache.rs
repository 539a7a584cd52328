//! Caches answers on disk together with the server's name for their version (`ETag`), as kubectl
//! does with discovery. While nothing has changed, the server sends only a short answer.

use crate::plugin::PLUGIN;
use crate::server::{Server, is_odd};
use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};

/// The folder that contains a folder for each server, named after it.
const SERVERS: &str = "servers";

/// The folder for a server's answers; `None` caches nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct AnswerCache(Option<PathBuf>);

/// An answer from the cache.
pub(crate) struct CachedAnswer {
    pub(crate) etag: String,
    pub(crate) content_type: String,
    pub(crate) body: Vec<u8>,
}

impl AnswerCache {
    /// The cache of one server, below `folder`.
    pub(crate) fn of(folder: Option<&Path>, server: &Server) -> Self {
        Self(folder.map(|folder| folder.join(PLUGIN).join(SERVERS).join(server.folder())))
    }

    fn file(&self, path: &str) -> Option<PathBuf> {
        Some(self.0.as_ref()?.join(path.trim_matches('/').replace(is_odd, "_")))
    }

    /// Reads an answer. `None` if it is missing or damaged; it is then requested again.
    #[expect(clippy::disallowed_methods, reason = "this is where answers are kept")]
    pub(crate) fn read(&self, path: &str) -> Option<CachedAnswer> {
        let bytes = std::fs::read(self.file(path)?).ok()?;
        let mut parts = bytes.splitn(4, |byte| *byte == b'\n');
        let mut line = || Some(std::str::from_utf8(parts.next()?).ok()?.to_owned());
        let (etag, content_type, length) = (line()?, line()?, line()?);
        let body = parts.next()?.to_vec();
        (length == body.len().to_string()).then_some(CachedAnswer { etag, content_type, body })
    }

    /// Writes an answer, first beside the old one: two runs may write at the same time, and one may
    /// be interrupted.
    #[expect(clippy::disallowed_methods, reason = "this is where answers are kept")]
    pub(crate) fn write(&self, path: &str, etag: &str, content_type: &str, body: &[u8]) -> io::Result<()> {
        let Some(file) = self.file(path) else { return Ok(()) };
        self.make()?;
        let new = file.with_extension(format!("{}.new", std::process::id()));
        let mut bytes = format!("{etag}\n{content_type}\n{}\n", body.len()).into_bytes();
        bytes.extend_from_slice(body);
        std::fs::write(&new, bytes)?;
        std::fs::rename(&new, &file)
    }

    /// Creates the folder, readable by nobody else. Removes the caches of earlier versions: they
    /// named the folder by the server's address, which may contain a password.
    fn make(&self) -> io::Result<()> {
        let Some(folder) = &self.0 else { return Ok(()) };
        let (Some(servers), Some(all)) = (folder.parent(), folder.ancestors().nth(2)) else { return Ok(()) };
        if !servers.exists() {
            // Folders that cannot be removed do no harm.
            let _ = remove_folders(all);
        }
        // kubectl creates its folders, which contain this one, for the user and the group.
        builder(0o750).create(all.parent().unwrap_or(all))?;
        builder(0o700).create(folder)
    }
}

fn builder(mode: u32) -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, mode);
    #[cfg(not(unix))]
    let _ = mode;
    builder
}

/// Removes the folders in `all` that contain only files. Links are neither followed nor removed.
fn remove_folders(all: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(all)?.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        let held: Vec<_> = std::fs::read_dir(entry.path())?.flatten().collect();
        if held.iter().all(|file| file.file_type().is_ok_and(|kind| kind.is_file())) {
            std::fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a file is cut off")]
mod tests {
    use super::*;

    #[test]
    fn complete_answers_are_read_back_and_cut_ones_are_not() {
        let folder = std::env::temp_dir().join(format!("unstick-kept-{}", std::process::id()));
        let cache = AnswerCache::of(Some(&folder), &"https://[::1]:6443/clusters/c-1".into());
        assert!(cache.read("/apis").is_none());
        cache.write("/apis", "\"A1\"", "application/json;as=X", b"{\"a\":\n1}").unwrap();
        let kept = cache.read("/apis").unwrap();
        assert_eq!((kept.etag.as_str(), kept.content_type.as_str()), ("\"A1\"", "application/json;as=X"));
        assert_eq!(kept.body, b"{\"a\":\n1}");
        assert!(cache.read("/api").is_none(), "each path by itself");
        let file = cache.file("/apis").unwrap();
        let bytes = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
        assert!(cache.read("/apis").is_none(), "cut off");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn each_server_has_its_own_cache() {
        let folder = Path::new("/cache");
        let of = |server: &'static str| AnswerCache::of(Some(folder), &server.into()).file("/api");
        assert_ne!(of("https://a:6443"), of("https://a:6444"));
        assert_ne!(of("https://r/k8s/clusters/c-1"), of("https://r/k8s/clusters/c-2"));
        assert_eq!(of("https://a:6443").unwrap(), Path::new("/cache/unstick/servers/a_6443/api"));
    }

    #[cfg(unix)]
    #[test]
    fn the_cache_is_private_and_older_caches_are_removed() {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::env::temp_dir().join(format!("unstick-kept-mode-{}", std::process::id()));
        let (old, stranger) = (folder.join("unstick/joe_secret_a_6443"), folder.join("unstick/stranger/deep"));
        for made in [&old, &stranger] {
            std::fs::create_dir_all(made).unwrap();
            std::fs::write(made.join("api"), "x").unwrap();
        }
        let cache = AnswerCache::of(Some(&folder), &"https://joe:secret@a:6443".into());
        cache.write("/api", "\"A1\"", "application/json", b"{}").unwrap();
        assert!(!old.exists() && stranger.join("api").exists());
        let kept = folder.join("unstick/servers/a_6443");
        for made in [kept.parent().unwrap(), &kept] {
            assert_eq!(std::fs::metadata(made).unwrap().permissions().mode() & 0o777, 0o700, "{}", made.display());
        }
        // Only once: caches that another version adds later are not removed again.
        std::fs::create_dir_all(&old).unwrap();
        cache.write("/api", "\"A2\"", "application/json", b"{}").unwrap();
        assert!(old.exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn without_a_folder_nothing_is_kept() {
        let cache = AnswerCache::of(None, &"https://a:6443".into());
        cache.write("/api", "\"A1\"", "application/json", b"{}").unwrap();
        assert!(cache.read("/api").is_none());
    }
}
