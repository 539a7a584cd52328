//! The namespace that an object of the whole cluster is for, such as an address that a pod has taken.

use crate::facts::{Facts, Known, Readable, flat_each};
use crate::report::Ref;
use crate::survey::{Form, Seen, is_name};
use serde_json::Value;

/// How many namespaces of one object are looked up.
const MAX_NAMED: usize = 2;

/// The field of the spec in which an object of the whole cluster names a namespace, if none of that name exists. An
/// object in a namespace names another one at its author's will.
pub(crate) fn namespace_gone(seen: Seen<'_>, facts: &Facts<'_>) -> Known<Option<(String, Ref)>> {
    let Some(kind) = facts.preferred("", "namespaces").filter(|_| !seen.resource.namespaced) else { return Ok(None) };
    let Some(whole) = facts.get(&seen.resource.id, None, seen.object.name(), Form::Whole).if_readable()?.flatten()
    else {
        return Ok(None);
    };
    let named = names_of_namespaces(whole.at("/spec").unwrap_or(&Value::Null));
    let gone = flat_each(named.into_iter().take(MAX_NAMED), |(field, name)| {
        let read = facts.metadata(&kind.id, None, name).if_readable()?;
        Ok((read == Some(None)).then(|| (format!("spec.{field}"), Ref::absent(kind, None, name))))
    })?;
    Ok(gone.into_iter().next())
}

/// The fields that name a namespace, in a spec itself or in a part of it.
fn names_of_namespaces(spec: &Value) -> Vec<(String, &str)> {
    let parts = spec.as_object().into_iter().flatten();
    let deeper = parts.flat_map(|(part, value)| named_in(value, &format!("{part}.")));
    named_in(spec, "").into_iter().chain(deeper).collect()
}

fn named_in<'v>(fields: &'v Value, before: &str) -> Vec<(String, &'v str)> {
    let fields = fields.as_object().into_iter().flatten();
    let of_namespaces = fields.filter(|(key, _)| *key == "namespace" || key.ends_with("Namespace"));
    let named = of_namespaces.filter_map(|(key, value)| Some((format!("{before}{key}"), value.as_str()?)));
    named.filter(|(_, name)| is_name(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::names_of_namespaces;
    use serde_json::json;

    #[test]
    fn a_spec_names_a_namespace_itself_or_in_a_reference() {
        let spec = json!({"namespace": "a", "podRef": {"namespace": "b", "name": "c"}, "subnet": "d",
            "attachNamespace": "no name", "mode": {"kind": "namespace"}});
        let named: Vec<_> = names_of_namespaces(&spec);
        assert_eq!(named, [("namespace".to_owned(), "a"), ("podRef.namespace".to_owned(), "b")]);
    }
}
