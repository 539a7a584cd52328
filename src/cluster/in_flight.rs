//! Work on an API server, so much of it at a time.

use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Does all of `work`, `most` of it at a time, in no particular order; `tick` is
/// called after each.
pub(super) async fn bounded<R: Send + 'static>(
    most: usize,
    work: impl Iterator<Item = impl Future<Output = R> + Send + 'static>,
    tick: &(dyn Fn() + Sync),
) -> Vec<R> {
    let seats = Arc::new(Semaphore::new(most));
    let mut running = JoinSet::new();
    for item in work {
        let seats = Arc::clone(&seats);
        running.spawn(async move {
            let _seat = seats.acquire_owned().await;
            item.await
        });
    }
    let mut done = Vec::with_capacity(running.len());
    while let Some(item) = running.join_next().await {
        tick();
        done.extend(item);
    }
    done
}
