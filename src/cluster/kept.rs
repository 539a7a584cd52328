//! Answers that are kept on disk with the server's name for their version (`ETag`), as
//! kubectl keeps what a server serves: while nothing has changed, a short answer says so.

use crate::plugin::PLUGIN;
use http::Uri;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of a server's answers; `None` keeps nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Cache(Option<PathBuf>);

/// An answer as it was kept.
pub(super) struct Kept {
    pub(super) etag: String,
    pub(super) content_type: String,
    pub(super) body: Vec<u8>,
}

impl Cache {
    /// Below `folder`, apart from those of other servers.
    pub(super) fn of(folder: Option<&Path>, server: &Uri) -> Self {
        let host = server.authority().map_or_else(String::new, |host| host.as_str().replace(is_odd, "_"));
        let path = server.path().trim_matches('/').replace(is_odd, "_");
        Self(folder.map(|folder| folder.join(PLUGIN).join(host + &path)))
    }

    fn file(&self, path: &str) -> Option<PathBuf> {
        Some(self.0.as_ref()?.join(path.trim_matches('/').replace(is_odd, "_")))
    }

    /// What cannot be read, or not as it was written, is asked for anew.
    #[expect(clippy::disallowed_methods, reason = "this is where answers are kept")]
    pub(super) fn read(&self, path: &str) -> Option<Kept> {
        let bytes = std::fs::read(self.file(path)?).ok()?;
        let mut parts = bytes.splitn(4, |byte| *byte == b'\n');
        let mut line = || Some(std::str::from_utf8(parts.next()?).ok()?.to_owned());
        let (etag, content_type, length) = (line()?, line()?, line()?);
        let body = parts.next()?.to_vec();
        (length == body.len().to_string()).then_some(Kept { etag, content_type, body })
    }

    /// Beside the old one first: two runs may write at a time, and one may be cut off.
    #[expect(clippy::disallowed_methods, reason = "this is where answers are kept")]
    pub(super) fn write(&self, path: &str, etag: &str, content_type: &str, body: &[u8]) -> io::Result<()> {
        let Some(file) = self.file(path) else { return Ok(()) };
        std::fs::create_dir_all(file.parent().unwrap_or(&file))?;
        let new = file.with_extension(format!("{}.new", std::process::id()));
        let mut bytes = format!("{etag}\n{content_type}\n{}\n", body.len()).into_bytes();
        bytes.extend_from_slice(body);
        std::fs::write(&new, bytes)?;
        std::fs::rename(&new, &file)
    }
}

/// What is no part of a file's name everywhere.
fn is_odd(character: char) -> bool {
    !(character.is_ascii_alphanumeric() || matches!(character, '.' | '-'))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a file is cut off")]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_cut_off_is_not() {
        let folder = std::env::temp_dir().join(format!("unstick-kept-{}", std::process::id()));
        let cache = Cache::of(Some(&folder), &Uri::from_static("https://[::1]:6443/clusters/c-1"));
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
    fn each_server_has_its_own() {
        let folder = Path::new("/cache");
        let of = |server: &'static str| Cache::of(Some(folder), &Uri::from_static(server)).file("/api");
        assert_ne!(of("https://a:6443"), of("https://a:6444"));
        assert_ne!(of("https://r/k8s/clusters/c-1"), of("https://r/k8s/clusters/c-2"));
        assert_eq!(of("https://a:6443").unwrap(), Path::new("/cache/unstick/a_6443/api"));
    }

    #[test]
    fn without_a_folder_nothing_is_kept() {
        let cache = Cache::of(None, &Uri::from_static("https://a:6443"));
        cache.write("/api", "\"A1\"", "application/json", b"{}").unwrap();
        assert!(cache.read("/api").is_none());
    }
}
