//! How a screen is laid out: its size, its tables, and the line for what has no room.

use super::clean;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};

/// How it is to look.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Columns of the screen.
    pub width: usize,
    /// Whether to paint it.
    pub colour: bool,
    /// Whether to show everything that was found, however long it gets.
    pub all: bool,
}

impl Look {
    /// How many of a list are shown where there is room for `few`.
    pub(super) fn most(self, few: usize) -> usize {
        if self.all { usize::MAX } else { few }
    }
}

/// Facts in two columns, laid out for `width` columns and clean.
#[must_use]
pub fn facts(rows: &[(&str, String)], width: usize) -> String {
    let mut table = plain(width);
    for (name, text) in rows {
        table.add_row([(*name).to_owned(), clean(text)]);
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}

/// A line for what a screen has no room for.
pub(super) fn and_more(all: usize, shown: usize, what: &str) -> String {
    match all.saturating_sub(shown) {
        0 => String::new(),
        more => format!(" … and {more} more {what}: -o json names every one\n\n"),
    }
}

/// A table without lines, as wide as it may be.
pub(super) fn plain(width: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    table
}

/// Gives a column just so many characters.
pub(super) fn fixed(table: &mut Table, column: usize, width: usize) {
    if let Some(column) = table.column_mut(column) {
        column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(u16::try_from(width).unwrap_or(u16::MAX))));
    }
}

/// Lays a column out from the right.
pub(super) fn right(table: &mut Table, column: usize) {
    if let Some(column) = table.column_mut(column) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}
