//! Lines of logs: the wanted log, and the content of a line.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A log and a selection of its lines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LogOf {
    /// The container.
    pub container: String,
    /// Whether the log of the previous, terminated run is wanted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub previous: bool,
    /// The topic of the lines.
    pub about: Topic,
}

/// The topic of log lines: an object, and the finalizer that holds it.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Topic {
    /// The object's kind.
    pub kind: String,
    /// Its plural resource name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub resource: String,
    /// Its namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
    /// Its uid.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub uid: String,
    /// The finalizer that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finalizer: Option<String>,
}

/// A line of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// The time when it was written, by the node's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// How relevant it is.
    pub bearing: Bearing,
    /// The shortened text.
    pub text: String,
}

impl fmt::Display for LogOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.container == Self::RUNNING {
            return f.write_str("the running containers");
        }
        let run = if self.previous { "the previous log" } else { "the log" };
        write!(f, "{run} of container {}", self.container)
    }
}

/// How relevant a line is, the most relevant first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Bearing {
    /// It says why the container ended.
    LastWords,
    /// It names the object, and a problem.
    TroubleWithIt,
    /// It names the object.
    Names,
    /// It names a problem with the object's kind, its finalizer or its namespace.
    Trouble,
}

impl LogOf {
    /// For nodes: the lines of the kubelet's own log.
    pub const KUBELET: &str = "kubelet";
    /// For nodes: the running containers of the pod, one per line.
    pub const RUNNING: &str = "runningpods";
}

impl LogLine {
    /// The text without times and ids, to find lines that say the same.
    pub(crate) fn gist(&self) -> String {
        gist(&self.text)
    }

    /// The error in a structured line, or else the whole line.
    #[must_use]
    pub fn message(&self) -> Cow<'_, str> {
        let lower = self.text.to_ascii_lowercase();
        let value = ERRORS.iter().find_map(|key| Some(self.text[lower.find(key)? + key.len()..].trim_start()));
        let Some(value) = value.filter(|value| !value.is_empty()) else { return Cow::Borrowed(&self.text) };
        match value.strip_prefix('"') {
            Some(quoted) => Cow::Owned(unquoted(quoted)),
            None => Cow::Borrowed(value),
        }
    }
}

/// The keys before the error in a structured line.
pub(super) const ERRORS: [&str; 4] = ["\"error\":", "error=", "\"err\":", "err="];

/// The text up to the closing quote, or to the end if it was cut off.
fn unquoted(text: &str) -> String {
    let (mut plain, mut escaped) = (String::new(), false);
    for c in text.chars() {
        match c {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => break,
            'n' | 't' if std::mem::take(&mut escaped) => plain.push(' '),
            _ => {
                escaped = false;
                plain.push(c);
            }
        }
    }
    plain
}

/// A line without times and ids.
pub(super) fn gist(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_hexdigit()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_a_structured_line_is_its_error() {
        for (text, message) in [
            (r#"{"msg":"Reconciler error","error":"jobs \"a\" denied","n":1}"#, r#"jobs "a" denied"#),
            (r#"level=error msg=x error="upload\nrefused" n=1"#, "upload refused"),
            ("x err=refused by peer", "refused by peer"),
            (r#"{"error":"cut o…"#, "cut o…"),
            ("plain words", "plain words"),
            ("x error=", "x error="),
        ] {
            let line = LogLine { at: None, bearing: Bearing::Names, text: text.into() };
            assert_eq!(line.message(), message);
        }
    }
}
