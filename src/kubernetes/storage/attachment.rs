//! What an attachment of a volume to a node says of its end: the attacher tries again and again,
//! and writes each failure to the status (kubernetes-csi/external-attacher:
//! `pkg/controller/csi_handler.go`, `saveDetachError`).

use crate::survey::Object;
use jiff::{SignedDuration, Timestamp};

/// What is written beside an error, in another clock's seconds.
const TOGETHER: SignedDuration = SignedDuration::from_secs(2);

/// Why the last attempt to detach it failed.
#[must_use]
pub(crate) fn detach_error(object: &Object) -> Option<&str> {
    object.text("/status/detachError/message").filter(|message| !message.is_empty())
}

/// When that was.
#[must_use]
pub(crate) fn detach_failed(object: &Object) -> Option<Timestamp> {
    detach_error(object)?;
    object.text("/status/detachError/time")?.parse().ok()
}

/// Whether a write at `written` was no more than that one attempt more had failed.
#[must_use]
pub(crate) fn is_repeated_failure(object: &Object, written: Timestamp) -> bool {
    detach_failed(object).is_some_and(|failed| written.duration_since(failed).abs() <= TOGETHER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_failure_that_is_written_again_is_no_work() {
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
