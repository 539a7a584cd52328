//! How much is asked of an API server at a time.

use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// More in flight is slower: the server's own work queues up.
pub const IN_FLIGHT: usize = 24;

/// Does all of `work`, [`IN_FLIGHT`] at a time, in no particular order; `tick` is
/// called after each.
pub(super) async fn bounded<R: Send + 'static>(
    work: impl Iterator<Item = impl Future<Output = R> + Send + 'static>,
    tick: &(dyn Fn() + Sync),
) -> Vec<R> {
    let seats = Arc::new(Semaphore::new(IN_FLIGHT));
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
