//! Two connections to the server: requests that do not fit on the first use the second.
//!
//! An API server handles 100 requests at a time on a connection. On a slow link, some 300 lists
//! over one connection take three round trips longer than necessary.

use crate::transport::throttle::MAX_STREAMS;
use http::Request;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use tower::Service;

/// Two clients of one server, each with its own connection.
#[derive(Debug, Clone)]
pub(crate) struct TwoConnections<S> {
    first: Lane<S>,
    second: Lane<S>,
}

#[derive(Debug, Clone)]
struct Lane<S> {
    service: S,
    waiting: Arc<AtomicUsize>,
}

/// Counts a request as waiting until the head of its answer arrives.
struct Waits(Arc<AtomicUsize>);

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<S> Lane<S> {
    fn of(service: S) -> Self {
        Self { service, waiting: Arc::default() }
    }

    fn is_full(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= MAX_STREAMS
    }

    fn enter(&self) -> Waits {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Waits(Arc::clone(&self.waiting))
    }
}

impl<S> TwoConnections<S> {
    /// Uses `second` while `first` is full.
    pub(crate) fn new(first: S, second: S) -> Self {
        Self { first: Lane::of(first), second: Lane::of(second) }
    }
}

impl<S, B> Service<Request<B>> for TwoConnections<S>
where
    S: Service<Request<B>, Future: Send + 'static>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        let first = self.first.service.poll_ready(context)?;
        let second = self.second.service.poll_ready(context)?;
        if first.is_ready() && second.is_ready() { Poll::Ready(Ok(())) } else { Poll::Pending }
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let is_second = self.first.is_full() && !self.second.is_full();
        let lane = if is_second { &mut self.second } else { &mut self.first };
        let waits = lane.enter();
        let answer = lane.service.call(request);
        Box::pin(async move {
            let answer = answer.await;
            drop(waits);
            answer
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::watch;
    use tokio::task::JoinSet;
    use tower::{ServiceExt, service_fn};

    #[tokio::test]
    async fn the_second_connection_is_used_when_the_first_is_full() {
        let (answer, answered) = watch::channel(false);
        let sent = Arc::new(AtomicUsize::new(0));
        let lane = |name: &'static str| {
            let (answered, sent) = (answered.clone(), Arc::clone(&sent));
            service_fn(move |_: Request<()>| {
                sent.fetch_add(1, Ordering::Relaxed);
                let mut answered = answered.clone();
                async move { answered.wait_for(|answered| *answered).await.map(|_| name) }
            })
        };
        let two_connections = TwoConnections::new(
            tower::util::BoxCloneService::new(lane("first")),
            tower::util::BoxCloneService::new(lane("second")),
        );
        let mut requests = JoinSet::new();
        let mut counts = async |count| {
            sent.store(0, Ordering::Relaxed);
            for _ in 0..count {
                requests.spawn(two_connections.clone().oneshot(Request::new(())));
            }
            while sent.load(Ordering::Relaxed) < count {
                tokio::task::yield_now().await;
            }
            answer.send_replace(true);
            let mut second = 0;
            while let Some(over) = requests.join_next().await {
                second += usize::from(over.unwrap().unwrap() == "second");
            }
            answer.send_replace(false);
            second
        };
        assert_eq!(counts(MAX_STREAMS).await, 0);
        assert_eq!(counts(MAX_STREAMS + 7).await, 7, "those before are answered");
        assert_eq!(counts(3 * MAX_STREAMS).await, MAX_STREAMS, "both are full: the rest waits for the first");
    }
}
