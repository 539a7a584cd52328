//! YAML for people: values that fit are written on one line, and fields keep their order.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt::{self, Write};

/// The maximum width of a line in a survey file.
const WIDTH: usize = 110;
/// A field that machines need completely and people never read.
const NOISE: &str = "managedFields";
/// Words that some version of YAML does not treat as text.
const WORDS: [&str; 11] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "inf", "nan"];

/// Lays out a YAML text.
pub fn lay_out(yaml: &str) -> String {
    Tree::read(yaml).text(WIDTH)
}

/// A value whose fields keep their order; scalars are YAML already.
pub enum Tree {
    Scalar(String),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
    /// Written as compactly as possible: in braces and brackets, over as many lines as it needs.
    Compact(Box<Tree>),
}

impl Tree {
    /// Reads a YAML text.
    pub fn read(yaml: &str) -> Self {
        serde_saphyr::from_str(yaml).expect("the text is YAML")
    }

    /// Writes it for people, in lines of at most `width`.
    pub fn text(&self, width: usize) -> String {
        let mut text = String::new();
        self.block(0, width, &mut text);
        text
    }

    /// Splits a value in braces and brackets into unbreakable pieces that follow each other. The
    /// first begins with `lead`, the last ends with `tail`.
    fn pieces(&self, lead: &str, tail: &str, pieces: &mut Vec<String>) {
        let around = |at: usize, parts: usize, open: &str, close: &str| {
            let lead = if at == 0 { format!("{lead}{open}") } else { String::new() };
            let tail = if at + 1 == parts { format!("{close}{tail}") } else { ",".to_owned() };
            (lead, tail)
        };
        match self {
            Self::Scalar(text) => pieces.push(format!("{lead}{text}{tail}")),
            Self::List(items) if items.is_empty() => pieces.push(format!("{lead}[]{tail}")),
            Self::Map(fields) if fields.is_empty() => pieces.push(format!("{lead}{{}}{tail}")),
            Self::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    let (lead, tail) = around(at, items.len(), "[", "]");
                    item.pieces(&lead, &tail, pieces);
                }
            }
            Self::Map(fields) => {
                for (at, (name, value)) in fields.iter().enumerate() {
                    let (lead, tail) = around(at, fields.len(), "{", "}");
                    value.pieces(&format!("{lead}{name}: "), &tail, pieces);
                }
            }
            Self::Compact(value) => value.pieces(lead, tail, pieces),
        }
    }

    fn has_parts(&self) -> bool {
        match self {
            Self::Scalar(_) => false,
            Self::List(items) => !items.is_empty(),
            Self::Map(fields) => !fields.is_empty(),
            Self::Compact(value) => value.has_parts(),
        }
    }

    /// Whether braces and brackets are allowed even if one line is too short.
    fn is_flat(&self) -> bool {
        match self {
            Self::Scalar(_) | Self::Compact(_) => true,
            Self::List(items) => !items.iter().any(Self::has_parts),
            Self::Map(fields) => !fields.iter().any(|(_, value)| value.has_parts()),
        }
    }

    /// Writes in braces and brackets, starting at this column, with further lines at `indent`.
    fn flow(&self, mut column: usize, indent: usize, width: usize) -> Option<String> {
        let mut pieces = Vec::new();
        self.pieces("", "", &mut pieces);
        let length = pieces.iter().map(|piece| piece.len() + 1).sum::<usize>();
        if !self.is_flat() && column + length > width + 1 {
            return None;
        }
        let mut text = String::new();
        for piece in pieces {
            if !text.is_empty() && column + piece.len() > width {
                text = format!("{}\n{}", text.trim_end(), " ".repeat(indent));
                column = indent;
            }
            column += piece.len() + 1;
            text = text + &piece + " ";
        }
        text.pop();
        Some(text)
    }

    /// Writes over several lines; the first may already have begun.
    fn block(&self, indent: usize, width: usize, text: &mut String) {
        match self {
            Self::List(items) => items.iter().for_each(|item| item.after("-", indent, indent + 2, width, text)),
            Self::Map(fields) => {
                for (name, value) in fields {
                    // The items of a list are below its name, without further indentation.
                    let deeper = if matches!(value, Self::List(_)) { 0 } else { 2 };
                    value.after(&format!("{name}:"), indent, indent + deeper, width, text);
                }
            }
            Self::Scalar(_) | Self::Compact(_) => unreachable!("these are flat"),
        }
    }

    /// Writes the value after a name or the mark of an item at `indent`.
    fn after(&self, lead: &str, indent: usize, deeper: usize, width: usize, text: &mut String) {
        if text.is_empty() || text.ends_with('\n') {
            text.push_str(&" ".repeat(indent));
        }
        text.push_str(lead);
        if let Some(flow) = self.flow(indent + lead.len() + 1, indent + 2, width) {
            let _ = writeln!(text, " {flow}");
        } else {
            text.push(if lead == "-" { ' ' } else { '\n' });
            self.block(deeper, width, text);
        }
    }

    /// Writes it in braces and brackets, on as few lines as it needs.
    pub fn on_full_lines(self) -> Self {
        match self {
            scalar @ Self::Scalar(_) => scalar,
            other => Self::Compact(Box::new(other)),
        }
    }

    /// Each item on lines of its own.
    fn item_by_item(self) -> Self {
        match self {
            Self::List(items) => Self::List(items.into_iter().map(Self::on_full_lines).collect()),
            other => other.on_full_lines(),
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Planter)
    }
}

struct Planter;

impl<'de> Visitor<'de> for Planter {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Scalar("null".into()))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Scalar(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Scalar(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Scalar(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::Scalar(format!("{value:?}")))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::Scalar(scalar(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Tree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Tree, A::Error> {
        let mut map = Vec::new();
        while let Some((name, value)) = fields.next_entry::<String, Tree>()? {
            let value = if name == NOISE { value.item_by_item() } else { value };
            map.push((scalar(&name), value));
        }
        Ok(Tree::Map(map))
    }
}

/// Text is quoted as in JSON if YAML might interpret it as anything else.
pub fn scalar(text: &str) -> String {
    let is_word = text.starts_with(|first: char| first.is_ascii_alphabetic()) || is_uid(text);
    let is_plain = |character: char| character.is_ascii_alphanumeric() || " ./-_".contains(character);
    let is_text = is_word && text.chars().all(is_plain) && !text.ends_with(' ');
    if is_text && !WORDS.contains(&text.to_lowercase().as_str()) {
        text.to_owned()
    } else {
        serde_json::to_string(text).expect("text is JSON")
    }
}

fn is_uid(text: &str) -> bool {
    let parts: Vec<usize> = text.split('-').map(str::len).collect();
    parts == [8, 4, 4, 4, 12] && text.chars().all(|character| character.is_ascii_hexdigit() || character == '-')
}
