//! The layout of a screen: its size, its tables, and the line that counts what does not fit.

use crate::inert::clean_elements;
use crate::plugin::of_caller;
use crate::screen::{HANG, clean, clean_command, joined, palette, spread};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};
use console::measure_text_width;

/// What stands before a suggested command.
pub(crate) const PROMPT: &str = "$ ";

/// Below this width, a text may take more lines.
const NARROW: usize = 60;

/// The look of a screen.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Columns of the screen.
    pub width: usize,
    /// Whether to use colours.
    pub colour: bool,
    /// Whether to show everything, however long it gets.
    pub all: bool,
}

impl Look {
    /// The width of a pipe or file: no line is broken.
    pub const UNLIMITED: usize = 20_000;

    /// Whether no line is broken.
    pub(crate) fn is_unlimited(self) -> bool {
        self.width >= Self::UNLIMITED
    }

    /// How many lines a text may take if a wide screen gives it `few`.
    pub(crate) fn lines(self, few: usize) -> usize {
        match (self.all, self.width < NARROW) {
            (true, _) => usize::MAX,
            (false, true) => few.saturating_mul(3),
            (false, false) => few,
        }
    }

    /// How many items of a list are shown if there is room for `few`.
    pub(crate) fn most(self, few: usize) -> usize {
        if self.all { usize::MAX } else { few }
    }
}

/// Facts in two columns, cleaned and laid out for `width` columns. Words are never broken, however
/// long: names and commands are copied whole.
#[must_use]
pub fn facts(rows: &[(impl AsRef<str>, String)], width: usize) -> String {
    let widest = rows.iter().map(|(name, _)| measure_text_width(name.as_ref())).max().unwrap_or_default();
    let indent = widest + 3;
    let mut lines = Vec::new();
    for (name, text) in rows {
        let name = name.as_ref();
        let gap = " ".repeat(indent - 1 - measure_text_width(name));
        lines.push(format!(" {name}{gap}"));
        let mut used = indent;
        for word in clean(text).split(' ').filter(|word| !word.is_empty()) {
            let room = measure_text_width(word);
            if used > indent && used + 1 + room > width {
                lines.push(" ".repeat(indent));
                used = indent;
            }
            if let Some(line) = lines.last_mut() {
                line.push_str(if used > indent { " " } else { "" });
                line.push_str(word);
            }
            used += room + usize::from(used > indent);
        }
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// The lines, broken between words where they are too long, and continued with a deeper indent. Those of
/// [`command_line`] stay in one piece.
pub(crate) fn fitted(lines: &str, width: usize) -> String {
    let line = |line: &str| {
        let begin = line.find(|c: char| !" │├└─".contains(c)).unwrap_or_default();
        let (lead, text) = line.split_at(begin);
        if text.starts_with(PROMPT) || measure_text_width(line) <= width {
            return format!("{line}\n");
        }
        let hang = (measure_text_width(lead) + HANG).min(width / 2);
        joined(&spread(lead.to_owned(), &text.replace("  ", "\u{a0}\u{a0}"), width, hang)) + "\n"
    };
    lines.lines().map(line).collect()
}

/// Finished text: cleaned, without trailing blanks.
pub(crate) fn trimmed(text: &str) -> String {
    clean_elements(text, palette::is_style).lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// `… and 3 more causes: -o json lists all of them`; `None` if nothing is left out.
pub(crate) fn left_out(rest: usize, what: &str) -> Option<String> {
    (rest > 0).then(|| format!("… and {}: -o json lists all of them", more(rest, what)))
}

/// A line that counts the items that are not shown.
pub(crate) fn and_more(all: usize, shown: usize, what: &str) -> String {
    left_out(all.saturating_sub(shown), what).map(|rest| format!(" {rest}\n\n")).unwrap_or_default()
}

/// A suggested command: it alone, and all of it, however wide the screen. A line that is broken would be
/// another command when it is pasted.
pub(crate) fn command_line(indent: &str, command: &str) -> String {
    format!("{indent}{PROMPT}{}\n", clean_command(&of_caller(command)))
}

/// The commands, a line for each; those after the first `most` are counted.
pub(crate) fn command_lines(commands: &[impl AsRef<str>], most: usize, indent: &str) -> String {
    let lines = commands.iter().take(most).map(|command| command_line(indent, command.as_ref()));
    lines.chain(commands_left_out(commands, most).map(|rest| format!("{indent}{rest}\n"))).collect()
}

/// Like [`command_lines`], as a script.
pub(crate) fn written(commands: &[impl AsRef<str>], most: usize, indent: &str) -> String {
    let lines = commands.iter().take(most).map(|command| clean_command(&of_caller(command.as_ref())));
    lines.chain(commands_left_out(commands, most)).map(|line| indent.to_owned() + &line + "\n").collect()
}

fn commands_left_out(commands: &[impl AsRef<str>], most: usize) -> Option<String> {
    left_out(commands.len().saturating_sub(most), "commands").map(|rest| format!("# {rest}"))
}

/// How many lines of a terminal the text takes: the terminal itself breaks a command.
pub(crate) fn height(text: &str, width: usize) -> usize {
    text.lines().map(|line| measure_text_width(line).div_ceil(width.max(1)).max(1)).sum()
}

/// `3 more causes of it`, `1 more cause of it`: the first word of `what` is a plural, or a word that
/// fits any number.
pub(crate) fn more(count: usize, what: &str) -> String {
    let (first, rest) = what.split_at(what.find(' ').unwrap_or(what.len()));
    let first = if count == 1 { first.strip_suffix('s').unwrap_or(first) } else { first };
    format!("{} more {first}{rest}", thousands(count))
}

/// `1,204`
pub(crate) fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let first = digits.len() % 3;
    let mut text = digits[..first].to_owned();
    for group in digits.as_bytes()[first..].chunks(3) {
        if !text.is_empty() {
            text.push(',');
        }
        text.extend(group.iter().map(|digit| char::from(*digit)));
    }
    text
}

/// Text behind a lead, broken between words and aligned behind the lead. A word that is too long is
/// broken anywhere; a non-breaking blank keeps two words together. If there are more than `most`
/// lines, the last one ends with `…`.
pub(crate) fn block(lead: &str, text: &str, width: usize, most: usize) -> String {
    let indent = measure_text_width(lead);
    let lines = cut(text, width.saturating_sub(indent).max(1), most);
    let margin = " ".repeat(indent);
    let leads = std::iter::once(lead).chain(std::iter::repeat(margin.as_str()));
    let lines = leads.zip(lines).map(|(lead, line)| lead.to_owned() + &joined(&line) + "\n");
    lines.collect::<Vec<_>>().concat()
}

/// The text in at most `most` lines of `room` columns.
pub(crate) fn cut(text: &str, room: usize, most: usize) -> Vec<String> {
    let mut lines = broken(text, room);
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            while !last.is_empty() && measure_text_width(last) + 2 > room {
                let word = last.rfind(' ').unwrap_or_else(|| last.char_indices().next_back().map_or(0, |(at, _)| at));
                last.truncate(word);
            }
            last.push_str(" …");
        }
    }
    lines
}

/// The text, or its beginning and end in `most` lines, with `…` between them: the cause of an error
/// stands at the end.
pub(crate) fn to_its_end(text: &str, room: usize, most: usize) -> String {
    let fits = |text: &str| broken(text, room).len() <= most;
    if fits(text) {
        return text.to_owned();
    }
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    // How many words fit into `columns`, including the blanks between them.
    let filling = |words: &mut dyn Iterator<Item = &&str>, columns: usize| {
        let mut used = 0;
        let fit = |word: &&&str| {
            used += measure_text_width(word) + 1;
            used <= columns
        };
        words.take_while(fit).count()
    };
    let all = room.saturating_mul(most);
    let head = filling(&mut words.iter(), all / 3).max(1);
    let begin = (words.len() - filling(&mut words.iter().rev(), all)).max(head);
    let shortened = |start: usize| format!("{} … {}", words[..head].join(" "), words[start..].join(" "));
    (begin..words.len()).map(shortened).find(|text| fits(text)).unwrap_or_else(|| text.to_owned())
}

/// The text in lines of at most `room` columns.
pub(crate) fn broken(text: &str, room: usize) -> Vec<String> {
    spread(String::new(), text, room, 0).split('\n').map(str::to_owned).collect()
}

/// A table without lines, at most this wide.
pub(crate) fn plain(width: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    table
}

/// Sets the width of a column in characters. If lines are unlimited, it is the width of the text.
pub(crate) fn fixed(table: &mut Table, column: usize, width: usize) {
    if width < Look::UNLIMITED / 4 {
        constrain(table, column, ColumnConstraint::Absolute(columns(width)));
    }
}

/// Limits the width of a column.
pub(crate) fn constrain(table: &mut Table, column: usize, constraint: ColumnConstraint) {
    if let Some(column) = table.column_mut(column) {
        column.set_constraint(constraint);
    }
}

/// A width in characters.
pub(crate) fn columns(width: usize) -> Width {
    Width::Fixed(u16::try_from(width).unwrap_or(u16::MAX))
}

/// Aligns a column to the right.
pub(crate) fn right(table: &mut Table, column: usize) {
    if let Some(column) = table.column_mut(column) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_items_are_counted_in_singular_or_plural() {
        assert_eq!(and_more(3, 2, "causes"), " … and 1 more cause: -o json lists all of them\n\n");
        assert_eq!(and_more(1206, 2, "causes"), " … and 1,204 more causes: -o json lists all of them\n\n");
        assert_eq!(and_more(2, 2, "causes"), "");
        assert_eq!(more(1, "objects waiting for it"), "1 more object waiting for it");
        assert_eq!(more(1, "that cannot be read"), "1 more that cannot be read");
        assert_eq!([0, 7, 1204, 1_000_000].map(thousands), ["0", "7", "1,204", "1,000,000"]);
    }

    #[test]
    fn facts_break_no_word() {
        let rows = [("who", "jane of the platform team".to_owned()), ("request", "PATCH /a/very/long/path".to_owned())];
        assert_eq!(
            facts(&rows, 24),
            " who      jane of the\n          platform team\n request  PATCH\n          /a/very/long/path"
        );
    }

    #[test]
    fn a_block_keeps_to_its_width_and_says_where_it_was_cut() {
        assert_eq!(block(" 1  ", "one two three", 11, 9), " 1  one two\n    three\n");
        assert_eq!(block("a ", "onetwothree four", 8, 9), "a onetwo\n  three\n  four\n");
        assert_eq!(block("a ", "one two three four", 8, 2), "a one\n  two …\n");
        assert_eq!(block("a ", "a one two", 7, 1), "a a …\n");
        assert_eq!(block("a ", "onetwothree", 7, 1), "a one …\n");
        assert_eq!(block("a ", "one two", 3, 1), "a  …\n");
        assert_eq!(block("a ", "日本語日本語", 8, 9), "a 日本語\n  日本語\n");
        assert_eq!(block("  ", "", 8, 9), "  \n");
        assert_eq!(to_its_end("one two", 9, 1), "one two");
        assert_eq!(to_its_end("failed to call: a b c d: refused", 19, 1), "failed … d: refused");
        assert_eq!(to_its_end("a failed: whatever it was, refused: in the end", 12, 2), "a … refused: in the end");
        assert_eq!(to_its_end("one two threefourfive", 9, 1), "one two threefourfive");
        assert_eq!(block("", "ab c\u{a0}d", 5, 9), "ab\nc d\n");
    }
}
