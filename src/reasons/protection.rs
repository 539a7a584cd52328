//! A field of the object itself that forbids its deletion, according to its controller.

use crate::kubernetes::finalizers::HeldObjects;
use crate::plan::{full_name, quote};
use crate::report::{Ref, Remedy};
use crate::survey::Object;
use serde_json::{Map, Value, json};

/// Names of fields that are shorter than this may be ordinary words.
const TELLING: usize = 8;
/// The maximum length of a field's name.
const LONGEST: usize = 40;

/// The remedy that switches off the field in `words`, if it is on.
pub(crate) fn switch_off(words: &str, held: &HeldObjects<'_>) -> Option<Remedy> {
    let (seen, field) = held.read().find_map(|seen| Some((seen, named_in(words, seen.object)?)))?;
    let object = Ref::from(seen);
    let patch = json!({"spec": {field: false}}).to_string();
    let command = format!("kubectl patch {} --type=merge -p {}", full_name(&object), quote(&patch));
    let title = format!("set spec.{field} of {object} to false");
    Some(Remedy::command(title, command, "its controller then deletes what this field protects"))
}

/// The field of a spec that is on and whose name is among the words: `deletionProtection` in "deletion
/// protection is enabled".
fn named_in<'o>(words: &str, object: &'o Object) -> Option<&'o str> {
    let plain: String = words.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let spec: &Map<String, Value> = object.at("/spec")?.as_object()?;
    // The name becomes part of a command.
    let is_plain = |key: &str| key.len() <= LONGEST && key.chars().all(|c| c.is_ascii_alphanumeric());
    let is_named = |key: &str| key.len() >= TELLING && is_plain(key) && plain.contains(&key.to_lowercase());
    spec.iter().find(|(key, value)| value.as_bool() == Some(true) && is_named(key)).map(|(key, _)| key.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_that_forbids_deletion_is_found_from_the_message() {
        let object = |on: bool| -> Object {
            let spec = json!({"terminationProtection": on, "enabled": true});
            serde_json::from_value(json!({"metadata": {"name": "o"}, "spec": spec})).unwrap()
        };
        let words = "unable to delete: termination protection is on";
        assert_eq!(named_in(words, &object(true)), Some("terminationProtection"));
        assert_eq!(named_in(words, &object(false)), None);
        assert_eq!(named_in("the service is enabled", &object(true)), None, "any sentence may have that word");
    }
}
