//! Sends requests and reads answers.

use crate::failure::chain;
use crate::transport::answer_cache::AnswerCache;
use crate::transport::compressed::Unpacked;
use crate::transport::dry_run::DryRunRequest;
use crate::transport::memory::{MemoryBudget, Reservation};
use crate::transport::protobuf;
use crate::transport::refusal::Refusal;
use crate::transport::registrations::Registrations;
use crate::transport::request_log::{Answered, RequestLog, Sent};
pub use crate::transport::throttle::Limits;
use crate::transport::throttle::Throttle;
use http::response::Parts;
use http::{Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use jiff::Timestamp;
use kube::Client;
use kube::client::Body;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// How often a request is sent to a server that answers 429.
const MAX_TRIES: u32 = 5;
/// How often a read is sent if its connection breaks. The pauses in between double from the first
/// to the longest: 9 seconds in all.
const MAX_READ_TRIES: u32 = 7;
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const MAX_PAUSE: Duration = Duration::from_millis(3200);

/// The maximum length of a line of a watch: the store accepts objects of a few MiB only.
const MAX_LINE: usize = 32 << 20;
/// The maximum length of an answer that is read as a whole: an object, discovery, the end of a log.
/// Discovery of 10,000 groups takes about 5 MiB.
const MAX_WHOLE: usize = 64 << 20;

/// An answer longer than this is read only while few others are: on a fast link, two dozen requests may be
/// in flight.
const LONG: usize = 128 << 10;
/// How many long answers are read at a time.
const MAX_LONG_AT_ONCE: usize = 4;

/// The requested media types if metadata is enough.
pub const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

/// A client of one API server.
#[derive(Clone)]
pub struct Api {
    client: Client,
    limits: Limits,
    log: RequestLog,
    throttle: Arc<Throttle>,
    compress: bool,
    cache: AnswerCache,
    pub(crate) budget: MemoryBudget,
    /// Bounds how many long answers are read at a time.
    long: Arc<Semaphore>,
    /// The servers that were recently found to answer for groups and versions.
    pub(crate) registrations: Registrations,
    /// Whether the connection itself is that of somebody for whom the caller acts (`--as`).
    pub(crate) is_impersonating: bool,
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
    /// The server's name for this version of the answer.
    pub(crate) etag: Option<String>,
    /// Whether the answer only confirms that the cached version is still current.
    pub(crate) is_unchanged: bool,
}

impl Api {
    pub(crate) fn new(client: Client, limits: Limits, log: RequestLog, compress: bool, cache: AnswerCache) -> Self {
        Self {
            client,
            limits,
            log,
            throttle: Arc::default(),
            compress,
            cache,
            budget: MemoryBudget::default(),
            long: Arc::new(Semaphore::new(MAX_LONG_AT_ONCE)),
            registrations: Registrations::default(),
            is_impersonating: false,
        }
    }

    /// How many requests may be in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.throttle.in_flight()
    }

    /// The same client with the time-out for aggregated APIs.
    pub(crate) fn probing(&self) -> Self {
        let limits = Limits { read: self.limits.probe, ..self.limits };
        Self { limits, ..self.clone() }
    }

    /// The same client for reads that are not part of a survey.
    pub(crate) fn apart(&self) -> Self {
        Self { budget: MemoryBudget::default(), ..self.clone() }
    }

    /// Reads `path_and_query`.
    ///
    /// # Errors
    /// When the answer is an error, or late.
    pub async fn get(&self, path_and_query: &str, accept: &str) -> Result<Answer, Refusal> {
        let request = || Request::get(path_and_query).header(header::ACCEPT, accept).body(Body::empty());
        self.ask(request, self.limits.read).await
    }

    /// Reads `path`, or takes the cached answer if the server confirms that it is still current.
    ///
    /// # Errors
    /// As for [`Api::get`].
    pub(crate) async fn get_kept(&self, path: &str, accept: &str) -> Result<Answer, Refusal> {
        let kept = self.cache.read(path);
        let request = || {
            let request = Request::get(path).header(header::ACCEPT, accept);
            let known = kept.iter().fold(request, |request, kept| request.header(header::IF_NONE_MATCH, &kept.etag));
            known.body(Body::empty())
        };
        let answer = self.ask(request, self.limits.read).await?;
        if let Some(kept) = kept.filter(|_| answer.is_unchanged) {
            return Ok(Answer { body: kept.body, content_type: kept.content_type, ..answer });
        }
        if let Some(etag) = &answer.etag {
            // An answer that cannot be cached is requested again next time.
            let _ = self.cache.write(path, etag, &answer.content_type, &answer.body);
        }
        Ok(answer)
    }

    /// Opens an answer that is read as it arrives.
    ///
    /// # Errors
    /// When the answer is an error, or does not begin in time.
    pub(crate) async fn stream(&self, path_and_query: &str, accept: &str) -> Result<Stream, Refusal> {
        let request = Request::get(path_and_query).header(header::ACCEPT, accept).body(Body::empty());
        let request = named(request)?;
        let begun = tokio::time::timeout(self.limits.read, Box::pin(self.begin(request))).await;
        begun.unwrap_or_else(|_| Err(Refusal::late(self.limits.read)))
    }

    async fn begin(&self, request: Request<Body>) -> Result<Stream, Refusal> {
        let (head, mut stream) = self.head(request).await?;
        if head.status.is_success() { Ok(stream) } else { Err(refused(&head, &stream.all(&self.long).await?)) }
    }

    /// Like [`Self::stream`], but tries again after a 429 or a broken connection.
    ///
    /// # Errors
    /// As for [`Self::stream`].
    pub(crate) async fn open(&self, path_and_query: &str, accept: &str) -> Result<Stream, Refusal> {
        let mut tries = 1;
        loop {
            match self.stream(path_and_query, accept).await {
                Err(refusal) if self.try_again(&refusal, true, tries, self.limits.read).await => tries += 1,
                other => return self.settled(other, tries),
            }
        }
    }

    /// Whether to repeat a read that broke off in the middle, after a pause.
    pub(crate) async fn read_again(&self, refusal: &Refusal, tries: u32) -> bool {
        self.try_again(refusal, true, tries, self.limits.read).await
    }

    /// Whether `-v` shows bodies.
    pub(crate) fn shows_bodies(&self) -> bool {
        self.log.shows_bodies()
    }

    /// How long requests may take. A read may be silent for as long.
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// Sends a review to `path`: a POST that stores nothing and is answered immediately.
    ///
    /// # Errors
    /// As for [`Self::get`].
    pub(crate) async fn review(&self, path: &str, body: &[u8]) -> Result<Answer, Refusal> {
        let request = || {
            Request::post(path)
                .header(header::ACCEPT, "application/json")
                .header(header::CONTENT_TYPE, "application/json")
                .body(Body::from(body.to_vec()))
        };
        self.ask(request, self.limits.probe).await
    }

    /// Sends a dry run.
    ///
    /// # Errors
    /// As for [`Self::get`].
    pub(crate) async fn try_out(&self, request: &DryRunRequest) -> Result<Answer, Refusal> {
        self.ask(|| request.to_http(METADATA), self.limits.probe).await
    }

    /// Sends a request that changes nothing. It is sent again only after a 429 or, if it is a read,
    /// after a broken connection.
    pub(crate) async fn ask(
        &self,
        request: impl Fn() -> Result<Request<Body>, http::Error>,
        limit: Duration,
    ) -> Result<Answer, Refusal> {
        self.ask_again_if(request, limit, |_| true).await
    }

    /// Sends a request that changes something. It is sent again only if the API server itself, not
    /// a proxy on the way, reports that it has not even begun.
    pub(crate) async fn ask_to_change(
        &self,
        request: impl Fn() -> Result<Request<Body>, http::Error>,
        limit: Duration,
    ) -> Result<Answer, Refusal> {
        self.ask_again_if(request, limit, Refusal::is_definite).await
    }

    async fn ask_again_if(
        &self,
        request: impl Fn() -> Result<Request<Body>, http::Error>,
        limit: Duration,
        may_be_sent_again: impl Fn(&Refusal) -> bool,
    ) -> Result<Answer, Refusal> {
        let mut tries = 1;
        loop {
            let request = named(request())?;
            let is_read = request.method() == Method::GET;
            match self.send(request, limit).await {
                Err(refusal)
                    if may_be_sent_again(&refusal) && self.try_again(&refusal, is_read, tries, limit).await =>
                {
                    tries += 1;
                }
                other => return self.settled(other, tries),
            }
        }
    }

    fn settled<T>(&self, result: Result<T, Refusal>, tries: u32) -> Result<T, Refusal> {
        let is_answered = result.as_ref().err().is_none_or(|refusal| refusal.status.is_some() && !refusal.is_busy());
        if tries > 1 && is_answered {
            self.throttle.has_helped();
        }
        result
    }

    /// Whether to send a request again, after a pause. A server that has never answered is reported
    /// immediately. If retries have helped no request, the others are not retried either.
    async fn try_again(&self, refusal: &Refusal, is_read: bool, tries: u32, limit: Duration) -> bool {
        if is_read && refusal.is_cut_off() {
            let again =
                tries < MAX_READ_TRIES && self.throttle.has_begun() && self.throttle.is_worth_another_try(limit);
            if again {
                tokio::time::sleep((FIRST_PAUSE * 2_u32.pow(tries - 1)).min(MAX_PAUSE)).await;
            }
            return again;
        }
        tries < MAX_TRIES && self.gave_way(refusal, limit).await
    }

    /// Waits as long as a busy server asks for. Returns whether to try again then. A kind whose
    /// storage is not ready says nothing about the other kinds.
    async fn gave_way(&self, refusal: &Refusal, limit: Duration) -> bool {
        let Some(pause) = refusal.pause() else { return false };
        if refusal.message.contains("(re)initializing") {
            tokio::time::sleep(pause).await;
        } else if self.throttle.is_worth_another_try(limit) {
            self.throttle.refused(pause);
            self.throttle.wait().await;
        } else {
            return false;
        }
        true
    }

    async fn send(&self, request: Request<Body>, limit: Duration) -> Result<Answer, Refusal> {
        let answer = tokio::time::timeout(limit, Box::pin(self.exchange(request))).await;
        answer.unwrap_or_else(|_| Err(Refusal::late(limit)))
    }

    /// Sends a request as soon as the server accepts one, and waits for the head of the answer.
    async fn head(&self, mut request: Request<Body>) -> Result<(Parts, Stream), Refusal> {
        if self.compress && self.throttle.is_slow() {
            request.headers_mut().insert(header::ACCEPT_ENCODING, header::HeaderValue::from_static("gzip"));
        }
        self.throttle.wait().await;
        let is_read = request.method() == Method::GET;
        let (request, logged) = self.logged(request).await?;
        let sent = Instant::now();
        let response = match self.client.send(request).await {
            Ok(response) => response,
            Err(error) => {
                let refusal = Refusal::not_answered(&error);
                if let Some(logged) = logged {
                    logged.failed(&refusal.message);
                }
                return Err(refusal);
            }
        };
        self.throttle.answered(sent, sent.elapsed(), is_read && response.status().is_success());
        self.throttle.speaks(response.version());
        let (head, body) = response.into_parts();
        let logged = logged.and_then(|logged| logged.answered(head.status, &head.headers));
        let stream = Stream::new(body, &head, logged, self.budget.enter());
        Ok((head, stream))
    }

    /// Adds a request to the log of `-v`. Its body is read only if the log shows it.
    async fn logged(&self, request: Request<Body>) -> Result<(Request<Body>, Option<Sent>), Refusal> {
        if !self.log.shows_bodies() {
            let sent = self.log.sent(&request, &[]);
            return Ok((request, sent));
        }
        let (parts, body) = request.into_parts();
        let bytes = body.collect().await.map_err(|error| Refusal::unsent(chain(&error)))?.to_bytes();
        let request = Request::from_parts(parts, Body::from(bytes.to_vec()));
        let sent = self.log.sent(&request, &bytes);
        Ok((request, sent))
    }

    async fn exchange(&self, request: Request<Body>) -> Result<Answer, Refusal> {
        let (head, mut stream) = self.head(request).await?;
        let body = stream.all(&self.long).await?;
        let is_unchanged = head.status == StatusCode::NOT_MODIFIED;
        if !head.status.is_success() && !is_unchanged {
            return Err(refused(&head, &body));
        }
        let date = jiff::fmt::rfc2822::parse(text(&head, &header::DATE)).ok().map(|date| date.timestamp());
        let etag = Some(text(&head, &header::ETAG).to_owned()).filter(|etag| !etag.is_empty());
        Ok(Answer { body, content_type: text(&head, &header::CONTENT_TYPE).into(), date, etag, is_unchanged })
    }
}

fn text<'a>(head: &'a Parts, name: &header::HeaderName) -> &'a str {
    head.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn refused(head: &Parts, body: &[u8]) -> Refusal {
    let elsewhere = text(head, &header::LOCATION);
    if head.status.is_redirection() && !elsewhere.is_empty() {
        return Refusal::elsewhere(head.status, elsewhere);
    }
    let retry_after = text(head, &header::RETRY_AFTER).parse().ok().map(Duration::from_secs);
    if protobuf::is_it(text(head, &header::CONTENT_TYPE)) {
        return Refusal::from_status(head.status, protobuf::status(body), body, retry_after);
    }
    Refusal::from_answer(head.status, body, retry_after)
}

/// A body that is read as it arrives.
pub(crate) struct Stream {
    body: Body,
    unpacked: Unpacked,
    /// The bytes that have arrived and were not returned yet. The first `searched` bytes contain no
    /// end of line.
    read: Vec<u8>,
    searched: usize,
    /// Shows the beginning of the body if `-v` asks for it.
    logged: Option<Answered>,
    is_protobuf: bool,
    reserved: Reservation,
}

impl Stream {
    fn new(body: Body, head: &Parts, logged: Option<Answered>, budget: Reservation) -> Self {
        let (unpacked, is_protobuf) = (Unpacked::of(&head.headers), protobuf::is_it(text(head, &header::CONTENT_TYPE)));
        Self { body, unpacked, read: Vec::new(), searched: 0, logged, is_protobuf, reserved: budget }
    }

    /// Whether the body is protobuf rather than JSON.
    pub(crate) fn is_protobuf(&self) -> bool {
        self.is_protobuf
    }

    /// Reads to the end.
    async fn all(&mut self, long: &Semaphore) -> Result<Vec<u8>, Refusal> {
        let (mut all, mut turn) = (Vec::new(), None);
        while let Some(piece) = self.next().await? {
            if turn.is_none() && all.len() + piece.len() > LONG {
                turn = long.acquire().await.ok();
            }
            if all.len() + piece.len() > MAX_WHOLE {
                return Err(Refusal::garbled("an answer larger than 64 MiB"));
            }
            // A growing vector may have twice the capacity.
            self.reserved.add(2 * piece.len()).map_err(|why| Refusal::garbled(&why))?;
            all.extend_from_slice(&piece);
        }
        Ok(all)
    }

    /// The next piece, unpacked, or `None` at the end.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Refusal> {
        loop {
            if let Some(piece) = self.unpacked.next()? {
                if let Some(logged) = self.logged.take() {
                    logged.body(&piece);
                }
                return Ok(Some(piece));
            }
            let Some(frame) = self.body.frame().await else {
                let rest = self.unpacked.rest()?;
                return Ok((!rest.is_empty()).then_some(rest));
            };
            let frame = frame.map_err(|error| Refusal::no_answer(chain(&error)))?;
            // Trailers do not belong to the body.
            let Ok(data) = frame.into_data() else { continue };
            self.unpacked.take(data.into());
        }
    }

    /// The next line, or `None` at the end. Silence for longer than `limit` is an error: the
    /// connection may have died unnoticed.
    ///
    /// # Errors
    /// When the connection breaks or is silent for too long.
    pub(crate) async fn line(&mut self, limit: Duration) -> Result<Option<Vec<u8>>, Refusal> {
        loop {
            if let Some(end) = self.read[self.searched..].iter().position(|byte| *byte == b'\n') {
                let line = self.read.drain(..=self.searched + end).collect();
                self.searched = 0;
                return Ok(Some(line));
            }
            self.searched = self.read.len();
            if self.read.len() > MAX_LINE {
                return Err(Refusal::garbled("a line without an end"));
            }
            match self.piece(limit).await? {
                None => return Ok(None),
                Some(piece) => self.read.extend_from_slice(&piece),
            }
        }
    }

    /// The next piece as it arrives, or `None` at the end.
    ///
    /// # Errors
    /// As for [`Self::line`].
    pub(crate) async fn piece(&mut self, limit: Duration) -> Result<Option<Vec<u8>>, Refusal> {
        tokio::time::timeout(limit, self.next()).await.map_err(|_| Refusal::late(limit))?
    }
}

/// Adds the name of this program to a request. A request with a name that is no segment of a path is
/// not sent: the API server decodes the path before it splits it (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/endpoints/request/requestinfo.go`), so an encoded slash would
/// lead elsewhere.
fn named(request: Result<Request<Body>, http::Error>) -> Result<Request<Body>, Refusal> {
    let mut request = request.map_err(|error| Refusal::unsent(error.to_string()))?;
    let path = request.uri().path();
    let is_elsewhere = |part: &str| {
        let part = part.to_ascii_uppercase();
        part.contains("%2F") || part.contains("%25") || part.replace("%2E", ".").bytes().all(|byte| byte == b'.')
    };
    if path.split('/').any(|part| !part.is_empty() && is_elsewhere(part)) {
        return Err(Refusal::unsent("not sent: it contains a name that no object can have".to_owned()));
    }
    let agent = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));
    request.headers_mut().insert(header::USER_AGENT, header::HeaderValue::from_static(agent));
    Ok(request)
}

#[cfg(test)]
pub(crate) mod stand_in;
#[cfg(test)]
mod tests;
