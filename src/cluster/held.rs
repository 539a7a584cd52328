//! How much of what a server sends is held at a time. A server in good health sends no more
//! than there is room for; one that is not must not take all memory of the machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// All that is held, by everybody who reads for one survey.
#[derive(Debug, Clone)]
pub(super) struct Room {
    held: Arc<AtomicUsize>,
    /// In bytes.
    most: usize,
}

/// A million objects' metadata takes about half of it.
const MOST: usize = 2 << 30;
/// Little address space is enough for tens of thousands.
const FEWEST: usize = 64 << 20;

impl Default for Room {
    fn default() -> Self {
        Self::of(MOST.min((address_space() / 4).max(FEWEST)))
    }
}

impl Room {
    fn of(most: usize) -> Self {
        Self { held: Arc::default(), most }
    }

    /// A new survey begins: the one before is given up.
    pub(super) fn clear(&self) {
        self.held.store(0, Ordering::Relaxed);
    }

    /// Nothing yet.
    pub(super) fn enter(&self) -> Held {
        Held { bytes: 0, room: self.clone() }
    }
}

/// How much somebody holds; with the value it is given up.
#[derive(Debug)]
pub(super) struct Held {
    bytes: usize,
    room: Room,
}

impl Held {
    /// Holds so many bytes more.
    ///
    /// # Errors
    /// When there is no room for them.
    pub(super) fn add(&mut self, bytes: usize) -> Result<(), String> {
        let before = self.room.held.fetch_add(bytes, Ordering::Relaxed);
        self.bytes += bytes;
        if before.saturating_add(bytes) > self.room.most {
            return Err(format!("it takes more than {} MiB of memory", self.room.most >> 20));
        }
        Ok(())
    }

    /// It is held until the next survey begins.
    pub(super) fn keep(mut self) {
        self.bytes = 0;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let less = |held: usize| Some(held.saturating_sub(self.bytes));
        let _ = self.room.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}

/// How much the program may address: as `ulimit -v` says it.
fn address_space() -> usize {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, getrlimit};
        getrlimit(Resource::RLIMIT_AS).map_or(usize::MAX, |(limit, _)| usize::try_from(limit).unwrap_or(usize::MAX))
    }
    #[cfg(not(unix))]
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_again_when_somebody_lets_go() {
        let room = Room::of(3 << 20);
        let mut one = room.enter();
        one.add(2 << 20).unwrap();
        let mut other = room.enter();
        assert_eq!(other.add(2 << 20).unwrap_err(), "it takes more than 3 MiB of memory");
        drop(other);
        drop(one);
        let mut third = room.enter();
        third.add(3 << 20).unwrap();
        third.keep();
        assert!(room.enter().add(1).is_err(), "kept");
        room.clear();
        room.enter().add(1).unwrap();
    }
}
