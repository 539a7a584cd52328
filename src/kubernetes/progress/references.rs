//! References from specs to other objects: explicit ones, fields with the name of a kind, and mere names.

use crate::kubernetes::messages::mentions;
use crate::survey::{Discovery, Resource, Seen, is_name, may_be_secret};
use serde_json::Value;
use std::cell::OnceCell;

/// How many references of an object are followed.
pub(crate) const MAX_REFERENCES: usize = 8;

/// A reference from a spec to another object.
#[derive(Debug)]
pub(crate) struct SpecReference<'s> {
    pub(crate) resource: &'s Resource,
    pub(crate) namespace: Option<String>,
    pub(crate) name: String,
    pub(crate) field: String,
    /// Whether the reference is explicit. A mere name counts only if the controller's message
    /// contains it, too.
    pub(crate) plain: bool,
    /// Whether the field's name is that of a kind of the same group: `pgCluster` of a
    /// `PerconaPGCluster`, `project` of an `AppProject`.
    pub(crate) called: bool,
}

pub(crate) fn references<'s>(seen: Seen<'_>, discovery: &'s Discovery) -> Vec<SpecReference<'s>> {
    let mut found = Vec::new();
    let words = OnceCell::new();
    let is_told = |name: &str| {
        let words = words.get_or_init(|| seen.object.at("/status").map(Value::to_string).unwrap_or_default());
        mentions(words, name)
    };
    if let Some(spec) = seen.object.at("/spec") {
        walk(spec, "spec", 0, &mut |field, key, value| {
            if found.len() < MAX_REFERENCES {
                let named = reference(field, key, value, seen, discovery);
                // A possible password is not looked up as a name, not even on the server.
                let tells = |named: &SpecReference<'_>| named.plain || !may_be_secret(key) || is_told(&named.name);
                found.extend(named.filter(|named| is_name(&named.name) && tells(named)));
            }
        });
    }
    found
}

/// Visits every field of a spec, down to the depth at which references are looked for.
pub(crate) fn walk<'v>(value: &'v Value, path: &str, depth: usize, visit: &mut impl FnMut(&str, &str, &'v Value)) {
    if depth > 8 {
        return;
    }
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let path = format!("{path}.{key}");
                visit(&path, key, value);
                walk(value, &path, depth + 1, visit);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().take(20).enumerate() {
                let key = path.rsplit('.').next().unwrap_or_default().trim_end_matches('s').to_owned();
                let path = format!("{path}[{index}]");
                if item.is_object() {
                    visit(&path, &key, item);
                }
                walk(item, &path, depth + 1, visit);
            }
        }
        _ => {}
    }
}

pub(crate) fn reference<'s>(
    field: &str,
    key: &str,
    value: &Value,
    from: Seen<'_>,
    discovery: &'s Discovery,
) -> Option<SpecReference<'s>> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let (name, stem, plain) = match value {
        Value::Object(_) => (
            text("name")?,
            without_suffix(key, &["KeyRef", "KeySelector", "Reference", "IdRef", "Ref", "Selector"])?,
            true,
        ),
        Value::String(name) if !name.is_empty() => match without_suffix(key, &["Name", "Ref"]) {
            Some(stem) => (name.as_str(), stem, true),
            None => (name.as_str(), key, false),
        },
        _ => return None,
    };
    let (kind, group) = (text("kind"), text("apiVersion").or(text("apiGroup")).or(text("group")));
    let resource = resource(kind, group, stem, from, discovery).or_else(|| {
        let unnamed = value.is_object() && kind.is_none() && group.is_none();
        unnamed.then(|| by_container(field, from, discovery).or_else(|| secret_of(key, discovery))).flatten()
    })?;
    let namespace = text("namespace").or(from.object.metadata.namespace.as_deref()).filter(|_| resource.namespaced);
    if resource.namespaced != namespace.is_some() {
        return None;
    }
    let namespace = namespace.map(ToOwned::to_owned);
    let called = !plain && resource.id.group == from.resource.id.group && ends_with_words(&resource.kind, key);
    Some(SpecReference { resource, namespace, name: name.to_owned(), field: field.to_owned(), plain, called })
}

/// Whether a kind ends in the words of a key.
fn ends_with_words(kind: &str, key: &str) -> bool {
    let begin = kind.len().saturating_sub(key.len());
    let begins_a_word = kind.get(begin..).is_some_and(|end| end.starts_with(char::is_uppercase));
    begins_a_word && kind.to_lowercase().ends_with(&key.to_lowercase())
}

/// The kind of the object's own group that the field around a reference names:
/// `controlPlane.ref.namespacedRef`.
fn by_container<'s>(field: &str, from: Seen<'_>, discovery: &'s Discovery) -> Option<&'s Resource> {
    let above = field.rsplit('.').skip(1).map(|part| part.split('[').next().unwrap_or(part));
    let container = above.map(str::to_lowercase).find(|part| part != "ref" && part != "reference")?;
    let own = discovery.resources.iter().filter(|resource| resource.id.group == from.resource.id.group);
    let ends = own.filter(|resource| resource.kind.to_lowercase().ends_with(&container));
    only(ends, |resource| &resource.kind).filter(|_| container.len() >= 8)
}

/// Suffixes of fields that refer to Secrets: `sshKeyRef`, `credentialsRef`.
const IN_SECRETS: [&str; 5] = ["keyref", "credentialsref", "passwordref", "tokenref", "kubeconfigref"];

fn secret_of<'s>(key: &str, discovery: &'s Discovery) -> Option<&'s Resource> {
    let key = key.to_lowercase();
    let ends = IN_SECRETS.iter().any(|end| key.ends_with(end));
    // If a kind has that name, the field may mean that kind.
    let stem = key.trim_end_matches("ref");
    let is_kind = |resource: &Resource| {
        let kind = resource.kind.to_lowercase();
        kind.ends_with(stem) || (stem.ends_with("key") && kind.ends_with("key"))
    };
    if !ends || discovery.resources.iter().any(is_kind) {
        return None;
    }
    discovery.resources.iter().find(|resource| resource.kind == "Secret" && resource.id.group.is_empty())
}

pub(crate) fn without_suffix<'k>(key: &'k str, suffixes: &[&str]) -> Option<&'k str> {
    let known = ["ref", "reference"];
    suffixes.iter().find_map(|suffix| key.strip_suffix(suffix)).or_else(|| known.contains(&key).then_some(""))
}

/// The kind that a name without a group means among `namesakes`: the kind of the object's `own`
/// group, or else of the core group, or else of the only group that has the name. If several
/// unrelated groups have it, the kind is unknown.
pub(crate) fn meant<'s>(namesakes: &(impl Iterator<Item = &'s Resource> + Clone), own: &str) -> Option<&'s Resource> {
    let of = |group: &str| namesakes.clone().find(|resource| resource.id.group == group);
    of(own).or_else(|| of("")).or_else(|| only(namesakes.clone(), |resource| &resource.id.group))
}

/// The first of `kinds`, if `what` is the same for all of them.
pub(crate) fn only<'s>(
    mut kinds: impl Iterator<Item = &'s Resource>,
    what: impl Fn(&'s Resource) -> &'s String,
) -> Option<&'s Resource> {
    let first = kinds.next()?;
    kinds.all(|other| what(other) == what(first)).then_some(first)
}

/// The kind that a reference means: the one that it names, or the one in the field's name; kinds of
/// the object's own group come first.
pub(crate) fn resource<'s>(
    kind: Option<&str>,
    group: Option<&str>,
    stem: &str,
    from: Seen<'_>,
    discovery: &'s Discovery,
) -> Option<&'s Resource> {
    let group =
        group.map(|group| group.split_once('/').map_or(group, |(group, _)| group)).filter(|group| *group != "v1");
    let own = &from.resource.id.group;
    let find = |wanted: &str| {
        let mut called = discovery.resources.iter().filter(|resource| resource.kind.eq_ignore_ascii_case(wanted));
        match group {
            Some(group) => called.find(|resource| resource.id.group == group),
            None => meant(&called, own),
        }
    };
    if let Some(kind) = kind {
        return find(kind);
    }
    let lower = stem.to_lowercase();
    for (word, kind) in [("secret", "Secret"), ("configmap", "ConfigMap"), ("serviceaccount", "ServiceAccount")] {
        if lower.ends_with(word) {
            return discovery.resources.iter().find(|resource| resource.kind == kind && resource.id.group.is_empty());
        }
    }
    if stem.len() < 4 {
        return None;
    }
    let ends_in = || {
        let own = discovery.resources.iter().filter(|resource| resource.id.group == *own);
        let is_it = |kind: &str| kind.ends_with(&lower) || (kind.len() > 3 && lower.ends_with(kind));
        own.filter(|resource| is_it(&resource.kind.to_lowercase())).find(|resource| resource.kind != from.resource.kind)
    };
    find(stem).or_else(ends_in)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::progress::fixtures::discovery;
    use crate::survey::Object;
    use serde_json::json;

    fn references_of(spec: &Value) -> Vec<String> {
        let discovery = discovery();
        let object: Object =
            serde_json::from_value(json!({"metadata": {"name": "b", "namespace": "shop"}, "spec": spec})).unwrap();
        let seen = Seen { resource: &discovery.resources[1], object: &object };
        references(seen, &discovery)
            .iter()
            .map(|r| {
                format!(
                    "{} {}/{}{}",
                    r.resource.kind,
                    r.namespace.as_deref().unwrap_or("-"),
                    r.name,
                    if r.plain { "" } else { "?" }
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
        assert_eq!(references(seen, &discovery).len(), 1, "its status tells of it");
    }
}
