//! Finds the items of a JSON list while its text arrives, so that the whole is never in memory.

use serde::Deserialize;

/// The maximum length of an item: the store accepts objects of a few MiB only.
pub(crate) const MAX_ITEM: usize = 32 << 20;

/// A list's own metadata.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    /// The version from which a watch continues.
    pub resource_version: String,
    /// The token of the next page; empty on the last page.
    pub more: String,
    /// The kind of the list, such as `PodList`.
    pub kind: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListMetadata {
    resource_version: Option<String>,
    #[serde(rename = "continue")]
    more: Option<String>,
}

/// The position of the scanner in the text of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Position {
    #[default]
    Start,
    /// Before a key. `}` is allowed only in an object without members.
    Key {
        first: bool,
    },
    Colon,
    Value,
    AfterValue,
    /// Before an item. `]` is allowed only in a list without items.
    Item {
        first: bool,
    },
    AfterItem,
    /// In a value that continues.
    Inside(ListPart),
    End,
}

/// The role of a value in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListPart {
    Key,
    Metadata,
    Kind,
    /// A value in place of the items, if there are none: `null`.
    Items,
    Item,
    Other,
}

/// How far a value has been scanned.
#[derive(Debug, Clone, Copy, Default)]
struct Extent {
    depth: usize,
    in_text: bool,
    escaped: bool,
    /// A number or a word. The byte that ends it does not belong to it.
    bare: bool,
}

/// Reads the text of one list in pieces of any length.
#[derive(Debug, Default)]
pub(crate) struct JsonScanner {
    at: Position,
    extent: Extent,
    /// The beginning of a value that continues in the next piece.
    begun: Vec<u8>,
    key: String,
    has_items: bool,
    metadata: Option<ListMetadata>,
    kind: String,
}

impl JsonScanner {
    /// Takes the next piece of the text and passes each item that ends in it to `item`.
    ///
    /// # Errors
    /// When the text is not a list, or `item` returns an error.
    pub(crate) fn feed(
        &mut self,
        piece: &[u8],
        item: &mut impl FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut place = 0;
        while place < piece.len() {
            if let Position::Inside(part) = self.at {
                place = self.go_on(part, piece, place, item)?;
            } else if self.step(piece[place])? {
                place += 1;
            }
        }
        Ok(())
    }

    /// The list's metadata, after its text has ended.
    ///
    /// # Errors
    /// When the text was cut off, or was not a list.
    pub(crate) fn end(self) -> Result<Head, String> {
        if self.at != Position::End {
            return Err("it ends in the middle".into());
        }
        let metadata = self.metadata.ok_or("it has no metadata")?;
        if !self.has_items {
            return Err("it has no items".into());
        }
        Ok(Head {
            resource_version: metadata.resource_version.unwrap_or_default(),
            more: metadata.more.unwrap_or_default(),
            kind: self.kind,
        })
    }

    /// Takes one byte between values. Returns false if a value begins with it.
    fn step(&mut self, byte: u8) -> Result<bool, String> {
        if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
            return Ok(true);
        }
        self.at = match (self.at, byte) {
            (Position::Start, b'{') => Position::Key { first: true },
            (Position::Key { .. }, b'"') => return self.begin(ListPart::Key, byte),
            (Position::Key { first: true } | Position::AfterValue, b'}') => Position::End,
            (Position::Colon, b':') => Position::Value,
            (Position::Value, b'[') if self.key == "items" => {
                self.only_once()?;
                Position::Item { first: true }
            }
            (Position::Value, _) => {
                let part = self.part()?;
                return self.begin(part, byte);
            }
            (Position::AfterValue, b',') => Position::Key { first: false },
            (Position::Item { first: true } | Position::AfterItem, b']') => Position::AfterValue,
            (Position::Item { .. }, _) => return self.begin(ListPart::Item, byte),
            (Position::AfterItem, b',') => Position::Item { first: false },
            _ => return Err(format!("{:?} is out of place", char::from(byte))),
        };
        Ok(true)
    }

    fn part(&mut self) -> Result<ListPart, String> {
        Ok(match self.key.as_str() {
            "metadata" => ListPart::Metadata,
            "kind" => ListPart::Kind,
            "items" => {
                self.only_once()?;
                ListPart::Items
            }
            _ => ListPart::Other,
        })
    }

    fn only_once(&mut self) -> Result<(), String> {
        if std::mem::replace(&mut self.has_items, true) { Err("it has items twice".into()) } else { Ok(()) }
    }

    /// Begins a value; its first byte is not taken yet.
    fn begin(&mut self, part: ListPart, byte: u8) -> Result<bool, String> {
        if matches!(byte, b',' | b':' | b']' | b'}') {
            return Err(format!("{:?} is out of place", char::from(byte)));
        }
        self.extent = Extent { bare: !matches!(byte, b'"' | b'{' | b'['), ..Extent::default() };
        self.at = Position::Inside(part);
        Ok(false)
    }

    /// Continues a value at `start`. Returns the position after its part in this piece.
    fn go_on(
        &mut self,
        part: ListPart,
        piece: &[u8],
        start: usize,
        item: &mut impl FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<usize, String> {
        let length = self.extent.end(&piece[start..]);
        let end = length.map_or(piece.len(), |length| start + length);
        let own = &piece[start..end];
        if part != ListPart::Other && (length.is_none() || !self.begun.is_empty()) {
            if self.begun.len() + own.len() > MAX_ITEM {
                return Err("an item without an end".into());
            }
            self.begun.extend_from_slice(own);
        }
        if length.is_some() {
            let mut begun = std::mem::take(&mut self.begun);
            self.ended(part, if begun.is_empty() { own } else { &begun }, item)?;
            begun.clear();
            self.begun = begun;
        }
        Ok(end)
    }

    fn ended(
        &mut self,
        part: ListPart,
        value: &[u8],
        item: &mut impl FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<(), String> {
        let wrong = |error: serde_json::Error| error.to_string();
        self.at = Position::AfterValue;
        match part {
            ListPart::Key => {
                self.key = serde_json::from_slice(value).map_err(wrong)?;
                self.at = Position::Colon;
            }
            ListPart::Metadata => self.metadata = Some(serde_json::from_slice(value).map_err(wrong)?),
            ListPart::Kind => self.kind = serde_json::from_slice(value).map_err(wrong)?,
            ListPart::Items => serde_json::from_slice::<()>(value).map_err(|_| "its items are not valid")?,
            ListPart::Item => {
                self.at = Position::AfterItem;
                item(value)?;
            }
            ListPart::Other => {}
        }
        Ok(())
    }
}

impl Extent {
    /// The position after the end of the value, if it ends in this piece.
    fn end(&mut self, piece: &[u8]) -> Option<usize> {
        for (place, byte) in piece.iter().enumerate() {
            if self.in_text {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_text = false,
                    _ => continue,
                }
                if self.in_text || self.depth > 0 {
                    continue;
                }
                return Some(place + 1);
            }
            match byte {
                b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n' if self.bare => return Some(place),
                b'"' => self.in_text = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Some(place + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The items and the head of a text that arrives in `pieces`.
    fn scan<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<(Vec<String>, Head), String> {
        let (mut scanner, mut items) = (JsonScanner::default(), Vec::new());
        for piece in pieces {
            scanner.feed(piece, &mut |item| {
                items.push(String::from_utf8_lossy(item).into_owned());
                Ok(())
            })?;
        }
        Ok((items, scanner.end()?))
    }

    fn whole(text: &str) -> Result<(Vec<String>, Head), String> {
        scan([text.as_bytes()])
    }

    const LIST: &str = r#" {"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"t\"]}"},
        "extra": [1, {"items": [2]}, "]"], "none": null, "number": -1.5e3, "yes" : true,
        "items" : [ {"a":"\\\"]},{","items":[{"b":[]}]}, {} ,{"c":"\u00e4ä\\"}
        ]}
"#;

    fn items() -> Vec<String> {
        vec![r#"{"a":"\\\"]},{","items":[{"b":[]}]}"#.into(), "{}".into(), r#"{"c":"\u00e4ä\\"}"#.into()]
    }

    #[test]
    fn items_are_found_wherever_the_text_is_broken() {
        let (found, head) = whole(LIST).unwrap();
        assert_eq!(found, items());
        let said = Head { resource_version: "7".into(), more: "t\"]}".into(), kind: "PodList".into() };
        assert_eq!(head, said);
        let bytes = LIST.as_bytes();
        for first in 0..bytes.len() {
            for second in [first, first + 1, first + 7, bytes.len()] {
                let second = second.min(bytes.len());
                let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                assert_eq!(scan(pieces).unwrap(), (items(), said.clone()), "{first} {second}");
            }
        }
        assert_eq!(scan(bytes.chunks(1)).unwrap(), (items(), said));
    }

    #[test]
    fn a_truncated_list_is_refused() {
        let text = LIST.trim();
        for length in 0..text.len() {
            assert!(scan([&text.as_bytes()[..length]]).is_err(), "{length}");
        }
    }

    #[test]
    fn a_list_without_items_is_empty_only_if_it_says_so() {
        for empty in [
            r#"{"metadata":{},"items":null}"#,
            r#"{"items":[],"metadata":{"continue":null}}"#,
            r#"{"items":[ ],"metadata":{}}"#,
            r#"{"items" : null , "metadata":{}}"#,
        ] {
            assert_eq!(whole(empty).unwrap(), (vec![], Head::default()), "{empty}");
        }
    }

    #[test]
    fn invalid_lists_are_refused_with_a_reason() {
        for (text, says) in [
            ("", "ends in the middle"),
            ("<html>", "out of place"),
            ("[]", "out of place"),
            ("{}", "no metadata"),
            (r#"{"kind":"Status","metadata":{},"status":"Failure"}"#, "no items"),
            (r#"{"items":[]}"#, "no metadata"),
            (r#"{"metadata":null,"items":[]}"#, "null"),
            (r#"{"metadata":[],"items":[]}"#, "invalid"),
            (r#"{"metadata":{},"items":{}}"#, "its items are not valid"),
            (r#"{"metadata":{},"items":3}"#, "its items are not valid"),
            (r#"{"metadata":{},"items":[],"items":[]}"#, "items twice"),
            (r#"{"metadata":{},"items":null,"items":[{}]}"#, "items twice"),
            (r#"{"metadata":{},"items":[{},]}"#, "out of place"),
            (r#"{"metadata":{},"items":[,{}]}"#, "out of place"),
            (r#"{"metadata":{},"items":[{}{}]}"#, "out of place"),
            (r#"{"metadata":{},"items":[{}}"#, "out of place"),
            (r#"{"metadata":{},,"items":[]}"#, "out of place"),
            (r#"{"metadata":{},"items":[],}"#, "out of place"),
            (r#"{"metadata" {},"items":[]}"#, "out of place"),
            (r#"{"metadata":,"items":[]}"#, "out of place"),
            (r#"{metadata:{},"items":[]}"#, "out of place"),
            (r#"{"metadata":{},"items":[]} x"#, "out of place"),
        ] {
            let error = whole(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn an_error_of_the_item_reader_stops_the_scan() {
        let mut scanner = JsonScanner::default();
        let refused = scanner.feed(br#"{"metadata":{},"items":[1,2]}"#, &mut |item| {
            if item == b"2" { Err("no 2".into()) } else { Ok(()) }
        });
        assert_eq!(refused.unwrap_err(), "no 2");
    }

    #[test]
    fn an_item_without_an_end_is_not_kept() {
        let mut scanner = JsonScanner::default();
        let mut feed = |piece: &[u8]| scanner.feed(piece, &mut |_| Ok(()));
        feed(br#"{"metadata":{},"items":[{"a":""#).unwrap();
        let piece = vec![b'x'; 1 << 20];
        let error = (0..64).find_map(|_| feed(&piece).err()).unwrap();
        assert_eq!(error, "an item without an end");
    }
}
