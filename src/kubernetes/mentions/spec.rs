//! References from specs to other objects: explicit ones, fields with the name of a kind, and mere names.

use crate::kubernetes::mentions::edge::{Clarity, Edge, MAX_EDGES};
use crate::kubernetes::mentions::grammar::{ends_with_words, kind_around, kind_meant, secret_meant, walk};
use crate::kubernetes::messages::mentions;
use crate::survey::{Discovery, Seen, is_name, may_be_secret, stem_of_name, stem_of_reference};
use serde_json::Value;
use std::cell::OnceCell;

/// The objects that the spec of `seen` refers to. A bare name counts only if the controller's message contains the
/// name, too.
pub(crate) fn spec_edges<'s>(seen: Seen<'s>, discovery: &'s Discovery) -> Vec<Edge<'s>> {
    let mut found = Vec::new();
    let words = OnceCell::new();
    let is_told = |name: &str| {
        let words = words.get_or_init(|| seen.object.at("/status").map(Value::to_string).unwrap_or_default());
        mentions(words, name)
    };
    if let Some(spec) = seen.object.at("/spec") {
        walk(spec, "spec", 0, &mut |field, key, value| {
            if found.len() < MAX_EDGES {
                let named = reference(field, key, value, seen, discovery);
                // A possible password is not looked up as a name, not even on the server.
                let is_safe =
                    |edge: &Edge<'_>| edge.clarity == Clarity::Explicit || !may_be_secret(key) || is_told(&edge.name);
                found.extend(named.filter(|edge| is_name(&edge.name) && is_safe(edge)));
            }
        });
    }
    found
}

/// The object that `value`, of the field `key`, refers to.
fn reference<'s>(field: &str, key: &str, value: &Value, from: Seen<'s>, discovery: &'s Discovery) -> Option<Edge<'s>> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let (name, stem) = match value {
        Value::Object(_) => (text("name")?, Some(stem_of_reference(key)?)),
        Value::String(name) if !name.is_empty() => (name.as_str(), stem_of_name(key)),
        _ => return None,
    };
    let (kind, group) = (text("kind"), text("apiVersion").or(text("apiGroup")).or(text("group")));
    let resource = kind_meant(kind, group, stem.unwrap_or(key), from, discovery).or_else(|| {
        let unnamed = value.is_object() && kind.is_none() && group.is_none();
        unnamed.then(|| kind_around(field, from, discovery).or_else(|| secret_meant(key, discovery))).flatten()
    })?;
    let is_called = resource.id.group == from.resource.id.group && ends_with_words(&resource.kind, key);
    let clarity = match stem {
        Some(_) => Clarity::Explicit,
        None if is_called => Clarity::Called,
        None => Clarity::Bare,
    };
    Some(Edge { clarity, field: field.to_owned(), ..Edge::to(from, resource, text("namespace"), name)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::mentions::fixtures::discovery;
    use crate::survey::Object;
    use serde_json::json;

    fn references_of(spec: &Value) -> Vec<String> {
        let discovery = discovery();
        let object: Object =
            serde_json::from_value(json!({"metadata": {"name": "b", "namespace": "shop"}, "spec": spec})).unwrap();
        let seen = Seen { resource: &discovery.resources[1], object: &object };
        spec_edges(seen, &discovery)
            .iter()
            .map(|r| {
                format!(
                    "{} {}/{}{}",
                    r.resource.kind,
                    r.namespace.as_deref().unwrap_or("-"),
                    r.name,
                    if r.clarity == Clarity::Explicit { "" } else { "?" }
                )
            })
            .collect()
    }

    #[test]
    fn references_are_found_by_the_way_they_are_written() {
        assert_eq!(references_of(&json!({"providerConfigRef": {"name": "default"}})), ["ProviderConfig -/default"]);
        assert_eq!(
            references_of(&json!({"auth": {"credentialsSecretRef": {"name": "s", "namespace": "ops"}}})),
            ["Secret ops/s"]
        );
        assert_eq!(references_of(&json!({"secretName": "s"})), ["Secret shop/s"]);
        assert_eq!(references_of(&json!({"targetRef": {"kind": "Bucket", "name": "x"}})), ["Bucket shop/x"]);
        assert_eq!(references_of(&json!({"project": "p"})), ["AppProject shop/p?"]);
        // Two unrelated kinds with that name: it is unknown which is meant.
        assert!(references_of(&json!({"clusterRef": {"name": "x"}})).is_empty());
        assert!(references_of(&json!({"replicas": 3, "name": "x", "ref": 7})).is_empty());
    }

    #[test]
    fn a_reference_takes_its_kind_from_the_enclosing_field() {
        let within = |container: &str| json!({container: {"ref": {"namespacedRef": {"name": "x"}}}});
        assert_eq!(references_of(&within("appProject")), ["AppProject shop/x"]);
        assert!(references_of(&within("project")).is_empty(), "too little is said");
        assert_eq!(references_of(&json!({"sshKeyRef": {"name": "ssh"}})), ["Secret shop/ssh"]);
        assert_eq!(references_of(&json!({"adminCredentialsRef": {"name": "x"}})), ["Secret shop/x"]);
        assert!(references_of(&json!({"imageRef": {"name": "x"}})).is_empty());
    }

    #[test]
    fn possible_passwords_are_not_read_as_names() {
        for spec in [json!({"clientSecret": "hunter2"}), json!({"secretName": "no name"})] {
            assert!(references_of(&spec).is_empty(), "{spec}");
        }
        let discovery = discovery();
        let object = json!({"metadata": {"name": "b", "namespace": "shop"}, "spec": {"clientSecret": "creds"},
            "status": {"message": "Secret creds not found"}});
        let object: Object = serde_json::from_value(object).unwrap();
        let seen = Seen { resource: &discovery.resources[1], object: &object };
        assert_eq!(spec_edges(seen, &discovery).len(), 1, "its status tells of it");
    }
}
