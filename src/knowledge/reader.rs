//! Reads `finalizers.yaml`, and no other YAML: blocks of `name: value` lines,
//! as the head of that file shows them.
//!
//! A general YAML reader takes some ten milliseconds for that file, more than
//! the rest of a diagnosis; this one takes one or two, copies no text, and
//! refuses with the line whatever it does not know. A test of the catalogue
//! reads the file with a YAML crate too and compares.

use super::catalogue::{Entry, Evidence, Matching};
use crate::report::Risk;
use std::fmt;

/// What is wrong with the file, and in which line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    line: usize,
    what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.what)
    }
}

/// Reads all blocks.
///
/// # Errors
/// The first line that is not of a block, and the first block in which a field
/// is missing, unknown or written twice.
pub(super) fn read(text: &'static str) -> Result<Vec<Entry>, Fault> {
    let mut blocks: Vec<Block> = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let field = match content.split_at_checked(2) {
            _ if content.is_empty() || content.starts_with('#') => continue,
            Some(("- ", field)) => {
                blocks.push(Block { line, fields: Vec::with_capacity(FIELDS) });
                field
            }
            Some(("  ", field)) => field,
            _ => return Err(fault(line, "neither a block nor a field of one")),
        };
        let block = blocks.last_mut().ok_or_else(|| fault(line, "a field before the first block"))?;
        let (name, value) = field.split_once(": ").ok_or_else(|| fault(line, "not `name: value`"))?;
        block.fields.push(Field { line, name, value });
    }
    blocks.into_iter().map(Block::into_entry).collect()
}

/// So many fields a block may have.
const FIELDS: usize = 16;

/// The lines of one entry, from the one with the dash on.
struct Block {
    line: usize,
    fields: Vec<Field>,
}

struct Field {
    line: usize,
    name: &'static str,
    value: &'static str,
}

impl Block {
    fn into_entry(mut self) -> Result<Entry, Fault> {
        let entry = Entry {
            key: self.text("key")?,
            matching: self.word("match", "exact", matching)?,
            carries: self.optional("carries")?,
            product: self.text("product")?,
            kinds: self.list("kinds")?,
            controller: self.text("controller")?,
            namespace: self.text("namespace")?,
            guards: self.text("guards")?,
            if_finished: self.optional("if_finished")?,
            if_removed: self.text("if_removed")?,
            risk: self.word("risk", "", risk)?,
            way_out: self.text("way_out")?,
            note: self.optional("note")?,
            see: self.optional("see")?,
            source: self.text("source")?,
            evidence: self.word("evidence", "source", evidence)?,
        };
        match self.fields.first() {
            None => Ok(entry),
            Some(Field { line, name, .. }) => Err(fault(*line, format!("`{name}` is unknown here, or written twice"))),
        }
    }

    fn take(&mut self, name: &str) -> Option<Field> {
        let index = self.fields.iter().position(|field| field.name == name)?;
        Some(self.fields.remove(index))
    }

    fn need(&mut self, name: &str) -> Result<Field, Fault> {
        self.take(name).ok_or_else(|| fault(self.line, format!("`{name}` is missing in this block")))
    }

    fn text(&mut self, name: &str) -> Result<&'static str, Fault> {
        self.need(name)?.text()
    }

    fn optional(&mut self, name: &str) -> Result<Option<&'static str>, Fault> {
        self.take(name).as_ref().map(Field::text).transpose()
    }

    fn list(&mut self, name: &str) -> Result<Vec<&'static str>, Fault> {
        self.need(name)?.list()
    }

    /// A field with a closed set of values, and one for when it is not there.
    fn word<T>(&mut self, name: &str, absent: &str, meaning: fn(&str) -> Option<T>) -> Result<T, Fault> {
        let (line, word) = match self.take(name) {
            Some(field) => (field.line, field.value),
            None => (self.line, absent),
        };
        meaning(word).ok_or_else(|| fault(line, format!("`{name}` cannot be `{word}`")))
    }
}

fn matching(word: &str) -> Option<Matching> {
    match word {
        "exact" => Some(Matching::Exact),
        "prefix" => Some(Matching::Prefix),
        "pattern" => Some(Matching::Pattern),
        _ => None,
    }
}

fn evidence(word: &str) -> Option<Evidence> {
    match word {
        "source" => Some(Evidence::Source),
        "sighting" => Some(Evidence::Sighting),
        _ => None,
    }
}

fn risk(word: &str) -> Option<Risk> {
    let risks = [Risk::Harmless, Risk::Disruptive, Risk::Leaks, Risk::LosesData];
    risks.into_iter().find(|risk| risk.word() == word)
}

impl Field {
    fn text(&self) -> Result<&'static str, Fault> {
        scalar(self.value).map_err(|what| fault(self.line, what))
    }

    fn list(&self) -> Result<Vec<&'static str>, Fault> {
        let inner = self.value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let inner = inner.ok_or_else(|| fault(self.line, "not a list in square brackets"))?;
        inner.split(", ").map(|item| list_item(item).map_err(|what| fault(self.line, what))).collect()
    }
}

fn list_item(item: &'static str) -> Result<&'static str, &'static str> {
    if item.contains([',', '[', ']', '{', '}']) {
        return Err("a list item with a comma or bracket in it");
    }
    scalar(item)
}

/// A plain value, or one in double quotes without escapes.
fn scalar(value: &'static str) -> Result<&'static str, &'static str> {
    if let Some(quoted) = value.strip_prefix('"') {
        let inner = quoted.strip_suffix('"').filter(|inner| !inner.contains(['"', '\\']));
        return inner.ok_or("quotes that do not close, or an escape in them");
    }
    if needs_quotes(value) { Err("YAML would not read this as the plain text it is meant to be") } else { Ok(value) }
}

fn needs_quotes(value: &str) -> bool {
    const INDICATORS: &[char] =
        &['-', '?', ':', ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`'];
    value.is_empty()
        || value != value.trim()
        || value.starts_with(INDICATORS)
        || value.ends_with(':')
        || value.contains(": ")
        || value.contains(" #")
}

fn fault(line: usize, what: impl Into<String>) -> Fault {
    Fault { line, what: what.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: &str = "\
# a remark

- key: \"*.acme.io\"
  match: pattern
  carries: the plural of the kind
  product: Acme
  kinds: [Widget, any kind of Acme]
  controller: acme-operator
  namespace: acme
  guards: the last backup is taken first
  if_removed: the last backup is not taken
  risk: loses-data
  way_out: bring acme-operator back
  source: acme/acme:main.go
";

    fn refused(change: &str, to: &str) -> String {
        let text: &'static str = BLOCK.replace(change, to).leak();
        assert_ne!(text, BLOCK);
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn a_block_is_an_entry() {
        let entries = read(BLOCK).unwrap();
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].key, "*.acme.io");
        assert_eq!(entries[0].matching, Matching::Pattern);
        assert_eq!(entries[0].kinds, ["Widget", "any kind of Acme"]);
        assert_eq!(entries[0].risk, Risk::LosesData);
        assert_eq!(entries[0].evidence, Evidence::Source);
        assert_eq!(entries[0].note, None);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        assert_eq!(refused("  product: Acme\n", ""), "3: `product` is missing in this block");
        assert_eq!(refused("  product: Acme", "  products: Acme"), "3: `product` is missing in this block");
        assert_eq!(refused("  risk:", "  colour: red\n  risk:"), "12: `colour` is unknown here, or written twice");
        assert_eq!(refused("  risk:", "  product: Acme\n  risk:"), "12: `product` is unknown here, or written twice");
        assert_eq!(refused("loses-data", "manual"), "12: `risk` cannot be `manual`");
        assert_eq!(refused("  risk: loses-data\n", ""), "3: `risk` cannot be ``");
        assert_eq!(refused("- key", "  key"), "3: a field before the first block");
        assert_eq!(refused("  product", "product"), "6: neither a block nor a field of one");
        assert_eq!(refused("product: Acme", "product"), "6: not `name: value`");
        assert_eq!(refused("[Widget, any kind of Acme]", "Widget"), "7: not a list in square brackets");
        assert_eq!(refused("[Widget,", "[Widget,,"), "7: a list item with a comma or bracket in it");
    }

    #[test]
    fn what_yaml_reads_in_another_way_is_refused() {
        for value in ["*.acme.io", "'acme'", "a: b", "a #b", "acme:", " acme", "\"acme", "\"ac\\me\""] {
            let text: &'static str = BLOCK.replace("product: Acme", &format!("product: {value}")).leak();
            assert!(read(text).is_err(), "{value}");
        }
    }
}
