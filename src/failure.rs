//! Errors for people, with cause, place and advice; and the exit codes, each with a single meaning.

use std::fmt;

/// The exit code of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Nothing is stuck: no target is being deleted, all are within their usual time, or all were
    /// released and this was verified.
    Fine = 0,
    /// Something is stuck.
    Stuck = 1,
    /// Unknown: wrong arguments, not found, no connection, or relevant facts could not be read.
    Unknown = 2,
    /// A step was refused or failed.
    Refused = 3,
    /// The user pressed Ctrl-C.
    Interrupted = 130,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error that ends the program.
#[derive(Debug)]
#[must_use]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    what: String,
    hints: Vec<Hint>,
    is_about_type: bool,
}

/// Advice, and the commands with which to follow it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Hint {
    words: String,
    commands: Vec<String>,
}

impl<T: Into<String>> From<T> for Hint {
    fn from(words: T) -> Self {
        Self { words: words.into(), commands: Vec::new() }
    }
}

impl Hint {
    /// Adds a command.
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.commands.push(command.into());
        self
    }

    /// The advice without its commands.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The commands, each of which a person can copy.
    #[must_use]
    pub fn commands(&self) -> &[String] {
        &self.commands
    }
}

impl Failure {
    /// A failure because something could not be determined.
    pub fn unknown(what: impl Into<String>) -> Self {
        Self { exit: Exit::Unknown, what: what.into(), hints: Vec::new(), is_about_type: false }
    }

    /// A failure because a step was refused.
    pub fn refused(what: impl Into<String>) -> Self {
        Self { exit: Exit::Refused, what: what.into(), hints: Vec::new(), is_about_type: false }
    }

    /// A failure because something is stuck, or would get stuck.
    pub fn stuck(what: impl Into<String>) -> Self {
        Self { exit: Exit::Stuck, what: what.into(), hints: Vec::new(), is_about_type: false }
    }

    /// A failure because two flags contradict each other.
    pub(crate) fn contradiction(what: impl Into<String>) -> Self {
        Self::unknown(what).hint("leave out one of them")
    }

    /// A failure because the user pressed Ctrl-C.
    pub fn interrupted(what: impl Into<String>) -> Self {
        Self { exit: Exit::Interrupted, what: what.into(), hints: Vec::new(), is_about_type: false }
    }

    /// The error message.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The advice, if any.
    pub fn hints(&self) -> &[Hint] {
        &self.hints
    }

    /// The same failure at a place.
    pub(crate) fn at(mut self, place: impl fmt::Display) -> Self {
        self.what = format!("{place}: {}", self.what);
        self
    }

    /// Marks the failure: the server serves no such TYPE, so another word may have been meant.
    pub(crate) fn about_type(mut self) -> Self {
        self.is_about_type = true;
        self
    }

    /// Whether the server serves no such TYPE.
    pub(crate) fn is_about_type(&self) -> bool {
        self.is_about_type
    }

    /// Gives this advice, and no other.
    pub fn hint(mut self, hint: impl Into<Hint>) -> Self {
        self.hints = vec![hint.into()];
        self
    }

    /// Gives this advice before all other.
    pub(crate) fn hint_first(mut self, hint: Hint) -> Self {
        self.hints.insert(0, hint);
        self
    }

    /// Adds a command to the advice.
    pub fn command(mut self, command: impl Into<String>) -> Self {
        let hint = self.hints.pop().map(|hint| hint.command(command));
        self.hints.extend(hint);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        for hint in &self.hints {
            write!(f, "\nhint: {}", hint.words)?;
            hint.commands.iter().try_for_each(|command| write!(f, "\n  $ {command}"))?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

/// An error and its sources in one line.
#[must_use]
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        // Many errors repeat their source in their own message.
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}
