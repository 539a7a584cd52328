//! Why a controller that runs does not finish: the conditions and events of the held object, and its
//! references to missing objects.

use crate::facts::{Facts, Known, Readable, for_each, is_namespace, since};
use crate::kubernetes::admission::GROUP;
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::messages::admission::INVALID;
use crate::kubernetes::messages::bare_words;
use crate::kubernetes::messages::trouble::is_about_absence;
use crate::kubernetes::progress::judgement::{InTheWay, PROGRESSES_WITHIN, SIGN_OF_LIFE};
use crate::kubernetes::statements::statement::Statement;
use crate::kubernetes::storage::attachment::is_repeated_failure;
use crate::report::Ref;
use crate::survey::{Discovery, FieldManager, Form, Object, Resource, Seen, is_collectors, is_name};
use jiff::Timestamp;
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
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
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

/// A write to a held object by a controller with one of `names`.
pub(crate) struct RecentWrite {
    pub(crate) text: String,
    /// The deletion is recent enough for the write to be progress.
    pub(crate) is_progress: bool,
}

/// The last write to a held object by a controller with one of `names`, if it was a moment ago and
/// after the deletion was requested.
pub(crate) fn wrote_lately(held: &HeldObjects<'_>, names: &[String], facts: &Facts<'_>) -> Option<RecentWrite> {
    held.read().find_map(|seen| {
        let asked = seen.object.deletion_asked()?;
        let managers = seen.object.managers().filter(|manager| names.contains(&manager.name));
        let latest = managers.filter_map(|manager| Some((manager.time?, manager.name))).max()?;
        let age = since(latest.0, facts.now());
        let recent = latest.0 > asked && age <= SIGN_OF_LIFE && !is_repeated_failure(seen.object, latest.0);
        recent.then(|| RecentWrite {
            text: format!("managedFields of {}: {} wrote to it {}s ago", Ref::from(seen), latest.1, age.as_secs()),
            is_progress: since(asked, facts.now()) <= PROGRESSES_WITHIN,
        })
    })
}

/// A write to a held object after its deletion was requested.
#[derive(Debug)]
pub(crate) struct LastWrite {
    pub(crate) at: Timestamp,
    pub(crate) text: String,
    /// The deletion was recent enough for the write to be progress.
    pub(crate) is_progress: bool,
    /// The name under which it was written.
    pub(crate) name: String,
    pub(crate) by: Writer,
}

/// The role of a held object's writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writer {
    /// The manager that set the finalizer.
    Setter,
    /// The manager that writes the status, if the manager that set the finalizer is unknown.
    Status,
    /// Like [`Self::Status`], but who set other finalizers is unknown, too: the manager need not
    /// own this one.
    OfOneOfThem,
}

/// The last write of the owner of `finalizer` to a held object after the deletion was requested,
/// wherever it runs. The owner is the manager that set the finalizer or, if that is unknown or was a
/// tool, the manager that writes the status of a custom object.
pub(crate) fn written_since(finalizer: &str, held: &HeldObjects<'_>) -> Option<LastWrite> {
    held.read().find_map(|seen| {
        let object = seen.object;
        let asked = object.deletion_asked()?;
        let wrote = |manager: &FieldManager| {
            let worked = |time| time > asked && !is_repeated_failure(object, time);
            manager.time.is_some_and(worked) && !is_tool(&manager.name)
        };
        let setter = |key: &str| object.finalizer_set_by(key).filter(|manager| !is_tool(&manager.name));
        let (latest, by) = if let Some(owner) = setter(finalizer) {
            (last(object.managers().filter(|manager| manager.name == owner.name && wrote(manager))), Writer::Setter)
        } else if is_custom(&seen.resource.id.group) {
            let keys = object.metadata.finalizers.iter().filter(|key| !is_collectors(key));
            let (set, unknown): (Vec<_>, Vec<_>) = keys.map(|key| setter(key)).partition(Option::is_some);
            let is_others = |manager: &FieldManager| set.iter().flatten().any(|other| other.name == manager.name);
            let by = if unknown.len() > 1 { Writer::OfOneOfThem } else { Writer::Status };
            (last(object.status_written_by().filter(|manager| wrote(manager) && !is_others(manager))), by)
        } else {
            return None;
        };
        let latest = latest?;
        let at = latest.time?;
        let text =
            format!("managedFields of {}: {} wrote to it after its deletion, at {at}", Ref::from(seen), latest.name);
        Some(LastWrite { at, text, is_progress: since(asked, at) <= PROGRESSES_WITHIN, name: latest.name, by })
    })
}

fn last(managers: impl Iterator<Item = FieldManager>) -> Option<FieldManager> {
    managers.max_by_key(|manager| manager.time)
}

/// Whether a manager is a program with which people write, or which applies what they commit to
/// Git: such programs release nothing.
pub(crate) fn is_tool(manager: &str) -> bool {
    ["kubectl", "helm", "kustomize", "argocd", "flux", "Terraform", "terraform", "pulumi", "k9s", "oc"]
        .iter()
        .any(|tool| manager.strip_prefix(tool).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::progress::fixtures::discovery;

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
}
