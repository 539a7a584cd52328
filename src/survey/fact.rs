//! The result of a read, or why there is none.

use super::log::Log;
use super::object::Object;
use super::probe::Probed;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The result of a read.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// The objects of a list.
    Listed(Vec<Object>),
    /// One object.
    Found(Box<Object>),
    /// A log.
    Logged(Log),
    /// The server's answer to a dry run.
    Probed(Probed),
    /// The server says that the object does not exist.
    Missing,
    /// Unknown: it could not be read.
    Unread(Unread),
}

impl Fact {
    /// The objects of a list, or the one that was found.
    #[must_use]
    pub fn objects(&self) -> &[Object] {
        match self {
            Self::Listed(objects) => objects,
            Self::Found(object) => std::slice::from_ref(object),
            Self::Logged(_) | Self::Probed(_) | Self::Missing | Self::Unread(_) => &[],
        }
    }
}

/// The reason why something could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unread {
    /// The kind of failure.
    pub reason: Reason,
    /// The words of the server or of the connection.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

impl Unread {
    /// Whether the server itself failed, so that everybody else has the same problem.
    pub(crate) fn is_the_servers(&self) -> bool {
        matches!(self.reason, Reason::ServerError | Reason::Garbled | Reason::TimedOut)
    }
}

/// The kinds of failed reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reason {
    /// The caller has no right to read it.
    Forbidden,
    /// The API behind the API server refuses everybody: an aggregated server's own 403.
    Refused,
    /// No answer in time.
    TimedOut,
    /// The server answered that it cannot: a 5xx, or a cache that never becomes ready.
    ServerError,
    /// The server did not accept this caller's request: a 4xx, or throttling.
    Rejected,
    /// The answer violates the API's promises.
    Garbled,
    /// The server does not serve this resource (any more).
    NotServed,
    /// No connection.
    Unreachable,
    /// The credentials were not accepted.
    Unauthorized,
    /// A recorded survey does not contain it.
    NotInSurvey,
}

impl Unread {
    /// The reason in words; the message, in the server's own words, says more.
    #[must_use]
    pub fn reason_in_words(&self) -> &'static str {
        match self.reason {
            Reason::Forbidden => "forbidden",
            Reason::Refused => "refused by the API behind it",
            Reason::TimedOut => "timed out",
            Reason::ServerError => "server error",
            Reason::Rejected => "request rejected",
            Reason::Garbled => "not a valid answer",
            Reason::NotServed => "not served",
            Reason::Unreachable => "unreachable",
            Reason::Unauthorized => "not authorized",
            Reason::NotInSurvey => "not in this survey",
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason_in_words())?;
        if self.message.is_empty() { Ok(()) } else { write!(f, ": {}", self.message) }
    }
}
