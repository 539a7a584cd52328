//! Records of a controller's attempts in annotations of an object: frameworks write failures there, for
//! kinds without a status.

use crate::survey::{Object, tells_of_attempts};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::Value;

/// The fields of a record that contain the failure.
const WORDS: [&str; 4] = ["message", "error", "lastError", "failureMessage"];

/// A failed attempt in an annotation.
#[derive(Debug)]
pub(crate) struct NotedAttempt<'o> {
    pub(crate) key: &'o str,
    pub(crate) words: String,
    pub(crate) at: Option<Timestamp>,
}

/// The failed attempts in an object's annotations since the deletion was requested.
pub(crate) fn attempts(object: &Object) -> Vec<NotedAttempt<'_>> {
    let Some(asked) = object.deletion_asked() else { return Vec::new() };
    let records = object.metadata.annotations.iter().filter(|(key, _)| tells_of_attempts(key));
    let said = records.filter_map(|(key, value)| {
        let record: Option<Value> = serde_json::from_str(value).ok().filter(Value::is_object);
        let (words, at) = match &record {
            Some(record) => (words_of(record)?, time_of(record)),
            None => (value.as_str(), None),
        };
        // An attempt from before the deletion says nothing about now.
        at.is_none_or(|at| at >= asked).then(|| NotedAttempt { key: key.as_str(), words: words.to_owned(), at })
    });
    said.collect()
}

/// The failure in a record of attempts, if the last one has not succeeded.
fn words_of(record: &Value) -> Option<&str> {
    let succeeded = record.get("success").and_then(Value::as_bool) == Some(true);
    let words = WORDS.iter().find_map(|field| record.get(field)?.as_str()).filter(|words| !words.is_empty());
    words.filter(|_| !succeeded)
}

/// The latest time in a record. Kopf omits the time zone and means UTC.
fn time_of(record: &Value) -> Option<Timestamp> {
    let parse = |text: &str| {
        let utc = |time: DateTime| time.to_zoned(TimeZone::UTC).ok().map(|time| time.timestamp());
        text.parse::<Timestamp>().ok().or_else(|| text.parse::<DateTime>().ok().and_then(utc))
    };
    let times = record.as_object()?.values().filter_map(|value| parse(value.as_str()?));
    times.max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(key: &str, value: &str) -> Vec<String> {
        let object: Object = serde_json::from_value(json!({"metadata": {"name": "b",
            "deletionTimestamp": "2026-03-01T10:00:00Z", "annotations": {key: value}}}))
        .unwrap();
        attempts(&object).into_iter().map(|attempt| attempt.words).collect()
    }

    #[test]
    fn annotations_with_failed_attempts_are_read() {
        let key = "kopf.zalando.org/bucket_delete";
        let record = |started: &str, success: bool| {
            json!({"started": started, "retries": 49, "success": success, "message": "remove failed: no such id"})
                .to_string()
        };
        assert_eq!(said(key, &record("2026-03-01T10:00:05.123", false)), ["remove failed: no such id"]);
        assert_eq!(said(key, &record("2026-03-01T10:00:05.123+00:00", false)), ["remove failed: no such id"]);
        assert_eq!(said(key, &record("2026-03-01T10:00:05.123", true)), [""; 0], "it has succeeded");
        assert_eq!(said(key, &record("2026-02-01T10:00:05.123", false)), [""; 0], "it is of before the deletion");
        assert_eq!(said("acme.io/last-error", "cannot reach the vault"), ["cannot reach the vault"]);
        assert_eq!(said("acme.io/owner", "cannot"), [""; 0], "it is no record of attempts");
    }
}
