//! Lines of containers' logs: whose log is asked for, and what a line of it is.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// Whose log, and which of its lines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LogOf {
    /// The container.
    pub container: String,
    /// Whether that of the run before, which has ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub previous: bool,
    /// What the lines are about.
    pub about: Topic,
}

/// What lines of a log are about: an object that is held, and by what.
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
    /// Its identity.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub uid: String,
    /// The finalizer that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finalizer: Option<String>,
}

/// A line of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// When it was written, by the node's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// How it bears on the topic.
    pub bearing: Bearing,
    /// The line, cut.
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

/// How a line bears on a topic, the closest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Bearing {
    /// Why the container ended.
    LastWords,
    /// It names the object, and trouble.
    TroubleWithIt,
    /// It names the object.
    Names,
    /// Trouble with the object's kind, its finalizer or in its namespace.
    Trouble,
}

impl LogOf {
    /// Of a node, not a pod: the lines of its kubelet's own log.
    pub const KUBELET: &str = "kubelet";
    /// Of a node: the containers of the pod that its runtime runs now, one a line.
    pub const RUNNING: &str = "runningpods";
}

impl LogLine {
    /// What is left of it without times and ids: lines that say the same.
    #[must_use]
    pub fn gist(&self) -> String {
        gist(&self.text)
    }

    /// The error that a structured line tells of, or else the line.
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

/// What stands before the error of a structured line.
pub(super) const ERRORS: [&str; 4] = ["\"error\":", "error=", "\"err\":", "err="];

/// Up to the closing quote, or to the end where it was cut off.
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

/// What is left of a line without times and ids.
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
