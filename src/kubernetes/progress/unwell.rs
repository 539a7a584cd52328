//! Objects of the same product that a held object refers to and that report a failure: the controller needs them for
//! the clean-up.

use crate::facts::{Facts, Known, for_each};
use crate::kubernetes::finalizers::HeldObjects;
use crate::kubernetes::finalizers::gaps::Gaps;
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::messages::trouble::is_negative;
use crate::kubernetes::progress::references::{Part, SpecReference, part, references};
use crate::kubernetes::statements::statement::{brief, complaints, words_of};
use crate::report::Ref;
use crate::survey::{Discovery, Form, Object, Resource, Seen, is_name};
use serde_json::Value;

/// How many of them are read.
const MAX_READ: usize = 3;

/// An object that is not well, and its own words.
pub(crate) struct Unwell {
    pub(crate) what: Ref,
    pub(crate) words: String,
}

/// The first that is not well of what the first held object refers to, or that its conditions are called after. Where
/// something is `awaited`, whatever it does not have yet may be that.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn find(held: &HeldObjects<'_>, awaited: bool, facts: &Facts<'_>, gaps: &mut Gaps) -> Known<Option<Unwell>> {
    let Some(seen) = held.read().next().filter(|seen| is_custom(&seen.resource.id.group)) else { return Ok(None) };
    let own = &seen.resource.id.group;
    let counts =
        |it: &SpecReference<'_>| is_custom(&it.resource.id.group) && matches!(part(it, own), Part::Source | Part::Kin);
    let named = references(seen, facts.discovery()).into_iter().filter(counts);
    let mut found: Option<Unwell> = None;
    let mut look = |resource: &Resource, object: &Object, is_awaited: bool| {
        let all = complaints(object).into_iter().chain(failing(object));
        // Where a condition is called after it, anything that it does not have yet is waited for.
        let words = all.into_iter().find(|words| is_awaited || is_negative(words) || is_not_ready(words));
        if let (None, Some(words), false) = (&found, words, object.uid() == seen.object.uid()) {
            found = Some(Unwell { what: Ref::from(Seen { resource, object }), words });
        }
    };
    for_each(named.take(MAX_READ), |SpecReference { resource, namespace, name, .. }| {
        let read = gaps.pass(facts.get(&resource.id, namespace.as_deref(), &name, Form::Whole))?.flatten();
        if let Some(object) = read.filter(|object| !(awaited && object.is_deleting())) {
            look(resource, object, awaited);
        }
        Ok(())
    })?;
    if awaited {
        return Ok(found);
    }
    for_each(in_labels(seen, facts.discovery()), |(resource, name)| {
        let place = seen.object.metadata.namespace.as_deref().filter(|_| resource.namespaced);
        let read = gaps.pass(facts.get(&resource.id, place, name, Form::Whole))?.flatten();
        if let Some(object) = read {
            look(resource, object, false);
        }
        Ok(())
    })?;
    let place = seen.object.metadata.namespace.as_deref();
    for_each(awaited_kinds(seen, facts), |kind| {
        let all = gaps.pass(facts.list(&kind.id, place.filter(|_| kind.namespaced), Form::Whole))?.unwrap_or_default();
        // The condition does not say which of several is meant.
        if let [one] = all {
            look(kind, one, true);
        }
        Ok(())
    })?;
    Ok(found)
}

fn is_not_ready(words: &str) -> bool {
    let lower = words.to_lowercase();
    lower.contains("not ready") || lower.contains("notready")
}

/// The words of conditions that do not hold; some products have states of their own in the place of `False`.
fn failing(object: &Object) -> Vec<String> {
    let conditions = object.array("/status/conditions").iter();
    let text =
        |condition: &Value, field: &str| condition.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let fails = |status: &str| status == "False" || !["True", "Unknown", ""].contains(&status) && is_negative(status);
    let failing = conditions.filter(|condition| fails(&text(condition, "status")));
    failing.map(|condition| brief(&words_of(condition))).collect()
}

/// How short the end of a kind's name may be that a label is called after.
const MIN_WORD: usize = 5;

/// The objects of its own product that an object's labels name. A key has a word in which the name of one kind ends:
/// `acme.io/remote-cluster-id` names a `ForeignCluster`.
fn in_labels<'s>(seen: Seen<'s>, discovery: &'s Discovery) -> Vec<(&'s Resource, &'s str)> {
    let own = &seen.resource.id.group;
    let is_own = |group: &str| is_custom(group) && (group == own || end(group) == end(own));
    let labels = &seen.object.metadata.labels;
    let named = labels.keys().zip(labels.values()).filter_map(|(key, name)| {
        let (domain, word) = key.split_once('/').filter(|_| is_name(name))?;
        if !(is_own(domain) || end(own) == domain || own == domain) {
            return None;
        }
        let is_called = |kind: &&Resource| {
            let kind = kind.kind.to_lowercase();
            word.split('-').any(|word| word.len() >= MIN_WORD && kind.ends_with(&word.to_lowercase()))
        };
        let kinds = discovery.resources.iter().filter(|kind| is_own(&kind.id.group) && kind.id != seen.resource.id);
        let mut called = kinds.filter(is_called);
        let kind = called.next()?;
        // Where several kinds end so, none is known to be meant.
        called.all(|other| other.kind == kind.kind).then_some((kind, name.as_str()))
    });
    let mut named: Vec<(&Resource, &str)> = named.collect();
    named.dedup_by_key(|(kind, name)| (kind.id.clone(), *name));
    named.truncate(MAX_READ);
    named
}

/// The kinds of a product that conditions of an object are called after which do not hold: `KeystoneAPIReady=False`.
fn awaited_kinds<'s>(seen: Seen<'_>, facts: &Facts<'s>) -> Vec<&'s Resource> {
    let conditions = seen.object.array("/status/conditions").iter();
    let text =
        |condition: &Value, field: &str| condition.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let failing = conditions.filter(|condition| text(condition, "status") == "False");
    let names = failing.filter_map(|condition| text(condition, "type").strip_suffix("Ready").map(ToOwned::to_owned));
    let own = |kind: &&Resource| {
        kind.id.group == seen.resource.id.group || end(&kind.id.group) == end(&seen.resource.id.group)
    };
    let kinds = names.filter_map(|name| {
        let mut kinds = facts.discovery().resources.iter().filter(own).filter(|kind| is_custom(&kind.id.group));
        kinds.find(|kind| kind.kind == name && kind.id != seen.resource.id)
    });
    kinds.take(1).collect()
}

/// The end that the groups of one product share: `openstack.org` of `keystone.openstack.org`.
fn end(group: &str) -> &str {
    group.split_once('.').filter(|(_, end)| end.contains('.')).map_or(group, |(_, end)| end)
}
