//! Reads an object without ever keeping more of it than there is room for. The store takes objects of
//! 1.5 MiB, anybody who may create one may fill it with names, and as values these take many times as
//! much memory.
//!
//! An object that was cut short says so ([`More::left_out`](super::More::left_out)): what is missing
//! from it is unread, not absent.

use super::object::Object;
use super::weight::{ENTRY, NODE};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
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
    let value = Whole(&mut room).deserialize(&mut json)?;
    json.end()?;
    let mut object = if single { Object::single(value)? } else { serde_json::from_value(value)? };
    if room.left_out > 0 {
        object.metadata.left_out = room.left_out;
    }
    Ok(object)
}

/// The fields of an object. Its metadata is bounded again after it was read.
struct Whole<'r>(&'r mut Room);

impl<'de> DeserializeSeed<'de> for Whole<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Value, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Whole<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut kept = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            let value = match key.as_str() {
                "metadata" => fields.next_value_seed(Names(self.0))?,
                "spec" => {
                    let share = self.0.bytes / SPEC;
                    let mut room = Room { bytes: share, left_out: 0 };
                    let value = fields.next_value_seed(BoundedPart(&mut room))?;
                    self.0.take(share - room.bytes);
                    self.0.left_out += room.left_out;
                    value
                }
                _ => fields.next_value_seed(BoundedPart(self.0))?,
            };
            kept.insert(key, value);
        }
        Ok(kept.into())
    }
}

/// The metadata of an object: of its finalizers and owners only the first ones, each of them whole.
struct Names<'r>(&'r mut Room);

impl<'de> DeserializeSeed<'de> for Names<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Value, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Names<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("metadata")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut kept = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            let value = match key.as_str() {
                "finalizers" | "ownerReferences" => fields.next_value_seed(FirstItems(self.0))?,
                _ => fields.next_value()?,
            };
            kept.insert(key, value);
        }
        Ok(kept.into())
    }
}

/// The first items of a list, or null.
struct FirstItems<'r>(&'r mut Room);

impl<'de> DeserializeSeed<'de> for FirstItems<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FirstItems<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut kept: Vec<Value> = Vec::new();
        while kept.len() < MAX_ITEMS {
            let Some(item) = items.next_element()? else { return Ok(kept.into()) };
            kept.push(item);
        }
        while let Some(IgnoredAny) = items.next_element()? {
            self.0.left_out += 1;
        }
        Ok(kept.into())
    }
}

/// Any value, as far as there is room for it.
struct BoundedPart<'r>(&'r mut Room);

impl<'de> DeserializeSeed<'de> for BoundedPart<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for BoundedPart<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        let end = text.floor_char_boundary(self.0.bytes);
        self.0.left_out += usize::from(end < text.len());
        self.0.take(end);
        Ok(text[..end].into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut kept = Vec::new();
        loop {
            if self.0.bytes == 0 {
                let Some(IgnoredAny) = items.next_element()? else { break };
                self.0.left_out += 1;
            } else {
                let Some(item) = items.next_element_seed(BoundedPart(self.0))? else { break };
                self.0.take(ENTRY);
                kept.push(item);
            }
        }
        kept.shrink_to_fit();
        Ok(kept.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut kept = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            if key.len() >= self.0.bytes {
                let IgnoredAny = fields.next_value()?;
                self.0.left_out += 1;
                continue;
            }
            self.0.take(key.len() + if kept.is_empty() { NODE } else { ENTRY });
            kept.insert(key, fields.next_value_seed(BoundedPart(self.0))?);
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
