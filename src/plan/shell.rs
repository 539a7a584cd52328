//! Words of the kubectl commands that are shown, which a person pastes into a shell.

pub use crate::inert::quote;
use crate::report::Ref;
use serde_json::Value;

/// ` -n NAMESPACE` for a namespaced object.
#[must_use]
pub fn in_namespace(object: &Ref) -> String {
    object.namespace.as_ref().map(|namespace| format!(" -n {}", quote(namespace))).unwrap_or_default()
}

/// `KIND NAME` as two words of a command; `KIND/NAME`, which is no flag, for a name that begins with a
/// dash. Roles may have such a name, and owner references any.
#[must_use]
pub fn one(kind: &str, name: &str) -> String {
    if name.starts_with('-') { quote(&format!("{kind}/{name}")) } else { format!("{} {}", quote(kind), quote(name)) }
}

/// `NAME` as a word of a command that takes objects of this kind only; `KIND/NAME` as in [`one`].
#[must_use]
pub fn alone(kind: &str, name: &str) -> String {
    if name.starts_with('-') { one(kind, name) } else { quote(name) }
}

/// `kubectl create KIND NAME`, in which the name is never taken for a flag.
#[must_use]
pub fn create(kind: &str, object: &Ref) -> String {
    let (place, name) = (in_namespace(object), quote(&object.name));
    if object.name.starts_with('-') {
        format!("kubectl create {}{place} -- {name}", quote(kind))
    } else {
        format!("kubectl create {} {name}{place}", quote(kind))
    }
}

/// `RESOURCE/NAME -n NAMESPACE`, as arguments of a command that takes this form.
#[must_use]
pub fn full_name(object: &Ref) -> String {
    format!("{}{}", quote(&object.kubectl()), in_namespace(object))
}

/// `RESOURCE/NAME -n NAMESPACE`, the form in titles.
pub(super) fn named(object: &Ref) -> String {
    format!("{}{}", object.kubectl(), in_namespace(object))
}

/// `RESOURCE NAME -n NAMESPACE`, as arguments of a command.
#[must_use]
pub fn arguments(object: &Ref) -> String {
    let full = object.kubectl();
    let (resource, name) = full.split_once('/').unwrap_or((&full, ""));
    format!("{}{}", one(resource, name), in_namespace(object))
}

/// The command that sends a JSON patch to the object that the arguments name.
#[must_use]
pub fn patch(arguments: &str, patch: &Value) -> String {
    format!("kubectl patch {arguments} --type=json -p {}", quote(&patch.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_words_are_quoted_where_needed() {
        assert_eq!(quote("a.io/b-c"), "a.io/b-c");
        assert_eq!(quote("a b"), "'a b'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote(""), "''");
        assert_eq!(quote("a\n\u{1b}[2J'%"), r#""$(printf 'a\012\033\1332J\047\045')""#);
    }
}
