//! The sentence of a record that says why: the innermost cause.

use super::clean::{ends_of, in_one_line, shortened};
use super::fields::fields;
use super::header::{is_panic, split};
use super::masks::masked;
use super::record::Record;
use crate::survey::printed::{texts, without_printed};
use serde_json::Value;

/// How many characters of a sentence are kept.
pub(super) const MAX_CHARS: usize = 300;
/// How many bytes of an error are read.
const MAX_BYTES: usize = 2048;
/// How many words make a sentence, besides those that say nothing.
const WORDS: usize = 4;
/// Words that say nothing in an error.
const EMPTY: [&str; 12] =
    ["api", "code", "desc", "error", "errors", "failed", "http", "https", "id", "request", "rpc", "status"];
/// The ends of parts without which the next part is not understood.
const VERDICTS: [&str; 9] = [
    "authorized to perform", "forbidden", "invalid", "denied the request", "not found", "panic", "unauthorized",
    "refused", "cannot be fulfilled",
];

/// The beginnings of parts that do not say what they are about.
const NO_SUBJECT: [&str; 4] =
    ["timed out waiting", "context deadline exceeded", "context canceled", "client rate limiter wait"];

/// The ends of parts of which the next part is the value.
const LABELS: [&str; 6] = [" code", " job", " name", " namespace", " node", " pod"];

/// The sentence that says why, on one line; perhaps nothing but the message.
pub(super) fn sentence(record: &Record) -> String {
    let told = || record.error.as_deref().filter(|error| !error.is_empty()).unwrap_or(&record.message);
    let found = cause(record).map_or_else(|| innermost(told()), |cause| innermost(&cause));
    let found = if found.is_empty() { rest(record) } else { found };
    shortened(&masked(found), MAX_CHARS)
}

/// What a record without a message says: the first value that is a sentence, or all behind the header.
fn rest(record: &Record) -> String {
    let value = record.fields.iter().map(|field| field.value.as_str()).find(|value| value.contains(' '));
    in_one_line(value.unwrap_or(split(&record.raw).rest))
}

/// The innermost cause among the lines of a record.
pub(super) fn cause(record: &Record) -> Option<String> {
    if is_panic(&record.raw) {
        return record.raw.lines().next().map(|line| line.trim_end_matches(" [recovered]").to_owned());
    }
    let values = record.fields.iter().map(|field| field.value.as_str()).filter(|value| value.contains('\n'));
    let is_json = record.raw.starts_with('{');
    let own = Some(record.raw.as_str()).filter(|text| !is_json && text.contains('\n'));
    own.into_iter().chain(values).find_map(|text| caused_by(text).or_else(|| traceback(text)).or_else(|| stack(text)))
}

/// The last cause of an exception in Java, or of an error in Rust.
fn caused_by(text: &str) -> Option<String> {
    let start = text.rfind("Caused by:")?;
    let mut lines = text[start + "Caused by:".len()..].lines();
    let first = lines.next().unwrap_or_default().trim();
    if !first.is_empty() {
        return Some(first.to_owned());
    }
    // Rust: numbered causes, each on a line of its own.
    let causes = lines.take_while(|line| line.starts_with(char::is_whitespace) && !line.trim().is_empty());
    let last = causes.last()?.trim();
    Some(
        last.split_once(": ")
            .filter(|(number, _)| number.parse::<u8>().is_ok())
            .map_or(last, |(_, cause)| cause)
            .into(),
    )
}

/// The exception at the end of the last traceback of Python.
fn traceback(text: &str) -> Option<String> {
    let start = text.rfind("Traceback (most recent call last)")?;
    let mut lines = text[start..].lines().skip(1).skip_while(|line| line.starts_with(char::is_whitespace));
    let exception = lines.next().filter(|line| !line.trim().is_empty())?;
    // The client of the API writes the answer on the lines behind.
    let answer = lines.find_map(|line| {
        let body = line.strip_prefix("HTTP response body: ")?;
        fields(body).into_iter().find(|field| field.path == "message").map(|field| field.value)
    });
    Some(answer.unwrap_or_else(|| exception.to_owned()))
}

/// The exception before the first frame of a stack, as of Java.
fn stack(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let is_frame = |line: &&str| line.starts_with([' ', '\t']) && line.trim_start().starts_with("at ");
    let frame = lines.iter().position(is_frame).filter(|frame| *frame > 1)?;
    Some(lines[frame - 1].trim().to_owned())
}

/// The last parts of an error, in which each part wraps the next, that make a sentence.
fn innermost(text: &str) -> String {
    let text = in_one_line(&ends_of(text, MAX_BYTES).replace("\\n", " ").replace("\\t", " "));
    if is_panic(&text) {
        return text;
    }
    if text.starts_with('{') {
        let inner = fields(&text).into_iter().find(|field| field.path == "message" || field.path == "error.message");
        return inner.map_or(text, |field| in_one_line(&field.value));
    }
    let text = without_printed(&text).into_owned();
    if let Some(answer) = answer(&text).or_else(|| coded(&text)) {
        return answer;
    }
    let text = without_codes(text);
    let text = without_end(&text).to_owned();
    // Terraform's list of problems.
    let text = text.split(" []}").next().unwrap_or_default();
    let text = text
        .split_once(" status code: ")
        .filter(|(_, rest)| rest.contains("request id"))
        .map_or(text, |(told, _)| told);
    let parts: Vec<(usize, &str)> = parts(text);
    let mut first = parts.len().saturating_sub(1);
    let told = |first: usize| parts.get(first).map_or(text, |(at, _)| &text[*at..]);
    let is_value = |first: usize| LABELS.iter().any(|label| parts[first - 1].1.ends_with(label));
    let mut words = parts.last().map_or(0, |(_, part)| telling_words(part));
    while first > 0 && (words < WORDS || is_value(first)) {
        first -= 1;
        words += telling_words(parts[first].1);
    }
    // The part before a verdict names its subject, and so does the part before a sentence that begins with `it`.
    let needs_more = |first: usize| {
        let before = parts[first - 1].1.to_ascii_lowercase();
        let is_verdict = VERDICTS.iter().any(|end| before.ends_with(end)) || before.contains("cannot be fulfilled on");
        let begin = parts[first].1.split(' ').next().unwrap_or_default().to_ascii_lowercase();
        let lower = parts[first].1.to_ascii_lowercase();
        let has_no_subject = NO_SUBJECT.iter().any(|begin| lower.starts_with(begin));
        is_verdict || has_no_subject || ["it", "they", "this"].contains(&&*begin) || parts[first - 1].1 == "User"
    };
    let end = first;
    while first > 0 && needs_more(first) {
        first -= 1;
    }
    let class = match first.checked_sub(1).and_then(|before| parts.get(before)) {
        Some((_, before)) if first == end || parts[first].1 == "User" => class(before),
        _ => None,
    };
    let told = told(first).trim_start_matches("* ");
    let told = told
        .split_once(": ")
        .filter(|(name, _)| name.contains('.'))
        .map_or_else(|| told.to_owned(), |(name, rest)| format!("{}: {rest}", class_of(name).unwrap_or(name)));
    let told = closed(&told);
    class.map_or(told.to_owned(), |class| format!("{class}: {told}"))
}

/// The message in the answer of a service that an error quotes: in JSON, or as Rust prints a value.
fn answer(text: &str) -> Option<String> {
    let long = |value: &str| Some(in_one_line(value)).filter(|value| telling_words(value) > 2);
    for (start, _) in text.match_indices('{').take(8) {
        let rest = &text[start..];
        let json = serde_json::Deserializer::from_str(rest).into_iter::<Value>().next();
        if let Some(Ok(value)) = json {
            return message_in(&value).and_then(long);
        }
        let mut named = texts(rest).into_iter().filter(|(field, _)| ["message", "details"].contains(field));
        if let Some(value) = named.find_map(|(_, value)| long(&value)) {
            return Some(value);
        }
    }
    None
}

/// The code and the message of an answer in words: `ErrorCode: X … Message: Y`.
fn coded(text: &str) -> Option<String> {
    let after = |key: &str| text.split_once(key).map(|(_, rest)| rest.trim_start());
    let code = after("ErrorCode: ")?.split([' ', ',']).next()?;
    let message = after("Message: ")?.split([',', ';']).next()?.trim_end();
    Some(format!("{code}: {message}")).filter(|_| !message.is_empty())
}

/// The deepest field of an answer that is called a message.
fn message_in(value: &Value) -> Option<&str> {
    let fields = value.as_object()?;
    let deeper = fields.values().find_map(message_in);
    let own = ["message", "detail", "error_description"].iter().find_map(|key| fields.get(*key)?.as_str());
    deeper.or(own)
}

/// The text without the exit status of a program, what that program has logged, and what comes next.
fn without_end(text: &str) -> &str {
    let text = [", requeuing", ", retrying", ", will retry", ", requeueing"]
        .iter()
        .fold(text, |text, end| text.strip_suffix(end).unwrap_or(text));
    // Terraform: `… cannot be deleted. with aws_vpc.main, on main.tf line 12`.
    let text =
        text.split_once(".tf line ").map_or(text, |(told, _)| told.rsplit_once(" with ").map_or(text, |it| it.0));
    let text = text.rsplit_once(": exit status ").filter(|(_, rest)| rest.len() < 4).map_or(text, |(told, _)| told);
    text.split_once(", stderr time=").map_or(text, |(told, _)| told).trim_end_matches([' ', ','])
}

/// The text without brackets and quotation marks at its ends that have no counterpart.
fn closed(mut text: &str) -> &str {
    let count = |text: &str, sign: char| text.chars().filter(|c| *c == sign).count();
    loop {
        let before = text;
        for (open, close) in [('{', '}'), ('[', ']'), ('(', ')')] {
            if count(text, close) > count(text, open) {
                text = text.strip_suffix(close).unwrap_or(text).trim_end();
            }
        }
        if count(text, '"') % 2 == 1 {
            text = text.strip_suffix('"').or_else(|| text.strip_prefix('"')).unwrap_or(text).trim();
        }
        if text == before {
            return text
                .strip_prefix('"')
                .and_then(|text| text.strip_suffix('"'))
                .filter(|it| !it.contains('"'))
                .unwrap_or(text);
        }
    }
}

/// The text without what gRPC puts before an error: `rpc error: code = Internal desc = `.
fn without_codes(mut text: String) -> String {
    const BEGIN: &str = "rpc error: code = ";
    const END: &str = " desc = ";
    while let Some(start) = text.find(BEGIN) {
        let end = text[start..].find(END).map_or(start + BEGIN.len(), |end| start + end + END.len());
        text.replace_range(start..end, "");
    }
    text
}

/// The parts of a text between `: `, with their places. What is in quotes is not split.
fn parts(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let (mut start, mut is_quoted) = (0, false);
    for (at, c) in text.char_indices() {
        is_quoted ^= c == '"';
        if c == ':' && !is_quoted && text[at + 1..].starts_with(' ') {
            parts.push((start, text[start..at].trim()));
            start = at + 2;
        }
    }
    parts.push((start, text[start.min(text.len())..].trim()));
    parts
}

/// How many words of a text say something.
fn telling_words(text: &str) -> usize {
    let says = |word: &&str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
        word.len() > 1
            && word.chars().any(char::is_alphabetic)
            && !word.contains(|c: char| c.is_ascii_digit())
            && !EMPTY.contains(&word.as_str())
    };
    text.split_whitespace().filter(says).count()
}

/// The name of an error, at the end of the part before its message: `AccessDenied`, `api error NoSuchKey`.
fn class(part: &str) -> Option<&str> {
    let (before, name) = part.rsplit_once(' ').unwrap_or(("error", part));
    class_of(name).filter(|_| before.ends_with("error") || before.ends_with("Error"))
}

/// The name of a class without its package.
fn class_of(name: &str) -> Option<&str> {
    let name = name.rsplit('.').next().unwrap_or(name);
    let is_class = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.chars().filter(char::is_ascii_uppercase).count() > 1
        && name.contains(|c: char| c.is_ascii_lowercase());
    is_class.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors, and the sentence of each.
    const SENTENCES: &[(&str, &str)] = &[
        (
            "failed to delete volume pvc-1: rpc error: code = Internal desc = rbd image csi-vol-1 has dependent clones",
            "rbd image csi-vol-1 has dependent clones",
        ),
        ("delete bucket: api error: status code: 409", "delete bucket: api error: status code: 409"),
        (
            "sync: dial tcp 10.0.0.1:443: connect: connection refused",
            "dial tcp 10.0.0.1:443: connect: connection refused",
        ),
        (
            "store the last backup: AccessDenied: not authorized to perform s3:PutObject on \"a: b\"",
            "AccessDenied: not authorized to perform s3:PutObject on \"a: b\"",
        ),
        (
            "operation error EC2: DeleteVpc, https response error StatusCode: 400, RequestID: 1, api error DependencyViolation: The vpc 'v' has dependencies and cannot be deleted.",
            "DependencyViolation: The vpc 'v' has dependencies and cannot be deleted.",
        ),
        (
            "x: DependencyViolation: The vpc has dependencies.\n\tstatus code: 400, request id: 0f3c",
            "DependencyViolation: The vpc has dependencies.",
        ),
        (
            "reconcile: jobs.batch is forbidden: unable to create new content in namespace shop because it is being terminated",
            "jobs.batch is forbidden: unable to create new content in namespace shop because it is being terminated",
        ),
        ("java.lang.IllegalStateException: bucket not empty", "IllegalStateException: bucket not empty"),
        ("x: the vault\\n\\tis sealed for everyone", "the vault is sealed for everyone"),
        ("1 error occurred:\n\t* the bucket is not empty\n", "the bucket is not empty"),
        ("{\"code\":403,\"message\":\"the project has a lien\"}", "the project has a lien"),
        (
            "terminating: GET https://m.example/vm-1 --- RESPONSE 404: 404 Not Found { \"error\": { \"code\": \"Gone\", \"message\": \"The Resource 'vm-1' was not found.\" } } ---",
            "The Resource 'vm-1' was not found.",
        ),
        (
            "got 403 instead: {\"forbidden\": {\"code\": 403, \"message\": \"Policy doesn't allow servers:delete to be performed.\"}}",
            "Policy doesn't allow servers:delete to be performed.",
        ),
        (
            "Error in response: '409 Conflict', content: 'RestJsonError { details: \"Pool is still in use by 2 replicas\", kind: InUse }', name: \"p\"",
            "Pool is still in use by 2 replicas",
        ),
        (
            "update: admission webhook \"ns.acme.io\" denied the request: Unauthorized: missing permission updatepsa on projects",
            "admission webhook \"ns.acme.io\" denied the request: Unauthorized: missing permission updatepsa on projects",
        ),
        (
            "x: Operation cannot be fulfilled on things.acme.io \"a\": the object has been modified; please try again",
            "Operation cannot be fulfilled on things.acme.io \"a\": the object has been modified; please try again",
        ),
        (
            "handler: write /sys/bus/pci/drivers/b/bind: no such device, requeuing",
            "write /sys/bus/pci/drivers/b/bind: no such device",
        ),
        (
            "The tenant cannot be removed: it still has 2 active subscriptions.",
            "The tenant cannot be removed: it still has 2 active subscriptions.",
        ),
        (
            "deleting VPC: DependencyViolation: The vpc 'v' has dependencies and cannot be deleted. with aws_vpc.main, on main.tf line 12, in resource",
            "DependencyViolation: The vpc 'v' has dependencies and cannot be deleted.",
        ),
        (
            "api error AccessDenied: User: arn:aws:sts::1:lbc is not authorized to perform: elb:Deregister because no identity-based policy allows it",
            "AccessDenied: User: arn:aws:sts::1:lbc is not authorized to perform: elb:Deregister because no identity-based policy allows it",
        ),
        (
            "failed to execute: rm, output cannot delete s3://b/: AccessDenied: User is not allowed to perform s3:DeleteObject , stderr time=\"x\" level=error: exit status 1",
            "AccessDenied: User is not allowed to perform s3:DeleteObject",
        ),
        (
            "deleting load balancers: waiting for the ELB shop: timed out waiting for the condition",
            "waiting for the ELB shop: timed out waiting for the condition",
        ),
        (
            "[SDKError] StatusCode: 404 ErrorCode: ErrorClusterNotFound, RequestId: 7-1, Message: cluster not found",
            "ErrorClusterNotFound: cluster not found",
        ),
        (
            "delete error: ApiError: admission webhook \"ns.acme.io\" denied the request: no rights there: Unauthorized (ErrorResponse { status: \"Failure\", message: \"admission webhook \\\"ns.acme.io\\\" denied the request: no rights there\", reason: \"Unauthorized\", code: 403 })",
            "admission webhook \"ns.acme.io\" denied the request: no rights there: Unauthorized",
        ),
        (
            "CleanupFailed(Api(ErrorResponse { status: \"Failure\", message: \"admission webhook \\\"ns.acme.io\\\" denied the request: Unauthorized\", reason: \"Unauthorized\", code: 403 }))",
            "admission webhook \"ns.acme.io\" denied the request: Unauthorized",
        ),
        ("panic: runtime error: index out of range [3]", "panic: runtime error: index out of range [3]"),
        ("", ""),
    ];

    #[test]
    fn the_innermost_sentence_is_kept() {
        for (text, expected) in SENTENCES {
            assert_eq!(innermost(text), *expected, "{text}");
        }
    }
}
