//! Durations in words.

use jiff::SignedDuration;

/// An age as kubectl prints it, in two parts: `3d4h`.
#[must_use]
pub fn age(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    let (days, hours, minutes) = (seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, _) if seconds < 120 => format!("{seconds}s"),
        (0, 0, minutes) => format!("{minutes}m"),
        (0, hours, minutes) => format!("{hours}h{minutes}m"),
        (days, hours, _) => format!("{days}d{hours}h"),
    }
}
