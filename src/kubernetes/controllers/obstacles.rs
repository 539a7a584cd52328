//! Why a controller that runs does not get done: what the held object itself
//! says, in its conditions and events, and what it refers to that is not there.

use crate::facts::{Facts, Known, Unknown, since};
use crate::kubernetes::controllers::found::{InTheWay, LATELY};
use crate::kubernetes::controllers::groups::is_custom;
use crate::kubernetes::controllers::held::Held;
use crate::kubernetes::controllers::references::KINDS;
use crate::kubernetes::controllers::said::Said;
use crate::report::Ref;
use crate::survey::{Discovery, FieldManager, Form, Resource, Seen};
use jiff::Timestamp;
use std::collections::BTreeSet;

const BLOCKERS: usize = 50;

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

/// How long ago a controller that is known by one of `names` wrote to a held
/// object, after its deletion was asked for.
pub(crate) fn wrote_lately(held: &Held<'_>, names: &[String], facts: &Facts<'_>) -> Option<String> {
    held.read().find_map(|seen| {
        let asked = seen.object.deletion_asked()?;
        let managers = seen.object.managers().filter(|manager| names.contains(&manager.name));
        let latest = managers.filter_map(|manager| Some((manager.time?, manager.name))).max()?;
        let age = since(latest.0, facts.now());
        (latest.0 > asked && age <= LATELY)
            .then(|| format!("managedFields of {}: {} wrote to it {}s ago", Ref::from(seen), latest.1, age.as_secs()))
    })
}

/// A write to a held object after its deletion was asked for.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) at: Timestamp,
    pub(crate) text: String,
}

/// What the owner of `finalizer` wrote to a held object after its deletion was asked for,
/// wherever it runs: whoever set the finalizer; where that does not show, whoever writes
/// the status of a custom object.
pub(crate) fn written_since(finalizer: &str, held: &Held<'_>) -> Option<Written> {
    held.read().find_map(|seen| {
        let asked = seen.object.deletion_asked()?;
        let wrote = |manager: &FieldManager| manager.time.is_some_and(|time| time > asked) && !is_tool(&manager.name);
        let latest = match seen.object.finalizer_set_by(finalizer) {
            Some(owner) => last(seen.object.managers().filter(|manager| manager.name == owner.name && wrote(manager))),
            None if is_custom(&seen.resource.id.group) => last(seen.object.status_written_by().filter(wrote)),
            None => None,
        }?;
        let at = latest.time?;
        let text =
            format!("managedFields of {}: {} wrote to it after its deletion, at {at}", Ref::from(seen), latest.name);
        Some(Written { at, text })
    })
}

fn last(managers: impl Iterator<Item = FieldManager>) -> Option<FieldManager> {
    managers.max_by_key(|manager| manager.time)
}

/// Programs by which people write, or which write what people have committed to Git: they
/// release nothing.
fn is_tool(manager: &str) -> bool {
    ["kubectl", "helm", "kustomize", "argocd", "flux", "Terraform", "terraform", "pulumi", "k9s", "oc"]
        .iter()
        .any(|tool| manager.strip_prefix(tool).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kubernetes::controllers::references::tests::discovery;

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
}
