//! The name of an API server on screens, in files and in names of folders: its address without
//! credentials.
//!
//! An address may contain a password, `https://ann:secret@host`, as kubectl allows. It is split
//! here immediately: nothing that is printed or stored ever contains both parts.

use http::Uri;
use http::uri::{Authority, InvalidUri, PathAndQuery, Scheme};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of a server. It never contains a user or a password, whatever it was made from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String")]
pub struct Server(String);

/// The credentials in a server's address.
#[derive(Debug)]
pub struct Login {
    /// The name; may be empty.
    pub user: String,
    /// The password; may be empty.
    pub password: SecretString,
}

impl Server {
    /// Splits an address into the address to connect to, the server's name, and the credentials.
    ///
    /// # Errors
    /// When it is not an address. The error does not repeat it.
    pub fn split(address: &Uri) -> Result<(Uri, Self, Option<Login>), NotAnAddress> {
        let authority = address.authority().ok_or(NotAnAddress("it names no host".into()))?;
        let (login, host) = match authority.as_str().rsplit_once('@') {
            Some((login, host)) => (Some(Login::of(login)), host),
            None => (None, authority.as_str()),
        };
        let plain: Authority = host.parse()?;
        if plain.host().is_empty() || has_odd_port(&plain) {
            return Err(NotAnAddress("its host or port is not valid".into()));
        }
        let mut parts = address.clone().into_parts();
        parts.authority = Some(plain);
        // Without a scheme, no request can be sent.
        parts.scheme.get_or_insert(Scheme::HTTPS);
        // The query would not be sent, and may contain a secret.
        let path = address.path();
        parts.path_and_query = Some(PathAndQuery::try_from(if path.is_empty() { "/" } else { path })?);
        let plain = Uri::from_parts(parts).map_err(|error| NotAnAddress(error.to_string()))?;
        let called = Self(plain.to_string());
        Ok((plain, called, login))
    }

    /// The name without the parts that are the same for most servers.
    pub(crate) fn in_short(&self) -> &str {
        self.0.trim_start_matches("https://").trim_end_matches('/')
    }

    /// The beginning of the address of everything that the server serves.
    #[must_use]
    pub fn base(&self) -> &str {
        self.0.trim_end_matches('/')
    }

    /// The name of its folder for cached answers.
    #[must_use]
    pub fn folder(&self) -> String {
        let rest = self.0.split_once("://").map_or(self.0.as_str(), |(_, rest)| rest);
        let name = rest.trim_matches('/').replace(is_odd, "_");
        // `..` would be another folder.
        if name.starts_with('.') { format!("_{name}") } else { name }
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Server {
    fn from(kept: &str) -> Self {
        Self::from(kept.to_owned())
    }
}

/// Reads a stored name. Earlier versions stored addresses with their passwords.
impl From<String> for Server {
    fn from(kept: String) -> Self {
        let start = kept.find("://").map_or(0, |place| place + 3);
        // An invalid password with a slash makes the user info end after the first slash.
        match kept[start..].rfind('@') {
            Some(end) => Self(format!("{}{}", &kept[..start], &kept[start + end + 1..])),
            None => Self(kept),
        }
    }
}

impl Login {
    fn of(text: &str) -> Self {
        let (user, password) = text.split_once(':').unwrap_or((text, ""));
        Self { user: decoded(user), password: decoded(password).into() }
    }
}

/// Whether a character is not allowed in file names on every system.
pub(crate) fn is_odd(character: char) -> bool {
    !(character.is_ascii_alphanumeric() || matches!(character, '.' | '-'))
}

/// Whether the port is not a number: `joe:pass/word@host` is not a valid address.
fn has_odd_port(authority: &Authority) -> bool {
    let port = authority.as_str().strip_prefix(authority.host()).unwrap_or_default();
    !port.is_empty() && port != ":" && authority.port_u16().is_none()
}

/// Decodes the escaped bytes of an address, such as `%40`.
fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut decoded = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let hex = part.get(..2).filter(|hex| hex.bytes().all(|digit| digit.is_ascii_hexdigit()));
        if let Some(byte) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            decoded.push(byte);
            decoded.extend_from_slice(&part.as_bytes()[2..]);
        } else {
            decoded.push(b'%');
            decoded.extend_from_slice(part.as_bytes());
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// The reason why a text is not the address of a server; it does not repeat the text.
#[derive(Debug)]
pub struct NotAnAddress(String);

impl fmt::Display for NotAnAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotAnAddress {}

impl From<InvalidUri> for NotAnAddress {
    fn from(error: InvalidUri) -> Self {
        Self(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret;

    fn split(address: &str) -> (String, String, Option<(String, String)>) {
        let (uri, server, login) = Server::split(&address.parse().unwrap()).unwrap();
        let login = login.map(|login| (login.user, login.password.expose_secret().to_owned()));
        (uri.to_string(), server.to_string(), login)
    }

    #[test]
    fn credentials_are_split_from_the_address() {
        let login = |user: &str, password: &str| Some((user.to_owned(), password.to_owned()));
        for (address, called, who) in [
            ("https://a:6443", "https://a:6443/", None),
            ("https://joe:secret@a:6443", "https://a:6443/", login("joe", "secret")),
            ("http://joe@a/k8s/c-1", "http://a/k8s/c-1", login("joe", "")),
            ("https://:pw@[::1]:6443/", "https://[::1]:6443/", login("", "pw")),
            ("https://j%6Fe:s%40c:r%2Fet%zz@a", "https://a/", login("joe", "s@c:r/et%zz")),
            ("https://joe:a@b@c", "https://c/", login("joe", "a@b")),
            ("a:6443", "https://a:6443/", None),
            ("https://a/x?token=secret", "https://a/x", None),
        ] {
            assert_eq!(split(address), (called.to_owned(), called.to_owned(), who), "{address}");
        }
    }

    #[test]
    fn invalid_addresses_are_not_quoted() {
        for address in ["http://joe:sec/ret@host", "https://joe:secret@", "https://joe:secret@host:x1", "/secret"] {
            let Ok(uri) = address.parse() else { continue };
            let why = Server::split(&uri).unwrap_err();
            assert!(!why.to_string().contains("sec"), "{address}: {why}");
        }
    }

    #[test]
    fn stored_passwords_are_dropped_when_read() {
        for (kept, called) in [
            ("https://a:6443/", "https://a:6443/"),
            ("https://joe:secret@a:6443/", "https://a:6443/"),
            ("http://joe:sec/ret@a/", "http://a/"),
            ("joe:secret@a", "a"),
            ("", ""),
        ] {
            let server: Server = serde_json::from_value(serde_json::json!(kept)).unwrap();
            assert_eq!(server.to_string(), called);
            assert_eq!(serde_json::to_value(&server).unwrap(), called);
        }
    }

    #[test]
    fn a_folder_is_named_after_the_server_without_credentials() {
        let folder = |address: &str| Server::split(&address.parse().unwrap()).unwrap().1.folder();
        assert_eq!(folder("https://joe:secret@a:6443"), "a_6443");
        assert_eq!(folder("https://[::1]:6443/clusters/c-1"), "___1__6443_clusters_c-1");
        assert_ne!(folder("https://r/k8s/clusters/c-1"), folder("https://r/k8s/clusters/c-2"));
        assert_eq!(folder("https://.."), "_..");
        assert_ne!(folder("https://a:6443/1"), folder("https://a:64431"));
    }
}
