//! Limits how much data of a server is kept in memory. A healthy server never sends that much; a
//! broken one must not use up the machine's memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The memory that all reads for one survey may use together.
#[derive(Debug, Clone)]
pub(crate) struct MemoryBudget {
    reserved: Arc<AtomicUsize>,
    /// How much of that is taken by the parts of whole objects beyond [`MIN_ROOM`].
    large: Arc<AtomicUsize>,
    /// The limit in bytes.
    most: usize,
}

/// How much of a whole object is kept in any case: more than almost all objects have.
const MIN_ROOM: usize = 16 << 10;
/// What all larger objects may take together, beyond that.
const FOR_LARGE: usize = 24 << 20;
/// The part of what is left of it that one object may take.
const SHARE: usize = 8;

/// The usual limit. The metadata of a million objects takes about half of it.
const MAX_BYTES: usize = 2 << 30;
/// The smallest limit, for a small address space. It is enough for tens of thousands of objects.
const MIN_BYTES: usize = 64 << 20;

impl Default for MemoryBudget {
    fn default() -> Self {
        Self::of(MAX_BYTES.min((address_space() / 4).max(MIN_BYTES)))
    }
}

impl MemoryBudget {
    fn of(most: usize) -> Self {
        Self { reserved: Arc::default(), large: Arc::default(), most }
    }

    /// Releases everything: a new survey begins.
    pub(crate) fn clear(&self) {
        self.reserved.store(0, Ordering::Relaxed);
        self.large.store(0, Ordering::Relaxed);
    }

    /// Starts an empty reservation.
    pub(crate) fn enter(&self) -> Reservation {
        Reservation { bytes: 0, large: 0, budget: self.clone() }
    }

    /// How much of the next whole object may be kept. The more large objects there are, the less of each:
    /// whoever makes hundreds of them must not take the memory of the machine, nor hide others behind them.
    pub(crate) fn room(&self) -> usize {
        MIN_ROOM + FOR_LARGE.saturating_sub(self.large.load(Ordering::Relaxed)) / SHARE
    }
}

/// A part of the budget; dropping it releases it.
#[derive(Debug)]
pub(crate) struct Reservation {
    bytes: usize,
    large: usize,
    budget: MemoryBudget,
}

impl Reservation {
    /// Reserves this many more bytes.
    ///
    /// # Errors
    /// When the budget is exceeded.
    pub(crate) fn add(&mut self, bytes: usize) -> Result<(), String> {
        let before = self.budget.reserved.fetch_add(bytes, Ordering::Relaxed);
        self.bytes += bytes;
        if before.saturating_add(bytes) > self.budget.most {
            return Err(format!("it takes more than {} MiB of memory", self.budget.most >> 20));
        }
        Ok(())
    }

    /// Reserves the memory of a whole object.
    ///
    /// # Errors
    /// As for [`Self::add`].
    pub(crate) fn add_object(&mut self, weight: usize) -> Result<(), String> {
        let large = weight.saturating_sub(MIN_ROOM);
        self.budget.large.fetch_add(large, Ordering::Relaxed);
        self.large += large;
        self.add(weight)
    }

    /// Keeps the reservation until the next survey begins.
    pub(crate) fn keep(mut self) {
        (self.bytes, self.large) = (0, 0);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        for (reserved, bytes) in [(&self.budget.reserved, self.bytes), (&self.budget.large, self.large)] {
            let less = |reserved: usize| Some(reserved.saturating_sub(bytes));
            let _ = reserved.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        }
    }
}

/// The size of the address space that the program may use (`ulimit -v`).
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
    fn hundreds_of_large_objects_leave_little_room_for_each() {
        let budget = MemoryBudget::of(1 << 30);
        let mut all = budget.enter();
        assert!(budget.room() > 3 << 20);
        for _ in 0..500 {
            all.add_object(budget.room()).unwrap();
        }
        assert!(all.bytes < 34 << 20 && budget.room() < 17 << 10, "{} {}", all.bytes, budget.room());
        drop(all);
        assert!(budget.room() > 3 << 20, "released");
    }

    #[test]
    fn released_memory_is_available_again() {
        let budget = MemoryBudget::of(3 << 20);
        let mut one = budget.enter();
        one.add(2 << 20).unwrap();
        let mut other = budget.enter();
        assert_eq!(other.add(2 << 20).unwrap_err(), "it takes more than 3 MiB of memory");
        drop(other);
        drop(one);
        let mut third = budget.enter();
        third.add(3 << 20).unwrap();
        third.keep();
        assert!(budget.enter().add(1).is_err(), "kept");
        budget.clear();
        budget.enter().add(1).unwrap();
    }
}
