//! Who is let in: clients that have shown the token and those that have not are counted apart, so that
//! the latter keep nobody out.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::sync::oneshot::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The maximum number of connected clients that have shown the token.
const MAX_KNOWN: usize = 64;
/// The maximum number of connections without a token. One more takes the place of the oldest.
const MAX_UNKNOWN: usize = 16;

/// The connections whose clients have not shown the token, the oldest first.
type Queue = Arc<Mutex<VecDeque<(u64, Sender<()>)>>>;

/// The entrance of a server.
pub(super) struct Entrance {
    known: Arc<Semaphore>,
    waiting: Queue,
    entered: std::sync::atomic::AtomicU64,
}

impl Default for Entrance {
    fn default() -> Self {
        Self { known: Arc::new(Semaphore::new(MAX_KNOWN)), waiting: Queue::default(), entered: 0.into() }
    }
}

/// A connection.
pub(super) struct Visitor {
    number: u64,
    known: Arc<Semaphore>,
    waiting: Queue,
    place: OnceLock<OwnedSemaphorePermit>,
}

impl Entrance {
    /// A new connection. It is sent a message when another one needs its place.
    pub(super) fn enter(&self) -> (Arc<Visitor>, Receiver<()>) {
        let number = self.entered.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let (dismiss, sent_away) = channel();
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() >= MAX_UNKNOWN
            && let Some((_, oldest)) = waiting.pop_front()
        {
            oldest.send(()).ok();
        }
        waiting.push_back((number, dismiss));
        let (known, waiting) = (Arc::clone(&self.known), Arc::clone(&self.waiting));
        (Arc::new(Visitor { number, known, waiting, place: OnceLock::new() }), sent_away)
    }
}

impl Visitor {
    /// Whether the client, which has shown the token, has one of the places for such clients.
    pub(super) fn is_let_in(&self) -> bool {
        if self.place.get().is_none()
            && let Ok(place) = Arc::clone(&self.known).try_acquire_owned()
        {
            self.place.set(place).ok();
            self.leave();
        }
        self.place.get().is_some()
    }

    /// Gives up the place among those that have not shown the token.
    pub(super) fn leave(&self) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|(number, _)| *number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_without_a_token_gives_way() {
        let entrance = Entrance::default();
        let (known, mut never) = entrance.enter();
        assert!(known.is_let_in());
        let mut all: Vec<_> = (0..=MAX_UNKNOWN).map(|_| entrance.enter()).collect();
        let is_sent_away = |receiver: &mut Receiver<()>| receiver.try_recv().is_ok();
        let away: Vec<bool> = all.iter_mut().map(|(_, receiver)| is_sent_away(receiver)).collect();
        assert_eq!(away.iter().position(|away| *away), Some(0), "{away:?}");
        assert_eq!(away.iter().filter(|away| **away).count(), 1);
        assert!(!is_sent_away(&mut never), "the token has been shown");
    }

    #[test]
    fn a_place_is_free_again_after_its_client() {
        let entrance = Entrance::default();
        let mut known: Vec<_> = (0..MAX_KNOWN).map(|_| entrance.enter().0).collect();
        assert!(known.iter().all(|visitor| visitor.is_let_in()));
        assert!(!entrance.enter().0.is_let_in());
        known.pop();
        assert!(entrance.enter().0.is_let_in());
    }
}
