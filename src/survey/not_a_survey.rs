//! The reason why a text or a file is not a survey.

use std::fmt;

/// The reason why a file is not a survey; the text also gives advice.
#[derive(Debug)]
pub struct NotASurvey(pub(super) String);

impl fmt::Display for NotASurvey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotASurvey {}

impl NotASurvey {
    /// The base could not be loaded; `why` also gives advice.
    #[must_use]
    pub fn for_want_of_its_base(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}
