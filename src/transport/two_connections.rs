//! Two connections to the server: requests that do not fit on the first use the second.
//!
//! An API server handles 100 requests at a time on a connection. On a slow link, some 300 lists
//! over one connection take three round trips longer than necessary.

use crate::transport::throttle::MAX_STREAMS;
use http::Request;
use std::task::{Context, Poll};
use tower::Service;
use tower::limit::ConcurrencyLimit;

/// Two clients of one server, each with its own connection. A request counts until the head of its
/// answer arrives.
#[derive(Debug, Clone)]
pub(crate) struct TwoConnections<S> {
    first: ConcurrencyLimit<S>,
    second: ConcurrencyLimit<S>,
    /// Whether the next request uses the second, because the first is full.
    is_second: bool,
}

impl<S> TwoConnections<S> {
    /// Uses `second` while `first` is full.
    pub(crate) fn new(first: S, second: S) -> Self {
        let lane = |service| ConcurrencyLimit::new(service, MAX_STREAMS);
        Self { first: lane(first), second: lane(second), is_second: false }
    }
}

impl<S: Service<Request<B>>, B> Service<Request<B>> for TwoConnections<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = <ConcurrencyLimit<S> as Service<Request<B>>>::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        let first = self.first.poll_ready(context)?;
        self.is_second = first.is_pending() && self.second.poll_ready(context)?.is_ready();
        if self.is_second { Poll::Ready(Ok(())) } else { first.map(Ok) }
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let lane = if self.is_second { &mut self.second } else { &mut self.first };
        lane.call(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
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
        let mut counts = async |count: usize| {
            sent.store(0, Ordering::Relaxed);
            for _ in 0..count {
                requests.spawn(two_connections.clone().oneshot(Request::new(())));
            }
            while sent.load(Ordering::Relaxed) < count.min(2 * MAX_STREAMS) {
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
        let second = counts(3 * MAX_STREAMS).await;
        let both = MAX_STREAMS..=2 * MAX_STREAMS;
        assert!(both.contains(&second), "both are full: the rest waits for either: {second}");
    }
}
