//! When logs of controllers are read.

use serde::{Deserialize, Serialize};

/// When logs of controllers are read. A survey file says `true` for always.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "ReadingInFile", into = "ReadingInFile")]
pub enum LogReading {
    /// Never.
    #[default]
    Never,
    /// If an object is late, and nothing else that was read says why.
    IfNeeded,
    /// In every case.
    Always,
}

impl LogReading {
    /// Whether no log is read.
    #[must_use]
    pub fn is_never(&self) -> bool {
        *self == Self::Never
    }
}

/// How a file says it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ReadingInFile {
    Flag(bool),
    Word(String),
}

/// The word of a file for [`LogReading::IfNeeded`].
const IF_NEEDED: &str = "ifNeeded";

impl From<LogReading> for ReadingInFile {
    fn from(reading: LogReading) -> Self {
        match reading {
            LogReading::Never => Self::Flag(false),
            LogReading::IfNeeded => Self::Word(IF_NEEDED.into()),
            LogReading::Always => Self::Flag(true),
        }
    }
}

impl TryFrom<ReadingInFile> for LogReading {
    type Error = String;

    fn try_from(written: ReadingInFile) -> Result<Self, String> {
        match written {
            ReadingInFile::Flag(false) => Ok(Self::Never),
            ReadingInFile::Flag(true) => Ok(Self::Always),
            ReadingInFile::Word(word) if word == IF_NEEDED => Ok(Self::IfNeeded),
            ReadingInFile::Word(word) => Err(format!("logs: {word:?} is not true, false or {IF_NEEDED}")),
        }
    }
}
