//! The first requests of a run share one connection. Otherwise each would open its own until it is
//! known that the server speaks HTTP/2: ten handshakes instead of one.
//!
//! If that connection took long to make, a second one is made immediately, so that it is ready when
//! [`TwoConnections`](crate::transport::two_connections::TwoConnections) needs it.

use crate::transport::throttle::{FAST_ANSWER, lock};
use http::Uri;
use hyper_util::client::legacy::connect::Connection;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tower::{BoxError, Service, ServiceExt};

/// How long a request that waited for the first connection may wait for its share: a busy machine
/// may take seconds, and giving up too early would report a reachable server as unreachable.
const MAX_HANDOVER: Duration = Duration::from_secs(10);

type Making<C> = JoinHandle<Result<<C as Service<Uri>>::Response, BoxError>>;

/// Makes one connection first, and others only after that.
pub(crate) struct OneFirst<C: Service<Uri>> {
    connector: C,
    /// Whether requests share the first connection. Unset until that was made or has failed.
    shared: Arc<OnceCell<bool>>,
    /// The second connection, from the start of its handshake until it is used.
    second: Arc<Mutex<Option<Making<C>>>>,
}

impl<C: Service<Uri> + Clone> Clone for OneFirst<C> {
    fn clone(&self) -> Self {
        let (shared, second) = (Arc::clone(&self.shared), Arc::clone(&self.second));
        Self { connector: self.connector.clone(), shared, second }
    }
}

impl<C: Service<Uri>> OneFirst<C> {
    /// Makes its connections with `connector`.
    pub(crate) fn new(connector: C) -> Self {
        Self { connector, shared: Arc::default(), second: Arc::default() }
    }
}

impl<C> Service<Uri> for OneFirst<C>
where
    C: Service<Uri, Response: Connection + Send, Error: Into<BoxError>, Future: Send> + Clone + Send + 'static,
{
    type Response = C::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<C::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.connector.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, server: Uri) -> Self::Future {
        let connecting = self.connector.call(server.clone());
        let mut connecting = Box::pin(async { connecting.await.map_err(Into::into) });
        if self.shared.initialized() {
            let second = lock(&self.second).take();
            return match second {
                Some(second) => Box::pin(async { second.await? }),
                None => connecting,
            };
        }
        let Self { connector, shared, second } = self.clone();
        Box::pin(async move {
            let mut first = None;
            let make_first = async || {
                let begun = Instant::now();
                let made = connecting.as_mut().await;
                let is_shared = made.as_ref().is_ok_and(|made: &C::Response| made.connected().is_negotiated_h2());
                if is_shared && begun.elapsed() > FAST_ANSWER {
                    let making = tokio::spawn(async { connector.oneshot(server).await.map_err(Into::into) });
                    *lock(&second) = Some(making);
                }
                first = Some(made);
                is_shared
            };
            let is_shared = *shared.get_or_init(make_first).await;
            match first {
                Some(made) => made,
                None if is_shared => {
                    tokio::time::sleep(MAX_HANDOVER).await;
                    Err("the connection to the server was lost".into())
                }
                None => connecting.await,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper_util::client::legacy::connect::Connected;
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct MadeConnection {
        http2: bool,
    }

    impl Connection for MadeConnection {
        fn connected(&self) -> Connected {
            if self.http2 { Connected::new().negotiated_h2() } else { Connected::new() }
        }
    }

    /// Requests `count` connections at the same time, each of which takes `millis` milliseconds to
    /// make. Returns how many were made, and how many requests got one.
    async fn at_once(count: usize, millis: u64, server: fn() -> io::Result<MadeConnection>) -> (usize, usize) {
        let made = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&made);
        let one_first = OneFirst::new(tower::service_fn(move |_: Uri| {
            let counter = Arc::clone(&counter);
            async move {
                counter.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(millis)).await;
                server()
            }
        }));
        let all: tokio::task::JoinSet<bool> = (0..count)
            .map(|_| {
                let one_first = one_first.clone();
                async move { one_first.oneshot(Uri::from_static("https://server")).await.is_ok() }
            })
            .collect();
        let had = all.join_all().await.into_iter().filter(|had| *had).count();
        (made.load(Ordering::Relaxed), had)
    }

    #[tokio::test]
    async fn http2_requests_share_the_first_connection() {
        assert_eq!(at_once(9, 2, || Ok(MadeConnection { http2: true })).await, (1, 1));
    }

    #[tokio::test]
    async fn http1_requests_have_their_own_connections() {
        assert_eq!(at_once(9, 2, || Ok(MadeConnection { http2: false })).await, (9, 9));
    }

    #[tokio::test]
    async fn every_request_fails_without_a_server() {
        assert_eq!(at_once(9, 2, || Err(io::ErrorKind::ConnectionRefused.into())).await, (9, 0));
    }

    #[tokio::test]
    async fn on_a_slow_link_a_second_connection_is_ready() {
        let made = Arc::new(AtomicUsize::new(0));
        let making = Arc::clone(&made);
        let one_first = OneFirst::new(tower::service_fn(move |_: Uri| {
            let making = Arc::clone(&making);
            async move {
                tokio::time::sleep(FAST_ANSWER * 2).await;
                making.fetch_add(1, Ordering::Relaxed);
                io::Result::Ok(MadeConnection { http2: true })
            }
        }));
        for at_once in [1, 2, 3] {
            assert!(one_first.clone().oneshot(Uri::from_static("https://server")).await.is_ok());
            // On a busy machine, the second connection may come late.
            for _ in 0..50 {
                tokio::time::sleep(FAST_ANSWER * 4).await;
                if made.load(Ordering::Relaxed) == at_once.max(2) {
                    break;
                }
            }
            assert_eq!(made.load(Ordering::Relaxed), at_once.max(2), "the second was made along with the first");
        }
    }

    #[tokio::test]
    async fn a_lost_connection_is_opened_again() {
        let one_first = OneFirst::new(tower::service_fn(async |_: Uri| io::Result::Ok(MadeConnection { http2: true })));
        for _ in 0..2 {
            assert!(one_first.clone().oneshot(Uri::from_static("https://server")).await.is_ok());
        }
    }
}
