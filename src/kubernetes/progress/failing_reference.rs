//! Objects of the same product that a held object refers to and that report a failure: the controller needs them for
//! the clean-up.

use crate::facts::{Facts, Known, for_each};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::messages::trouble::is_negative;
use crate::kubernetes::progress::absent::{ReferenceRole, part};
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::labelled::{NamedByLabel, end, in_labels};
use crate::kubernetes::progress::references::{SpecReference, references};
use crate::kubernetes::statements::statement::{brief, complaints, words_of};
use crate::survey::{Form, Object, Resource, Seen};
use serde_json::Value;

/// How many such objects are read.
const MAX_READ: usize = 3;

/// An object that reports a failure, and its message.
pub(crate) struct FailingReference<'s> {
    pub(crate) what: Seen<'s>,
    pub(crate) words: String,
}

/// The first object that reports a failure, among those that the first held object refers to or
/// that its conditions name. If something is `awaited`, any condition that is not True yet may be
/// the reason for the wait.
///
/// # Errors
/// When something was not surveyed yet.
pub(crate) fn find<'s>(awaited: bool, inquiry: Inquiry<'_, 's>) -> Known<Option<FailingReference<'s>>> {
    let Inquiry { held, facts, gaps, .. } = inquiry;
    let Some(seen) = held.read().next().filter(|seen| is_custom(&seen.resource.id.group)) else { return Ok(None) };
    let own = &seen.resource.id.group;
    let counts = |it: &SpecReference<'_>| {
        is_custom(&it.resource.id.group) && matches!(part(it, own), ReferenceRole::Source | ReferenceRole::Kin)
    };
    let named = references(seen, facts.discovery()).into_iter().filter(counts);
    let mut found: Option<FailingReference<'s>> = None;
    let mut look = |resource: &'s Resource, object: &'s Object, is_awaited: bool| {
        let all = complaints(object).into_iter().chain(failing(object));
        // If a condition names the object, anything that is not True yet is waited for.
        let words = all.into_iter().find(|words| is_awaited || is_negative(words) || is_not_ready(words));
        if let (None, Some(words), false) = (&found, words, object.uid() == seen.object.uid()) {
            found = Some(FailingReference { what: Seen { resource, object }, words });
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
    for_each(in_labels(seen, facts.discovery()), |NamedByLabel { resource, name, .. }| {
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
        // The condition does not say which of several objects is meant.
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

/// The messages of conditions that are False; some products use states of their own instead of `False`.
fn failing(object: &Object) -> Vec<String> {
    let fails = |status: &str| status == "False" || !["True", "Unknown", ""].contains(&status) && is_negative(status);
    let status = |condition: &'_ Value| condition.get("status").and_then(Value::as_str).unwrap_or_default().to_owned();
    let failing = object.array("/status/conditions").iter().filter(|condition| fails(&status(condition)));
    failing.map(|condition| brief(&words_of(condition))).collect()
}

/// The kinds of a product that are named in conditions which are False: `KeystoneAPIReady=False`.
fn awaited_kinds<'s>(seen: Seen<'_>, facts: &Facts<'s>) -> Vec<&'s Resource> {
    let failing = seen.object.conditions().filter(|condition| condition.status() == "False");
    let names = failing.filter_map(|condition| condition.kind().strip_suffix("Ready"));
    let own = |kind: &&Resource| {
        kind.id.group == seen.resource.id.group || end(&kind.id.group) == end(&seen.resource.id.group)
    };
    let kinds = names.filter_map(|name| {
        let mut kinds = facts.discovery().resources.iter().filter(own).filter(|kind| is_custom(&kind.id.group));
        kinds.find(|kind| kind.kind == name && kind.id != seen.resource.id)
    });
    kinds.take(1).collect()
}
