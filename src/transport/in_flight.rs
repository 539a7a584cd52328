//! Runs work on an API server, with a limit on how much runs at a time.

use tokio::task::JoinSet;

/// Runs all of `work`, in no particular order. After each result, `most` returns how many futures
/// may run at a time; then `tick` is called.
pub(crate) async fn bounded<R: Send + 'static>(
    most: impl Fn() -> usize,
    mut work: impl Iterator<Item = impl Future<Output = R> + Send + 'static>,
    tick: &(dyn Fn() + Sync),
) -> Vec<R> {
    let mut running = JoinSet::new();
    let mut done = Vec::new();
    loop {
        let seats = most().max(1).saturating_sub(running.len());
        for item in work.by_ref().take(seats) {
            running.spawn(item);
        }
        let Some(item) = running.join_next().await else { return done };
        tick();
        done.extend(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[tokio::test]
    async fn the_concurrency_limit_may_change_meanwhile() {
        let (most, running, peak) = (AtomicUsize::new(8), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let work = (0..60).map(|number| {
            let (running, peak) = (Arc::clone(&running), Arc::clone(&peak));
            async move {
                peak.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(1)).await;
                running.fetch_sub(1, Ordering::SeqCst);
                number
            }
        });
        let (ticks, peaks) = (AtomicUsize::new(0), std::sync::Mutex::new(Vec::new()));
        let tick = || match ticks.fetch_add(1, Ordering::SeqCst) + 1 {
            20 => {
                peaks.lock().unwrap().push(peak.load(Ordering::SeqCst));
                most.store(2, Ordering::SeqCst);
            }
            // By now, all futures that had begun earlier are done.
            30 => peak.store(0, Ordering::SeqCst),
            _ => {}
        };
        let mut done = bounded(|| most.load(Ordering::SeqCst), work, &tick).await;
        done.sort_unstable();
        assert_eq!(done, (0..60).collect::<Vec<_>>());
        assert_eq!((peaks.into_inner().unwrap(), peak.load(Ordering::SeqCst)), (vec![8], 2));
    }
}
