//! Words of the kubectl commands that are shown: a person pastes them into a shell.

use crate::report::Ref;
use serde_json::Value;

/// ` -n NAMESPACE` for a namespaced object.
#[must_use]
pub fn in_namespace(object: &Ref) -> String {
    object.namespace.as_ref().map(|namespace| format!(" -n {}", quote(namespace))).unwrap_or_default()
}

/// Quotes a word for a POSIX shell where it needs it.
#[must_use]
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// `RESOURCE/NAME -n NAMESPACE`, as titles name an object.
pub(super) fn named(object: &Ref) -> String {
    format!("{}{}", object.kubectl(), in_namespace(object))
}

/// `RESOURCE NAME -n NAMESPACE`, as arguments of a command.
pub(super) fn arguments(object: &Ref) -> String {
    let full = object.kubectl();
    let (resource, name) = full.split_once('/').unwrap_or((&full, ""));
    format!("{} {}{}", quote(resource), quote(name), in_namespace(object))
}

/// The command that sends a JSON patch to `object`.
pub(super) fn patch(object: &Ref, patch: &Value) -> String {
    format!("kubectl patch {} --type=json -p {}", arguments(object), quote(&patch.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_words_are_quoted_where_they_must_be() {
        assert_eq!(quote("a.io/b-c"), "a.io/b-c");
        assert_eq!(quote("a b"), "'a b'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote(""), "''");
    }
}
