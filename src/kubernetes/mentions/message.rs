//! The objects that a message names: by kind and name, as missing, or by a mere word.

use crate::facts::{Facts, Known, Readable, for_each, is_namespace};
use crate::kubernetes::admission::GROUP;
use crate::kubernetes::mentions::edge::{Edge, How, InTheWay, MAX_EDGES};
use crate::kubernetes::mentions::grammar::meant;
use crate::kubernetes::messages::admission::INVALID;
use crate::kubernetes::messages::bare_words;
use crate::kubernetes::messages::trouble::is_about_absence;
use crate::kubernetes::statements::statement::Statement;
use crate::survey::{Discovery, Form, Object, Resource, Seen, is_name};
use std::collections::BTreeSet;

/// How many of the kinds that a message names are listed.
const MAX_KINDS: usize = 3;

/// How many objects are counted as being in the way.
const MAX_BLOCKERS: usize = 50;

/// The objects that a statement about one held object names as being in its way: they exist, and are
/// named by their kind and name.
pub(crate) fn in_the_way<'s>(said: &[Statement<'s>], facts: &Facts<'s>) -> Known<Vec<InTheWay<'s>>> {
    // The refusal of a write names the written object, which is no obstacle.
    let is_refusal = |said: &Statement<'_>| said.message.contains(INVALID);
    let telling = said.iter().filter(|said| (said.trouble || said.goes_on) && !is_refusal(said));
    let kinds = telling.flat_map(|said| {
        let own = said.of.object.metadata.namespace.as_deref();
        let kinds = kinds_in(&said.message, said.of.resource, facts.discovery()).into_iter();
        kinds.map(move |(resource, sure)| (said, resource, sure, own.filter(|_| resource.namespaced)))
    });
    // The server's message names the gate that refuses, whose deletion nothing waits for.
    let kinds = kinds
        .filter(|(_, resource, _, namespace)| resource.id.group != GROUP && resource.namespaced == namespace.is_some());
    let mut named: Vec<InTheWay<'_>> = Vec::new();
    for_each(kinds, |(said, resource, sure, namespace)| {
        let objects = facts.list(&resource.id, namespace, Form::Metadata).if_readable()?.unwrap_or_default();
        let waiting = said.of;
        let mut words = names_after(&said.message, resource);
        words.extend(made_names(&said.message));
        let others = facts.all_named(objects, &Vec::from_iter(words)).into_iter();
        // A message that something is missing also names its subject; a namespace is only a place.
        let absence = is_about_absence(&said.message) || is_namespace(resource);
        let counts = |object: &&Object| object.uid() != waiting.object.uid() && (!absence || object.is_deleting());
        for object in others.filter(counts) {
            let known = |edge: &InTheWay<'_>| {
                edge.blocker.object.uid() == object.uid() && edge.waiting.object.uid() == waiting.object.uid()
            };
            if !named.iter().any(known) && named.len() < MAX_BLOCKERS {
                named.push(InTheWay { waiting, blocker: Seen { resource, object }, sure });
            }
        }
        Ok(())
    })?;
    Ok(named)
}

/// Whether a message names other kinds than its subject's, and none of their objects is left: then
/// its cause is gone.
pub(crate) fn is_gone(message: &str, of: Seen<'_>, facts: &Facts<'_>) -> bool {
    let kinds = kinds_in(message, of.resource, facts.discovery()).into_iter().map(|(kind, _)| kind);
    let mut others = kinds.filter(|kind| kind.id != of.resource.id).peekable();
    let namespace = of.object.metadata.namespace.as_deref();
    let nothing_left = |kind: &Resource| {
        let place = namespace.filter(|_| kind.namespaced);
        (place.is_some() || !kind.namespaced)
            && facts.list(&kind.id, place, Form::Metadata).is_ok_and(<[Object]>::is_empty)
    };
    others.peek().is_some() && others.all(nothing_left)
}

/// Whether a word names a kind: by the kind or the resource, in the singular or the plural, with or
/// without its group.
fn is_called(word: &str, resource: &Resource) -> bool {
    let (name, group) = word.split_once('.').map_or((word, None), |(name, group)| (name, Some(group)));
    let Resource { kind, singular, id, .. } = resource;
    let known = name == kind
        || name.strip_suffix('s') == Some(kind)
        || name == id.plural
        || (!singular.is_empty() && name == singular);
    let versioned = |group: &str| group.split_once('.').is_some_and(|(_, rest)| rest == id.group);
    known && group.is_none_or(|group| group == id.group || versioned(group))
}

/// The words that follow a kind: `Widget x`, `Widget: [a, b]`, `widgets.acme.io/x`,
/// `Widget "shop/x"`.
fn names_after<'m>(message: &'m str, resource: &Resource) -> BTreeSet<&'m str> {
    let mut names = BTreeSet::new();
    let (mut after, mut listed) = (false, false);
    for word in message.split(|c: char| c.is_whitespace() || ",:".contains(c)).filter(|word| !word.is_empty()) {
        let bare = bare(word);
        if let Some((_, name)) = bare.split_once('/').filter(|(before, _)| is_called(before, resource)) {
            names.insert(name);
        } else if is_called(bare, resource) {
            after = true;
        } else if (after || listed) && !bare.is_empty() {
            names.insert(bare.rsplit('/').next().unwrap_or(bare));
            // A list continues until it is closed; without a list there is one name.
            listed = (listed || word.starts_with(['[', '('])) && !word.ends_with([']', ')', '.', ';']);
            after = false;
        }
    }
    names
}

/// The words that are certainly names, wherever they are: `default-4jf2r`.
fn made_names(message: &str) -> impl Iterator<Item = &str> {
    bare_words(message).filter(|word| {
        word.len() > 4 && word.contains('-') && word.contains(|c: char| c.is_ascii_digit()) && is_name(word)
    })
}

/// The kinds that a message names: `CephBlockPool: [a, b]`, `Widgets x`, `widgets.acme.io x`; and
/// whether no other kind is meant. A name in lower case is an ordinary word unless a group, a slash
/// or a quotation mark follows it.
fn kinds_in<'s>(message: &str, own: &Resource, discovery: &'s Discovery) -> Vec<(&'s Resource, bool)> {
    let mut kinds: Vec<(&Resource, bool)> = Vec::new();
    let words = message.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).map(|word| word.trim_matches('.'));
    for word in words.filter(|word| !word.is_empty()) {
        let is_meant = word.starts_with(char::is_uppercase)
            || word.contains('.')
            || message.contains(&format!("{word}/"))
            || message.contains(&format!("{word} \""));
        if !is_meant {
            continue;
        }
        let mut groups = BTreeSet::new();
        let namesakes = discovery.resources.iter().filter(|resource| is_called(word, resource));
        let mut namesakes: Vec<&Resource> = namesakes.filter(|resource| groups.insert(&resource.id.group)).collect();
        let sure = namesakes.len() < 2;
        // A message without the group means a kind of its subject's group first.
        namesakes.sort_by_key(|resource| resource.id.group != own.id.group);
        for kind in namesakes {
            if kinds.len() < MAX_KINDS && !kinds.iter().any(|(known, _)| known.id == kind.id) {
                kinds.push((kind, sure));
            }
        }
    }
    kinds
}

/// Words that may follow a kind but are not names.
const VERBS: [&str; 8] = ["was", "is", "not", "were", "does", "has", "could", "cannot"];

/// Words that call the object before them missing.
const ABSENCE: [&str; 6] = ["not found", "does not exist", "is missing", "was not found", "not exist", "doesn't exist"];

/// The objects that a message about `of` calls missing. If several kinds have one name, the kind in the group of
/// `of` is meant, or the core's; otherwise the kind is unknown.
pub(crate) fn missing_in<'s>(message: &str, of: Seen<'s>, discovery: &'s Discovery) -> Vec<Edge<'s>> {
    let words: Vec<&str> = message.split_whitespace().collect();
    let is_absence = |from: usize| {
        let next: Vec<String> = words.iter().skip(from).take(3).map(|word| bare(word).to_lowercase()).collect();
        let next = next.join(" ");
        ABSENCE.iter().any(|end| next.starts_with(end))
    };
    let named = words.windows(2).enumerate().filter_map(|(at, pair)| {
        let (kind, name) = (bare(pair[0]), bare(pair[1]));
        let is_called = |resource: &&Resource| {
            resource.kind.eq_ignore_ascii_case(kind) || resource.id.plural == kind || resource.id.short() == kind
        };
        if name.is_empty() || VERBS.contains(&name) || !is_absence(at + 2) {
            return None;
        }
        let kind = meant(&discovery.resources.iter().filter(is_called), &of.resource.id.group)?;
        // In `cannot close the ledger: login not found`, the subject of the message is no kind of what is missing.
        let is_subject =
            pair[0].starts_with(char::is_lowercase) && (pair[0].ends_with(':') || kind.id == of.resource.id);
        if is_subject && !pair[1].starts_with(['"', '\'', '`', '\\']) && !name.contains(['/', '-', '.']) {
            return None;
        }
        let (place, name) = name.split_once('/').map_or((None, name), |(place, name)| (Some(place), name));
        Some(Edge { how: How::Message, field: "its status".into(), ..Edge::to(of, kind, place, name)? })
    });
    named.take(MAX_EDGES).collect()
}

/// A word without the punctuation around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::mentions::fixtures::discovery;
    use serde_json::json;

    #[test]
    fn names_are_found_right_after_their_kind() {
        let discovery = discovery();
        let bucket = &discovery.resources[1];
        let names = |message: &str| names_after(message, bucket).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(names("buckets.acme.io \"x\" is in use"), "x");
        assert_eq!(names("waits for buckets.v1.acme.io/x and Bucket.other.io/y"), "x");
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
        let own = &discovery.resources[1];
        let kinds = |message: &str| -> Vec<&str> {
            kinds_in(message, own, &discovery).into_iter().map(|(kind, _)| kind.kind.as_str()).collect()
        };
        let surely = |message: &str| -> Vec<(String, bool)> {
            kinds_in(message, own, &discovery).into_iter().map(|(kind, sure)| (kind.id.short(), sure)).collect()
        };
        assert_eq!(surely("still used by buckets.acme.io x"), [("buckets.acme.io".to_owned(), true)]);
        assert_eq!(surely("in use by secrets/x"), [("secrets".to_owned(), true)]);
        // Two kinds with one name: neither is certainly meant without its group.
        let namesakes = [("clusters.a.other.io".to_owned(), false), ("clusters.b.other.io".to_owned(), false)];
        assert_eq!(surely("Cluster x has to go first"), namesakes);
        assert_eq!(surely("Cluster.b.other.io x has to go first"), [("clusters.b.other.io".to_owned(), true)]);
        assert_eq!(kinds("until all dependents are removed: Bucket: [a, b]"), ["Bucket"]);
        assert_eq!(kinds("Secrets and ProviderConfig default"), ["Secret", "ProviderConfig"]);
        assert!(kinds("nothing of the kind, no secret").is_empty());
    }

    #[test]
    fn missing_objects_are_found_in_controllers_messages() {
        let discovery = discovery();
        let object: Object = serde_json::from_value(json!({"metadata": {"name": "b", "namespace": "own"}})).unwrap();
        let of = |at: usize| Seen { resource: &discovery.resources[at], object: &object };
        let missing = |message: &str| -> Vec<String> {
            let found = missing_in(message, of(1), &discovery).into_iter();
            found
                .map(|it| format!("{} {}/{}", it.resource.kind, it.namespace.as_deref().unwrap_or("-"), it.name))
                .collect()
        };
        assert_eq!(
            missing("could not be loaded: Secret \"aws-credentials\" not found"),
            ["Secret own/aws-credentials"]
        );
        assert_eq!(missing("secrets \"a\" not found"), ["Secret own/a"]);
        assert_eq!(missing("buckets.acme.io \"shop/b\" not found"), ["Bucket shop/b"]);
        assert_eq!(missing("ProviderConfig default does not exist"), ["ProviderConfig -/default"]);
        assert!(missing("Secret was not found").is_empty());
        assert!(missing("cannot close the bucket: login not found").is_empty(), "it has no kind");
        assert_eq!(missing("the secret: aws-login not found"), ["Secret own/aws-login"]);
        assert_eq!(missing("bucket \"b\" not found"), ["Bucket own/b"]);
        assert!(missing("the Bucket is not ready").is_empty());
        // Two kinds with that name, neither in the object's group.
        assert!(missing("Cluster prod not found").is_empty());
        let theirs = missing_in("Cluster prod not found", of(5), &discovery);
        assert_eq!(theirs.iter().map(|edge| edge.resource.id.group.as_str()).collect::<Vec<_>>(), ["b.other.io"]);
        assert_eq!(missing("clusters.b.other.io \"prod\" not found"), ["Cluster own/prod"]);
    }
}
