//! What a held object refers to, and what of that is not there.

use crate::facts::{All, Facts, Known, for_each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::{belongs_to, is_custom, same_domain};
use crate::kubernetes::messages::admission::is_about_admission;
use crate::kubernetes::messages::conversion::is_about_a_conversion;
use crate::kubernetes::messages::mentions;
use crate::kubernetes::statements::statement::Statement;
use crate::kubernetes::storage::is_claim;
use crate::report::Ref;
use crate::survey::{Discovery, Resource, Seen, TargetName, is_name, may_be_secret};
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// Something that a held object refers to and that is not there.
#[derive(Debug)]
pub(crate) struct Absent {
    pub(crate) what: Ref,
    /// The field that names it.
    pub(crate) field: String,
    /// Whether the controller's words name it too.
    pub(crate) named: bool,
    /// What it is to the object.
    pub(crate) part: Part,
    /// Whether it is called after the object: then it was made for it, and goes before it.
    pub(crate) is_childs: bool,
}

/// What something is to an object that refers to it; what a clean-up needs most comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// What the object was made from, and nothing that its controller made.
    Source,
    /// A Secret or a `ConfigMap`.
    Data,
    /// An object of the same product.
    Kin,
    /// Anything else.
    Other,
}

/// How many references of an object are followed.
pub(crate) const MAX_REFERENCES: usize = 8;

/// What the held objects refer to in their specs and that does not exist.
pub(crate) fn absent(
    held: &HeldObjects<'_>,
    said: &[Statement<'_>],
    facts: &Facts<'_>,
    gaps: &mut Gaps,
) -> Known<Vec<Absent>> {
    // The words of a webhook or a policy name what it asks for: the controller does not lack that.
    let own_words = said.iter().map(|said| said.message.as_str()).filter(|words| !is_about_admission(words));
    let words = own_words.collect::<Vec<_>>().join("\n");
    let mut absent: Vec<Absent> = Vec::new();
    let all = held.read().flat_map(|seen| {
        let (name, group) = (seen.object.name(), seen.resource.id.group.as_str());
        let counts = move |it: &SpecReference<'_>| {
            let own = if is_claim(seen.resource) { "spec.dataSource" } else { "spec.ingressClassName" };
            is_custom(group) || it.field.starts_with(own)
        };
        let all = references(seen, facts.discovery()).into_iter().filter(counts);
        all.map(move |reference| (group, reference.name.starts_with(name), reference))
    });
    let in_specs = for_each(all, |(own, is_childs, reference)| {
        let read = facts.metadata(&reference.resource.id, reference.namespace.as_deref(), &reference.name);
        if gaps.pass(read)? != Some(None) {
            return Ok(());
        }
        let what = Ref::absent(reference.resource, reference.namespace.clone(), &reference.name);
        let named = mentions(&words, &reference.name);
        let counts = reference.plain || reference.called || named;
        if counts && !absent.iter().any(|known| known.what == what) {
            let part = part(&reference, own).max(if is_childs { Part::Kin } else { Part::Source });
            absent.push(Absent { what, field: reference.field, named, part, is_childs });
        }
        Ok(())
    });
    let ((), in_words) = (in_specs, said_to_be_absent(said, facts, gaps)).all()?;
    for other in in_words {
        if !absent.iter().any(|known| known.what == other.what) {
            absent.push(other);
        }
    }
    absent.sort_by_key(|absent| !absent.named);
    Ok(absent)
}

/// What people make before an object that refers to it: by the end of the kind's name, or by
/// a word in the field.
const MADE_BEFORE: [&str; 9] =
    ["class", "provider", "providerconfig", "parent", "issuer", "store", "account", "project", "cluster"];
const FIELDS: [&str; 9] =
    ["credential", "auth", "datasource", "kubeconfig", "parent", "class", "sshkey", "token", "password"];
/// Words in fields that name what a controller makes.
const MADE_AFTER: [&str; 6] = ["write", "output", "target", "destination", "template", "result"];

/// Whether a reference names what an object was made from, such as its credentials, its
/// class or its parent.
fn is_upward(reference: &SpecReference<'_>) -> bool {
    let (kind, field) = (reference.resource.kind.to_lowercase(), reference.field.to_lowercase());
    let from = MADE_BEFORE.iter().any(|end| kind.ends_with(end)) || FIELDS.iter().any(|word| field.contains(word));
    (reference.plain || reference.called) && from && !is_made_later(&reference.field)
}

/// What the thing that a reference names is to an object of group `own`.
pub(crate) fn part(reference: &SpecReference<'_>, own: &str) -> Part {
    let Resource { id, .. } = reference.resource;
    if is_upward(reference) {
        return Part::Source;
    }
    let is_data = id.group.is_empty() && ["secrets", "configmaps"].contains(&id.plural.as_str());
    let is_kin = id.group == *own || belongs_to(&id.group, own) || same_domain(&id.group, own);
    match reference.plain && !is_made_later(&reference.field) {
        true if is_data => Part::Data,
        true if is_kin && is_custom(&id.group) => Part::Kin,
        _ => Part::Other,
    }
}

/// Whether a field names what a controller makes.
pub(crate) fn is_made_later(field: &str) -> bool {
    let field = field.to_lowercase();
    MADE_AFTER.iter().any(|word| field.contains(word))
}

/// A reference from a spec to another object.
#[derive(Debug)]
pub(crate) struct SpecReference<'s> {
    pub(crate) resource: &'s Resource,
    pub(crate) namespace: Option<String>,
    pub(crate) name: String,
    pub(crate) field: String,
    /// It is written as a reference; a mere name counts only when the
    /// controller's words name it too.
    pub(crate) plain: bool,
    /// Its field is called after the kind, in several words: `pgCluster` of a `PerconaPGCluster`.
    called: bool,
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
                // What may be a password is not asked for as a name, not even from the server.
                let tells = |named: &SpecReference<'_>| named.plain || !may_be_secret(key) || is_told(&named.name);
                found.extend(named.filter(|named| is_name(&named.name) && tells(named)));
            }
        });
    }
    found
}

/// Visits every field of a spec, to a depth at which nobody refers to anything.
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
    let namespace = text("namespace")
        .map(ToOwned::to_owned)
        .or_else(|| from.object.metadata.namespace.as_deref().map(ToOwned::to_owned));
    if resource.namespaced && namespace.is_none() {
        return None;
    }
    let namespace = namespace.filter(|_| resource.namespaced);
    let is_word = |key: &str| !key.chars().skip(1).any(char::is_uppercase);
    let called = !plain
        && resource.id.group == from.resource.id.group
        && !is_word(key)
        && resource.kind.to_lowercase().ends_with(&key.to_lowercase());
    Some(SpecReference { resource, namespace, name: name.to_owned(), field: field.to_owned(), plain, called })
}

/// The kind of the object's own group that the field is called after in which a reference stands:
/// `controlPlane.ref.namespacedRef`.
fn by_container<'s>(field: &str, from: Seen<'_>, discovery: &'s Discovery) -> Option<&'s Resource> {
    let above = field.rsplit('.').skip(1).map(|part| part.split('[').next().unwrap_or(part));
    let container = above.map(str::to_lowercase).find(|part| part != "ref" && part != "reference")?;
    let own = discovery.resources.iter().filter(|resource| resource.id.group == from.resource.id.group);
    let mut ends = own.filter(|resource| resource.kind.to_lowercase().ends_with(&container));
    let first = ends.next().filter(|_| container.len() >= 8)?;
    ends.all(|other| other.kind == first.kind).then_some(first)
}

/// What people keep in Secrets, by the field that refers to it: `sshKeyRef`, `credentialsRef`.
const IN_SECRETS: [&str; 5] = ["keyref", "credentialsref", "passwordref", "tokenref", "kubeconfigref"];

fn secret_of<'s>(key: &str, discovery: &'s Discovery) -> Option<&'s Resource> {
    let key = key.to_lowercase();
    let ends = IN_SECRETS.iter().any(|end| key.ends_with(end));
    // Where a kind is called so, that may be meant.
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

/// The kind that a reference means: the one that it names, or the one that its
/// field is called after, first of the object's own group.
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
        let called = |resource: &&Resource| resource.kind.eq_ignore_ascii_case(wanted);
        let of = |group: &str| discovery.resources.iter().filter(called).find(|resource| resource.id.group == group);
        match group {
            Some(group) => of(group),
            None => of(own).or_else(|| of("")).or_else(|| {
                // Several unrelated kinds have the name: none is known to be meant.
                let groups: BTreeSet<&str> =
                    discovery.resources.iter().filter(called).map(|resource| resource.id.group.as_str()).collect();
                (groups.len() == 1).then(|| groups.first().and_then(|group| of(group))).flatten()
            }),
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

/// What the words of the held objects say does not exist, and does not: `Secret
/// "aws" not found`, `databases.acme.io "x" not found`, `Project p does not exist`.
pub(crate) fn said_to_be_absent<'s>(said: &[Statement<'s>], facts: &Facts<'s>, gaps: &mut Gaps) -> Known<Vec<Absent>> {
    let mut names = Vec::new();
    // What stands behind a webhook is in a namespace of its own.
    let behind = |message: &str| is_about_admission(message) || is_about_a_conversion(message);
    let told = said.iter().filter(|said| (said.trouble || said.before) && !behind(&said.message));
    for said in told {
        let own = said.of.object.metadata.namespace.as_deref();
        for (resource, namespace, name) in missing_in(&said.message, said.of.resource, facts.discovery()) {
            let namespace = namespace.or(own).filter(|_| resource.namespaced).map(ToOwned::to_owned);
            if resource.namespaced == namespace.is_some() {
                names.push((resource, TargetName { resource: resource.id.clone(), namespace, name: name.into() }));
            }
        }
    }
    let mut absent: Vec<Absent> = Vec::new();
    for_each(names, |(resource, name)| {
        let read = facts.metadata(&resource.id, name.namespace.as_deref(), &name.name);
        let what = Ref::named(resource, &name).missing();
        if gaps.pass(read)? == Some(None) && !absent.iter().any(|known| known.what == what) {
            absent.push(Absent { what, field: "its status".into(), named: true, part: Part::Other, is_childs: false });
        }
        Ok(())
    })?;
    Ok(absent)
}

/// What stands after a kind and is no name.
pub(crate) const VERBS: [&str; 8] = ["was", "is", "not", "were", "does", "has", "could", "cannot"];

/// What a message says does not exist. Where several kinds have one name, that of the speaker's own
/// group is meant, or the core's; otherwise none is known to be meant.
pub(crate) fn missing_in<'m, 's>(
    message: &'m str,
    own: &Resource,
    discovery: &'s Discovery,
) -> Vec<(&'s Resource, Option<&'m str>, &'m str)> {
    let words: Vec<&str> = message.split_whitespace().collect();
    let bare = |word: &'m str| word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let absence = |from: usize| {
        let next: Vec<String> = words.iter().skip(from).take(3).map(|word| bare(word).to_lowercase()).collect();
        let next = next.join(" ");
        ["not found", "does not exist", "is missing", "was not found", "not exist", "doesn't exist"]
            .iter()
            .any(|end| next.starts_with(end))
    };
    let mut found = Vec::new();
    for (at, pair) in words.windows(2).enumerate() {
        let (kind, name) = (bare(pair[0]), bare(pair[1]));
        let called = |resource: &&Resource| {
            resource.kind.eq_ignore_ascii_case(kind) || resource.id.plural == kind || resource.id.short() == kind
        };
        if name.is_empty() || VERBS.contains(&name) || found.len() >= MAX_REFERENCES || !absence(at + 2) {
            continue;
        }
        let all = || discovery.resources.iter().filter(called);
        let groups: BTreeSet<&str> = all().map(|resource| resource.id.group.as_str()).collect();
        let of = |group: &str| all().find(|resource| resource.id.group == group);
        let meant = if let [only] = groups.iter().collect::<Vec<_>>()[..] { of(only) } else { None };
        if let Some(resource) = meant.or_else(|| of(&own.id.group)).or_else(|| of("")) {
            let (namespace, name) =
                name.split_once('/').map_or((None, name), |(namespace, name)| (Some(namespace), name));
            found.push((resource, namespace, name));
        }
    }
    found
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
        // Two strangers of that name: nobody knows which is meant.
        assert!(references_of(&json!({"clusterRef": {"name": "x"}})).is_empty());
        assert!(references_of(&json!({"replicas": 3, "name": "x", "ref": 7})).is_empty());
    }

    #[test]
    fn a_reference_without_a_kind_is_of_that_which_its_container_is_called_after() {
        let within = |container: &str| json!({container: {"ref": {"namespacedRef": {"name": "x"}}}});
        assert_eq!(references_of(&within("appProject")), ["AppProject shop/x"]);
        assert!(references_of(&within("project")).is_empty(), "too little is said");
        assert_eq!(references_of(&json!({"sshKeyRef": {"name": "ssh"}})), ["Secret shop/ssh"]);
        assert_eq!(references_of(&json!({"adminCredentialsRef": {"name": "x"}})), ["Secret shop/x"]);
        assert!(references_of(&json!({"imageRef": {"name": "x"}})).is_empty());
    }

    #[test]
    fn what_a_clean_up_needs_most_comes_first() {
        let discovery = discovery();
        let part = |spec: Value| -> Part {
            let object: Object =
                serde_json::from_value(json!({"metadata": {"name": "b", "namespace": "shop"}, "spec": spec})).unwrap();
            let references = references(Seen { resource: &discovery.resources[1], object: &object }, &discovery);
            part(references.first().expect("it refers to something"), "acme.io")
        };
        assert_eq!(part(json!({"credentialsSecretRef": {"name": "aws"}})), Part::Source);
        assert_eq!(part(json!({"boot": {"dataSecretName": "boot"}})), Part::Data);
        assert_eq!(part(json!({"bucketRef": {"name": "x"}})), Part::Kin);
        assert_eq!(part(json!({"outputSecretRef": {"name": "out"}})), Part::Other);
    }

    #[test]
    fn what_may_be_a_password_is_not_asked_for_as_a_name() {
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

    #[test]
    fn what_an_object_was_made_from_is_told_from_what_was_made_for_it() {
        let discovery = discovery();
        let upward = |spec: Value| -> bool {
            let object: Object =
                serde_json::from_value(json!({"metadata": {"name": "b", "namespace": "shop"}, "spec": spec})).unwrap();
            let references = references(Seen { resource: &discovery.resources[1], object: &object }, &discovery);
            is_upward(references.first().expect("it refers to something"))
        };
        assert!(upward(json!({"credentialsSecretRef": {"name": "aws"}})));
        assert!(upward(json!({"parentRef": {"kind": "Bucket", "name": "x"}})));
        assert!(!upward(json!({"writeConnectionSecretToRef": {"name": "out"}, "secretName": "tls"})));
        assert!(!upward(json!({"secretName": "tls"})));
    }

    #[test]
    fn a_name_is_mentioned_only_as_a_word() {
        assert!(mentions("Secret \"aws-creds\" not found", "aws-creds"));
        assert!(mentions("cannot read aws-creds.", "aws-creds"));
        assert!(!mentions("Secret aws-creds-2 not found", "aws-creds"));
        assert!(!mentions("anything", ""));
    }

    #[test]
    fn what_is_said_to_be_missing_is_found_as_controllers_say_it() {
        let discovery = discovery();
        let missing = |message: &str| -> Vec<String> {
            let found = missing_in(message, &discovery.resources[1], &discovery);
            found.iter().map(|(kind, ns, name)| format!("{} {}/{name}", kind.kind, ns.unwrap_or("-"))).collect()
        };
        assert_eq!(missing("could not be loaded: Secret \"aws-credentials\" not found"), ["Secret -/aws-credentials"]);
        assert_eq!(missing("secrets \"a\" not found"), ["Secret -/a"]);
        assert_eq!(missing("buckets.acme.io \"shop/b\" not found"), ["Bucket shop/b"]);
        assert_eq!(missing("ProviderConfig default does not exist"), ["ProviderConfig -/default"]);
        assert!(missing("Secret was not found").is_empty());
        assert!(missing("the Bucket is not ready").is_empty());
        // Two kinds of that name, neither of the speaker's group.
        assert!(missing("Cluster prod not found").is_empty());
        let theirs = missing_in("Cluster prod not found", &discovery.resources[5], &discovery);
        assert_eq!(theirs.iter().map(|(kind, ..)| kind.id.group.as_str()).collect::<Vec<_>>(), ["b.other.io"]);
        assert_eq!(missing("clusters.b.other.io \"prod\" not found"), ["Cluster -/prod"]);
    }
}
