//! An annotation or a label that would release an object, according to its controller.

use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::{belongs_to, domain, same_domain};
use crate::plan::{full_name, quote};
use crate::report::{Ref, Remedy};
use crate::survey::{is_key, is_label_value};

/// An annotation or a label.
#[derive(Debug, PartialEq, Eq)]
struct MetadataMark<'w> {
    /// The kubectl command that sets it.
    verb: &'static str,
    key: &'w str,
    value: &'w str,
}

/// The remedy that sets the mark in `words` with its value, if its key belongs to the product of `finalizer` or of a
/// held object, and the object does not have it yet.
pub(crate) fn set(words: &str, finalizer: &str, held: &HeldObjects<'_>) -> Option<Remedy> {
    let mark = named_in(words)?;
    let of = domain(mark.key);
    let is_own = |group: &str| group == of || belongs_to(of, group) || same_domain(of, group);
    let seen = held.read().find(|seen| is_own(&seen.resource.id.group) || domain(finalizer) == of)?;
    let MetadataMark { verb, key, value } = mark;
    let there = if verb == "label" { &seen.object.metadata.labels } else { &seen.object.metadata.annotations };
    if there.get(key).is_some_and(|there| there == value) {
        return None;
    }
    let object = Ref::from(seen);
    let command = format!("kubectl {verb} {} --overwrite {}", full_name(&object), quote(&format!("{key}={value}")));
    let mark = if verb == "label" { "label" } else { "annotation" };
    Some(Remedy::command(
        format!("{verb} {object} as its controller says"),
        command,
        format!("its controller then acts on that {mark}; check first what it would leave behind"),
    ))
}

/// `acme.io/deletion: detach` in "set annotation 'acme.io/deletion: detach' to permit it".
fn named_in(words: &str) -> Option<MetadataMark<'_>> {
    let lower = words.to_lowercase();
    let verb = match (lower.find("annotat"), lower.find("label")) {
        (Some(_), None) => "annotate",
        (None, Some(_)) => "label",
        _ => return None,
    };
    let is_wrapped = |c: char| "'\"`()[]{},;".contains(c) || c.is_whitespace();
    let mut parts = words.split(is_wrapped).filter(|part| !part.is_empty());
    while let Some(part) = parts.next() {
        let (key, value) = match part.split_once('=').or_else(|| part.split_once(':')) {
            Some((key, "")) => (key, parts.next().unwrap_or_default()),
            Some((key, value)) => (key, value),
            None => continue,
        };
        let value = value.trim_end_matches('.');
        if is_domain_key(key) && is_label_value(value) {
            return Some(MetadataMark { verb, key, value });
        }
    }
    None
}

/// Whether a word is a key whose domain has a dot: other words with a slash may be paths.
fn is_domain_key(word: &str) -> bool {
    is_key(word) && domain(word).contains('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_and_labels_are_read_from_messages() {
        let named = |words| named_in(words).map(|mark| (mark.verb, mark.key, mark.value));
        let detach = Some(("annotate", "acme.io/deletion", "detach"));
        assert_eq!(named("cannot delete; set annotation 'acme.io/deletion: detach' to permit it"), detach);
        assert_eq!(named("annotate it with acme.io/deletion=detach."), detach);
        assert_eq!(named("add the annotation \"acme.io/deletion\": \"detach\" first"), None);
        assert_eq!(named("label it acme.io/keep=true first"), Some(("label", "acme.io/keep", "true")));
        assert_eq!(named("annotation acme.io/deletion is not set"), None, "there is no value");
        assert_eq!(named("dial https://acme.io/deletion:443"), None, "it is no annotation");
        assert_eq!(named("annotation https://acme.io/x: refused"), None, "a URL is no key");
        assert_eq!(named("annotate it with acme.io/deletion=$(reboot)"), None);
    }
}
