//! The reason why a request failed.

use crate::failure::chain;
use crate::survey::{Reason, Unread, beginning, brief};
use http::StatusCode;
use hyper_util::client::legacy::Error as HttpError;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Status;
use serde_json::Value;
use std::error::Error;
use std::time::Duration;

/// The pause for a busy server that names none.
const DEFAULT_PAUSE: Duration = Duration::from_millis(200);
/// The longest pause that a server may ask for between two tries.
const MAX_PAUSE: Duration = Duration::from_secs(10);

/// How many characters of a server's message are kept.
const MAX_MESSAGE: usize = 4_000;

/// An answer that is an error, or no answer at all.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// The HTTP status, if there was an answer.
    pub status: Option<StatusCode>,
    /// The words of the server or of the connection.
    pub message: String,
    /// The object that the server named.
    object: Option<String>,
    /// The reason in one word.
    pub(crate) reason: String,
    /// Whether the answer was a Status object, rather than the text of a proxy.
    is_status: bool,
    effect: Effect,
    timed_out: bool,
    retry_after: Option<Duration>,
}

/// The effect that a failed request may have had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It may have been carried out.
    Unknown,
    /// The server states that it was not carried out.
    Refused,
    /// It was never sent.
    Unsent,
}

impl Refusal {
    /// A request without an answer. Omits the name of kube's error variant, which helps nobody.
    pub(crate) fn not_answered(error: &kube::Error) -> Self {
        let message = chain(error).trim_start_matches("ServiceError: ").to_owned();
        let effect = if never_connected(error) { Effect::Unsent } else { Effect::Unknown };
        Self { effect, ..Self::no_answer(message) }
    }

    /// A request that could not even be built.
    pub(crate) fn unsent(message: String) -> Self {
        Self { effect: Effect::Unsent, ..Self::no_answer(message) }
    }

    pub(crate) fn late(limit: Duration) -> Self {
        Self { timed_out: true, ..Self::no_answer(format!("no answer within {} s", limit.as_secs_f32())) }
    }

    /// An answer that does not end.
    pub(crate) fn endless(limit: Duration) -> Self {
        Self { timed_out: true, ..Self::no_answer(format!("no complete answer within {} s", limit.as_secs_f32())) }
    }

    pub(crate) fn no_answer(message: String) -> Self {
        Self {
            status: None,
            message,
            object: None,
            reason: String::new(),
            is_status: false,
            effect: Effect::Unknown,
            timed_out: false,
            retry_after: None,
        }
    }

    /// An answer that violates the API's promises.
    pub(crate) fn garbled(message: &str) -> Self {
        Self { status: Some(StatusCode::OK), ..Self::no_answer(message.into()) }
    }

    /// A redirect. It is never followed: API servers send none, and credentials would be sent
    /// along.
    pub(crate) fn elsewhere(status: StatusCode, place: &str) -> Self {
        let message = format!("it redirects to {}, which is not followed", beginning(place, 200));
        Self { status: Some(status), ..Self::no_answer(message) }
    }

    /// Parses an error. The API server's errors are Status objects; those of a proxy before an
    /// aggregated API are plain text.
    pub(crate) fn from_answer(status: StatusCode, body: &[u8], retry_after: Option<Duration>) -> Self {
        let effect = if says_no(status, body) { Effect::Refused } else { Effect::Unknown };
        Self { effect, ..Self::from_status(status, serde_json::from_slice(body).ok(), body, retry_after) }
    }

    /// Parses an error that may be a Status object.
    pub(crate) fn from_status(
        status: StatusCode,
        parsed: Option<Status>,
        body: &[u8],
        retry_after: Option<Duration>,
    ) -> Self {
        let object = parsed.as_ref().and_then(|status| status.details.as_ref()?.name.clone());
        let reason = parsed.as_ref().and_then(|status| status.reason.clone()).unwrap_or_default();
        let is_status = parsed.as_ref().is_some_and(|status| status.message.is_some());
        let message = parsed.and_then(|status| status.message).unwrap_or_else(|| first_line(body));
        let message = match message.chars().count() {
            0 => status.to_string(),
            // Unchanged: its lines may be informative.
            1..=MAX_MESSAGE => message,
            _ => brief(&message, MAX_MESSAGE),
        };
        Self { status: Some(status), object, reason, is_status, retry_after, ..Self::no_answer(message) }
    }

    /// Whether no answer came in time, either to this program or to the server itself.
    pub(crate) fn is_late(&self) -> bool {
        self.timed_out || self.status == Some(StatusCode::GATEWAY_TIMEOUT)
    }

    /// Whether the connection broke.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.status.is_none() && !self.timed_out
    }

    /// Whether the server refused because it is overloaded.
    pub(crate) fn is_busy(&self) -> bool {
        self.status == Some(StatusCode::TOO_MANY_REQUESTS)
    }

    /// How long to leave a busy server alone; `None` if it asks for longer than the maximum.
    pub(crate) fn pause(&self) -> Option<Duration> {
        let pause = self.retry_after.unwrap_or(DEFAULT_PAUSE);
        (self.is_busy() && pause <= MAX_PAUSE).then_some(pause)
    }

    /// Whether the server states that this very object does not exist. A 404 that names no object
    /// means that the resource is not served.
    pub(crate) fn is_not_found(&self) -> bool {
        self.status == Some(StatusCode::NOT_FOUND) && self.object.is_some()
    }

    /// Whether the answer is about the object with this name.
    #[must_use]
    pub fn names(&self, object: &str) -> bool {
        self.object.as_deref() == Some(object)
    }

    /// Whether the request may have been carried out despite the error. It certainly was not if the
    /// server refused it in its own format, or was never reached. The answer of a proxy, or an
    /// unreadable answer, reveals nothing about the server behind the proxy.
    pub(crate) fn may_have_happened(&self) -> bool {
        self.effect == Effect::Unknown
    }

    /// Whether the request was never sent.
    pub(crate) fn is_unsent(&self) -> bool {
        self.effect == Effect::Unsent
    }

    /// Whether the server states for certain that it has not carried out the request.
    pub(crate) fn is_definite(&self) -> bool {
        self.effect == Effect::Refused
    }

    /// Whether the object was not in the state that the request assumed. The answer to a failed
    /// JSON patch `test` is a bare 422.
    pub(crate) fn is_conflict(&self) -> bool {
        let conflicts = [StatusCode::NOT_FOUND, StatusCode::CONFLICT, StatusCode::UNPROCESSABLE_ENTITY];
        self.status.is_some_and(|status| conflicts.contains(&status))
    }

    /// Whether the answer is the API server's own.
    pub(crate) fn is_status(&self) -> bool {
        self.is_status
    }

    /// The fact that results if this was a read.
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
            Some(status) if status == StatusCode::OK || status.is_redirection() => Reason::Garbled,
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

/// Whether the body is a well-formed Status with which the API server itself refuses a request
/// (4xx). A late answer (408, or 499 if the client is gone) reveals nothing about the write.
fn says_no(status: StatusCode, body: &[u8]) -> bool {
    let Ok(body) = serde_json::from_slice::<Value>(body) else { return false };
    let ended = [408, 499].contains(&status.as_u16());
    let says = |field: &str, text: &str| body[field] == text;
    status.is_client_error()
        && !ended
        && says("kind", "Status")
        && says("apiVersion", "v1")
        && says("status", "Failure")
        && body["code"] == status.as_u16()
}

/// Whether the request failed before there was a connection for it.
fn never_connected(error: &kube::Error) -> bool {
    let mut chain = std::iter::successors(Some(error as &(dyn Error + 'static)), |error| (**error).source());
    chain.any(|error| error.downcast_ref::<HttpError>().is_some_and(HttpError::is_connect))
}

/// Whether a 403 is about the caller's rights, in the API server's own words. Any other 403 comes
/// from the server behind an aggregated API.
fn is_rbac(message: &str) -> bool {
    message.contains(" cannot ") && message.contains("User ")
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
    fn a_403_about_rights_differs_from_one_of_an_aggregated_api() {
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
    fn only_the_api_servers_own_refusal_means_nothing_was_written() {
        let status = |code: u16| {
            format!(r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","message":"m","code":{code}}}"#)
        };
        let may_have_happened = |code: u16, body: &str| refusal(code, body).may_have_happened();
        for code in [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429] {
            assert!(!may_have_happened(code, &status(code)), "{code}");
            assert!(may_have_happened(code, "<html>no</html>") && may_have_happened(code, ""), "{code}");
            assert!(may_have_happened(code, &status(code)[..40]), "cut: {code}");
            assert!(may_have_happened(code, r#"{"message":"no","code":403}"#), "{code}");
            assert!(may_have_happened(code, &status(code + 1)), "{code}");
            assert!(may_have_happened(code, &status(code).replace("Failure", "Success")), "{code}");
            assert!(may_have_happened(code, &status(code).replace("v1", "v2")), "{code}");
        }
        for code in [101, 301, 302, 307, 308, 408, 499, 500, 502, 503, 504] {
            assert!(may_have_happened(code, &status(code)), "{code}");
        }
        assert!(Refusal::garbled("no gzip").may_have_happened());
        assert!(Refusal::late(Duration::from_secs(1)).may_have_happened());
        assert!(Refusal::elsewhere(StatusCode::FOUND, "/").may_have_happened());
        assert!(Refusal::no_answer("cut".into()).may_have_happened());
        assert!(!Refusal::unsent("no URI".into()).may_have_happened());
    }

    #[test]
    fn plain_text_of_a_proxy_is_kept() {
        let unread = refusal(503, "service unavailable\n").unread();
        assert_eq!((unread.reason, unread.message.as_str()), (Reason::ServerError, "service unavailable (HTTP 503)"));
    }

    #[test]
    fn endless_messages_are_cut() {
        let long = format!(r#"{{"kind":"Status","message":"{}"}}"#, "é".repeat(10_000));
        assert_eq!(refusal(500, &long).message.chars().count(), 4_002);
        let elsewhere = Refusal::elsewhere(StatusCode::FOUND, &"a".repeat(300)).unread();
        assert_eq!(elsewhere.reason, Reason::Garbled);
        assert!(elsewhere.message.len() < 300, "{}", elsewhere.message);
    }

    #[test]
    fn a_long_retry_after_is_not_waited_for() {
        let pause = |retry_after| Refusal::from_answer(StatusCode::TOO_MANY_REQUESTS, b"", retry_after).pause();
        assert_eq!(pause(None), Some(DEFAULT_PAUSE));
        assert_eq!(pause(Some(Duration::from_secs(3))), Some(Duration::from_secs(3)));
        assert_eq!(pause(Some(Duration::from_mins(1))), None);
        assert_eq!(refusal(503, "").pause(), None);
    }
}
