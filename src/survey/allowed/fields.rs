//! A set of fields, and how a value is reduced to them.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Fields to keep, as a tree. They are given as paths: `*` is every item of a list, `+` every key
/// of a map, `{a,b}` both. A plain path keeps a text, a number, or a list of these. A path that
/// ends in `**` keeps everything below it; one that ends in `?` keeps only that it exists: an empty
/// map or list.
#[derive(Debug, Default)]
pub struct Fields {
    plain: bool,
    whole: bool,
    presence: bool,
    below: BTreeMap<&'static str, Fields>,
}

impl Fields {
    /// The fields at these paths.
    #[must_use]
    pub fn of<'p>(paths: impl IntoIterator<Item = &'p &'static str>) -> Self {
        let mut fields = Self::default();
        paths.into_iter().for_each(|path| fields.add(path));
        fields
    }

    /// Adds the fields at these paths below the place that a JSON pointer names.
    pub(super) fn add_below(&mut self, place: &'static str, paths: &[&'static str]) {
        let keys = place.split('/').filter(|key| !key.is_empty());
        let below = keys.fold(self, |fields, key| fields.below.entry(key).or_default());
        for path in paths {
            below.add(path);
        }
    }

    /// Adds a path; alternatives in braces are added one by one.
    fn add(&mut self, path: &'static str) {
        let (first, rest) = match path.find('/').filter(|_| !path.starts_with('{')) {
            Some(end) => (&path[..end], Some(&path[end + 1..])),
            None if path.starts_with('{') => {
                let end = path.find('}').unwrap_or(path.len());
                let rest = path.get(end + 1..).and_then(|rest| rest.strip_prefix('/'));
                path[1..end].split(',').for_each(|one| self.step(one, rest));
                return;
            }
            None => (path, None),
        };
        self.step(first, rest);
    }

    fn step(&mut self, first: &'static str, rest: Option<&'static str>) {
        match first {
            "**" => self.whole = true,
            "?" => self.presence = true,
            key => {
                let below = self.below.entry(key).or_default();
                match rest {
                    Some(rest) => below.add(rest),
                    None => below.plain = true,
                }
            }
        }
    }

    fn at(&self, key: &str) -> Option<&Self> {
        self.below.get(key).or_else(|| self.below.get("+"))
    }

    /// Whether anything is kept at a path of keys; `*` stands for any item.
    pub(super) fn reach(&self, path: &[&str]) -> bool {
        match path.split_first() {
            _ if self.whole => true,
            None => true,
            // An item of a list, by its position.
            Some((first, rest)) if *first == "-" || first.chars().all(|c| c.is_ascii_digit()) => {
                self.at("*").is_some_and(|below| below.reach(rest)) || (rest.is_empty() && self.plain)
            }
            Some((first, rest)) => self.at(first).is_some_and(|below| below.reach(rest)),
        }
    }
}

/// Reduces a value to `fields`. Maps and lists on the way stay, even if empty: this shows that they
/// existed, and keeps the positions of the items after them.
#[must_use]
pub fn keep(value: &Value, fields: &Fields) -> Value {
    kept(value, fields).unwrap_or_default()
}

fn kept(value: &Value, fields: &Fields) -> Option<Value> {
    if fields.whole {
        return Some(value.clone());
    }
    match value {
        Value::Object(map) if fields.presence || !fields.below.is_empty() => {
            let left = |(key, value): (&String, &Value)| Some((key.clone(), kept(value, fields.at(key)?)?));
            Some(Value::Object(map.iter().filter_map(left).collect::<Map<_, _>>()))
        }
        Value::Array(items) => match fields.at("*") {
            Some(each) => Some(items.iter().map(|item| kept(item, each).unwrap_or_default()).collect()),
            None if fields.presence => Some(Value::Array(Vec::new())),
            None => (fields.plain && items.iter().all(is_plain)).then(|| value.clone()),
        },
        Value::Object(_) => None,
        Value::Null => Some(Value::Null),
        _ if fields.presence && !fields.plain => Some(Value::Object(Map::new())),
        _ => fields.plain.then(|| value.clone()),
    }
}

fn is_plain(value: &Value) -> bool {
    !value.is_object() && !value.is_array()
}

/// How many texts, numbers and booleans a value contains.
pub(super) fn leaves(value: &Value) -> usize {
    match value {
        Value::Object(map) => map.values().map(leaves).sum(),
        Value::Array(items) => items.iter().map(leaves).sum(),
        Value::Null => 0,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_without_a_path_are_left_out() {
        let fields =
            Fields::of(&["a", "b/{c,d}", "e/*/f", "g/**", "h/?", "i/+/j", "{k,l}/*/m", "n", "o", "a/b", "p/*/?"]);
        let value = json!({"a": 1, "b": {"c": "x", "d": true, "z": "no"}, "e": [{"f": 1}, "no", {"z": 2}],
            "g": {"z": ["all"]}, "h": {"z": "no"}, "i": {"any": {"j": 1, "z": 2}}, "k": [], "l": [{"m": null}],
            "n": ["x", 1], "o": [{"z": "no"}], "p": [{"z": "no"}, {}], "z": {"a": "no"}});
        assert_eq!(
            keep(&value, &fields),
            json!({"a": 1, "b": {"c": "x", "d": true}, "e": [{"f": 1}, null, {}], "g": {"z": ["all"]}, "h": {},
                "i": {"any": {"j": 1}}, "k": [], "l": [{"m": null}], "n": ["x", 1], "p": [{}, {}]})
        );
        assert_eq!(keep(&json!({"a": {"b": 1, "z": 2}}), &fields), json!({"a": {"b": 1}}));
    }

    #[test]
    fn left_out_fields_can_be_counted() {
        assert_eq!(leaves(&json!({"a": [1, "x", {"b": true}], "c": {}, "d": null})), 3);
    }
}
