//! Finds the items of a protobuf list while it arrives, so that the whole is never in memory.

use super::MAGIC;
use super::fields::{Value, field, find, number};
use crate::transport::scan::{Head, MAX_ITEM};

/// The position of the scanner in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Level {
    #[default]
    Start,
    /// Among the fields of the `runtime.Unknown`.
    Around,
    /// Among the fields of the list, of which this many bytes are still missing.
    Inside(u64),
}

/// Reads one list in pieces of any length.
#[derive(Debug, Default)]
pub(crate) struct ProtobufScanner {
    at: Level,
    /// The part of an incomplete field that has arrived.
    begun: Vec<u8>,
    has_list: bool,
    head: Head,
}

impl ProtobufScanner {
    /// Takes the next piece of the list and passes each item that ends in it to `item`.
    ///
    /// # Errors
    /// When it is not a list, or `item` returns an error.
    pub(crate) fn feed(
        &mut self,
        piece: &[u8],
        item: &mut impl FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<(), String> {
        if self.begun.is_empty() {
            let taken = self.take(piece, item)?;
            self.begun.extend_from_slice(&piece[taken..]);
        } else {
            let mut begun = std::mem::take(&mut self.begun);
            begun.extend_from_slice(piece);
            let taken = self.take(&begun, item)?;
            begun.drain(..taken);
            self.begun = begun;
        }
        if self.begun.len() > MAX_ITEM { Err("an item without an end".into()) } else { Ok(()) }
    }

    /// The list's metadata, after the list has ended.
    ///
    /// # Errors
    /// When it was cut off, or was not a list.
    pub(crate) fn end(self) -> Result<Head, String> {
        if self.at != Level::Around || !self.begun.is_empty() {
            return Err("it ends in the middle".into());
        }
        if self.has_list { Ok(self.head) } else { Err("it has no items".into()) }
    }

    /// Takes all complete fields. Returns how many bytes those were.
    fn take(&mut self, bytes: &[u8], item: &mut impl FnMut(&[u8]) -> Result<(), String>) -> Result<usize, String> {
        let mut place = 0;
        while let Some(length) = self.step(&bytes[place..], item)? {
            place += length;
        }
        Ok(place)
    }

    /// Takes the next field, if it is complete.
    fn step(
        &mut self,
        bytes: &[u8],
        item: &mut impl FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<Option<usize>, String> {
        match self.at {
            Level::Start => self.start(bytes),
            Level::Around => self.around(bytes),
            Level::Inside(0) => {
                self.at = Level::Around;
                Ok(Some(0))
            }
            Level::Inside(left) => self.inside(left, bytes, item),
        }
    }

    fn start(&mut self, bytes: &[u8]) -> Result<Option<usize>, String> {
        if bytes.len() < MAGIC.len() && MAGIC.starts_with(bytes) {
            return Ok(None);
        }
        if !bytes.starts_with(MAGIC) {
            return Err("it is not in protobuf".into());
        }
        self.at = Level::Around;
        Ok(Some(MAGIC.len()))
    }

    /// Takes a field around the list. The list's own field begins before it is complete.
    fn around(&mut self, bytes: &[u8]) -> Result<Option<usize>, String> {
        const RAW: u64 = 2 << 3 | 2;
        if let Some((RAW, tag)) = number(bytes)? {
            let Some((length, taken)) = number(&bytes[tag..])? else { return Ok(None) };
            if std::mem::replace(&mut self.has_list, true) {
                return Err("it has items twice".into());
            }
            self.at = Level::Inside(length);
            return Ok(Some(tag + taken));
        }
        let Some((number, value, length)) = field(bytes)? else { return Ok(None) };
        if number == 1 {
            self.head.kind = text(value.bytes()?, 2)?;
        }
        Ok(Some(length))
    }

    fn inside(
        &mut self,
        left: u64,
        bytes: &[u8],
        item: &mut impl FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<Option<usize>, String> {
        let Some((number, value, length)) = field(bytes)? else { return Ok(None) };
        let left = u64::try_from(length).ok().and_then(|length| left.checked_sub(length));
        self.at = Level::Inside(left.ok_or("a field that is longer than its list")?);
        match (number, value) {
            (1, metadata) => {
                self.head.resource_version = text(metadata.bytes()?, 2)?;
                self.head.more = text(metadata.bytes()?, 3)?;
            }
            (2, Value::Bytes(bytes)) => item(bytes)?,
            _ => {}
        }
        Ok(Some(length))
    }
}

/// The text in a field of a message; empty if there is none.
fn text(message: &[u8], number: u64) -> Result<String, String> {
    find(message, number)?.map_or_else(|| Ok(String::new()), |value| value.text().map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::super::metadata::{glance, metadata};
    use super::*;
    use crate::survey::Object;
    use serde_json::Value as Json;

    /// An answer of Kubernetes 1.36 to the same request, in both formats.
    const PACKED: &[u8] = include_bytes!("list.bin");
    const IN_JSON: &str = include_str!("list.json");

    fn scanned(bytes: &[u8], piece: usize) -> Result<(Vec<Vec<u8>>, Head), String> {
        let (mut scanner, mut items) = (ProtobufScanner::default(), Vec::new());
        for piece in bytes.chunks(piece) {
            scanner.feed(piece, &mut |item| {
                items.push(item.to_vec());
                Ok(())
            })?;
        }
        Ok((items, scanner.end()?))
    }

    #[test]
    fn a_list_says_the_same_as_in_json() {
        let list: Json = serde_json::from_str(IN_JSON).unwrap();
        let objects = list["items"].as_array().unwrap();
        for piece in [1, 2, 7, 100, PACKED.len()] {
            let (items, head) = scanned(PACKED, piece).unwrap();
            assert_eq!((head.kind.as_str(), items.len()), ("PartialObjectMetadataList", objects.len()));
            assert_eq!(list["metadata"]["resourceVersion"], head.resource_version.as_str());
            assert_eq!(list["metadata"]["continue"], head.more.as_str());
            for (item, object) in items.iter().zip(objects) {
                let object = Object::single(object.clone()).unwrap();
                let known = glance(item).unwrap();
                assert_eq!((known.name, known.is_deleting), (object.name(), object.is_deleting()));
                assert_eq!(known.namespace, object.metadata.namespace.as_deref().unwrap_or_default());
                assert_eq!(known.is_owned, !object.metadata.owner_references.is_empty());
                assert_eq!(metadata(item, true).unwrap(), object.metadata);
                assert_eq!(metadata(item, false).unwrap().managed_fields, Json::Null);
            }
        }
    }

    #[test]
    fn a_truncated_list_is_refused() {
        // The two fields after the list are empty.
        for length in 0..PACKED.len() - 4 {
            assert!(scanned(&PACKED[..length], 64).is_err(), "{length}");
        }
    }

    #[test]
    fn invalid_lists_are_refused() {
        for wrong in
            [&b"{\"kind\":\"List\"}"[..], b"k8s\0", b"k8s\0\x12\x01\x12\x02ab", b"k8s\0\x12\0\x12\0", b"k8s\0\x0b"]
        {
            assert!(scanned(wrong, 3).is_err(), "{wrong:?}");
        }
        assert!(scanned(b"k8s\0\x12\0", 1).unwrap().0.is_empty());
        let mut scanner = ProtobufScanner::default();
        scanner.feed(b"k8s\0\x12\xff\xff\xff\xff\x0f\x12\xff\xff\xff\xff\x0e", &mut |_| Ok(())).unwrap();
        let endless = (0..40).any(|_| scanner.feed(&vec![b'a'; 1 << 20], &mut |_| Ok(())).is_err());
        assert!(endless, "an item without an end is not kept");
    }
}
