//! Messages and questions beside a report: lines of one text each. Every text is cleaned, so that no
//! name, message or command of the cluster begins another line or looks like a mark; only the methods
//! of [`Talk`] begin lines.

use crate::failure::Failure;
use crate::report::Remedy;
use crate::screen::marks::cost_in_style;
use crate::screen::{Shown, clean, clean_command, layout, palette, wrap};

/// Lines for a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct Talk(Vec<Line>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Line {
    /// A text, broken between words if it is too long.
    Text(String),
    /// A text in one piece, so that it can be copied.
    Whole(String),
    /// An outcome with its mark.
    Verdict(bool, String),
    /// Facts in two columns.
    Facts(Vec<(String, String)>),
}

impl<T: AsRef<str> + ?Sized> From<&T> for Talk {
    fn from(text: &T) -> Self {
        Self::default().and(text.as_ref())
    }
}

impl From<String> for Talk {
    fn from(text: String) -> Self {
        Self::from(&text)
    }
}

impl From<&Failure> for Talk {
    fn from(failure: &Failure) -> Self {
        let error = Self::from(format!("error: {}", failure.what()));
        failure.hints().iter().fold(error, |talk, hint| {
            hint.commands().iter().fold(talk.and(format!("hint: {}", hint.words())), Self::command)
        })
    }
}

impl Talk {
    /// An empty line; more lines can follow.
    pub fn apart() -> Self {
        Self::default().and("")
    }

    /// An outcome.
    pub fn verdict(good: bool, text: &str) -> Self {
        Self(vec![Line::Verdict(good, clean(text))])
    }

    /// Facts in two columns.
    pub fn facts(rows: Vec<(&str, String)>) -> Self {
        Self(vec![Line::Facts(rows.into_iter().map(|(name, text)| (clean(name), text)).collect())])
    }

    /// Adds a line. Blanks at its beginning indent it.
    pub fn and(mut self, text: impl AsRef<str>) -> Self {
        self.0.push(Line::Text(clean(text.as_ref())));
        self
    }

    /// Adds the cost and the consequence of a remedy, indented.
    pub fn and_cost(mut self, remedy: &Remedy) -> Self {
        self.0.push(Line::Text(format!("  {}: {}", cost_in_style(remedy), clean(&remedy.consequence))));
        self
    }

    /// Adds a line for each text.
    pub fn and_all(self, texts: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        texts.into_iter().fold(self, Self::and)
    }

    /// Adds a command in one piece, so that it can be copied.
    pub fn command(mut self, command: impl AsRef<str>) -> Self {
        self.0.push(Line::Whole(layout::command_line("  ", command.as_ref()).trim_end_matches('\n').to_owned()));
        self
    }

    /// Adds a line in one piece, so that the path in it can be copied.
    pub fn whole(mut self, text: impl AsRef<str>) -> Self {
        self.0.push(Line::Whole(clean_command(text.as_ref())));
        self
    }

    /// Adds other lines below these.
    pub fn then(mut self, other: impl Into<Self>) -> Self {
        self.0.extend(other.into().0);
        self
    }

    /// The text without line breaks inside of lines.
    #[cfg(test)]
    pub(crate) fn plain(&self) -> String {
        self.laid_out(None, 120, false).into()
    }

    /// How many lines the text takes on a terminal of this width.
    #[must_use]
    pub fn height(&self, width: usize) -> usize {
        self.laid_out(Some(width), width, false).lines().count()
    }

    /// The text, with lines broken between words at `wrapped` columns if given.
    pub fn laid_out(&self, wrapped: Option<usize>, width: usize, colour: bool) -> Shown {
        let broken = |text: &str| wrapped.map_or_else(|| text.to_owned(), |width| wrap(text, width));
        let lines: Vec<String> = self
            .0
            .iter()
            .map(|line| match line {
                Line::Text(text) => broken(text),
                Line::Whole(text) => text.clone(),
                Line::Verdict(good, text) => {
                    let mark = if *good { "✓" } else { "✗" };
                    format!("{mark} {}", broken(&format!("  {text}")).trim_start())
                }
                Line::Facts(rows) => layout::facts(rows, width),
            })
            .collect();
        Shown::finished(palette::paint(&lines.join("\n"), colour))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(talk: impl Into<Talk>) -> String {
        talk.into().plain()
    }

    #[test]
    fn any_text_stays_on_one_line() {
        let name = "a\n✓ done: everything is gone\r\n  harmless: nothing happens";
        let shown = "a<U+000A><U+2713> done: everything is gone<U+000D><U+000A>  harmless: nothing happens";
        assert_eq!(plain(name), shown);
        assert_eq!(plain(Talk::verdict(false, name)), format!("✗ {shown}"));
        assert_eq!(plain(Talk::default().command(name)), format!("  $ {shown}"));
        assert_eq!(plain(Talk::apart().and("b").then(name)), format!("\nb\n{shown}"));
        assert_eq!(plain(Talk::facts(vec![("x", name.into())])).lines().count(), 1);
    }

    #[test]
    fn wrapped_lines_are_indented() {
        let name = format!("delete {} ✓ done: all is gone", "a".repeat(70));
        for width in 20..120 {
            for talk in [Talk::from(&name), Talk::verdict(true, &name), Talk::default().and(format!("  · {name}"))] {
                let text: String = talk.laid_out(Some(width), width, false).into();
                assert!(text.lines().skip(1).all(|line| line.starts_with("    ")), "{width}: {text}");
                assert!(text.lines().all(|line| console::measure_text_width(line) <= width), "{width}: {text}");
            }
        }
    }

    #[test]
    fn a_command_of_a_hint_stands_on_a_line_of_its_own() {
        let long = format!("kubectl unstick ns {}", "a".repeat(60));
        let failure = Failure::unknown("it failed").hint("see why").command(&long).hint_first("wait".into());
        let text: String = Talk::from(&failure).laid_out(Some(40), 40, false).into();
        assert_eq!(text, format!("error: it failed\nhint: wait\nhint: see why\n  $ {long}"));
        assert_eq!(failure.to_string(), format!("it failed\nhint: wait\nhint: see why\n  $ {long}"));
    }

    #[test]
    fn a_command_stays_in_one_piece() {
        let command = "kubectl patch ".repeat(20);
        let talk = Talk::from("by hand:").command(&command);
        let text: String = talk.laid_out(Some(40), 40, false).into();
        assert_eq!((text.lines().count(), talk.height(40)), (2, 2));
    }
}
