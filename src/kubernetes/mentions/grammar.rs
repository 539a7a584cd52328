//! The rules by which a field, a label or a word means a kind. The suffixes of such fields are in
//! `survey`, which keeps what is read by them.

use crate::survey::{Discovery, Resource, Seen, stem_in_lower_case};
use serde_json::Value;

/// Words in fields that name an object which a controller creates.
const MADE_AFTER: [&str; 6] = ["write", "output", "target", "destination", "template", "result"];

/// Whether a field names an object that a controller creates.
pub(crate) fn is_made_later(field: &str) -> bool {
    let field = field.to_lowercase();
    MADE_AFTER.iter().any(|word| field.contains(word))
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

/// The kind that a reference means: the one that it names, or the one in the field's name; kinds of
/// the object's own group come first.
pub(crate) fn kind_meant<'s>(
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

/// Whether a kind ends in the words of a key.
pub(crate) fn ends_with_words(kind: &str, key: &str) -> bool {
    let begin = kind.len().saturating_sub(key.len());
    let begins_a_word = kind.get(begin..).is_some_and(|end| end.starts_with(char::is_uppercase));
    begins_a_word && kind.to_lowercase().ends_with(&key.to_lowercase())
}

/// The kind of the object's own group that the field around a reference names:
/// `controlPlane.ref.namespacedRef`.
pub(crate) fn kind_around<'s>(field: &str, from: Seen<'_>, discovery: &'s Discovery) -> Option<&'s Resource> {
    let above = field.rsplit('.').skip(1).map(|part| part.split('[').next().unwrap_or(part));
    let container = above.map(str::to_lowercase).find(|part| part != "ref" && part != "reference")?;
    let own = discovery.resources.iter().filter(|resource| resource.id.group == from.resource.id.group);
    let ends = own.filter(|resource| resource.kind.to_lowercase().ends_with(&container));
    only(ends, |resource| &resource.kind).filter(|_| container.len() >= 8)
}

/// Suffixes of fields that refer to Secrets: `sshKeyRef`, `credentialsRef`.
const IN_SECRETS: [&str; 5] = ["keyref", "credentialsref", "passwordref", "tokenref", "kubeconfigref"];

pub(crate) fn secret_meant<'s>(key: &str, discovery: &'s Discovery) -> Option<&'s Resource> {
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

/// The name of a field that shows the kind of its value: that of the parent for fields like `name`.
pub(crate) fn key_of_kind<'k>(key: &'k str, field: &'k str) -> &'k str {
    if ["name", "resourceRef", "ref", "resourceName"].contains(&field) { key } else { field }
}

/// Whether a field or label is named after a kind: `clusterQueue`, `flavors`, `cluster-name`,
/// `backupStorageRef` and `allowedUserGroups` for kinds that end in `Storage` and `UserGroup`.
pub(crate) fn is_named_after(key: &str, kind: &Resource) -> bool {
    let stem = stem_in_lower_case(key);
    let kind_name = kind.kind.to_lowercase();
    let singular = stem.strip_suffix('s').unwrap_or(&stem);
    let is_end = |stem: &str| stem.len() >= 4 && (kind_name.ends_with(stem) || stem.ends_with(&kind_name));
    stem == kind.id.plural || is_end(&stem) || is_end(singular) || ends_in_last_two_words(singular, &kind.kind)
}

/// Whether a key ends in the last word of a kind: `persistent-volume` in that of `PoolVolume`.
pub(crate) fn ends_alike(key: &str, kind: &Resource) -> bool {
    let last = kind.kind.rfind(|c: char| c.is_ascii_uppercase()).map(|at| kind.kind[at..].to_lowercase());
    last.is_some_and(|last| last.len() >= 4 && stem_in_lower_case(key).ends_with(&last))
}

/// Whether `stem` ends in the last two words of a kind with more words: `usergroup` for
/// `PocketIDUserGroup`.
fn ends_in_last_two_words(stem: &str, kind: &str) -> bool {
    let words = kind.char_indices().filter(|(_, letter)| letter.is_ascii_uppercase()).map(|(at, _)| at);
    let start = words.rev().nth(1).filter(|at| *at > 0);
    start.is_some_and(|start| stem.ends_with(&kind[start..].to_lowercase()))
}
