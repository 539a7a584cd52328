//! Whether a controller's message reports trouble, something that it waits for, or work in
//! progress.

use jiff::SignedDuration;

/// Words about something that went wrong.
const NEGATIVE: [&str; 24] = [
    "fail", "error", "cannot", "can't", "could not", "couldn't", "unable", "not found", "notfound", "forbidden",
    "denied", "unauthorized", "refused", "timeout", "timed out", "exception", "missing", "invalid", "no such",
    "not exist", "expired", "unreachable", "rejected", "in use",
];

/// Words about something that is waited for.
const WAITING: [&str; 8] = ["blocked", "depend", "until ", "still ", "waiting", "must be", "has to", "have to"];

/// Words about a deletion in progress.
const GOING: [&str; 9] = [
    "to be deleted", "to be removed", "being deleted", "being removed", "to terminate", "to finish", "to complete",
    "to drain", "in progress",
];

/// Words about the end of an object.
const ENDING: [&str; 8] = ["delet", "terminat", "finali", "clean", "remov", "held", "pending", "wait"];

/// Words in messages that say nothing more than that something is being deleted.
const NO_REASON: [&str; 28] = [
    "a", "and", "been", "being", "cleaning", "cleanup", "deleted", "deleting", "deletion", "deletionrequested",
    "deletiontimestamp", "finalization", "finalizing", "has", "in", "inprogress", "is", "not", "object", "pending",
    "progress", "ready", "requested", "resource", "terminating", "termination", "the", "up",
];

/// Words in messages that say nothing more than that something has failed.
const NO_CAUSE: [&str; 38] = [
    "an", "at", "be", "by", "cannot", "could", "delete", "deletes", "error", "errored", "errors", "exception", "fail",
    "failed", "failing", "fails", "failure", "finalize", "finalizer", "for", "handler", "internal", "it", "marked",
    "occurred", "of", "or", "reconcile", "reconciler", "reconciliation", "retry", "retrying", "sync", "to", "unable",
    "while", "will", "with",
];

/// Words before the number of an attempt.
const TRY: [&str; 3] = ["attempt", "retry", "try"];
/// Words beside a number of attempts.
const TRIES: [&str; 3] = ["attempts", "retries", "tries"];

/// How often a status that describes progress is written while there is progress.
const WRITTEN_EVERY: SignedDuration = SignedDuration::from_mins(2);
/// How long a message must stay the same before its controller counts as waiting.
const UNCHANGED_FOR: SignedDuration = SignedDuration::from_mins(10);

/// The age of a message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ago {
    /// How long the message has been the same, since the deletion.
    pub(crate) said: SignedDuration,
    /// How long ago the status was last written.
    pub(crate) written: SignedDuration,
}

/// The tone of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Nothing of interest.
    Calm,
    /// The work continues: a count, or a wait for a deletion, that may still change.
    GoesOn,
    /// Trouble, or a wait without progress.
    Trouble,
}

/// Whether a message reports that something went wrong.
pub(crate) fn is_negative(message: &str) -> bool {
    holds(&message.to_lowercase().replace("no error", ""), &NEGATIVE)
}

/// Whether a message says that something is waited for, and reports no failure.
pub(crate) fn is_waiting(message: &str) -> bool {
    !is_negative(message) && holds(&message.to_lowercase(), &WAITING)
}

/// Whether a message reports that something went wrong or is waited for.
pub(crate) fn is_trouble(message: &str) -> bool {
    is_negative(message) || is_about_use(message) || holds(&message.to_lowercase(), &WAITING)
}

/// Whether a message is about the end of an object, or about what prevents it.
pub(crate) fn is_about_an_end(message: &str) -> bool {
    let lower = message.to_lowercase();
    holds(&lower, &ENDING) || holds(&lower, &["blocked", "depend"]) || is_about_use(message)
}

/// Whether a message says that something is still in use.
pub(crate) fn is_about_use(message: &str) -> bool {
    let words = ["in use", "inuse", "in-use", "used by", "still used", "referenced by", "still referenced"];
    holds(&message.to_lowercase(), &words)
}

/// Words about a service that denies access or cannot be reached, whatever the request.
const NO_ACCESS: [&str; 13] = [
    "accessdenied", "access denied", "authentication failed", "certificate has expired", "connection refused",
    "credentials", "expiredtoken", "forbidden", "i/o timeout", "no such host", "permission denied", "unauthenticated",
    "unauthorized",
];

/// Whether a message says that a service denies access or cannot be reached. An image that cannot be
/// pulled does not count: it only prevents a start.
pub(crate) fn is_about_access(message: &str) -> bool {
    let lower = message.to_lowercase();
    is_negative(message) && holds(&lower, &NO_ACCESS) && !lower.contains("image")
}

/// Words about something that is on its way out.
const LEAVING: [&str; 6] =
    ["terminating", "to terminate", "being deleted", "to be deleted", "to be removed", "not yet deleted"];

/// Whether a message says that a part of the object is on its way out.
pub(crate) fn is_about_a_part_going(message: &str) -> bool {
    holds(&message.to_lowercase(), &LEAVING)
}

/// Words about a service that does not answer.
const UNANSWERED: [&str; 8] = [
    "connection refused", "deadline exceeded", "no route to host", "no such host", "timed out", "timeout",
    "unavailable", "unreachable",
];

/// Whether a message says that a service does not answer.
pub(crate) fn is_unanswered(message: &str) -> bool {
    holds(&message.to_lowercase(), &UNANSWERED)
}

/// Words about a service that does not have the operation at all.
const UNSUPPORTED: [&str; 5] =
    ["unsupported operation", "operation not supported", "not implemented", "method not allowed", "code: 405"];

/// Whether a message says that the operation does not exist, so that retries never help.
pub(crate) fn is_unsupported(message: &str) -> bool {
    holds(&message.to_lowercase(), &UNSUPPORTED)
}

/// Words about a service that refuses to delete something that is not empty.
const NOT_EMPTY: [&str; 6] = ["not empty", "notempty", "non-empty", "nonempty", "must be empty", "needs to be empty"];

/// Whether a message says that something must be emptied first, which destroys its content.
pub(crate) fn wants_it_empty(message: &str) -> bool {
    holds(&message.to_lowercase(), &NOT_EMPTY)
}

/// The tone of `message`, which is about an object that is being deleted.
pub(crate) fn tone(message: &str, ago: Ago) -> Tone {
    let lower = message.to_lowercase();
    if is_negative(message) {
        return Tone::Trouble;
    }
    let moves = counts(&lower) && ago.written <= WRITTEN_EVERY;
    if moves || (holds(&lower, &GOING) && ago.said <= UNCHANGED_FOR) {
        return Tone::GoesOn;
    }
    let lasts = ago.said > UNCHANGED_FOR && holds(&lower, &ENDING) && gives_a_reason(&lower);
    if lasts || holds(&lower, &WAITING) { Tone::Trouble } else { Tone::Calm }
}

/// Whether a message says more than that something is being deleted.
fn gives_a_reason(lower: &str) -> bool {
    let mut words = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.any(|word| !NO_REASON.contains(&word))
}

/// Whether a message about an object gives a reason, besides that it is being deleted or that this
/// has failed. `about` are the names of the object and of its kind, which are no reason.
pub(crate) fn tells_why(message: &str, about: &[&str]) -> bool {
    let (reason, text) = message.split_once(": ").unwrap_or(("", message));
    let text = if text.trim().is_empty() { reason } else { text };
    let about: Vec<String> = about.iter().map(|word| word.to_lowercase()).collect();
    let mut words = words_of(text).into_iter();
    words.any(|word| {
        let is_known = NO_REASON.contains(&word.as_str()) || NO_CAUSE.contains(&word.as_str());
        !is_known && !word.chars().all(|c| c.is_ascii_digit()) && !about.iter().any(|about| about.contains(&word))
    })
}

/// The words of a text in lower case, with compounds such as `DeleteError` split.
fn words_of(text: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for c in text.chars() {
        if !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && was_lower) {
            words.push(String::new());
        }
        if c.is_ascii_alphanumeric() {
            words.last_mut().expect("there is one").extend(c.to_lowercase());
        }
        was_lower = c.is_ascii_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a message says that something does not exist.
pub(crate) fn is_about_absence(message: &str) -> bool {
    holds(&message.to_lowercase(), &["not found", "notfound", "not exist", "no such", "doesn't exist"])
}

/// The tone of a message that is no warning: work in progress, or a wait.
pub(crate) fn calm_tone(message: &str, ago: Ago) -> Tone {
    let is_waiting = holds(&message.to_lowercase(), &WAITING) || is_about_use(message);
    match tone(message, ago) {
        Tone::Trouble if !is_waiting => Tone::Calm,
        told => told,
    }
}

fn holds(lower: &str, words: &[&str]) -> bool {
    words.iter().any(|word| lower.contains(word))
}

/// Whether a message contains a count: `3 of 1000`, `3/1000`, `12 remaining`, `40%`. A number of
/// attempts does not count.
fn counts(lower: &str) -> bool {
    let words = lower.split(|c: char| c.is_whitespace() || "(),;:".contains(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let number = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let share = |word: &&str| {
        word.strip_suffix('%').is_some_and(|word| number(&word))
            || word.split_once('/').is_some_and(|(part, all)| number(&part) && number(&all))
    };
    let is_left = |word: &&str| ["remaining", "remain", "left"].contains(word);
    let length = |from: &[&str]| match from {
        [first, ..] if share(first) => Some(1),
        [part, of, all, ..] if *of == "of" && number(part) && number(all) => Some(3),
        [count, rest @ ..] if number(count) && rest.len() > 1 && rest[..2].iter().any(is_left) => Some(2),
        _ => None,
    };
    (0..words.len()).any(|at| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let is_a_try = before.is_some_and(|word| TRY.contains(word) || TRIES.contains(word));
        let tries = |length: usize| words[at..].iter().take(length + 1).any(|word| TRIES.contains(word));
        length(&words[at..]).is_some_and(|length| !is_a_try && !tries(length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_only_report_failure_give_no_reason() {
        let about = ["orders", "Topic", "cluster.acme.com"];
        for message in [
            "Failed: Topic reconciliation failed",
            "DeleteError: Failed to delete topic",
            "Logging: Handler 'topic_delete' failed with an exception. Will retry.",
            "DisruptionBlocked: Topic is deleting or marked for deletion",
            "Deleting",
        ] {
            assert!(!tells_why(message, &about), "{message}");
        }
        for message in [
            "Failed: cannot reach broker-0",
            "DeletionBlocked: Deletion in progress, but blocked. Please delete reports-1 to resume",
            "InUse",
            "DeleteError: Failed to delete topic: forbidden",
        ] {
            assert!(tells_why(message, &about), "{message}");
        }
    }

    #[test]
    fn not_empty_errors_are_recognized() {
        assert!(wants_it_empty("BucketNotEmpty: The bucket you tried to delete is not empty (4411 objects)"));
        assert!(!wants_it_empty("AccessDenied: the bucket belongs to another account"));
    }

    #[test]
    fn access_and_connection_errors_are_recognized() {
        assert!(is_about_access("KonnectAPIOpFailed: 401 Unauthorized: the token has expired"));
        assert!(is_about_access("ReconcileError: dial tcp 10.0.0.1:443: connect: connection refused"));
        assert!(!is_about_access("ReconcileError: size must be positive: invalid value"));
        assert!(!is_about_access("Credentials: loaded"));
    }

    #[test]
    fn progress_messages_are_no_trouble_while_they_change() {
        let at = |said: i64, written: i64| Ago {
            said: SignedDuration::from_secs(said),
            written: SignedDuration::from_secs(written),
        };
        let (now, hour) = (at(5, 5), at(3600, 3600));
        let beats = at(3600, 5);
        for (message, when, told) in [
            ("Deleting: waiting for control plane to be deleted", now, Tone::GoesOn),
            ("Deleting: waiting for control plane to be deleted", hour, Tone::Trouble),
            ("Deleting: waiting for control plane to be deleted", beats, Tone::Trouble),
            ("removing 3 of 1000 dependents", beats, Tone::GoesOn),
            ("removing 3 of 1000 dependents", hour, Tone::Trouble),
            ("waiting: 12 objects remaining", now, Tone::GoesOn),
            ("drained 40%", now, Tone::GoesOn),
            ("removing the backup: attempt 5/10", beats, Tone::Trouble),
            ("removing the backup, retry 5 of 10", beats, Tone::Trouble),
            ("removing the backup (5/10 attempts, 5 tries left)", beats, Tone::Trouble),
            ("removing 3 of 1000 dependents, attempt 2/10", beats, Tone::GoesOn),
            ("failed to remove 3 of 1000", now, Tone::Trouble),
            ("in use by 1 Usage", now, Tone::Trouble),
            ("blocked by a lock", now, Tone::Trouble),
            ("Deleting: retention lock vault-7 holds it", now, Tone::Calm),
            ("Deleting: retention lock vault-7 holds it", beats, Tone::Trouble),
            ("all is well", hour, Tone::Calm),
            ("Deleting: the resource is being deleted", hour, Tone::Calm),
            ("Terminating", hour, Tone::Calm),
        ] {
            assert_eq!(tone(message, when), told, "{message} {when:?}");
        }
    }
}
