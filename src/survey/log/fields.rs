//! The keys and values in a record, whatever its format: JSON, `key=value`, `Kind{key='value'}`.

use super::clean::clean;
use std::ops::Range;

/// How many fields of a record are read.
const MAX_FIELDS: usize = 256;
/// How many bytes of a list are one value.
const MAX_LIST: usize = 1024;
/// How deep they are nested.
const MAX_DEPTH: usize = 12;

/// A key with its value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// The keys from the outermost on, with dots: `request.namespace`.
    pub(super) path: String,
    pub(super) value: String,
    /// The place of the key.
    pub(super) key: usize,
    /// The place of a value without quotes: a sentence may go on behind its first word.
    pub(super) bare: Option<Range<usize>>,
    /// Whether it is in braces behind a word.
    pub(super) is_inside: bool,
}

/// Reads fields one by one. Quoted texts are no fields, whatever they contain.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The path of each open brace, and whether it is behind a word.
    groups: Vec<(String, bool)>,
    fields: Vec<Field>,
}

/// The fields of a text, in their order.
pub(super) fn fields(text: &str) -> Vec<Field> {
    let mut scanner = Scanner { text, at: 0, groups: Vec::new(), fields: Vec::new() };
    let mut before = ' ';
    while let Some(next) = text[scanner.at..].chars().next().filter(|_| scanner.fields.len() < MAX_FIELDS) {
        let start = scanner.at;
        let is_start = before.is_whitespace() || "{[(,;".contains(before);
        match next {
            '{' => scanner.open("", false),
            '}' => scanner.close(),
            '"' if is_start => scanner.quoted_key(),
            c if is_start && (c.is_ascii_alphabetic() || c == '_') => scanner.bare_key(),
            c => scanner.at += c.len_utf8(),
        }
        before = text[start..scanner.at].chars().next_back().unwrap_or(' ');
    }
    scanner.fields
}

impl Scanner<'_> {
    fn path(&self, key: &str) -> String {
        match self.groups.last() {
            Some((group, _)) if !group.is_empty() && !key.is_empty() => format!("{group}.{key}"),
            Some((group, _)) if !group.is_empty() => group.clone(),
            _ => key.to_owned(),
        }
    }

    fn open(&mut self, key: &str, is_behind_word: bool) {
        let path = if self.groups.len() < MAX_DEPTH { self.path(key) } else { String::new() };
        let is_inside = is_behind_word || self.groups.last().is_some_and(|(_, is_inside)| *is_inside);
        self.groups.push((path, is_inside));
        self.at += 1;
    }

    fn close(&mut self) {
        self.groups.pop();
        self.at += 1;
    }

    /// `"key": value` as in JSON, or `"key"=value`.
    fn quoted_key(&mut self) {
        let Some((key, length)) = quoted(&self.text[self.at..]) else {
            self.at += 1;
            return;
        };
        let rest = &self.text[self.at + length..];
        let value = rest.trim_start();
        let place = self.at;
        self.at += length;
        // In a sentence, a colon may follow a name in quotes.
        let is_json = value.starts_with(':') && !self.groups.is_empty();
        if is_json || value.starts_with('=') {
            self.at += rest.len() - value.len() + 1;
            self.value(&key, place);
        }
    }

    /// `key=value`, or the word before a brace.
    fn bare_key(&mut self) {
        let rest = &self.text[self.at..];
        let is_key = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        let length = rest.find(|c| !is_key(c)).unwrap_or(rest.len());
        let (key, rest) = rest.split_at(length);
        let place = self.at;
        self.at += length;
        if rest.starts_with('=') && !rest.starts_with("==") {
            self.at += 1;
            self.value(key, place);
        } else if rest.starts_with('{') {
            self.open(key, true);
        }
    }

    fn value(&mut self, key: &str, place: usize) {
        let rest = &self.text[self.at..];
        let rest = if rest.starts_with(' ') && self.text[..self.at].ends_with(':') { rest.trim_start() } else { rest };
        self.at = self.text.len() - rest.len();
        let (value, length, is_bare) = match rest.chars().next() {
            Some('{') => return self.open(key, false),
            Some('"') => quoted(rest).map_or_else(|| cut_off(rest), |(value, length)| (value, length, false)),
            Some('\'') => match rest[1..].find('\'') {
                Some(end) => (rest[1..=end].to_owned(), end + 2, false),
                None => cut_off(rest),
            },
            Some('<') if rest[1..].starts_with('\n') => {
                let end = rest.find("\n >").unwrap_or(rest.len());
                (rest[1..end].to_owned(), end, false)
            }
            Some('[') => {
                let list = &rest[1..rest.floor_char_boundary(MAX_LIST)];
                (list[..list.find(']').unwrap_or(list.len())].to_owned(), 1, false)
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || ",;)}]{".contains(c)).unwrap_or(rest.len());
                (rest[..end].to_owned(), end, true)
            }
        };
        let bare = is_bare.then(|| self.at..self.at + length);
        let is_inside = self.groups.last().is_some_and(|(_, is_inside)| *is_inside);
        self.fields.push(Field {
            path: self.path(key),
            value: clean(&value).into_owned(),
            key: place,
            bare,
            is_inside,
        });
        self.at += length;
        // `resource=ResourceID{name='orders'}`
        if is_bare && self.text[self.at..].starts_with('{') {
            self.open(key, true);
        }
    }
}

/// A value whose end was cut off.
fn cut_off(rest: &str) -> (String, usize, bool) {
    (unescaped(&rest[1..]), rest.len(), false)
}

/// The content of the quoted text at the beginning of `text`, and its length with its quotes.
pub(super) fn quoted(text: &str) -> Option<(String, usize)> {
    let mut is_escaped = false;
    let end = text.strip_prefix('"')?.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })?;
    let whole = &text[..end + 2];
    Some((serde_json::from_str(whole).unwrap_or_else(|_| unescaped(&whole[1..=end])), whole.len()))
}

/// The text without the marks of escaped characters.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match if c == '\\' { chars.next() } else { None } {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some(escaped) => plain.push(escaped),
            None => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, String)> {
        fields(text).into_iter().map(|field| (field.path, field.value)).collect()
    }

    #[test]
    fn fields_are_read_in_each_format() {
        for (text, expected) in [
            (
                r#"{"a":"x\"y","b":{"c":1,"d": null},"e":["z"]}"#,
                &[("a", "x\"y"), ("b.c", "1"), ("b.d", "null"), ("e", "\"z\"")][..],
            ),
            (
                "\"msg\" err=\"a\\nb\" object=\"shop/orders\" n=3s",
                &[("err", "a\nb"), ("object", "shop/orders"), ("n", "3s")],
            ),
            ("msg err=<\n\ta\n\tb\n > key=\"v\"", &[("err", "\n\ta\n\tb"), ("key", "v")]),
            (
                "x ResourceID{name='orders', namespace='shop'}",
                &[("ResourceID.name", "orders"), ("ResourceID.namespace", "shop")],
            ),
            ("y{object.ref=Foo.v1.acme.io/b1.a r=b}: z", &[("y.object.ref", "Foo.v1.acme.io/b1.a"), ("y.r", "b")]),
            (r#"said "namespace=shop name=orders" n=1"#, &[("n", "1")]),
            (r#"{"error":"cut o"#, &[("error", "cut o")]),
            ("a == b, \"open, }}} {{ =", &[]),
        ] {
            let expected: Vec<(String, String)> =
                expected.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
