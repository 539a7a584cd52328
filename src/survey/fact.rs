//! What a read gave, or why it gave nothing.

use super::log::LogLine;
use super::object::Object;
use super::probe::Probed;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a read gave.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// The objects of a list.
    Listed(Vec<Object>),
    /// One object.
    Found(Box<Object>),
    /// Lines of a log, the most telling first.
    Logged(Vec<LogLine>),
    /// What the server said to a dry run.
    Probed(Probed),
    /// The server says that there is no such object.
    Missing,
    /// Nobody knows.
    Unread(Unread),
}

/// Why something could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unread {
    /// The kind of failure.
    pub reason: Reason,
    /// The server's or the connection's own words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

impl Unread {
    /// Whether the server itself failed, so that whoever else asks meets the same.
    #[must_use]
    pub fn is_the_servers(&self) -> bool {
        matches!(self.reason, Reason::ServerError | Reason::Garbled | Reason::TimedOut)
    }
}

/// The kinds of failed reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reason {
    /// The caller has no right to read it.
    Forbidden,
    /// The API behind it refuses, whoever asks: an aggregated server's own 403.
    Refused,
    /// No answer in time.
    TimedOut,
    /// The server answered that it cannot: 5xx, or a cache that never gets ready.
    ServerError,
    /// The server did not take this caller's request: 4xx, throttling.
    Rejected,
    /// The answer was not what the API promises.
    Garbled,
    /// The server does not serve this resource (any more).
    NotServed,
    /// No connection.
    Unreachable,
    /// The credentials were not accepted.
    Unauthorized,
    /// A recorded survey does not hold it.
    NotInSurvey,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.reason {
            Reason::Forbidden => "forbidden",
            Reason::Refused => "refused by the API behind it",
            Reason::TimedOut => "timed out",
            Reason::ServerError => "server error",
            Reason::Rejected => "request not taken",
            Reason::Garbled => "not a valid answer",
            Reason::NotServed => "not served",
            Reason::Unreachable => "unreachable",
            Reason::Unauthorized => "not authorized",
            Reason::NotInSurvey => "not in this survey",
        };
        f.write_str(reason)?;
        if self.message.is_empty() { Ok(()) } else { write!(f, ": {}", self.message) }
    }
}
