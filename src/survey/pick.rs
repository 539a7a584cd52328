//! Picks the lines of a log to keep. A log may contain anything, including secrets, so only the few
//! lines about one object are kept.

use super::log::{Bearing, ERRORS, LogLine, LogOf, Topic, gist};
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// How many lines of a log are kept.
const MAX_LINES: usize = 20;
/// How many characters of a line are kept.
const MAX_CHARS: usize = 300;
/// How many characters of its beginning are kept if a longer line has an error further back.
const HEAD_CHARS: usize = 120;

/// The containers of one pod in a kubelet's list of running pods, one per line.
///
/// # Errors
/// When `text` is no such list.
pub fn running(text: &str, of: &LogOf) -> Result<Vec<LogLine>, serde_json::Error> {
    let list: serde_json::Value = serde_json::from_str(text)?;
    let pods = list.get("items").and_then(serde_json::Value::as_array);
    let is_it = |pod: &&serde_json::Value| {
        let text = |pointer: &str| pod.pointer(pointer).and_then(serde_json::Value::as_str);
        match text("/metadata/uid").filter(|uid| !uid.is_empty()) {
            Some(uid) => uid == of.about.uid,
            None => {
                text("/metadata/name") == Some(&of.about.name)
                    && text("/metadata/namespace") == of.about.namespace.as_deref()
            }
        }
    };
    let containers =
        pods.into_iter().flatten().filter(is_it).filter_map(|pod| pod.pointer("/spec/containers")?.as_array());
    let names = containers.flatten().filter_map(|container| container.get("name")?.as_str());
    Ok(names.take(MAX_LINES).map(|name| LogLine { at: None, bearing: Bearing::Names, text: name.to_owned() }).collect())
}

/// The relevant lines of `log`. For a terminated run, its last words come first. Then come lines
/// that name the object, those with a problem first; then problems with its kind, its finalizer or
/// its namespace. Within each group, the latest are first, and lines that differ only in times and
/// ids are kept once.
///
/// Each line of `log` must begin with its time, as the API provides on request.
#[must_use]
pub fn pick(log: &str, of: &LogOf) -> Vec<LogLine> {
    let lines: Vec<Cow<'_, str>> = log.lines().map(plain).filter(|line| !split(line).1.is_empty()).collect();
    let last_words = of.previous.then(|| last_words(&lines)).flatten();
    let mut bearings: Vec<(Bearing, &str)> = Vec::new();
    for (index, line) in lines.iter().enumerate().rev() {
        let bearing = if Some(index) == last_words { Some(Bearing::LastWords) } else { of.about.bearing(line) };
        bearings.extend(bearing.map(|bearing| (bearing, &**line)));
    }
    bearings.sort_by_key(|(bearing, _)| *bearing);
    let mut told = BTreeSet::new();
    bearings.retain(|(_, line)| told.insert(gist(split(line).1)));
    bearings.into_iter().take(MAX_LINES).map(|(bearing, line)| kept(bearing, line)).collect()
}

impl Topic {
    fn bearing(&self, line: &str) -> Option<Bearing> {
        let line = split(line).1.to_ascii_lowercase();
        let says = |word: &str| count(&line, &word.to_ascii_lowercase());
        let kind = says(&self.kind) + says(&self.resource);
        let namespace = self.namespace.as_deref().map_or(0, says);
        let finalizer = self.finalizer.as_deref().map_or(0, says);
        // If the namespace or the kind has the same name, the name must occur once more.
        let alike = usize::from(self.namespace.as_deref() == Some(&self.name))
            + usize::from(self.name.eq_ignore_ascii_case(&self.kind) || self.name == self.resource);
        let is_others = self.names_another(&line);
        let named = says(&self.name) > alike && kind + namespace + finalizer > 0 && !is_others;
        if named || says(&self.uid) > 0 {
            Some(if self.is_troubled(&line) { Bearing::TroubleWithIt } else { Bearing::Names })
        } else if kind + namespace + finalizer > 0 && self.is_troubled(&line) {
            Some(Bearing::Trouble)
        } else {
            None
        }
    }

    /// Whether a line, in lower case, is about an object with this name in another namespace: `OTHER/NAME`, or a
    /// field `namespace` with another value.
    fn names_another(&self, line: &str) -> bool {
        let Some(own) = self.namespace.as_deref() else { return false };
        let part = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let kinds = [self.kind.to_ascii_lowercase(), self.resource.to_ascii_lowercase()];
        let places = || {
            line.match_indices(&self.name)
                .filter(|(end, _)| !goes_on(line[end + self.name.len()..].chars()))
                .filter_map(|(start, _)| {
                    let before = line[..start].strip_suffix('/')?;
                    let place = before.rsplit(|c| !part(c)).next()?;
                    (!place.is_empty() && !kinds.iter().any(|kind| kind == place)).then_some(place)
                })
        };
        let fields = line.match_indices("namespace").filter_map(|(start, word)| {
            let rest = &line[start + word.len()..];
            let value = rest.trim_start_matches(['"', '\'', ' ', ':', '=', '\\']);
            let is_field = rest[..rest.len() - value.len()].contains([':', '=']);
            let value = &value[..value.find(|c| !part(c)).unwrap_or(value.len())];
            (is_field && !value.is_empty()).then_some(value)
        });
        let mut fields = fields.peekable();
        if fields.peek().is_some() {
            return fields.all(|value| value != own);
        }
        places().next().is_some() && places().all(|place| place != own)
    }

    /// Whether a line, in lower case, reports a problem outside of the object's names: a kind may
    /// be called `FailoverGroup`, and a namespace `errors`.
    fn is_troubled(&self, line: &str) -> bool {
        let names = [Some(&self.kind), Some(&self.resource), Some(&self.name), self.namespace.as_ref()];
        let names = names.into_iter().flatten().chain(self.finalizer.as_ref()).map(|name| name.to_ascii_lowercase());
        let rest = names.filter(|name| is_trouble(name)).fold(line.to_owned(), |line, name| line.replace(&name, " "));
        is_trouble(&rest)
    }
}

/// How often `text` contains `word` as a complete name: the dot at the end of a sentence does not
/// continue a name, the dot in `a.b` does.
fn count(text: &str, word: &str) -> usize {
    if word.is_empty() {
        return 0;
    }
    let before = |start: usize| goes_on(text[..start].chars().rev());
    let after = |end: usize| goes_on(text[end..].chars());
    text.match_indices(word).filter(|(start, _)| !before(*start) && !after(start + word.len())).count()
}

/// Whether the characters beside a word belong to the same name.
fn goes_on(mut beside: impl Iterator<Item = char>) -> bool {
    let letter = |c: char| c.is_alphanumeric() || c == '-';
    match beside.next() {
        Some('.') => beside.next().is_some_and(letter),
        other => other.is_some_and(letter),
    }
}

fn is_trouble(line: &str) -> bool {
    /// A write that lost a race. Controllers repeat it immediately (kubernetes/kubernetes:
    /// `staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go`).
    const RACE: &str = "the object has been modified";
    const NONE: [&str; 14] = [
        "error=<nil>",
        "err=<nil>",
        "error=nil",
        "err=nil",
        "error=\"\"",
        "err=\"\"",
        "\"error\":\"\"",
        "\"error\":null",
        "\"err\":null",
        "no error",
        "without error",
        "0 errors",
        "errors=0",
        "\"errors\":0",
    ];
    const WORDS: [&str; 20] = [
        "error",
        "err=",
        "fail",
        "forbidden",
        "denied",
        "unauthorized",
        "cannot",
        "unable",
        "timeout",
        "timed out",
        "deadline",
        "refused",
        "panic",
        "fatal",
        "invalid",
        "exception",
        "no such",
        "not found",
        "unavailable",
        "x509",
    ];
    let rest = || NONE.iter().fold(line.to_owned(), |line, none| line.replace(none, " "));
    let troubled = |line: &str| WORDS.iter().any(|word| line.contains(word));
    troubled(line) && !line.contains(RACE) && troubled(&rest())
}

/// The line with the reason why a run ended: the last panic or fatal error, otherwise the last line.
fn last_words(lines: &[Cow<'_, str>]) -> Option<usize> {
    let fatal = |line: &str| {
        let text = split(line).1;
        let glog = text.strip_prefix('F').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let text = text.to_ascii_lowercase();
        let marks = ["\"level\":\"fatal\"", "level=fatal", " fatal "];
        glog || text.starts_with("panic:")
            || text.starts_with("fatal error:")
            || marks.iter().any(|mark| text.contains(mark))
    };
    lines.iter().rposition(|line| fatal(line)).or_else(|| lines.len().checked_sub(1))
}

/// Splits a line into the time at its beginning and the rest.
fn split(line: &str) -> (Option<Timestamp>, &str) {
    let parsed = line.split_once(' ').and_then(|(time, text)| Some((time.parse().ok()?, text)));
    parsed.map_or((None, line.trim()), |(time, text): (Timestamp, &str)| (Some(time), text.trim()))
}

fn kept(bearing: Bearing, line: &str) -> LogLine {
    let (at, text) = split(line);
    LogLine { at, bearing, text: shorten(text) }
}

/// Shortens a line to [`MAX_CHARS`]. In structured logs the error is near the end, so the beginning
/// and the error are kept.
fn shorten(text: &str) -> String {
    let Some((head, rest)) = cut(text, HEAD_CHARS) else { return text.to_owned() };
    if cut(text, MAX_CHARS).is_none() {
        return text.to_owned();
    }
    // Same length as `rest`: only ASCII changes case.
    let lower = rest.to_ascii_lowercase();
    let error = ERRORS.iter().chain(&["error:"]).find_map(|key| lower.find(key));
    let (head, rest) = match error {
        Some(start) => (format!("{head}…"), &rest[start..]),
        None => (head.to_owned(), rest),
    };
    let room = MAX_CHARS - head.chars().count();
    match cut(rest, room) {
        None => head + rest,
        Some(_) => format!("{head}{}…", cut(rest, room - 1).map_or(rest, |(start, _)| start)),
    }
}

/// The first `length` characters and the rest, if there is any.
fn cut(text: &str, length: usize) -> Option<(&str, &str)> {
    text.char_indices().nth(length).map(|(at, _)| text.split_at(at))
}

/// Removes colours and other characters that only a terminal understands.
fn plain(line: &str) -> Cow<'_, str> {
    if !line.contains(char::is_control) {
        return Cow::Borrowed(line);
    }
    let mut text = String::with_capacity(line.len());
    let mut parts = line.split("\u{1b}[");
    text.extend(parts.next());
    for part in parts {
        // An escape sequence ends with its first letter or sign.
        let end = part.find(|c: char| ('@'..='~').contains(&c)).map_or(part.len(), |end| end + 1);
        text.push_str(&part[end..]);
    }
    Cow::Owned(text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect())
}

#[cfg(test)]
mod tests {
    use super::Bearing::{Names, Trouble, TroubleWithIt};
    use super::*;

    fn of(previous: bool) -> LogOf {
        let about = Topic {
            kind: "Database".into(),
            resource: "databases".into(),
            namespace: Some("shop".into()),
            name: "orders".into(),
            uid: "0f3c".into(),
            finalizer: Some("acme.io/backup".into()),
        };
        LogOf { container: "manager".into(), previous, about }
    }

    fn texts(log: &str, of: &LogOf) -> Vec<String> {
        pick(log, of).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn lines_about_the_object_come_first_and_the_latest_before_older() {
        let log = "\
2026-11-21T11:00:00.123456789Z starting
2026-11-21T11:00:01Z reconciling Database shop/orders
2026-11-21T11:00:02Z cannot list databases: forbidden
2026-11-21T11:00:03Z reconciling Database shop/orders-2
2026-11-21T11:00:04Z upload of shop/orders refused
2026-11-21T11:00:05Z watching databases
2026-11-21T11:00:06Z failed to remove acme.io/backup
2026-11-21T11:00:07Z object 0f3c is done
";
        let lines = pick(log, &of(false));
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "upload of shop/orders refused",
                "object 0f3c is done",
                "reconciling Database shop/orders",
                "failed to remove acme.io/backup",
                "cannot list databases: forbidden",
            ]
        );
        assert_eq!(lines[0].at, Some("2026-11-21T11:00:04Z".parse().unwrap()));
        let bearings: Vec<Bearing> = lines.iter().map(|line| line.bearing).collect();
        assert_eq!(bearings, [TroubleWithIt, Names, Names, Trouble, Trouble]);
    }

    #[test]
    fn a_record_about_the_same_name_in_another_namespace_is_not_about_the_object() {
        let bearing = |line: &str| pick(line, &of(false)).first().map(|line| line.bearing);
        for line in [
            "Database mallory/orders: set annotation acme.io/keep=false to permit the deletion",
            r#"{"msg":"reconciling","kind":"Database","namespace":"mallory","name":"orders"}"#,
            "reconciling Database namespace=mallory name=orders uid=77",
        ] {
            assert_eq!(bearing(line), None, "{line}");
        }
        for line in [
            "reconciling Database shop/orders",
            r#"{"msg":"reconciling","kind":"Database","namespace":"shop","name":"orders"}"#,
            "reconciling databases/orders",
            "Database orders in namespace shop",
        ] {
            assert_eq!(bearing(line), Some(Names), "{line}");
        }
    }

    #[test]
    fn names_that_contain_error_words_are_not_trouble() {
        let about = Topic { kind: "FailoverGroup".into(), namespace: Some("errors".into()), ..of(false).about };
        let of = LogOf { about, ..of(false) };
        let bearing = |line: &str| pick(line, &of).first().map(|line| line.bearing);
        for (line, expected) in [
            ("reconciling FailoverGroup errors/orders", Some(Names)),
            ("FailoverGroup errors/orders failed", Some(TroubleWithIt)),
            ("FailoverGroup errors/orders err=<nil>", Some(Names)),
            ("FailoverGroup errors/orders: {\"error\":null}", Some(Names)),
            ("cannot be fulfilled on FailoverGroup orders: the object has been modified", Some(Names)),
            ("watching FailoverGroup in errors", None),
            ("panic in errors", Some(Trouble)),
        ] {
            assert_eq!(bearing(line), expected, "{line}");
        }
    }

    #[test]
    fn parts_of_longer_names_do_not_match() {
        for (text, word, times) in [
            ("shop/orders.", "orders", 1),
            ("orders-2 my-orders orders.x reorders x.orders", "orders", 0),
            ("\"name\":\"orders\",orders", "orders", 2),
            ("database_controller.go", "database", 1),
            ("ä.orders öorders …orders", "orders", 1),
            ("anything", "", 0),
        ] {
            assert_eq!(count(text, word), times, "{text}");
        }
    }

    #[test]
    fn a_name_equal_to_its_namespace_must_occur_twice() {
        let about = Topic { namespace: Some("orders".into()), ..of(false).about };
        let of = LogOf { about, ..of(false) };
        assert!(texts("Database orders/first: ok", &of).is_empty());
        assert_eq!(texts("Database orders/orders: ok", &of).len(), 1);
    }

    #[test]
    fn lines_that_differ_only_in_times_and_ids_are_kept_once() {
        let log = "2026-11-21T11:00:00Z 11:00 shop/orders failed id=0a1b\n2026-11-21T11:05:00Z 11:05 shop/orders failed id=ff07\n";
        let lines = pick(log, &of(false));
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].at, Some("2026-11-21T11:05:00Z".parse().unwrap()));
    }

    #[test]
    fn the_reason_for_the_end_of_a_run_comes_first() {
        let crash = "shop/orders is next\npanic: nil map\n\ngoroutine 1 [running]:\nmain.main()\n";
        assert_eq!(texts(crash, &of(true)), ["panic: nil map", "shop/orders is next"]);
        assert_eq!(texts(crash, &of(false)), ["shop/orders is next"]);
        assert_eq!(texts("one\ntwo: bad flag\n\n", &of(true)), ["two: bad flag"]);
        assert!(texts("", &of(true)).is_empty());
    }

    #[test]
    fn a_long_line_keeps_its_beginning_and_its_error() {
        let line = format!(
            "{{\"level\":\"error\",\"msg\":\"Reconciler error\",\"Database\":\"shop/orders\",\"x\":\"{}\",\"error\":\"AccessDenied: {}\"}}",
            "ä".repeat(400),
            "é".repeat(400)
        );
        let text = &texts(&line, &of(false))[0];
        assert_eq!(text.chars().count(), MAX_CHARS);
        assert!(
            text.starts_with("{\"level\":") && text.contains("…\"error\":\"AccessDenied: é") && text.ends_with("é…")
        );
        let line = format!("shop/orders {}", "ü".repeat(400));
        assert_eq!(texts(&line, &of(false))[0].chars().count(), MAX_CHARS);
        let line = format!("shop/orders {}", "ü".repeat(MAX_CHARS - 12));
        assert_eq!(texts(&line, &of(false))[0], line);
    }

    #[test]
    fn colours_and_control_characters_are_left_out() {
        let log = "2026-11-21T11:00:00Z \u{1b}[31mERROR\u{1b}[0m\tshop/orders\u{7}\r\n";
        assert_eq!(texts(log, &of(false)), ["ERROR shop/orders"]);
    }

    #[test]
    fn the_number_of_lines_is_limited() {
        let log: Vec<String> = (0..200).map(|line| format!("shop/orders {}", "z".repeat(line))).collect();
        assert_eq!(pick(&log.join("\n"), &of(false)).len(), MAX_LINES);
    }
}
