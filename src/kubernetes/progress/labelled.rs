//! Objects of the same product that an object's labels name: `acme.io/remote-cluster-id` names a `ForeignCluster`.

use crate::facts::{Known, flat_each};
use crate::kubernetes::finalizers::groups::is_custom;
use crate::kubernetes::progress::absent::if_absent;
use crate::kubernetes::progress::inquiry::Inquiry;
use crate::kubernetes::progress::references::only;
use crate::report::Ref;
use crate::survey::{Discovery, Resource, Seen, is_name};

/// An object that a label names.
pub(super) struct NamedByLabel<'s> {
    pub(super) resource: &'s Resource,
    pub(super) name: &'s str,
    key: &'s str,
    /// The key has the whole name of the kind, in the domain of its group.
    is_exact: bool,
}

/// How many labels are followed.
const MAX_LABELS: usize = 3;

/// The minimum length of a word in a label that is the end of a kind's name.
const MIN_WORD: usize = 5;

/// The objects of its own product that an object's labels name. A word of the key is the end of one
/// kind's name.
pub(super) fn in_labels<'s>(seen: Seen<'s>, discovery: &'s Discovery) -> Vec<NamedByLabel<'s>> {
    let own = &seen.resource.id.group;
    let is_own = |group: &str| is_custom(group) && (group == own || end(group) == end(own));
    let labels = &seen.object.metadata.labels;
    let named = labels.iter().filter_map(|(key, name)| {
        let (domain, word) = key.split_once('/').filter(|_| is_name(name))?;
        if !(is_own(domain) || end(own) == domain || own == domain) {
            return None;
        }
        let words: Vec<String> = word.split('-').filter(|word| word.len() >= MIN_WORD).map(str::to_lowercase).collect();
        let others = || discovery.resources.iter().filter(|kind| kind.id != seen.resource.id);
        let is_exact = |kind: &&Resource| kind.id.group == domain && words.contains(&kind.kind.to_lowercase());
        if let Some(resource) = others().find(is_exact) {
            return Some(NamedByLabel { resource, name, key, is_exact: true });
        }
        let is_called = |kind: &&Resource| {
            let kind = kind.kind.to_lowercase();
            words.iter().any(|word| kind.ends_with(word))
        };
        // If several kinds end in the word, it is unknown which is meant.
        let called = others().filter(|kind| is_own(&kind.id.group)).filter(is_called);
        let resource = only(called, |resource| &resource.kind)?;
        Some(NamedByLabel { resource, name, key, is_exact: false })
    });
    let mut named: Vec<NamedByLabel<'_>> = named.collect();
    named.dedup_by_key(|it| (it.resource.id.clone(), it.name));
    named.truncate(MAX_LABELS);
    named
}

/// The first missing object that a label of the first held object names, with the field. Its
/// controller may need it.
///
/// # Errors
/// When something was not surveyed yet.
pub(super) fn gone(inquiry: Inquiry<'_, '_>) -> Known<Option<(Ref, String)>> {
    let Inquiry { held, facts, .. } = inquiry;
    let Some(seen) = held.read().next().filter(|seen| is_custom(&seen.resource.id.group)) else { return Ok(None) };
    let named = in_labels(seen, facts.discovery()).into_iter().filter(|named| named.is_exact);
    let gone = flat_each(named, |NamedByLabel { resource, name, key, .. }| {
        let place = seen.object.metadata.namespace.as_deref().filter(|_| resource.namespaced);
        if resource.namespaced && place.is_none() {
            return Ok(None);
        }
        let what = if_absent(resource, place, name, inquiry)?;
        Ok(what.map(|what| (what, format!("metadata.labels[{key}]"))))
    })?;
    Ok(gone.into_iter().next())
}

/// The suffix that the groups of one product share: `openstack.org` for `keystone.openstack.org`.
pub(super) fn end(group: &str) -> &str {
    group.split_once('.').filter(|(_, end)| end.contains('.')).map_or(group, |(_, end)| end)
}
