//! Lists of objects in the survey file. A short list is YAML, as in `kubectl get -o yaml`. A long
//! list is a text with one object per line, as JSON: YAML takes more than ten times as long to
//! parse, and nobody reads a thousand objects.

use super::Object;
use super::yaml::first_words;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_saphyr::LitString;
use std::fmt::{self, Write};

/// The maximum length of a list that is written as YAML.
const MAX_AS_YAML: usize = 200;

pub(super) struct Items(pub(super) Vec<Object>);

impl Serialize for Items {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.len() <= MAX_AS_YAML {
            return self.0.serialize(serializer);
        }
        let mut lines = String::new();
        for object in &self.0 {
            lines.push_str(&line(object).map_err(serde::ser::Error::custom)?);
            lines.push('\n');
        }
        LitString(lines).serialize(serializer)
    }
}

/// An object as JSON, with the characters escaped that YAML would change. These occur only inside
/// of JSON strings, where they can be escaped.
fn line(object: &Object) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string(object)?;
    let odd = |character: char| {
        character.is_control() || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
    };
    if !json.contains(odd) {
        return Ok(json);
    }
    Ok(json.chars().fold(String::new(), |mut plain, character| {
        if odd(character) {
            let _ = write!(plain, "\\u{:04x}", u32::from(character));
        } else {
            plain.push(character);
        }
        plain
    }))
}

impl<'de> Deserialize<'de> for Items {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Either)
    }
}

struct Either;

impl<'de> Visitor<'de> for Either {
    type Value = Items;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects, or a string with one object per line")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Items, A::Error> {
        std::iter::from_fn(|| list.next_element().transpose()).collect::<Result<_, _>>().map(Items)
    }

    fn visit_str<E: serde::de::Error>(self, lines: &str) -> Result<Items, E> {
        let object = |(place, line): (usize, &str)| {
            serde_json::from_str(line)
                .map_err(|error| E::custom(format!("item {}: {}", place + 1, first_words(&error.to_string()))))
        };
        lines.lines().enumerate().map(object).collect::<Result<_, _>>().map(Items)
    }
}

#[cfg(test)]
mod tests {
    use super::super::yaml::{self, tests::events};
    use super::*;
    use serde_json::json;

    fn items(count: usize) -> Items {
        let object = |number: usize| {
            let value = json!({"metadata": {"name": format!("o-{number}"), "uid": "u", "finalizers": ["acme.io/hold"],
                "creationTimestamp": "2026-01-01T00:00:00Z", "labels": {"app": "shop"}}});
            Object::single(value).unwrap()
        };
        Items((0..count).map(object).collect())
    }

    fn text(items: &Items) -> String {
        serde_saphyr::to_string(&std::collections::BTreeMap::from([("items", items)])).unwrap()
    }

    fn back(text: &str) -> Result<Vec<Object>, String> {
        let mut map: std::collections::BTreeMap<String, Items> = yaml::parse(text).map_err(|why| format!("{why:?}"))?;
        Ok(map.remove("items").unwrap().0)
    }

    #[test]
    fn short_and_long_lists_are_read_back() {
        for count in [0, 1, MAX_AS_YAML, MAX_AS_YAML + 1, 10 * MAX_AS_YAML] {
            let items = items(count);
            let text = text(&items);
            assert_eq!(text.contains("items: |\n"), count > MAX_AS_YAML, "{count}");
            assert_eq!(back(&text).unwrap(), items.0, "{count}");
        }
    }

    #[test]
    fn a_long_list_has_a_line_for_each_object() {
        let text = text(&items(MAX_AS_YAML + 1));
        let third = text.lines().nth(3).unwrap().trim_start();
        assert!(third.starts_with(r#"{"metadata":{"name":"o-2","#), "{third}");
        assert_eq!(text.lines().count(), 1 + MAX_AS_YAML + 1);
    }

    #[test]
    fn characters_that_yaml_or_an_editor_would_change_are_read_back() {
        let mut items = items(MAX_AS_YAML + 1);
        let odd =
            "a\u{7f}\u{85}\u{9f}\u{2028}\u{2029}\u{feff}\u{fffe}\u{ffff}\u{0}\u{1b}\n\r\t \"\\ ä 🦀 # : | ".to_owned();
        items.0[0].metadata.labels.insert(odd.clone(), odd.clone());
        items.0[MAX_AS_YAML].metadata.name = odd.into();
        let text = text(&items);
        assert!(text.contains("items: |\n"), "{text}");
        assert_eq!(back(&text).unwrap(), items.0);
    }

    /// Counts parser events, since the tests may not use a clock.
    #[test]
    fn reading_grows_no_faster_than_the_list() {
        let cost = |count: usize| events(&text(&items(count)));
        assert_eq!(cost(180) - cost(120), cost(120) - cost(60));
        assert_eq!(cost(2_000), cost(MAX_AS_YAML + 1), "of lines the YAML parser sees one text");
    }

    #[test]
    fn a_line_that_is_no_object_is_named() {
        for (line, word) in [("", "EOF"), ("{", "EOF"), ("[]", "invalid"), ("{\"metadata\": 3}", "invalid type")] {
            let text = format!("items: |\n  {{}}\n  {line}\n  {{}}\n");
            let why = back(&text).map(|items| items.len()).unwrap_err();
            assert!(why.contains("item 2: ") && why.contains(word), "{line}: {why}");
        }
        let deep = format!("items: |\n  {{\"a\":{}}}\n", "[".repeat(100_000));
        assert!(back(&deep).unwrap_err().contains("recursion limit"));
        for other in ["items: 3\n", "items: {}\n", "items: true\n"] {
            assert!(back(other).is_err(), "{other}");
        }
    }
}
