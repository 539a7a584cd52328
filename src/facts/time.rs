//! Times as facts, and as text.

use super::Facts;
use crate::survey::Object;
use jiff::{SignedDuration, Timestamp};

/// The time after a request to delete during which nothing counts as late: controllers need a
/// moment, and the namespace controller waits 5 seconds before each attempt.
pub const SETTLE: SignedDuration = SignedDuration::from_secs(5);

/// Whether the deletion of `object` was requested more than `allowance` ago.
#[must_use]
pub fn is_late(object: &Object, facts: &Facts<'_>, allowance: SignedDuration) -> bool {
    object.deletion_asked().is_some_and(|asked| since(asked, facts.now()) > allowance)
}

/// The time from `earlier` to `now`; never negative.
#[must_use]
pub fn since(earlier: Timestamp, now: Timestamp) -> SignedDuration {
    now.duration_since(earlier).max(SignedDuration::ZERO)
}

/// A duration as kubectl prints ages: `45s`, `12m`, `3h20m`, `4d`.
pub(crate) fn words(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86400);
    match () {
        () if seconds < 120 => format!("{seconds}s"),
        () if minutes < 120 => format!("{minutes}m"),
        () if hours < 10 && minutes % 60 != 0 => format!("{hours}h{}m", minutes % 60),
        () if hours < 48 => format!("{hours}h"),
        () => format!("{days}d"),
    }
}

/// The time since `then`, as kubectl prints ages.
pub(crate) fn ago(then: Timestamp, facts: &Facts<'_>) -> String {
    words(since(then, facts.now()))
}

/// The time since the deletion of `object` was requested, as kubectl prints ages; empty if it was not
/// requested.
pub(crate) fn asked_ago(object: &Object, facts: &Facts<'_>) -> String {
    object.deletion_asked().map(|asked| ago(asked, facts)).unwrap_or_default()
}

/// A point in time in UTC, to say until when something lasts.
pub(crate) fn clock(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_kubectl_prints_ages() {
        for (seconds, text) in
            [(0, "0s"), (90, "90s"), (600, "10m"), (3600 * 3 + 60 * 20, "3h20m"), (3600 * 30, "30h"), (86400 * 4, "4d")]
        {
            assert_eq!(words(SignedDuration::from_secs(seconds)), text);
        }
    }
}
