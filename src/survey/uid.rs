//! The uid of an object. Nearly all uids have the same length and are stored inline; as strings
//! they would take a third more memory.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::Deref;

/// The length of a UUID, which API servers use as uids.
const LENGTH: usize = 36;

/// The uid of an object; empty if it is unknown.
#[derive(Clone, PartialEq, Eq)]
pub struct Uid(UidText);

/// Each text has exactly one representation, so that equality can be derived.
#[derive(Clone, PartialEq, Eq)]
enum UidText {
    /// A text of the usual length.
    Usual([u8; LENGTH]),
    Other(Box<str>),
}

impl Deref for Uid {
    type Target = str;

    fn deref(&self) -> &str {
        match &self.0 {
            // The bytes were made from a text.
            UidText::Usual(bytes) => std::str::from_utf8(bytes).unwrap_or_default(),
            UidText::Other(text) => text,
        }
    }
}

impl From<&str> for Uid {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().try_into().map_or_else(|_| UidText::Other(text.into()), UidText::Usual))
    }
}

impl Default for Uid {
    fn default() -> Self {
        "".into()
    }
}

impl fmt::Debug for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl Uid {
    /// Whether the uid is unknown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        str::is_empty(self)
    }
}

impl Serialize for Uid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Uid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok((&*Box::<str>::deserialize(deserializer)?).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uid_is_the_text_that_it_was_made_of() {
        let umlauts = "ä".repeat(LENGTH / 2);
        for text in ["", "u", "0000c350-1111-4111-8111-111111111111", "0000c350-1111-4111-8111-1111111111112", &umlauts]
        {
            let uid = Uid::from(text);
            assert_eq!((&*uid, uid.is_empty()), (text, text.is_empty()));
            let json = serde_json::to_string(&uid).unwrap();
            assert_eq!(json, serde_json::to_string(text).unwrap());
            assert!(serde_json::from_str::<Uid>(&json).unwrap() == uid && uid != "v".into());
        }
    }

    #[test]
    fn a_uid_fits_in_40_bytes() {
        assert!(size_of::<Uid>() <= 40);
    }
}
