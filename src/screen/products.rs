//! Installed products: the table, and the part of a preflight about a product.

use crate::report::{Certainty, InstalledKind, InstalledProduct, ObjectNote, Report, State, number_of, some_of};
use crate::screen::layout::{Look, command_line, trimmed};
use crate::screen::{Shown, clean, unread, wrap};
use std::collections::BTreeSet;
use std::fmt::Write;

/// How many kinds are named in one line, and how many namespaces of each; `-o wide` names all.
const MAX_NAMED: usize = 2;
/// How many objects of each sort are listed.
const MAX_LISTED: usize = 5;
/// How many unread notes are listed.
const MAX_UNREAD: usize = 8;

/// A line for each product.
pub fn products_table(report: &Report, look: Look) -> Shown {
    let mut rows: Vec<[String; 6]> =
        vec![["NAME", "NAMESPACE", "OBJECTS", "KINDS", "LEFT OF THEM", "REMOVABLE"].map(Into::into)];
    rows.extend(report.products.iter().map(|product| row(product, look)));
    let mut text =
        if rows.len() == 1 { "found nothing that an installer has created\n".to_owned() } else { laid_out(&rows) };
    let (by_rights, notes) = unread::by_rights(&report.unread);
    text.extend(by_rights.map(|line| unread::granted(&line, "", look.width)));
    for note in notes.iter().take(look.most(MAX_UNREAD)) {
        let _ = writeln!(text, "not read: {}: {}", clean(&note.what), clean(&note.why));
    }
    let more = notes.len().saturating_sub(look.most(MAX_UNREAD));
    if more > 0 {
        let _ = writeln!(text, "and {more} more that could not be read: -o wide names them");
    }
    Shown::finished(text)
}

fn row(product: &InstalledProduct, look: Look) -> [String; 6] {
    let likely = if product.certainty == Certainty::Likely { " (likely)" } else { "" };
    [
        clean(&format!("{}/{}{likely}", product.installer, product.name)),
        clean(product.namespace.as_deref().unwrap_or("-")),
        product.objects.to_string(),
        some(&product.kinds.iter().map(|kind| &kind.resource).collect::<Vec<_>>(), look),
        left(&product.kinds, look),
        product.removable.word().to_owned(),
    ]
}

/// `a, b and 3 more`, or `-`.
fn some(names: &[&String], look: Look) -> String {
    if names.is_empty() { "-".into() } else { clean(&some_of(names, look.most(MAX_NAMED))) }
}

/// `12 in shop, cart`: the number of objects of its kinds, and their namespaces.
fn left(kinds: &[InstalledKind], look: Look) -> String {
    if kinds.iter().any(|kind| kind.objects.is_none()) {
        return "unread".into();
    }
    let count: usize = kinds.iter().filter_map(|kind| kind.objects).sum();
    let places: BTreeSet<&String> = kinds.iter().flat_map(|kind| &kind.namespaces).collect();
    match (kinds.is_empty(), places.is_empty()) {
        (true, _) => "-".into(),
        (false, true) => count.to_string(),
        (false, false) => format!("{count} in {}", some(&places.into_iter().collect::<Vec<_>>(), look)),
    }
}

fn laid_out(rows: &[[String; 6]]) -> String {
    let width =
        |column: usize| rows.iter().map(|row| console::measure_text_width(&row[column])).max().unwrap_or_default();
    let widths: Vec<usize> = (0..6).map(width).collect();
    let line = |row: &[String; 6]| {
        let cells =
            row.iter().zip(&widths).map(|(cell, width)| console::pad_str(cell, *width, console::Alignment::Left, None));
        cells.collect::<Vec<_>>().join("   ").trim_end().to_owned() + "\n"
    };
    trimmed(&rows.iter().map(line).collect::<String>())
}

/// The first line about each product in a preflight.
pub(crate) fn heads(report: &Report) -> String {
    let hang = report.targets.iter().filter(|target| target.state == State::WouldHang).count();
    let unknown = report.targets.iter().any(|target| target.state == State::Unknown) || !report.unread.is_empty();
    let verdict = match (hang, unknown) {
        (1.., _) => format!("{} would get stuck", number_of(hang, "object")),
        (0, true) => "undecided: not everything could be read".to_owned(),
        (0, false) => "nothing would hold it".to_owned(),
    };
    let lines = report.products.iter().map(|product| {
        let likely = if product.certainty == Certainty::Likely { ", likely one product" } else { "" };
        clean(&format!("{} ({}{likely})   {verdict}", product.called(), product.counted())) + "\n"
    });
    lines.collect()
}

/// The objects that belong to a product but stay, its kinds, and what goes wrong otherwise.
pub(crate) fn about(report: &Report, width: usize) -> String {
    let mut text = String::new();
    let say = |text: &mut String, line: String| {
        text.push_str(&wrap(&format!(" {}", clean(&line)), width.saturating_sub(1)));
        text.push('\n');
    };
    for product in &report.products {
        for kind in product.kinds.iter().filter(|kind| kind.objects != Some(0)) {
            say(&mut text, format!("{}: {}", kind.resource, kind.fate()));
        }
        for (notes, what) in [(&product.keeps, "stays"), (&product.apart, "left alone"), (&product.used_by, "used by")]
        {
            for ObjectNote { object, why } in notes.iter().take(MAX_LISTED) {
                say(&mut text, format!("{what}: {object}: {why}"));
            }
            if notes.len() > MAX_LISTED {
                say(&mut text, format!("{what}: {} more: -o json lists all of them", notes.len() - MAX_LISTED));
            }
        }
        say(&mut text, format!("by itself: {}", product.by_itself));
        if let Some(command) = &product.forget {
            say(
                &mut text,
                format!("stays: the record by which {} lists it; afterwards this removes it:", product.installer),
            );
            text.push_str(&command_line("   ", command));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Removable;

    fn kind(objects: Option<usize>, is_defined: bool) -> InstalledKind {
        let namespaces = ["a", "b", "c", "d"].map(String::from).to_vec();
        InstalledKind { held: 2, namespaces, is_defined, ..InstalledKind::tested("widgets.acme.io", objects) }
    }

    fn product(kinds: Vec<InstalledKind>) -> InstalledProduct {
        InstalledProduct {
            name: "op\u{1b}[31m".into(),
            namespace: Some("ops".into()),
            certainty: Certainty::Likely,
            objects: 7,
            removable: Removable::InOrder,
            by_itself: "helm uninstall deletes everything at once".into(),
            ..InstalledProduct::tested(kinds)
        }
    }

    #[test]
    fn a_row_counts_what_is_left_and_says_what_is_unread() {
        let look = |all| Look { width: 80, colour: false, all };
        let cells = row(&product(vec![kind(Some(3), true)]), look(false));
        assert_eq!(cells[4], "3 in a, b and 2 more");
        assert_eq!(cells[5], "objects first");
        assert!(cells[0].ends_with("(likely)") && !cells[0].contains('\u{1b}'), "{}", cells[0]);
        assert_eq!(row(&product(vec![kind(None, true)]), look(false))[4], "unread", "never empty");
        assert_eq!(row(&product(Vec::new()), look(false))[4], "-");
        assert_eq!(row(&product(vec![kind(Some(3), true)]), look(true))[4], "3 in a, b, c, d");
    }

    #[test]
    fn a_kind_says_whether_its_definition_is_deleted() {
        assert!(kind(Some(3), true).fate().ends_with("that loses data"));
        assert!(kind(Some(3), false).fate().ends_with("is not included and stays"));
        assert!(kind(None, false).fate().contains("could not be listed"));
    }
}
