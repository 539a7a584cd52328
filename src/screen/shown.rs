//! The only way to a screen: everything printed is a [`Shown`], and only this room makes one, from
//! inert text.

use crate::inert::clean_elements;
use crate::screen::{Look, clean, layout, palette};
use std::fmt;
use std::ops::Deref;

/// Finished text. No foreign part of it is obeyed by a terminal, begins a line, or looks like a mark
/// of the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct Shown(String);

impl Shown {
    /// A text of the program itself.
    pub fn own(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// One line, whatever the text contains.
    pub fn line(text: &str) -> Self {
        Self(clean(text) + "\n")
    }

    /// One line, and a command below it that can be copied.
    pub fn line_and_command(text: &str, command: &str) -> Self {
        Self(clean(text) + "\n" + &layout::command_line("  ", command))
    }

    /// One line for each text.
    pub fn lines(texts: impl IntoIterator<Item = String>) -> Self {
        Self(texts.into_iter().map(|text| clean(&text) + "\n").collect())
    }

    /// The text in ASCII.
    pub fn in_ascii(&self) -> Self {
        Self(crate::screen::ascii(&self.0))
    }

    /// Each of the first `most` lines; the last of them counts those that do not fit.
    #[must_use]
    pub fn first_lines(&self, most: usize) -> Vec<Self> {
        let mut lines: Vec<Self> = self.0.lines().map(|line| Self(line.to_owned())).collect();
        if lines.len() > most {
            let rest = lines.len() + 1 - most;
            lines.truncate(most.saturating_sub(1));
            lines.push(Self(format!("… and {rest} more lines: leave out -w to see everything")));
        }
        lines
    }

    /// Lines of a screen that were cleaned one by one before.
    pub(crate) fn screen(lines: &str, look: Look) -> Self {
        let text = layout::fitted(&clean_elements(lines, palette::is_style), look.width);
        Self(palette::paint(&text, look.colour))
    }

    /// The output of an encoder, or text that is already laid out and coloured.
    pub(crate) fn finished(text: String) -> Self {
        Self(text)
    }
}

impl Deref for Shown {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Shown {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
impl PartialEq<str> for Shown {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

#[cfg(test)]
impl PartialEq<&str> for Shown {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

#[cfg(test)]
impl PartialEq<String> for Shown {
    fn eq(&self, other: &String) -> bool {
        self.0 == *other
    }
}

impl From<Shown> for String {
    fn from(shown: Shown) -> Self {
        shown.0
    }
}
