//! One request, one answer, and what became of it in words.

use super::trial::Trial;
use crate::failure::chain;
use crate::survey::{Reason, ResourceId, Unread};
use http::{Request, StatusCode, header};
use http_body_util::BodyExt;
use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Status;
use kube::Client;
use kube::client::Body;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A server that is short of room is asked again so many times.
const TRIES: u32 = 3;
/// The longest pause that a server may ask for between two tries.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// No line of a watch is longer: the store takes no object of more than some MiB.
const LONGEST_LINE: usize = 32 << 20;

/// What is asked for where metadata is enough.
pub const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

/// A client of one API server.
#[derive(Clone)]
pub struct Api {
    client: Client,
    limits: Limits,
    log: bool,
    /// Of which groups it is known whether a server behind the API server answers for them.
    pub(super) aggregated: Arc<Mutex<HashMap<ResourceId, bool>>>,
}

/// How long requests may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// A read: what hangs longer is unread.
    pub read: Duration,
    /// A read of an aggregated API, whose server may be anybody's, and a dry run that
    /// only asks: a webhook may hang.
    pub probe: Duration,
    /// A write, which may pass several webhooks of up to 30 seconds each.
    pub write: Duration,
}

impl std::fmt::Debug for Api {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Api").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// A successful answer.
#[derive(Debug)]
pub struct Answer {
    /// The body.
    pub body: Vec<u8>,
    /// The media type.
    pub content_type: String,
    /// The server's clock.
    pub date: Option<Timestamp>,
}

/// An answer that is an error, or none at all.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// The HTTP status, when there was an answer.
    pub status: Option<StatusCode>,
    /// What the server or the connection said.
    pub message: String,
    /// The object that the server named.
    object: Option<String>,
    /// The reason in one word.
    pub(super) reason: String,
    /// Whether the answer was a Status object, not the text of some proxy.
    is_status: bool,
    timed_out: bool,
    retry_after: Option<Duration>,
}

impl Api {
    pub(super) fn new(client: Client, limits: Limits, log: bool) -> Self {
        Self { client, limits, log, aggregated: Arc::default() }
    }

    /// The same, for reads of an aggregated API.
    #[must_use]
    pub(super) fn probing(&self) -> Self {
        let limits = Limits { read: self.limits.probe, ..self.limits };
        Self { limits, ..self.clone() }
    }

    /// Reads `path_and_query`.
    ///
    /// # Errors
    /// When the answer is an error or none comes in time.
    pub async fn get(&self, path_and_query: &str, accept: &str) -> Result<Answer, Refusal> {
        let request = || Request::get(path_and_query).header(header::ACCEPT, accept).body(Body::empty());
        self.ask(request, self.limits.read).await
    }

    /// Begins to read an answer that goes on.
    ///
    /// # Errors
    /// When the answer is an error or none begins in time.
    pub(super) async fn stream(&self, path_and_query: &str, accept: &str) -> Result<Stream, Refusal> {
        let request = Request::get(path_and_query).header(header::ACCEPT, accept).body(Body::empty());
        let request = named(request)?;
        let begun = tokio::time::timeout(self.limits.read, self.begin(request)).await;
        if self.log {
            let outcome = match &begun {
                Ok(Ok(_)) => "ok, goes on".to_owned(),
                Ok(Err(refusal)) => refusal.in_a_word(),
                Err(_) => "timed out".into(),
            };
            log(&format!("GET {path_and_query}"), &outcome);
        }
        begun.unwrap_or_else(|_| Err(Refusal::late(self.limits.read)))
    }

    async fn begin(&self, request: Request<Body>) -> Result<Stream, Refusal> {
        let response = self.client.send(request).await.map_err(|error| not_sent(&error))?;
        let (head, body) = response.into_parts();
        if head.status.is_success() {
            return Ok(Stream { body, read: Vec::new(), searched: 0 });
        }
        let body = body.collect_bytes().await.map_err(|error| Refusal::no_answer(chain(&error)))?;
        Err(Refusal::from_answer(head.status, &body, None))
    }

    /// Sends a request that changes something.
    ///
    /// # Errors
    /// When the answer is an error or none comes in time; then it is not known
    /// whether the change was made.
    pub async fn write(
        &self,
        method: &str,
        path_and_query: &str,
        content_type: &str,
        accept: &str,
        body: &[u8],
    ) -> Result<Answer, Refusal> {
        let request = || {
            Request::builder()
                .method(method)
                .uri(path_and_query)
                .header(header::ACCEPT, accept)
                .header(header::CONTENT_TYPE, content_type)
                .body(Body::from(body.to_vec()))
        };
        self.ask(request, self.limits.write).await
    }

    /// Sends a review to `path`: a POST that stores nothing and is answered at once.
    ///
    /// # Errors
    /// As for [`Self::get`].
    pub(super) async fn review(&self, path: &str, body: &[u8]) -> Result<Answer, Refusal> {
        let request = || {
            Request::post(path)
                .header(header::ACCEPT, "application/json")
                .header(header::CONTENT_TYPE, "application/json")
                .body(Body::from(body.to_vec()))
        };
        self.ask(request, self.limits.probe).await
    }

    /// Asks what the server would say to a write: it changes nothing.
    ///
    /// # Errors
    /// As for [`Self::get`]. `request` is one of [`request`](super::trial::request), which
    /// makes dry runs only.
    pub(super) async fn try_out(&self, request: &Trial) -> Result<Answer, Refusal> {
        let body = request.body().to_string();
        let build = || {
            Request::builder()
                .method(request.method())
                .uri(request.path_and_query())
                .header(header::ACCEPT, METADATA)
                .header(header::CONTENT_TYPE, request.content_type())
                .body(Body::from(body.clone().into_bytes()))
        };
        self.ask(build, self.limits.probe).await
    }

    /// Sends a request once, and again only when the server said that it is short
    /// of room (429): then it did not even begin.
    async fn ask(
        &self,
        request: impl Fn() -> Result<Request<Body>, http::Error>,
        limit: Duration,
    ) -> Result<Answer, Refusal> {
        let mut tries = 1;
        loop {
            match self.send(request(), limit).await {
                Err(refusal) if refusal.is_busy() && tries < TRIES => {
                    tokio::time::sleep(refusal.pause()).await;
                    tries += 1;
                }
                other => return other,
            }
        }
    }

    async fn send(&self, request: Result<Request<Body>, http::Error>, limit: Duration) -> Result<Answer, Refusal> {
        let request = named(request)?;
        let line = self.log.then(|| format!("{} {}", request.method(), request.uri()));
        let answer = tokio::time::timeout(limit, self.exchange(request)).await;
        if let Some(line) = line {
            let outcome = match &answer {
                Ok(Ok(answer)) => format!("ok, {} bytes", answer.body.len()),
                Ok(Err(refusal)) => refusal.in_a_word(),
                Err(_) => "timed out".into(),
            };
            log(&line, &outcome);
        }
        answer.unwrap_or_else(|_| Err(Refusal::late(limit)))
    }

    async fn exchange(&self, request: Request<Body>) -> Result<Answer, Refusal> {
        let response = self.client.send(request).await.map_err(|error| not_sent(&error))?;
        let (head, body) = response.into_parts();
        let text = |name: header::HeaderName| {
            head.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
        };
        let date = jiff::fmt::rfc2822::parse(&text(header::DATE)).ok().map(|date| date.timestamp());
        let content_type = text(header::CONTENT_TYPE);
        let retry_after = text(header::RETRY_AFTER).parse().ok().map(Duration::from_secs);
        let body = body.collect_bytes().await.map_err(|error| Refusal::no_answer(chain(&error)))?.to_vec();
        if head.status.is_success() {
            Ok(Answer { body, content_type, date })
        } else {
            Err(Refusal::from_answer(head.status, &body, retry_after))
        }
    }
}

/// An answer of many lines, read as they come.
pub(super) struct Stream {
    body: Body,
    /// What has come and was not given out; the first so many bytes hold no line's end.
    read: Vec<u8>,
    searched: usize,
}

impl Stream {
    /// The next line, or `None` at the end. Nothing at all for longer than `limit`
    /// is an error: the connection may be dead without anybody having noticed.
    ///
    /// # Errors
    /// When the connection breaks off or goes silent.
    pub(super) async fn line(&mut self, limit: Duration) -> Result<Option<Vec<u8>>, Refusal> {
        loop {
            if let Some(end) = self.read[self.searched..].iter().position(|byte| *byte == b'\n') {
                let line = self.read.drain(..=self.searched + end).collect();
                self.searched = 0;
                return Ok(Some(line));
            }
            self.searched = self.read.len();
            if self.read.len() > LONGEST_LINE {
                return Err(Refusal::garbled("a line without an end"));
            }
            let frame = tokio::time::timeout(limit, self.body.frame()).await.map_err(|_| Refusal::late(limit))?;
            match frame {
                None => return Ok(None),
                Some(Ok(frame)) => self.read.extend(frame.data_ref().into_iter().flatten()),
                Some(Err(error)) => return Err(Refusal::no_answer(chain(&error))),
            }
        }
    }
}

/// A request that says which program sends it.
fn named(request: Result<Request<Body>, http::Error>) -> Result<Request<Body>, Refusal> {
    let mut request = request.map_err(|error| Refusal::no_answer(error.to_string()))?;
    let agent = concat!("kubectl-unstick/", env!("CARGO_PKG_VERSION"));
    request.headers_mut().insert(header::USER_AGENT, header::HeaderValue::from_static(agent));
    Ok(request)
}

/// The name of kube's own variant tells nobody anything.
fn not_sent(error: &kube::Error) -> Refusal {
    Refusal::no_answer(chain(error).trim_start_matches("ServiceError: ").to_owned())
}

impl Refusal {
    fn late(limit: Duration) -> Self {
        Self { timed_out: true, ..Self::no_answer(format!("no answer within {} s", limit.as_secs_f32())) }
    }

    fn in_a_word(&self) -> String {
        self.status.map_or_else(|| "no answer".into(), |status| status.to_string())
    }

    fn no_answer(message: String) -> Self {
        Self {
            status: None,
            message,
            object: None,
            reason: String::new(),
            is_status: false,
            timed_out: false,
            retry_after: None,
        }
    }

    /// An answer that is not what the API promises.
    pub(super) fn garbled(message: &str) -> Self {
        Self { status: Some(StatusCode::OK), ..Self::no_answer(message.into()) }
    }

    /// Errors of the API server are Status objects; those of a proxy before an
    /// aggregated API are plain text.
    pub(super) fn from_answer(status: StatusCode, body: &[u8], retry_after: Option<Duration>) -> Self {
        let parsed: Option<Status> = serde_json::from_slice(body).ok();
        let object = parsed.as_ref().and_then(|status| status.details.as_ref()?.name.clone());
        let reason = parsed.as_ref().and_then(|status| status.reason.clone()).unwrap_or_default();
        let is_status = parsed.as_ref().is_some_and(|status| status.message.is_some());
        let message = parsed.and_then(|status| status.message).unwrap_or_else(|| first_line(body));
        let message = if message.is_empty() { status.to_string() } else { message };
        Self { status: Some(status), message, object, reason, is_status, timed_out: false, retry_after }
    }

    /// Whether the server refused because it is short of room.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.status == Some(StatusCode::TOO_MANY_REQUESTS)
    }

    fn pause(&self) -> Duration {
        self.retry_after.unwrap_or(Duration::from_millis(200)).min(LONGEST_PAUSE)
    }

    /// Whether the server says that this very object does not exist. A 404 that
    /// names no object means that the resource is not served.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.status == Some(StatusCode::NOT_FOUND) && self.object.is_some()
    }

    /// Whether the answer is about the object of this name.
    #[must_use]
    pub fn names(&self, object: &str) -> bool {
        self.object.as_deref() == Some(object)
    }

    /// Whether the request may have been carried out all the same: no answer,
    /// or one that tells of a failure on the way.
    #[must_use]
    pub fn may_have_happened(&self) -> bool {
        self.status.is_none_or(|status| status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT)
    }

    /// Whether the object was not, or no longer, as the request supposed: the
    /// answer to a failed JSON patch `test` is a bare 422.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        let conflicts = [StatusCode::NOT_FOUND, StatusCode::CONFLICT, StatusCode::UNPROCESSABLE_ENTITY];
        self.status.is_some_and(|status| conflicts.contains(&status))
    }

    /// Whether the answer is the API server's own.
    #[must_use]
    pub fn is_status(&self) -> bool {
        self.is_status
    }

    /// As a fact about a read.
    #[must_use]
    pub fn unread(&self) -> Unread {
        let reason = match self.status {
            None if self.timed_out => Reason::TimedOut,
            None => Reason::Unreachable,
            Some(StatusCode::UNAUTHORIZED) => Reason::Unauthorized,
            Some(StatusCode::FORBIDDEN) if is_rbac(&self.message) => Reason::Forbidden,
            Some(StatusCode::FORBIDDEN) if self.is_status => Reason::Refused,
            Some(StatusCode::FORBIDDEN) => Reason::Forbidden,
            Some(StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED) => Reason::NotServed,
            Some(StatusCode::OK) => Reason::Garbled,
            Some(status) if status.is_server_error() || self.message.contains("(re)initializing") => {
                Reason::ServerError
            }
            Some(_) => Reason::Rejected,
        };
        let message = match self.status {
            Some(status) if status != StatusCode::OK => format!("{} (HTTP {})", self.message, status.as_u16()),
            _ => self.message.clone(),
        };
        Unread { reason, message }
    }
}

/// Whether a 403 is about the caller's rights: the API server's own words.
/// Anything else comes from the server behind an aggregated API.
fn is_rbac(message: &str) -> bool {
    message.contains(" cannot ") && message.contains("User ")
}

/// `-v6`: one line for each request, as kubectl logs them.
#[expect(clippy::print_stderr, reason = "the log of requests that -v asks for")]
fn log(line: &str, outcome: &str) {
    eprintln!("{line} {outcome}");
}

fn first_line(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(500)]).into_owned();
    text.lines().next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(status: u16, body: &str) -> Refusal {
        Refusal::from_answer(StatusCode::from_u16(status).unwrap(), body.as_bytes(), None)
    }

    #[test]
    fn a_403_about_rights_is_told_from_one_of_the_api_behind() {
        let rbac = r#"{"kind":"Status","message":"pods is forbidden: User \"u\" cannot list resource \"pods\" in API group \"\" in the namespace \"n\"","reason":"Forbidden"}"#;
        assert_eq!(refusal(403, rbac).unread().reason, Reason::Forbidden);
        let other =
            r#"{"kind":"Status","message":"x is forbidden: not yet ready to handle request","reason":"Forbidden"}"#;
        assert_eq!(refusal(403, other).unread().reason, Reason::Refused);
    }

    #[test]
    fn a_404_that_names_no_object_is_a_resource_that_is_not_served() {
        assert!(
            refusal(404, r#"{"kind":"Status","message":"pods \"p\" not found","details":{"name":"p","kind":"pods"}}"#)
                .is_not_found()
        );
        let unserved = refusal(
            404,
            r#"{"kind":"Status","message":"the server could not find the requested resource","details":{}}"#,
        );
        assert!(!unserved.is_not_found());
        assert_eq!(unserved.unread().reason, Reason::NotServed);
    }

    #[test]
    fn plain_text_of_a_proxy_is_kept() {
        let unread = refusal(503, "service unavailable\n").unread();
        assert_eq!((unread.reason, unread.message.as_str()), (Reason::ServerError, "service unavailable (HTTP 503)"));
    }
}
