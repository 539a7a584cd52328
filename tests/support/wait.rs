//! Waiting for what takes its time.

use std::thread;
use std::time::{Duration, Instant};

/// Polls until a condition holds, at first often: to ask may cost a run of kubectl. A
/// machine that has other things to do besides is given three times as long.
///
/// # Panics
/// If it does not within the time, naming what was waited for.
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
