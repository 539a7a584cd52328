//! The failures in the status of an attachment of a volume to a node: the attacher retries again and
//! again, and writes each failure there (kubernetes-csi/external-attacher:
//! `pkg/controller/csi_handler.go`, `saveDetachError`).

use crate::survey::Object;
use jiff::{SignedDuration, Timestamp};

/// How far the time in an error and the time of its write, from another clock, may differ.
const TOGETHER: SignedDuration = SignedDuration::from_secs(2);

/// Why the last attempt to detach it failed.
pub(crate) fn detach_error(object: &Object) -> Option<&str> {
    object.text("/status/detachError/message").filter(|message| !message.is_empty())
}

/// When the last attempt failed.
pub(crate) fn detach_failed(object: &Object) -> Option<Timestamp> {
    detach_error(object)?;
    object.text("/status/detachError/time")?.parse().ok()
}

/// Whether the write at `written` only reported another failed attempt.
pub(crate) fn is_repeated_failure(object: &Object, written: Timestamp) -> bool {
    detach_failed(object).is_some_and(|failed| written.duration_since(failed).abs() <= TOGETHER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_repeated_failure_is_not_progress() {
        let of = |status: serde_json::Value| -> Object {
            serde_json::from_value(json!({"metadata": {"name": "a"}, "status": status})).unwrap()
        };
        let at = |time: &str| time.parse::<Timestamp>().unwrap();
        let failed = of(json!({"attached": true, "detachError": {"time": "2026-01-01T00:00:10Z", "message": "no"}}));
        assert!(is_repeated_failure(&failed, at("2026-01-01T00:00:11Z")));
        assert!(!is_repeated_failure(&failed, at("2026-01-01T00:01:00Z")));
        assert!(!is_repeated_failure(&of(json!({"attached": true})), at("2026-01-01T00:00:10Z")));
    }
}
