//! The first requests of a run share one connection. Without this each of them opens its own,
//! as long as nobody knows that the server speaks HTTP/2: ten handshakes instead of one.

use http::Uri;
use hyper_util::client::legacy::connect::Connection;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::OnceCell;
use tower::{BoxError, Service};

/// Whoever wanted a connection while the first one was made is given that one, in no time.
const HANDED_OVER: Duration = Duration::from_secs(1);

/// Makes one connection, and others only after that.
#[derive(Debug, Clone)]
pub(super) struct OneFirst<C> {
    connector: C,
    /// Whether requests share the first connection; unset until it is made, or cannot be.
    shared: Arc<OnceCell<bool>>,
}

impl<C> OneFirst<C> {
    /// Connections as `connector` makes them.
    pub(super) fn new(connector: C) -> Self {
        Self { connector, shared: Arc::default() }
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
        let connecting = self.connector.call(server);
        let mut connecting = Box::pin(async { connecting.await.map_err(Into::into) });
        if self.shared.initialized() {
            return connecting;
        }
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            let mut first = None;
            let make_first = async || {
                let made = connecting.as_mut().await;
                let is_shared = made.as_ref().is_ok_and(|made: &C::Response| made.connected().is_negotiated_h2());
                first = Some(made);
                is_shared
            };
            let is_shared = *shared.get_or_init(make_first).await;
            match first {
                Some(made) => made,
                None if is_shared => {
                    tokio::time::sleep(HANDED_OVER).await;
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
    use tower::ServiceExt;

    struct Made {
        http2: bool,
    }

    impl Connection for Made {
        fn connected(&self) -> Connected {
            if self.http2 { Connected::new().negotiated_h2() } else { Connected::new() }
        }
    }

    /// How many connections `server` was asked for by so many at once, and how many had one.
    async fn at_once(count: usize, server: fn() -> io::Result<Made>) -> (usize, usize) {
        let made = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&made);
        let one_first = OneFirst::new(tower::service_fn(move |_: Uri| {
            let counter = Arc::clone(&counter);
            async move {
                counter.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(5)).await;
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
    async fn over_http2_all_share_the_first() {
        assert_eq!(at_once(9, || Ok(Made { http2: true })).await, (1, 1));
    }

    #[tokio::test]
    async fn over_http1_each_has_its_own() {
        assert_eq!(at_once(9, || Ok(Made { http2: false })).await, (9, 9));
    }

    #[tokio::test]
    async fn each_is_told_that_there_is_no_server() {
        assert_eq!(at_once(9, || Err(io::ErrorKind::ConnectionRefused.into())).await, (9, 0));
    }

    #[tokio::test]
    async fn a_connection_that_is_lost_later_is_made_anew() {
        let one_first = OneFirst::new(tower::service_fn(async |_: Uri| io::Result::Ok(Made { http2: true })));
        for _ in 0..2 {
            assert!(one_first.clone().oneshot(Uri::from_static("https://server")).await.is_ok());
        }
    }
}
