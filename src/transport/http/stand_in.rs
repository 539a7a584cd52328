//! A server without a connection that answers as a test requires.

use super::*;
use http::Response;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An API server that answers with `answer`'s status and text. `answer` gets the number of earlier
/// requests, and the request. `limit` is the time-out of reads.
pub(crate) fn stand_in<F>(limit: Duration, answer: impl Fn(usize, &Request<Body>) -> F + Send + Sync + 'static) -> Api
where
    F: Future<Output = (u16, String)> + Send + 'static,
{
    stand_in_with_heads(limit, move |before, request| {
        let answer = answer(before, request);
        async move {
            let (status, text) = answer.await;
            Response::builder().status(status).body(Body::from(text.into_bytes())).unwrap()
        }
    })
}

/// The same, with headers in the answers.
pub(crate) fn stand_in_with_heads<F>(
    limit: Duration,
    answer: impl Fn(usize, &Request<Body>) -> F + Send + Sync + 'static,
) -> Api
where
    F: Future<Output = Response<Body>> + Send + 'static,
{
    let count = AtomicUsize::new(0);
    let service = tower::service_fn(move |request: Request<Body>| {
        let answer = answer(count.fetch_add(1, Ordering::SeqCst), &request);
        async move { Ok::<_, http::Error>(answer.await) }
    });
    let limits = Limits { read: limit, probe: limit, write: limit };
    Api::new(Client::new(service, "default"), limits, RequestLog::default(), false, AnswerCache::default())
}
