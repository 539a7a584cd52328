//! Waiting for conditions.

use std::thread;
use std::time::{Duration, Instant};

/// Polls until a condition holds, frequently at first: a check may be a run of kubectl. On a busy
/// machine, the limit is three times as long.
///
/// # Panics
/// If it does not hold in time, with `what` in the message.
#[track_caller]
pub fn wait_until(what: &str, timeout: Duration, mut condition: impl FnMut() -> bool) {
    let (started, timeout) = (Instant::now(), timeout * 3);
    let mut pause = Duration::from_millis(50);
    while !condition() {
        assert!(started.elapsed() < timeout, "waited {timeout:?} for {what}");
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(500));
    }
}
