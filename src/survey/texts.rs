//! Labels and annotations. An object has few of them, while each node of a B-tree has room for
//! eleven; a sorted vector needs a third of the memory.

use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

/// Texts by key, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "BTreeMap<String, String>")]
pub struct Texts(Vec<(String, String)>);

impl Texts {
    /// Empty.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    fn place(&self, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.as_str().cmp(key))
    }

    /// The text with this key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&String> {
        self.place(key).ok().map(|place| &self.0[place].1)
    }

    /// Whether there is a text with this key.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.place(key).is_ok()
    }

    /// All keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|(key, _)| key)
    }

    /// All keys with their texts, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &String)> {
        self.0.iter().map(|(key, text)| (key, text))
    }

    /// All texts, in the order of their keys.
    pub fn values(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|(_, text)| text)
    }

    /// The number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no texts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Inserts a text, or replaces the one with the same key.
    pub fn insert(&mut self, key: String, text: String) {
        match self.place(&key) {
            Ok(place) => self.0[place].1 = text,
            Err(place) => self.0.insert(place, (key, text)),
        }
    }

    /// Removes a text.
    pub fn remove(&mut self, key: &str) {
        if let Ok(place) = self.place(key) {
            self.0.remove(place);
        }
    }

    /// Keeps only the texts for whose keys `stays` is true. Returns how many were removed.
    pub fn retain(&mut self, stays: impl Fn(&str) -> bool) -> usize {
        let before = self.0.len();
        self.0.retain(|(key, _)| stays(key));
        before - self.0.len()
    }

    /// All texts, to be modified.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.0.iter_mut().map(|(_, text)| text)
    }

    /// Keeps the first texts whose length, with that of their keys, is at most `most` bytes together.
    /// Returns how many were removed.
    pub(super) fn bound(&mut self, most: usize) -> usize {
        let (before, mut length) = (self.0.len(), 0);
        self.0.retain(|(key, text)| {
            let longer = length + key.len() + text.len();
            let fits = longer <= most;
            length = if fits { longer } else { length };
            fits
        });
        let gone = before - self.0.len();
        if gone > 0 {
            self.0.shrink_to_fit();
        }
        gone
    }

    /// Removes all texts.
    pub fn clear(&mut self) {
        self.0 = Vec::new();
    }
}

impl FromIterator<(String, String)> for Texts {
    /// If a key occurs several times, the last text counts.
    fn from_iter<I: IntoIterator<Item = (String, String)>>(texts: I) -> Self {
        let mut all: Vec<_> = texts.into_iter().collect();
        all.reverse();
        all.sort_by(|one, other| one.0.cmp(&other.0));
        all.dedup_by(|one, other| one.0 == other.0);
        all.shrink_to_fit();
        Self(all)
    }
}

impl<const N: usize> From<[(String, String); N]> for Texts {
    fn from(texts: [(String, String); N]) -> Self {
        texts.into_iter().collect()
    }
}

impl Serialize for Texts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, text)| (key, text)))
    }
}

impl From<BTreeMap<String, String>> for Texts {
    fn from(texts: BTreeMap<String, String>) -> Self {
        Self(texts.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_written_in_the_order_of_their_keys() {
        let texts: Texts = serde_json::from_str(r#"{"b":"1","a":"2","c":"3","a":"4"}"#).unwrap();
        assert_eq!(serde_json::to_string(&texts).unwrap(), r#"{"a":"4","b":"1","c":"3"}"#);
        assert_eq!((texts.len(), texts.get("a").map(String::as_str), texts.get("d")), (3, Some("4"), None));
        assert!(serde_json::from_str::<Texts>(r#"{"a":1}"#).is_err() && serde_json::from_str::<Texts>("[]").is_err());
    }

    #[test]
    fn texts_are_inserted_and_removed() {
        let mut texts = Texts::new();
        for (key, text) in [("b", "1"), ("a", "2"), ("b", "3")] {
            texts.insert(key.into(), text.into());
        }
        texts.remove("c");
        assert_eq!(texts, [("a".to_owned(), "2".to_owned()), ("b".to_owned(), "3".to_owned())].into());
        texts.remove("a");
        assert_eq!(texts.keys().chain(texts.values()).collect::<Vec<_>>(), ["b", "3"]);
        texts.values_mut().for_each(|text| text.push('!'));
        assert_eq!(texts.get("b").map(String::as_str), Some("3!"));
        assert_eq!((texts.retain(|key| key == "b"), texts.len()), (0, 1));
        assert_eq!((texts.retain(|key| key == "a"), texts.len()), (1, 0));
        texts.insert("a".into(), "1".into());
        texts.clear();
        assert!(texts.is_empty() && !texts.contains_key("b"));
    }
}
