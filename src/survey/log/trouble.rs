//! Whether a record reports a problem.

use super::record::Record;
use super::sentence::cause;
use super::severity::Severity;

/// A write that lost a race. Controllers repeat it immediately (kubernetes/kubernetes:
/// `staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go`).
const RACE: &str = "the object has been modified";
/// Words of success, or of no problem.
const CALM: [&str; 9] = [
    "no error", "without error", "0 errors", "errors=0", "0 failed", "successfully", "succeeded", "recovered from",
    "is healthy",
];
/// Words about a problem.
const WORDS: [&str; 24] = [
    "error", "err=", "fail", "forbidden", "denied", "unauthorized", "cannot", "unable", "timeout", "timed out",
    "deadline", "refused", "panic", "fatal", "invalid", "exception", "no such", "not found", "unavailable", "x509",
    "in use", "not empty", "blocked", "rejected",
];

/// How serious the problem is that a record reports; [`Severity::Info`] if it reports none. `names` are those
/// of the object, in lower case: a kind may be called `FailoverGroup`, and a namespace `errors`.
pub(super) fn trouble(record: &Record, names: &[String]) -> Severity {
    let stated = record.level.unwrap_or_default();
    let least = if record.level.is_some() { Severity::Warning } else { Severity::Error };
    let has_error = record.error.is_some() || record.is_fatal || cause(record).is_some();
    if has_error || is_told(&record.message, names) { stated.max(least) } else { stated }
}

/// Whether a message reports a problem.
fn is_told(message: &str, names: &[String]) -> bool {
    let lower = message.to_ascii_lowercase();
    let troubled = |text: &str| WORDS.iter().any(|word| text.contains(word));
    if !troubled(&lower) || CALM.iter().any(|calm| lower.contains(calm)) {
        return false;
    }
    let names = names.iter().filter(|name| troubled(name));
    troubled(&names.fold(lower, |lower, name| lower.replace(name, " ")))
}

/// Whether a sentence is about a write that lost a race.
pub(super) fn is_race(sentence: &str) -> bool {
    sentence.contains(RACE)
}
