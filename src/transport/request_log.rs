//! `-v`: logs requests to stderr, with the words and levels of kubectl (kubernetes/kubernetes:
//! `staging/src/k8s.io/client-go/transport/round_trippers.go`).
//!
//! Level 6 shows the method, the address, the status and the duration of each request. Level 7 adds
//! the request headers; level 8 the response headers and the beginning of both bodies; level 9 more
//! of the bodies. Credentials are never shown: the connection adds them later, and headers that may
//! contain one are masked all the same. Nothing of a Secret is shown.

use crate::inert::clean_command;
use crate::server::Server;
use http::header::HeaderMap;
use http::{Request, StatusCode};
use std::sync::Arc;
use tokio::time::Instant;

/// The lowest level that shows requests.
const REQUESTS: u8 = 6;
const HEADERS: u8 = 7;
const BODIES: u8 = 8;
const LONGER_BODIES: u8 = 9;

/// The level of `-v`, and the server.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestLog {
    level: u8,
    server: Arc<str>,
}

impl RequestLog {
    pub(crate) fn new(level: u8, server: &Server) -> Self {
        Self { level, server: server.base().into() }
    }

    /// Whether bodies are shown.
    pub(crate) fn shows_bodies(&self) -> bool {
        self.level >= BODIES
    }

    /// How many bytes of a body are shown; a Secret's body is never shown.
    fn length(&self, path: &str) -> usize {
        match self.level {
            _ if path.contains("/secrets") => 0,
            LONGER_BODIES.. => 10_240,
            BODIES => 1_024,
            _ => 0,
        }
    }

    /// Starts the entry of a request that is about to be sent.
    pub(crate) fn sent<B>(&self, request: &Request<B>, body: &[u8]) -> Option<Sent> {
        if self.level < REQUESTS {
            return None;
        }
        let path = request.uri().to_string();
        let length = self.length(&path);
        let line = format!("{} {}{path}", request.method(), self.server);
        let mut details = Vec::new();
        if self.level >= HEADERS {
            details = headers("Request Headers", request.headers());
        }
        if length > 0 && !body.is_empty() {
            details.push(format!("Request Body: {}", cut(body, length)));
        }
        let shows_answer = self.level >= BODIES;
        Some(Sent { line, details, begun: Instant::now(), length, shows_answer, is_told: false })
    }
}

/// A request that was sent and has no answer yet.
pub(crate) struct Sent {
    line: String,
    /// Further lines of the entry.
    details: Vec<String>,
    begun: Instant,
    length: usize,
    shows_answer: bool,
    is_told: bool,
}

impl Sent {
    /// Logs the answer. Returns the state for showing the beginning of its body.
    pub(crate) fn answered(mut self, status: StatusCode, head: &HeaderMap) -> Option<Answered> {
        if self.shows_answer {
            self.details.extend(headers("Response Headers", head));
        }
        self.tell(&status.to_string());
        (self.length > 0).then(|| Answered { line: std::mem::take(&mut self.line), length: self.length })
    }

    /// Logs that there was no answer.
    pub(crate) fn failed(mut self, why: &str) {
        self.tell(&format!("no answer ({why})"));
    }

    fn tell(&mut self, outcome: &str) {
        self.is_told = true;
        let elapsed = self.begun.elapsed();
        print(&format!("{} {outcome} in {} milliseconds", self.line, elapsed.as_millis()), &self.details);
    }
}

impl Drop for Sent {
    /// Logs a request that was abandoned.
    fn drop(&mut self) {
        if !self.is_told {
            self.tell("gave up without an answer");
        }
    }
}

/// An answer whose body is still to come.
pub(crate) struct Answered {
    line: String,
    length: usize,
}

impl Answered {
    /// Logs the beginning of the body.
    pub(crate) fn body(self, piece: &[u8]) {
        print(&format!("{} Response Body: {}", self.line, cut(piece, self.length)), &[]);
    }
}

fn headers(title: &str, headers: &HeaderMap) -> Vec<String> {
    let mut lines = vec![format!("{title}:")];
    for (name, value) in headers {
        let shown =
            if is_secret(name.as_str()) { "<masked>".into() } else { String::from_utf8_lossy(value.as_bytes()) };
        lines.push(format!("    {name}: {shown}"));
    }
    lines
}

/// Whether a header may contain credentials.
fn is_secret(name: &str) -> bool {
    ["authorization", "cookie", "token", "secret", "password", "api-key"].iter().any(|word| name.contains(word))
}

/// The beginning of a body as one line of text.
fn cut(body: &[u8], length: usize) -> String {
    let shown = String::from_utf8_lossy(&body[..body.len().min(length)]);
    let shown = shown.replace(['\n', '\r', '\t'], " ");
    let more = body.len().saturating_sub(length);
    if more == 0 { shown } else { format!("{shown} [truncated {more} bytes]") }
}

#[expect(clippy::print_stderr, reason = "the log of requests that -v asks for")]
fn print(line: &str, details: &[String]) {
    eprintln!("{}", inert(line, details));
}

/// The only way from an answer to the log. Each line is made inert by itself, so no text can start
/// another line.
fn inert(line: &str, details: &[String]) -> String {
    let lines: Vec<String> =
        std::iter::once(line).chain(details.iter().map(String::as_str)).map(clean_command).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::header::{AUTHORIZATION, HeaderValue};

    fn sent(level: u8, path: &str) -> Option<Sent> {
        let request = Request::post(path).header(AUTHORIZATION, "Bearer abc").header("accept", "x").body(()).unwrap();
        let sent = RequestLog::new(level, &"https://a:6443/".into()).sent(&request, b"{\"kind\":\"A\"}");
        // A copy that logs nothing when it is dropped.
        sent.as_ref().map(copy)
    }

    fn copy(sent: &Sent) -> Sent {
        let Sent { line, details, begun, length, shows_answer, .. } = sent;
        let (line, details) = (line.clone(), details.clone());
        Sent { line, details, begun: *begun, length: *length, shows_answer: *shows_answer, is_told: true }
    }

    #[test]
    fn each_log_level_shows_more_and_never_credentials() {
        assert!(sent(5, "/api").is_none());
        let six = sent(6, "/api?limit=500").unwrap();
        assert_eq!((six.line.as_str(), &six.details[..]), ("POST https://a:6443/api?limit=500", &[][..] as &[String]));
        let seven = sent(7, "/api").unwrap();
        assert_eq!(seven.details, ["Request Headers:", "    authorization: <masked>", "    accept: x"]);
        let eight = sent(8, "/api").unwrap();
        assert!(eight.details.ends_with(&["Request Body: {\"kind\":\"A\"}".to_owned()]) && eight.shows_answer);
        assert!(!sent(9, "/api/v1/namespaces/a/secrets/b").unwrap().details.concat().contains("kind"));
        let mut answer = HeaderMap::new();
        answer.insert("set-cookie", HeaderValue::from_static("session=abc"));
        assert_eq!(headers("Response Headers", &answer), ["Response Headers:", "    set-cookie: <masked>"]);
    }

    #[test]
    fn logged_bodies_are_cut_and_escaped() {
        assert_eq!(cut(b"abc", 3), "abc");
        assert_eq!(cut(b"abcde", 3), "abc [truncated 2 bytes]");
        let body = cut("a\u{1b}[2J\n\u{9b}31m\u{202e}\u{200b}\u{e0041}b".as_bytes(), 100);
        let line = inert(&body, &["c\nGET /forged 200 OK".to_owned()]);
        let shown = "a<U+001B>[2J <U+009B>31m<U+202E><U+200B><U+E0041>b\nc<U+000A>GET /forged 200 OK";
        assert_eq!(line, shown);
    }
}
