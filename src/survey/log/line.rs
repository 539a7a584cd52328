//! The wanted log, and what is kept of its records.

use super::names::template;
use super::record::Record;
use super::severity::Severity;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cmp::Reverse;
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
    /// When its deletion was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// What it stands for elsewhere, by its status or annotations: the id of a volume, of a load balancer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<String>,
}

/// The part of a log that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// The time of the oldest line that was read, by the node's clock.
    pub begins: Option<Timestamp>,
    /// The time of the latest one.
    pub ends: Option<Timestamp>,
    /// The relevant records, the most relevant first.
    pub lines: Vec<LogLine>,
}

/// A record of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// The time when it was written, by the node's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// How relevant it is.
    pub bearing: Bearing,
    /// The shortened text, as it was written.
    pub text: String,
    /// How serious it is.
    #[serde(default, skip_serializing_if = "is_default")]
    pub level: Severity,
    /// The sentence that says why: the innermost error, or else the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How often it was written since the deletion.
    #[serde(default, skip_serializing_if = "is_default")]
    pub times: u32,
    /// Whether it is about a deletion or a clean-up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_about_end: bool,
    /// Whether it was written more than once since the deletion, and never before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_new: bool,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
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
    /// A line of which no more is known.
    #[must_use]
    pub fn new(at: Option<Timestamp>, bearing: Bearing, text: impl Into<String>) -> Self {
        Self {
            at,
            bearing,
            text: text.into(),
            level: Severity::Info,
            message: None,
            times: 0,
            is_about_end: false,
            is_new: false,
        }
    }

    /// The message without numbers and names, to find lines that say the same.
    pub(crate) fn gist(&self) -> String {
        template(&self.message())
    }

    /// What tells more comes first: the bearing, the level, whether it is new.
    pub(crate) fn rank(&self) -> (Bearing, Reverse<Severity>, Reverse<bool>) {
        (self.bearing, Reverse(self.level), Reverse(self.is_new))
    }

    /// The sentence that says why, or else the error in the line, or else its message.
    #[must_use]
    pub fn message(&self) -> Cow<'_, str> {
        match &self.message {
            Some(message) => Cow::Borrowed(message),
            None => Cow::Owned(Record::alone(&self.text).told()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_a_line_without_one_is_its_error() {
        for (text, message) in [
            (r#"{"msg":"Reconciler error","error":"jobs \"a\" denied","n":1}"#, r#"jobs "a" denied"#),
            (r#"level=error msg=x error="upload\nrefused" n=1"#, "upload refused"),
            ("x err=refused by peer", "refused by peer"),
            (r#"{"error":"cut o…"#, "cut o…"),
            ("plain words", "plain words"),
            ("x error=", "x"),
        ] {
            assert_eq!(LogLine::new(None, Bearing::Names, text).message(), message);
        }
    }
}
