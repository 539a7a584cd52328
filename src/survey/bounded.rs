//! Reads an object without ever keeping more of it than there is room for. The store takes objects of
//! 1.5 MiB, anybody who may create one may fill it with names, and as values these take many times as
//! much memory.
//!
//! An object that was cut short says so ([`More::left_out`](super::More::left_out)): what is missing
//! from it is unread, not absent.

use super::object::Object;
use super::weight::{ENTRY, NODE};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// The part of the room that a spec may take. Whoever creates an object writes that, while the status
/// says what becomes of the object.
const SPEC: usize = 3;

/// How many finalizers and owners of an object are read.
const MAX_ITEMS: usize = 4_096;

/// The room that is left for an object.
struct Room {
    bytes: usize,
    /// How many values did not fit.
    left_out: usize,
}

impl Room {
    fn take(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }
}

/// Reads an object from JSON. What does not fit into `room` is left out. With `single`, its
/// managedFields are kept.
///
/// # Errors
/// When it is no object of the Kubernetes API.
pub(crate) fn read(text: &[u8], single: bool, room: usize) -> serde_json::Result<Object> {
    let mut room = Room { bytes: room, left_out: 0 };
    let mut json = serde_json::Deserializer::from_slice(text);
    let value = BoundedPart(Kept::Object, &mut room).deserialize(&mut json)?;
    json.end()?;
    let mut object = if single { Object::single(value)? } else { serde_json::from_value(value)? };
    if room.left_out > 0 {
        object.metadata.left_out = room.left_out;
    }
    Ok(object)
}

/// How much is kept of a part of an object.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    /// The fields of the object, each as far as there is room for it.
    Object,
    /// Metadata, which is bounded again after it was read: of the finalizers and owners only the first ones, each
    /// of them whole.
    Metadata,
    /// The first items of a list, or null.
    FirstItems,
    /// Any value, as far as there is room for it.
    WhatFits,
}

/// Reads a part of an object.
struct BoundedPart<'r>(Kept, &'r mut Room);

impl BoundedPart<'_> {
    /// A value that is neither a list nor a map.
    fn plain<E: Error>(self, value: impl Into<Value>, found: Unexpected<'_>) -> Result<Value, E> {
        if self.0 == Kept::WhatFits { Ok(value.into()) } else { Err(E::invalid_type(found, &self)) }
    }

    fn first_items<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut kept: Vec<Value> = Vec::new();
        while kept.len() < MAX_ITEMS {
            let Some(item) = items.next_element()? else { return Ok(kept.into()) };
            kept.push(item);
        }
        while let Some(IgnoredAny) = items.next_element()? {
            self.1.left_out += 1;
        }
        Ok(kept.into())
    }

    /// The value of the field `key` of an object or of its metadata.
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, fields: &mut A) -> Result<Value, A::Error> {
        let room = &mut *self.1;
        match (self.0, key) {
            (Kept::Metadata, "finalizers" | "ownerReferences") => {
                fields.next_value_seed(BoundedPart(Kept::FirstItems, room))
            }
            (Kept::Metadata, _) => fields.next_value(),
            (_, "metadata") => fields.next_value_seed(BoundedPart(Kept::Metadata, room)),
            (_, "spec") => {
                let share = room.bytes / SPEC;
                let mut part = Room { bytes: share, left_out: 0 };
                let value = fields.next_value_seed(BoundedPart(Kept::WhatFits, &mut part))?;
                room.take(share - part.bytes);
                room.left_out += part.left_out;
                Ok(value)
            }
            _ => fields.next_value_seed(BoundedPart(Kept::WhatFits, room)),
        }
    }

    fn what_fits<'de, A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut kept = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            if key.len() >= self.1.bytes {
                let IgnoredAny = fields.next_value()?;
                self.1.left_out += 1;
                continue;
            }
            self.1.take(key.len() + if kept.is_empty() { NODE } else { ENTRY });
            kept.insert(key, fields.next_value_seed(BoundedPart(Kept::WhatFits, self.1))?);
        }
        Ok(kept.into())
    }
}

impl<'de> DeserializeSeed<'de> for BoundedPart<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for BoundedPart<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kept::Object => "an object",
            Kept::Metadata => "metadata",
            Kept::FirstItems => "a list",
            Kept::WhatFits => "a value",
        })
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.plain(value, Unexpected::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.plain(value, Unexpected::Signed(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.plain(value, Unexpected::Unsigned(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        self.plain(value, Unexpected::Float(value))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        if self.0 == Kept::FirstItems { Ok(Value::Null) } else { self.plain(Value::Null, Unexpected::Unit) }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        let end = text.floor_char_boundary(self.1.bytes);
        self.1.left_out += usize::from(end < text.len());
        self.1.take(end);
        self.plain(&text[..end], Unexpected::Str(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        match self.0 {
            Kept::FirstItems => return self.first_items(items),
            Kept::WhatFits => {}
            Kept::Object | Kept::Metadata => return Err(Error::invalid_type(Unexpected::Seq, &self)),
        }
        let mut kept = Vec::new();
        loop {
            if self.1.bytes == 0 {
                let Some(IgnoredAny) = items.next_element()? else { break };
                self.1.left_out += 1;
            } else {
                let Some(item) = items.next_element_seed(BoundedPart(Kept::WhatFits, self.1))? else { break };
                self.1.take(ENTRY);
                kept.push(item);
            }
        }
        kept.shrink_to_fit();
        Ok(kept.into())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut fields: A) -> Result<Value, A::Error> {
        match self.0 {
            Kept::WhatFits => return self.what_fits(fields),
            Kept::FirstItems => return Err(Error::invalid_type(Unexpected::Map, &self)),
            Kept::Object | Kept::Metadata => {}
        }
        let mut kept = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            let value = self.field(&key, &mut fields)?;
            kept.insert(key, value);
        }
        Ok(kept.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn bounded(value: &Value, room: usize) -> Object {
        read(value.to_string().as_bytes(), false, room).unwrap()
    }

    #[test]
    fn an_object_that_fits_is_read_as_it_is() {
        let value = json!({"apiVersion": "acme.io/v1", "kind": "Widget", "metadata": {"name": "a"},
            "spec": {"a": [1, -2, 0.5, true, null, "x", {"b": {}}]}, "status": {"phase": "Failed"}, "data": "y"});
        let plain: Object = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(bounded(&value, 1 << 20), plain);
        assert_eq!(plain.metadata.left_out, 0);
    }

    #[test]
    fn a_spec_full_of_names_leaves_room_for_what_the_status_says() {
        let names: Vec<Value> = (0..9_000).map(|number| json!({"secretRef": {"name": format!("s{number}")}})).collect();
        let condition = json!({"type": "Ready", "status": "False", "reason": "Refused", "message": "no rights"});
        let value = json!({"metadata": {"name": "a"}, "spec": {"uses": names}, "status": {"conditions": [condition]}});
        let object = bounded(&value, 16 << 10);
        assert_eq!(object.condition("Ready").unwrap().says(), "Refused: no rights");
        assert!(object.metadata.left_out > 8_000 && object.weight() < 20 << 10, "{}", object.weight());
        assert!(!object.array("/spec/uses").is_empty());
    }

    #[test]
    fn a_long_text_or_key_takes_no_more_than_the_room() {
        let long = "ä".repeat(100_000);
        for value in
            [json!({"metadata": {}, "status": {"message": long}}), json!({"metadata": {}, "status": {&long: 1}})]
        {
            let object = bounded(&value, 4_001);
            assert!(object.weight() <= 5_000 && object.metadata.left_out > 0, "{}", object.weight());
        }
    }

    #[test]
    fn of_many_finalizers_the_first_are_kept_whole() {
        let names: Vec<String> = (0..70_000).map(|number| format!("acme.io/f{number}")).collect();
        let object = bounded(&json!({"metadata": {"name": "a", "finalizers": names, "ownerReferences": null}}), 4_000);
        assert_eq!(object.metadata.finalizers[..], names[..MAX_ITEMS]);
        assert_eq!(object.metadata.left_out, 70_000 - MAX_ITEMS);
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for text in ["", "null", "3", "[]", r#"{"metadata":3}"#, r#"{"metadata":{}}x"#, r#"{"spec":[}"#] {
            assert!(read(text.as_bytes(), true, 1 << 20).is_err(), "{text}");
        }
        let deep = format!(r#"{{"spec":{}}}"#, "[".repeat(100_000));
        assert!(read(deep.as_bytes(), true, 1 << 20).unwrap_err().to_string().contains("recursion limit"));
    }
}
