//! How fast requests may follow one another: by the link, and by what the server bears.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// On a fast link more in flight is slower: the server's own work queues up.
const FAST: usize = 24;
/// On a slow one requests travel most of the time. An API server takes 100 at once on a
/// connection (kubernetes/kubernetes: `staging/src/k8s.io/apiserver/pkg/server/secure_serving.go`).
const SLOW: usize = 100;
/// However short of room a server is.
const FEWEST: usize = 3;
/// The fastest answer on a slow link took longer.
const FAST_ANSWER: Duration = Duration::from_millis(25);

/// What is known of the link and the server; shared by all requests.
#[derive(Debug)]
pub(super) struct Pace {
    /// The time that the fastest answer took, in microseconds.
    fastest: AtomicU64,
    /// How often the server was short of room (429).
    refused: AtomicU32,
    /// Until when the server wants to be left alone.
    pause: Mutex<Option<Instant>>,
}

impl Default for Pace {
    fn default() -> Self {
        Self { fastest: AtomicU64::new(u64::MAX), refused: AtomicU32::new(0), pause: Mutex::default() }
    }
}

impl Pace {
    /// An answer has begun after this time.
    pub(super) fn answered(&self, after: Duration) {
        self.fastest.fetch_min(u64::try_from(after.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// The server was short of room, and asks for a pause: for all requests, since what one
    /// of them keeps to is no relief.
    pub(super) fn refused(&self, pause: Duration) {
        self.refused.fetch_add(1, Ordering::Relaxed);
        let until = Instant::now() + pause;
        let mut known = self.pause.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some(known.map_or(until, |known| known.max(until)));
    }

    /// Waits as long as the server wants to be left alone.
    pub(super) async fn wait(&self) {
        let until = *self.pause.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(until) = until {
            tokio::time::sleep_until(until).await;
        }
    }

    /// Whether it is known that requests travel for long.
    pub(super) fn is_slow(&self) -> bool {
        let fastest = self.fastest.load(Ordering::Relaxed);
        fastest != u64::MAX && Duration::from_micros(fastest) > FAST_ANSWER
    }

    /// How many requests may be in flight: half as many each time that the server was short
    /// of room.
    pub(super) fn in_flight(&self) -> usize {
        let most = if self.is_slow() { SLOW } else { FAST };
        (most >> self.refused.load(Ordering::Relaxed).min(8)).max(FEWEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_link_takes_more_at_a_time() {
        let pace = Pace::default();
        assert_eq!(pace.in_flight(), FAST, "nothing is known yet");
        pace.answered(Duration::from_millis(110));
        assert_eq!(pace.in_flight(), SLOW);
        pace.answered(Duration::from_millis(4));
        pace.answered(Duration::from_millis(80));
        assert_eq!(pace.in_flight(), FAST, "the fastest answer tells");
    }

    #[test]
    fn a_server_that_is_short_of_room_is_asked_for_less() {
        let pace = Pace::default();
        pace.refused(Duration::ZERO);
        assert_eq!(pace.in_flight(), FAST / 2);
        (0..100).for_each(|_| pace.refused(Duration::ZERO));
        assert_eq!(pace.in_flight(), FEWEST);
    }

    #[tokio::test]
    async fn everybody_waits_for_the_longest_pause() {
        let pace = Pace::default();
        let start = Instant::now();
        pace.refused(Duration::from_millis(30));
        pace.refused(Duration::from_millis(10));
        pace.wait().await;
        assert!(start.elapsed() >= Duration::from_millis(30));
    }
}
