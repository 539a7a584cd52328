//! Limits how much data of a server is kept in memory. A healthy server never sends that much; a
//! broken one must not use up the machine's memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The memory that all reads for one survey may use together.
#[derive(Debug, Clone)]
pub(crate) struct MemoryBudget {
    reserved: Arc<AtomicUsize>,
    /// The limit in bytes.
    most: usize,
}

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
        Self { reserved: Arc::default(), most }
    }

    /// Releases everything: a new survey begins.
    pub(crate) fn clear(&self) {
        self.reserved.store(0, Ordering::Relaxed);
    }

    /// Starts an empty reservation.
    pub(crate) fn enter(&self) -> Reservation {
        Reservation { bytes: 0, budget: self.clone() }
    }
}

/// A part of the budget; dropping it releases it.
#[derive(Debug)]
pub(crate) struct Reservation {
    bytes: usize,
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

    /// Keeps the reservation until the next survey begins.
    pub(crate) fn keep(mut self) {
        self.bytes = 0;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let less = |reserved: usize| Some(reserved.saturating_sub(self.bytes));
        let _ = self.budget.reserved.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
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
