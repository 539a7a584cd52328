//! Why a controller that runs does not get done: what the held object itself
//! says, in its conditions and events, and what it refers to that is not there.

use crate::facts::{Facts, Known, Unknown, since};
use crate::kubernetes::controllers::found::InTheWay;
use crate::kubernetes::controllers::gaps::Gaps;
use crate::kubernetes::controllers::held::Held;
use crate::kubernetes::controllers::traces::{is_custom, likeness};
use crate::report::Ref;
use crate::survey::{Discovery, Form, Object, Resource, Seen, TargetName};
use jiff::Timestamp;
use serde_json::Value;
use std::collections::BTreeSet;

/// What is said of a held object since its deletion was asked for.
#[derive(Debug)]
pub(crate) struct Said<'s> {
    pub(crate) of: Seen<'s>,
    /// The words, with the field or event that they stand in.
    pub(crate) text: String,
    /// The words alone.
    pub(crate) message: String,
    /// Whether they tell of trouble.
    pub(crate) trouble: bool,
    /// Who has said it, when that is known: a condition is its controller's.
    pub(crate) by: Option<&'s str>,
}

impl Said<'_> {
    /// Whether somebody else may have said it, who goes by none of `names`.
    pub(crate) fn is_hearsay(&self, names: &[String]) -> bool {
        self.by.is_some_and(|by| !names.iter().any(|name| likeness(name, by) > 0 || likeness(by, name) > 0))
    }
}

/// Something that a held object refers to and that is not there.
#[derive(Debug)]
pub(crate) struct Absent {
    pub(crate) what: Ref,
    /// The field that names it.
    pub(crate) field: String,
    /// Whether the controller's words name it too.
    pub(crate) named: bool,
}

/// Words that tell of trouble in a condition or a status.
const TROUBLE: [&str; 32] = [
    "fail",
    "error",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "unable",
    "not found",
    "notfound",
    "forbidden",
    "denied",
    "unauthorized",
    "refused",
    "timeout",
    "timed out",
    "exception",
    "missing",
    "invalid",
    "blocked",
    "depend",
    "in use",
    "no such",
    "not exist",
    "expired",
    "unreachable",
    "until ",
    "still ",
    "waiting",
    "must be",
    "has to",
    "have to",
    "rejected",
];
/// Conditions that tell of no trouble while they are True.
const GOOD: [&str; 8] =
    ["Available", "Healthy", "Ready", "ReconcileSucceeded", "Reconciled", "ResourcesAvailable", "Succeeded", "Synced"];
/// So much of a message is kept.
const MESSAGE: usize = 300;
/// Fields of a status that say something without being conditions.
const WORDS: [&str; 9] = [
    "/status/message",
    "/status/error",
    "/status/error/message",
    "/status/errorMessage",
    "/status/lastError",
    "/status/failureMessage",
    "/status/reason",
    "/status/statusMessage",
    "/status/lastErrorMessage",
];
/// The API server's words for a creation that it refuses (kubernetes/kubernetes:
/// staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go).
pub(crate) const CANNOT_CREATE: &str = "unable to create new content in namespace";
/// It warns of owners, never of finalizers.
const GARBAGE_COLLECTOR: &str = "garbage-collector-controller";
/// So many events of an object are read.
const EVENTS: usize = 10;
/// So many kinds of a message, and objects that it names, are gone through.
const KINDS: usize = 3;
const BLOCKERS: usize = 50;
/// So many references of an object are followed.
const REFERENCES: usize = 8;

/// Everything said of the held objects since their deletion.
pub(crate) fn said<'s>(held: &Held<'s>, facts: &Facts<'s>, gaps: &mut Gaps) -> Known<Vec<Said<'s>>> {
    let mut all = Vec::new();
    // The status of a built-in kind is Kubernetes' own word, not a finalizer's owner's.
    for seen in held.read().filter(|seen| is_custom(&seen.resource.id.group)) {
        all.extend(in_status(seen));
    }
    let events: Vec<Known<Vec<Said<'_>>>> = held.read().map(|seen| in_events(seen, facts)).collect();
    for known in events {
        all.extend(gaps.pass(known)?.unwrap_or_default());
    }
    Ok(all)
}

/// What its status says that was written after the deletion was asked for.
fn in_status(seen: Seen<'_>) -> Vec<Said<'_>> {
    let object = seen.object;
    let Some(asked) = object.deletion_asked() else { return Vec::new() };
    let since_then = |field| object.status_field_written(field).is_some_and(|time| time >= asked);
    let seen_it = observed(object.at("/status/observedGeneration"), object);
    let (status_is_fresh, conditions_are_fresh) =
        (seen_it || since_then(None), seen_it || since_then(Some("f:conditions")));
    let mut said = Vec::new();
    for condition in object.array("/status/conditions") {
        let text = |field: &str| condition.get(field).and_then(Value::as_str).unwrap_or_default();
        let time = text("lastTransitionTime").parse::<Timestamp>().ok();
        let fresh = time.is_some_and(|time| time >= asked)
            || observed(condition.get("observedGeneration"), object)
            || conditions_are_fresh;
        if !fresh || text("message").is_empty() && text("reason").is_empty() {
            continue;
        }
        let message = format!("{}: {}", text("reason"), text("message"));
        let message = message.trim_matches([':', ' ']).to_owned();
        let good = text("status") == "True" && GOOD.contains(&text("type"));
        let trouble = !good && tells_of_trouble(&message);
        let message = brief(&message);
        let text = format!("condition {}={} says {message:?}", text("type"), text("status"));
        said.push(Said { of: seen, text, message, trouble, by: None });
    }
    if status_is_fresh {
        for pointer in WORDS {
            let Some(message) = object.text(pointer).filter(|message| tells_of_trouble(message)).map(brief) else {
                continue;
            };
            let field = pointer.trim_start_matches('/').replace('/', ".");
            said.push(Said {
                of: seen,
                text: format!("{field} says {message:?}"),
                message: message.clone(),
                trouble: true,
                by: None,
            });
        }
    }
    said
}

/// Whether a controller has seen the deletion: it raises the generation
/// (kubernetes/kubernetes: staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go).
fn observed(generation: Option<&Value>, object: &Object) -> bool {
    let observed = generation.and_then(Value::as_i64);
    object.metadata.generation.is_some_and(|now| now > 1 && observed.is_some_and(|seen| seen >= now))
}

fn brief(message: &str) -> String {
    let cut: String = message.chars().take(MESSAGE).collect();
    if cut.len() < message.len() { cut + " …" } else { cut }
}

fn tells_of_trouble(message: &str) -> bool {
    let lower = message.to_lowercase().replace("no error", "");
    TROUBLE.iter().any(|word| lower.contains(word))
}

/// Warnings about it; an event's name begins with that of its object.
fn in_events<'s>(seen: Seen<'s>, facts: &Facts<'s>) -> Known<Vec<Said<'s>>> {
    let Some(events) = facts.discovery().preferred("", "events") else { return Ok(Vec::new()) };
    let namespace = seen.object.metadata.namespace.as_deref().unwrap_or("default");
    let prefix = format!("{}.", seen.object.name());
    let asked = seen.object.deletion_asked();
    let listed = facts.list(&events.id, Some(namespace), Form::Metadata)?;
    let mut about: Vec<&Object> = listed.iter().filter(|event| event.name().starts_with(&prefix)).collect();
    about.sort_by_key(|event| std::cmp::Reverse(event.metadata.creation_timestamp));
    let reads: Vec<Known<Option<&Object>>> = about
        .into_iter()
        .take(EVENTS)
        .map(|event| facts.get(&events.id, Some(namespace), event.name(), Form::Whole))
        .collect();
    let mut said = Vec::new();
    for read in reads {
        let Some(event) = read? else { continue };
        let text = |pointer: &str| event.text(pointer).unwrap_or_default();
        let last = ["/series/lastObservedTime", "/lastTimestamp", "/eventTime", "/firstTimestamp"]
            .iter()
            .find_map(|pointer| event.text(pointer)?.parse::<Timestamp>().ok());
        let after = last.zip(asked).is_some_and(|(last, asked)| last >= asked);
        if text("/involvedObject/uid") != seen.object.uid() || !after || text("/type") != "Warning" {
            continue;
        }
        let by = [text("/reportingComponent"), text("/source/component")].into_iter().find(|by| !by.is_empty());
        if by == Some(GARBAGE_COLLECTOR) {
            continue;
        }
        let message = brief(&format!("{}: {}", text("/reason"), text("/message")));
        let from = by.map(|by| format!(" from {by}")).unwrap_or_default();
        said.push(Said { of: seen, text: format!("Warning event{from} says {message:?}"), message, trouble: true, by });
    }
    Ok(said)
}

/// What the held objects refer to in their specs and that does not exist.
pub(crate) fn absent(held: &Held<'_>, said: &[Said<'_>], facts: &Facts<'_>, gaps: &mut Gaps) -> Known<Vec<Absent>> {
    let words: String = said.iter().map(|said| said.message.as_str()).collect::<Vec<_>>().join("\n");
    let mut absent: Vec<Absent> = Vec::new();
    let mut reads = Vec::new();
    for seen in held.read().filter(|seen| is_custom(&seen.resource.id.group)) {
        for reference in references(seen, facts.discovery()) {
            let read = facts.metadata(&reference.resource.id, reference.namespace.as_deref(), &reference.name);
            reads.push((reference, read));
        }
    }
    for (reference, read) in reads {
        if gaps.pass(read)? != Some(None) {
            continue;
        }
        let name = TargetName {
            resource: reference.resource.id.clone(),
            namespace: reference.namespace.clone(),
            name: reference.name.clone(),
        };
        let what = Ref::named(reference.resource, &name).missing();
        let named = mentions(&words, &reference.name);
        if (reference.plain || named) && !absent.iter().any(|known| known.what == what) {
            absent.push(Absent { what, field: reference.field, named });
        }
    }
    for other in said_to_be_absent(said, facts, gaps)? {
        if !absent.iter().any(|known| known.what == other.what) {
            absent.push(other);
        }
    }
    absent.sort_by_key(|absent| !absent.named);
    Ok(absent)
}

/// Whether `words` hold `name` as a word of its own.
pub(crate) fn mentions(words: &str, name: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    !name.is_empty()
        && words.match_indices(name).any(|(at, _)| {
            let before = words[..at].chars().next_back().is_none_or(|c| !part(c));
            let mut after = words[at + name.len()..].chars();
            let next = after.next();
            // A full stop at the end of a sentence is no part of a name.
            let ends =
                next.is_none_or(|c| !part(c)) || (next == Some('.') && after.next().is_none_or(char::is_whitespace));
            before && ends
        })
}

/// A reference from a spec to another object.
#[derive(Debug)]
struct Reference<'s> {
    resource: &'s Resource,
    namespace: Option<String>,
    name: String,
    field: String,
    /// It is written as a reference; a mere name counts only when the
    /// controller's words name it too.
    plain: bool,
}

fn references<'s>(seen: Seen<'_>, discovery: &'s Discovery) -> Vec<Reference<'s>> {
    let mut found = Vec::new();
    if let Some(spec) = seen.object.at("/spec") {
        walk(spec, "spec", 0, &mut |field, key, value| {
            if found.len() < REFERENCES {
                found.extend(reference(field, key, value, seen, discovery));
            }
        });
    }
    found
}

/// Visits every field of a spec, to a depth at which nobody refers to anything.
fn walk<'v>(value: &'v Value, path: &str, depth: usize, visit: &mut impl FnMut(&str, &str, &'v Value)) {
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

fn reference<'s>(
    field: &str,
    key: &str,
    value: &Value,
    from: Seen<'_>,
    discovery: &'s Discovery,
) -> Option<Reference<'s>> {
    let text = |name: &str| value.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let (name, stem, plain) = match value {
        Value::Object(_) => {
            (text("name")?, without_suffix(key, &["KeyRef", "KeySelector", "Reference", "Ref", "Selector"])?, true)
        }
        Value::String(name) if !name.is_empty() => match without_suffix(key, &["Name", "Ref"]) {
            Some(stem) => (name.as_str(), stem, true),
            None => (name.as_str(), key, false),
        },
        _ => return None,
    };
    let resource =
        resource(text("kind"), text("apiVersion").or(text("apiGroup")).or(text("group")), stem, from, discovery)?;
    let namespace = text("namespace").map(ToOwned::to_owned).or_else(|| from.object.metadata.namespace.clone());
    if resource.namespaced && namespace.is_none() {
        return None;
    }
    let namespace = namespace.filter(|_| resource.namespaced);
    Some(Reference { resource, namespace, name: name.to_owned(), field: field.to_owned(), plain })
}

fn without_suffix<'k>(key: &'k str, suffixes: &[&str]) -> Option<&'k str> {
    let known = ["ref", "reference"];
    suffixes.iter().find_map(|suffix| key.strip_suffix(suffix)).or_else(|| known.contains(&key).then_some(""))
}

/// The kind that a reference means: the one that it names, or the one that its
/// field is called after, first of the object's own group.
fn resource<'s>(
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
                // Of several strangers none is known to be meant.
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
        own.filter(|resource| resource.kind.to_lowercase().ends_with(&lower))
            .find(|resource| resource.kind != from.resource.kind)
    };
    find(stem).or_else(ends_in)
}

/// The objects that the words of one held object name as being in its way: they
/// exist, and are called by their kind and name.
pub(crate) fn in_the_way<'s>(said: &[Said<'s>], facts: &Facts<'s>) -> Known<Vec<InTheWay<'s>>> {
    let mut lists = Vec::new();
    for said in said.iter().filter(|said| said.trouble) {
        for resource in kinds_in(&said.message, facts.discovery()) {
            let namespace = said.of.object.metadata.namespace.as_deref().filter(|_| resource.namespaced);
            if resource.namespaced && namespace.is_none() {
                continue;
            }
            lists.push((said, resource, facts.list(&resource.id, namespace, Form::Metadata)));
        }
    }
    let mut named: Vec<InTheWay<'_>> = Vec::new();
    for (said, resource, list) in lists {
        let objects = match list {
            Ok(objects) => objects,
            Err(Unknown::Unread { .. }) => continue,
            Err(not_surveyed) => return Err(not_surveyed),
        };
        let waiting = said.of;
        let others = objects.iter().filter(|object| object.uid() != waiting.object.uid());
        let named_there = names_after(&said.message, &resource.kind);
        for object in others.filter(|object| named_there.contains(&object.name())) {
            let known = |edge: &InTheWay<'_>| {
                edge.blocker.object.uid() == object.uid() && edge.waiting.object.uid() == waiting.object.uid()
            };
            if !named.iter().any(known) && named.len() < BLOCKERS {
                named.push(InTheWay { waiting, blocker: Seen { resource, object } });
            }
        }
    }
    Ok(named)
}

/// The words that stand right after a kind: `Widget x`, `Widget: [a, b]`,
/// `Widget/x`, `Widget "shop/x"`.
fn names_after<'m>(message: &'m str, kind: &str) -> BTreeSet<&'m str> {
    let mut names = BTreeSet::new();
    let (mut after, mut listed) = (false, false);
    for word in message.split(|c: char| c.is_whitespace() || ",:".contains(c)).filter(|word| !word.is_empty()) {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        if let Some((_, name)) = bare.split_once('/').filter(|(before, _)| *before == kind) {
            names.insert(name);
        } else if bare == kind || bare.strip_suffix('s') == Some(kind) {
            after = true;
        } else if (after || listed) && !bare.is_empty() {
            names.insert(bare.rsplit('/').next().unwrap_or(bare));
            // A list goes on until it is closed; without one, there is one name.
            listed = (listed || word.starts_with(['[', '('])) && !word.ends_with([']', ')', '.', ';']);
            after = false;
        }
    }
    names
}

/// The kinds that a message names: `CephBlockPool: [a, b]`, `Widgets x`.
fn kinds_in<'s>(message: &str, discovery: &'s Discovery) -> Vec<&'s Resource> {
    let mut kinds: Vec<&Resource> = Vec::new();
    for word in message.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.starts_with(char::is_uppercase))
    {
        let called = |resource: &&Resource| resource.kind == word || resource.kind == word.trim_end_matches('s');
        let kind = discovery.resources.iter().find(called);
        kinds.extend(kind.filter(|kind| kinds.len() < KINDS && !kinds.iter().any(|known| known.id == kind.id)));
    }
    kinds
}

/// What the words of the held objects say does not exist, and does not: `Secret
/// "aws" not found`, `databases.acme.io "x" not found`, `Project p does not exist`.
fn said_to_be_absent<'s>(said: &[Said<'s>], facts: &Facts<'s>, gaps: &mut Gaps) -> Known<Vec<Absent>> {
    let mut reads = Vec::new();
    for said in said.iter().filter(|said| said.trouble) {
        let own = said.of.object.metadata.namespace.as_deref();
        for (resource, namespace, name) in missing_in(&said.message, facts.discovery()) {
            let namespace = namespace.or(own).filter(|_| resource.namespaced).map(ToOwned::to_owned);
            if resource.namespaced == namespace.is_some() {
                let read = facts.metadata(&resource.id, namespace.as_deref(), name);
                reads.push((
                    TargetName { resource: resource.id.clone(), namespace, name: name.into() },
                    resource,
                    read,
                ));
            }
        }
    }
    let mut absent: Vec<Absent> = Vec::new();
    for (name, resource, read) in reads {
        let what = Ref::named(resource, &name).missing();
        if gaps.pass(read)? == Some(None) && !absent.iter().any(|known| known.what == what) {
            absent.push(Absent { what, field: "its status".into(), named: true });
        }
    }
    Ok(absent)
}

/// What stands after a kind and is no name.
const VERBS: [&str; 8] = ["was", "is", "not", "were", "does", "has", "could", "cannot"];

fn missing_in<'m, 's>(message: &'m str, discovery: &'s Discovery) -> Vec<(&'s Resource, Option<&'m str>, &'m str)> {
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
        if name.is_empty() || VERBS.contains(&name) || found.len() >= REFERENCES || !absence(at + 2) {
            continue;
        }
        if let Some(resource) = discovery.resources.iter().find(called) {
            let (namespace, name) =
                name.split_once('/').map_or((None, name), |(namespace, name)| (Some(namespace), name));
            found.push((resource, namespace, name));
        }
    }
    found
}

/// How long ago a controller that is known by one of `names` wrote to a held
/// object, after its deletion was asked for.
pub(crate) fn wrote_lately(held: &Held<'_>, names: &[String], facts: &Facts<'_>) -> Option<String> {
    held.read().find_map(|seen| {
        let asked = seen.object.deletion_asked()?;
        let managers = seen.object.managers().filter(|manager| names.contains(&manager.name));
        let latest = managers.filter_map(|manager| Some((manager.time?, manager.name))).max()?;
        let age = since(latest.0, facts.now());
        (latest.0 > asked && age <= crate::kubernetes::controllers::found::LATELY)
            .then(|| format!("managedFields of {}: {} wrote to it {}s ago", Ref::from(seen), latest.1, age.as_secs()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::ResourceId;
    use serde_json::json;

    fn discovery() -> Discovery {
        let resource = |group: &str, plural: &str, kind: &str, namespaced: bool| Resource {
            id: ResourceId::new(group, "v1", plural),
            kind: kind.into(),
            namespaced,
            singular: String::new(),
            short_names: vec![],
            verbs: vec!["get".into()],
        };
        Discovery {
            resources: vec![
                resource("", "secrets", "Secret", true),
                resource("acme.io", "buckets", "Bucket", true),
                resource("acme.io", "providerconfigs", "ProviderConfig", false),
                resource("acme.io", "appprojects", "AppProject", true),
                resource("a.other.io", "clusters", "Cluster", true),
                resource("b.other.io", "clusters", "Cluster", true),
            ],
            stale: vec![],
        }
    }

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
    fn a_name_is_mentioned_only_as_a_word() {
        assert!(mentions("Secret \"aws-creds\" not found", "aws-creds"));
        assert!(mentions("cannot read aws-creds.", "aws-creds"));
        assert!(!mentions("Secret aws-creds-2 not found", "aws-creds"));
        assert!(!mentions("anything", ""));
    }

    #[test]
    fn names_stand_right_after_their_kind() {
        let names = |message: &str| names_after(message, "Bucket").into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(names("until all dependents are removed: Bucket: [a b]"), "a b");
        assert_eq!(names("until all dependents are removed: Buckets: [a, b], Other: [c]"), "a b");
        assert_eq!(names("Bucket edge still uses this api"), "edge");
        assert_eq!(names("waits for Bucket/x and for y"), "x");
        assert_eq!(names("waits for Bucket \"shop/x\" of y"), "x");
        assert_eq!(names("Bucket Unavailable: timeout talking to cloud api"), "Unavailable");
    }

    #[test]
    fn kinds_are_found_in_a_message() {
        let discovery = discovery();
        let kinds = |message: &str| -> Vec<&str> {
            kinds_in(message, &discovery).into_iter().map(|kind| kind.kind.as_str()).collect()
        };
        assert_eq!(kinds("until all dependents are removed: Bucket: [a, b]"), ["Bucket"]);
        assert_eq!(kinds("Secrets and ProviderConfig default"), ["Secret", "ProviderConfig"]);
        assert!(kinds("nothing of the kind, no secret").is_empty());
    }

    #[test]
    fn what_is_said_to_be_missing_is_found_as_controllers_say_it() {
        let discovery = discovery();
        let missing = |message: &str| -> Vec<String> {
            let found = missing_in(message, &discovery);
            found.iter().map(|(kind, ns, name)| format!("{} {}/{name}", kind.kind, ns.unwrap_or("-"))).collect()
        };
        assert_eq!(missing("could not be loaded: Secret \"aws-credentials\" not found"), ["Secret -/aws-credentials"]);
        assert_eq!(missing("secrets \"a\" not found"), ["Secret -/a"]);
        assert_eq!(missing("buckets.acme.io \"shop/b\" not found"), ["Bucket shop/b"]);
        assert_eq!(missing("ProviderConfig default does not exist"), ["ProviderConfig -/default"]);
        assert!(missing("Secret was not found").is_empty());
        assert!(missing("the Bucket is not ready").is_empty());
    }
}
